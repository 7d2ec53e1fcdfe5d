#include "experiments/program/launch/own_counters.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What the kernel tells of a counter that shares the hardware with others. */
struct counted {
    uint64_t value, enabled_ns, running_ns;
};

static int open_counter(uint64_t what)
{
    struct perf_event_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_HARDWARE;
    attributes.config = what;
    attributes.inherit = 1;
    attributes.exclude_kernel = attributes.exclude_hv = 1; /* allowed where the system is not */
    attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    return (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

void own_counters_begin(struct own_counters *c)
{
    c->instructions_file = open_counter(PERF_COUNT_HW_INSTRUCTIONS);
    c->error = c->instructions_file < 0 ? errno : 0;
    c->cycles_file = c->error ? -1 : open_counter(PERF_COUNT_HW_CPU_CYCLES);
}

/* Reads and closes a counter; one that ran for a part of the time is scaled to all of it. */
static double end_counter(int file)
{
    struct counted c = {0};
    if (file < 0)
        return NAN;
    const bool good = read(file, &c, sizeof c) == (ssize_t)sizeof c && c.running_ns > 0;
    close(file);
    return good ? (double)c.value * ((double)c.enabled_ns / (double)c.running_ns) : (double)NAN;
}

void own_counters_end(struct own_counters *c, double *instructions, double *cycles)
{
    *instructions = end_counter(c->instructions_file);
    *cycles = end_counter(c->cycles_file);
    c->instructions_file = c->cycles_file = -1;
}

/* The system's setting; NaN if it cannot be read. */
static double paranoid(void)
{
    double level = NAN;
    FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "r");
    if (file && fscanf(file, "%lf", &level) != 1)
        level = NAN;
    if (file)
        fclose(file);
    return level;
}

void own_counters_reason(int error, char *text, size_t size)
{
    if (error == 0)
        text[0] = '\0';
    else if (error == EACCES || error == EPERM)
        snprintf(text, size,
                 "instructions and cycles are not counted: an administrator must allow it by "
                 "'sysctl kernel.perf_event_paranoid=2' (it is %g), and a container must allow the "
                 "system call perf_event_open",
                 paranoid());
    else if (error == ENOSYS)
        snprintf(text, size,
                 "instructions and cycles are not counted: this system has no perf_event_open");
    else
        snprintf(text, size,
                 "instructions and cycles are not counted: this machine shows no counters of its "
                 "processor, as many virtual ones (%s)",
                 strerror(error));
}
