#include "experiments/program/own_start.h"

#include "harness/base/statistics.h"

#include <inttypes.h>
#include <math.h>

/* Launches one worker count once; status 4 with a sentence if that fails. */
static enum status launch(struct own_start *s, const struct own_command *c, double timeout_s,
                          struct failure *f)
{
    struct own_launch l;
    enum status status = own_launch_run(&l, c, &s->workers, timeout_s, "", f);
    if (status == STATUS_OK && l.end == OWN_DONE)
        s->seconds[s->count++] = l.wall_s;
    else if (status == STATUS_OK && l.end != OWN_STOPPED)
        status = fail(f, STATUS_RESOURCE,
                      "--overhead: '%s', which has nothing to do, does not end well: %s", l.command,
                      l.reason);
    own_launch_release(&l);
    return status;
}

enum status own_start_measure(struct own_start *starts, size_t count, const struct own_command *c,
                              double timeout_s, struct failure *f)
{
    struct own_command bare = *c;
    enum status status = STATUS_OK;
    bare.check = bare.expect_hash = NULL;
    bare.same_output = false;
    bare.seconds.count = 0;
    for (size_t round = 0; round < START_LAUNCHES; round++)
        for (size_t i = 0; i < count && status == STATUS_OK && !process_stop_signal(); i++) {
            /* every second round in the opposite order */
            struct own_start *s = &starts[round % 2 ? count - 1 - i : i];
            status = launch(s, &bare, timeout_s, f);
        }
    return status;
}

double own_start_median(struct own_start *s, double *lower, double *upper)
{
    size_t from, to;
    *lower = *upper = NAN;
    if (s->count == 0)
        return NAN;
    const double median = median_of(s->seconds, s->count); /* sorts them */
    if (median_interval_ranks(s->count, 0.95, &from, &to) == 0) {
        *lower = s->seconds[from - 1];
        *upper = s->seconds[to - 1];
    }
    return median;
}
