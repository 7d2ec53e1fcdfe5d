/* The simulated machines: platform files of SimGrid (experiments/plan/platforms/NAME.xml, or any
 * path), read as far as the study needs them. Starting ranks needs the hosts. The model of
 * experiments/analysis/speedup/model.h also needs latencies and bandwidths; it supports two shapes:
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

/* The path of a message: its latency, and its bandwidth in bytes per second. */
struct channel {
    double latency_s;
    double alone;    /* for one message */
    double together; /* for all messages at once; infinity: they do not slow each other down */
};

struct platform {
    char path[PATH_MAX];
    char **hosts; /* in the order of the file; owned */
    size_t host_count;
    int64_t cores;                  /* of each host */
    double speed;                   /* operations per second of one core */
    double memory_bandwidth;        /* bytes per second of one host's memory; NaN: not recorded */
    struct channel inside;          /* between two ranks of the same host */
    struct channel link;            /* from a host to the network, in one direction */
    int64_t levels;                 /* levels of switches; 0 for a single host */
    int64_t below[PLATFORM_LEVELS]; /* hosts below a switch of each level */
    char unknown[512];              /* why the model does not support the platform, with file and
                                     * line; "": it does */
};

/* Reads the platform called `name`: a path if it contains '/' or ends in .xml; otherwise a file in
 * the folder that comes with the program. Status 2, with file and line, for a file that is no
 * platform; 3 if this build has no XML parser. */
enum status platform_read(struct platform *out, const char *name, struct failure *f);
void platform_release(struct platform *p);

/* All cores of all hosts. */
int64_t platform_cores(const struct platform *p);

/* Seconds that the links between two hosts delay a message if ranks use the first `hosts` hosts. */
double platform_latency(const struct platform *p, int64_t hosts);

/* Writes one line per core, hosts in order, so that ranks fill one host after another, as with
 * mpirun. Status 5. */
enum status platform_write_hosts(const struct platform *p, const char *path, struct failure *f);

#endif
