#include "harness/machine/counters/counters.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

const char *const counters_words[COUNTERS_STATES] = {"read", "not supported", "not allowed"};

static int open_counter(uint32_t type, uint64_t what)
{
    struct perf_event_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.size = sizeof attributes;
    attributes.type = type;
    attributes.config = what;
    attributes.inherit = 1;
    attributes.exclude_kernel = attributes.exclude_hv = 1; /* allowed where the system is not */
    attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    return (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

void counters_open_as(struct counters *c, uint32_t type, const uint64_t what[COUNTERS])
{
    c->error = 0;
    for (int i = 0; i < COUNTERS; i++) {
        c->files[i] = c->error ? -1 : open_counter(type, what[i]);
        c->error = c->files[i] < 0 && !c->error ? errno : c->error;
    }
    if (c->error)
        counters_close(c);
}

void counters_open(struct counters *c)
{
    counters_open_as(
        c, PERF_TYPE_HARDWARE,
        (const uint64_t[COUNTERS]){PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_HW_CPU_CYCLES});
}

void counters_read(const struct counters *c, struct counter_reading *now)
{
    memset(now, 0, sizeof *now);
    for (int i = 0; i < COUNTERS && !c->error; i++)
        if (read(c->files[i], &now->of[i], sizeof now->of[i]) != (ssize_t)sizeof now->of[i])
            memset(&now->of[i], 0, sizeof now->of[i]);
}

static double between(const struct counted *before, const struct counted *after)
{
    const double running_ns = (double)after->running_ns - (double)before->running_ns;
    const double enabled_ns = (double)after->enabled_ns - (double)before->enabled_ns;
    const double counted = (double)after->value - (double)before->value;
    return running_ns > 0.0 && counted > 0.0 ? counted * (enabled_ns / running_ns) : (double)NAN;
}

void counters_between(const struct counter_reading *before, const struct counter_reading *after,
                      double *instructions, double *cycles)
{
    *instructions = between(&before->of[0], &after->of[0]);
    *cycles = between(&before->of[1], &after->of[1]);
}

void counters_close(struct counters *c)
{
    for (int i = 0; i < COUNTERS; i++) {
        if (c->files[i] >= 0)
            close(c->files[i]);
        c->files[i] = -1;
    }
}

enum counters_state counters_state(const struct counters *c)
{
    return c->error == 0                             ? COUNTERS_READ
           : c->error == EACCES || c->error == EPERM ? COUNTERS_FORBIDDEN
                                                     : COUNTERS_UNSUPPORTED;
}
