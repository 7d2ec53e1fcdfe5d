/* faces_serial: one worker, the calling thread, does all of it. */
#include "networks/faces/faces.h"
#include "serial/serial.h"

static enum status open_serial(const struct job *job, struct instance **out,
                               struct resources *resources, struct failure *f)
{
    struct team team;
    const enum status status = serial_open_team(job, &team, resources, f);
    return status == STATUS_OK ? faces_open(job, team, out, resources, f) : status;
}

static const struct space space = {.name = "serial",
                                   .open = open_serial,
                                   .join = faces_join,
                                   .poison = faces_poison,
                                   .execute = faces_execute,
                                   .map = faces_map,
                                   .close = faces_close};

int main(int argc, char **argv)
{
    const struct program program = {
        .name = "faces_serial", .kind = &faces_row, .space = &space, .subject = &faces_subject};
    return point_main(&program, argc, argv);
}
