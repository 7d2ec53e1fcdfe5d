/* A computer whose cores share one memory, as far as the prediction for more cores needs it
 * (experiments/analysis/cores/core_model.h): read from a file, machines/NAME.ini, or measured here.
 */
#ifndef MAXPOOL_MULTICORE_H
#define MAXPOOL_MULTICORE_H

#include "harness/base/failure.h"

#include <limits.h>
#include <stdint.h>

struct multicore {
    char name[PATH_MAX]; /* of the file; "this machine" */
    char title[128];
    int64_t cores;
    int64_t nodes; /* memories with an equal part of the cores each (NUMA); they divide the cores */
    double speed;  /* of a core, relative to the core that the samples come from */
    double clock;  /* of a core while all are busy, relative to a core alone: above 0, at most 1 */
    double core_bandwidth;  /* bytes per second of memory for one core */
    double node_bandwidth;  /* the same for all cores of a node */
    double cache_bytes;     /* of one last-level cache; 0: none that cores share */
    int64_t cache_cores;    /* cores that share it */
    double cache_bandwidth; /* bytes per second of it for one core */
    double line_near_s;     /* a cache line from a core that shares the last-level cache */
    double line_far_s;      /* from any other core */
};

/* Reads a machine: a path if `name` contains '/' or ends in .ini, otherwise a file of the folder
 * that comes with the program. Status 2, with file and line, for what is no machine. */
enum status multicore_read(struct multicore *out, const char *name, struct failure *f);

#endif
