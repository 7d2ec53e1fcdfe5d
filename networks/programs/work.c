#include "networks/programs/work.h"

int work_main(const char *name, bool has_threads,
              enum status (*open)(const struct job *job, struct instance **out,
                                  struct resources *resources, struct failure *f),
              int argc, char **argv)
{
    char text[RECORD_TEXT];
    struct space space = work.space;
    snprintf(text, sizeof text, "%s_%s", work.name, name);
    space.name = name;
    space.has_threads = has_threads;
    space.open = open;
    const struct program program = {.name = text,
                                    .kind = work.kind,
                                    .space = &space,
                                    .peers = work.peers,
                                    .subject = work.subject};
    return point_main(&program, argc, argv);
}
