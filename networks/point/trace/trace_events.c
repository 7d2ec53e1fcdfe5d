#include "networks/point/trace/trace_events.h"

#include <stdlib.h>

void event_print(FILE *out, const struct event *e, const char *more)
{
    fprintf(
        out,
        ",\n{\"name\":\"%s\",\"ph\":\"X\",\"pid\":%lld,\"tid\":%lld,\"ts\":%.3f,\"dur\":%.3f%s}",
        e->name, (long long)e->process, (long long)e->thread, 1e6 * (e->begin - e->start),
        1e6 * (e->end - e->begin), more);
}

void event_name(FILE *out, const char *what, int64_t process, int64_t thread, const char *name)
{
    fprintf(
        out,
        ",\n{\"name\":\"%s\",\"ph\":\"M\",\"pid\":%lld,\"tid\":%lld,\"args\":{\"name\":\"%s\"}}",
        what, (long long)process, (long long)thread, name);
}

enum status trace_gather(const struct point *p, bool fits, size_t bytes,
                         void (*fill)(void *block, const void *context), const void *context,
                         char **blocks, struct failure *f)
{
    const struct processes *processes = p->program->space->processes;
    int rank, ranks;
    processes_place(processes, &rank, &ranks);
    void *mine = calloc(1, bytes);
    *blocks = calloc(point_is_root(p) ? (size_t)ranks : 1, bytes);
    enum status status =
        mine && *blocks && fits ? STATUS_OK : fail(f, STATUS_RESOURCE, "no memory for --trace");
    status = point_common_status(p, status, f);
    if (status == STATUS_OK) {
        fill(mine, context);
        processes_gather(processes, mine, bytes, *blocks);
    }
    free(mine);
    return status;
}
