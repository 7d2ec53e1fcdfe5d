/* The simulated machines: platform files of SimGrid (experiments/plan/platforms/NAME.xml, or any
 * path), read as far as the study needs them. What starts ranks needs the hosts; the model of
 * experiments/analysis/speedup/model.h needs latencies and bandwidths too, and knows two shapes:
 * one <cluster>, flat or a fat tree, and a single <host>.
 *
 * Source of the format: SimGrid 3.32, "Describing the virtual platform" (simgrid.dtd 4.1). */
#ifndef MAXPOOL_PLATFORM_H
#define MAXPOOL_PLATFORM_H

#include "harness/base/failure.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PLATFORM_LEVELS = 4 };

/* What a message passes: its latency, and bytes per second, alone and with all others that pass
 * the same links. */
struct channel {
    double latency_s;
    double alone;    /* of one message */
    double together; /* of all messages at once; infinity: they do not disturb each other */
};

struct platform {
    char path[PATH_MAX];
    char **hosts; /* in the order of the file; owned */
    size_t host_count;
    int64_t cores;                  /* of each host */
    double speed;                   /* operations per second of one core */
    double memory_bandwidth;        /* bytes per second of one host's memory; NaN: not recorded */
    struct channel inside;          /* between two ranks of one host */
    struct channel link;            /* a host's own link to the network, in one direction */
    int64_t levels;                 /* of switches; 0 where there is one host */
    int64_t below[PLATFORM_LEVELS]; /* hosts that a switch of each level has below it */
    char unknown[512];              /* why the model does not know it, with file and line; "" */
};

/* Reads the platform called `name`: a path where it holds '/' or ends in .xml, else of the folder
 * that comes with the program. Status 2, with file and line, for a file that is none; 3 where this
 * build has no XML parser. */
enum status platform_read(struct platform *out, const char *name, struct failure *f);
void platform_release(struct platform *p);

/* All cores of all hosts. */
int64_t platform_cores(const struct platform *p);

/* Seconds that the links between two hosts delay a message, where ranks use the first `hosts`. */
double platform_latency(const struct platform *p, int64_t hosts);

/* Writes one line per core, hosts in order: ranks fill one host after the other, as mpirun does.
 * Status 5. */
enum status platform_write_hosts(const struct platform *p, const char *path, struct failure *f);

#endif
