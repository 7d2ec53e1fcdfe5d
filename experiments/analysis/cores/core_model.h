/* How long a kernel takes on p cores that share one memory. Everything follows from its time on one
 * core, what it moves, how it is divided (struct core_split), and the machine
 * (experiments/plan/multicore.h). Pure functions.
 *
 *   computing   T(1) x the largest part of the work / (speed x clock). Units of work are
 * indivisible (whole rows, panels of filters), so the largest part is ceil(units / p) / units: the
 *               parallel part of Amdahl (1967), AFIPS 30, 483-485, with Graham's bound for unit
 *               tasks (1969), SIAM J. Appl. Math. 17(2), 416-429, whose value it is for equal ones.
 *   memory      bytes / bandwidth. Bandwidth grows with the cores until the memory of a node is
 *               saturated: min(p x core, nodes in use x node), the roofline of Williams, Waterman &
 *               Patterson (2009), CACM 52(4), 65-76; few cores do not fill it. If the data fit
 *               into the last-level caches in use, these give their bandwidth instead. Bytes that
 *               all workers read are read by each of these caches. Bytes that one thread touched
 *               first are in the memory of its node, whose bandwidth alone they have (first touch:
 *               Lameter (2013), ACM Queue 11(7)).
 *   regions     the cost of a parallel region's beginning and end: at least the ceil(log2 p) rounds
 *               of a dissemination barrier (Hensgen, Finkel & Manber (1988), Int. J. Parallel
 *               Programming 17(1), 1-17; LogP: Culler et al. (1993), PPoPP, 1-12) of one cache line
 *               each; at most 3 (p - 1) lines one after the other: what the team of openmp/held.c
 *               does, whose threads enter by one word, leave by it and count in another (serialised
 *               atomics: Schweizer, Besta & Hoefler (2015), PACT, 445-456).
 *   sharing     false sharing (Bolosky & Scott (1993), SEDMS, 57-71): slices of less than a cache
 *               line, which several workers write at the same time. At most two transfers of a line
 *               for each slice, and as many times more as slices fit into a line. At least none.
 *
 * A prediction is a range. Its low end has computing and memory overlap wholly (the roofline) and
 * the lower costs; its high end has them one after the other (the ECM model without overlap:
 * Treibig & Hager (2010), PPAM 2009, LNCS 6067, 615-624), the upper costs, and the upper end of
 * T(1). */
#ifndef MAXPOOL_CORE_MODEL_H
#define MAXPOOL_CORE_MODEL_H

#include "experiments/plan/multicore.h"
#include "experiments/samples/estimate.h"

#include <stdbool.h>

/* A kernel as one core executed it. */
struct core_work {
    double seconds;           /* T(1) */
    struct interval interval; /* 95 %; NaN: none */
    double memory_s;          /* that its bytes take at least, of these seconds */
    double bytes;             /* that all workers together move at least, once each */
    double placed_bytes;      /* of these, what one thread touched first: weights, B */
    double kept_bytes;        /* what must also stay in the caches from one execution to the next */
};

/* How p workers divide it. */
struct core_split {
    double workers;      /* that have any work */
    double share;        /* the largest part of the work */
    double slices;       /* contiguous runs of outputs that a worker writes ... */
    double slice_bytes;  /* ... of so many bytes at least */
    double shared_bytes; /* that every worker reads */
    bool shares_placed;  /* these are the placed ones */
    double regions;      /* parallel regions of an execution */
};

enum core_term { CORE_COMPUTE, CORE_MEMORY, CORE_REGIONS, CORE_SHARING, CORE_TERMS };

struct core_time {
    double low, high;         /* seconds */
    double value;             /* their geometric mean */
    double terms[CORE_TERMS]; /* computing beyond what the bytes took, memory, and the costs of the
                               * high end */
    enum core_term largest;   /* of these */
    bool in_cache;            /* the data stay in the last-level caches */
};

/* Units that are indivisible, divided among p workers, in one region that shares nothing. units >=
 * 1, p >= 1. */
struct core_split core_split_units(double units, double workers);

/* Bytes per second of `workers` cores, one node after the other; of the memory of one node. */
double core_memory_bandwidth(const struct multicore *m, double workers, bool one_node);

/* The least and the most seconds of one parallel region of `workers` workers: 0 for one. */
struct interval core_region_s(const struct multicore *m, double workers);

/* The prediction for split.workers workers while `busy` >= workers cores are busy. */
struct core_time core_predict(const struct core_work *work, const struct core_split *split,
                              double busy, const struct multicore *m);

/* Adds one step after another: the sums of the ends and of the terms. {0}: nothing yet. */
void core_time_add(struct core_time *sum, const struct core_time *step);

/* How a measured time compares with a prediction: their intervals meet, or it is below or above. */
enum core_verdict { CORE_MEETS, CORE_FASTER, CORE_SLOWER };
enum core_verdict core_compare(const struct core_time *predicted, double seconds,
                               struct interval measured);

/* The term whose assumption explains a miss by the smallest change: that term alone, times *factor
 * (above 1: it takes longer than assumed), makes the nearer end of the prediction meet the nearer
 * end of the measurement. CORE_TERMS if no single one can, or nothing is missed. */
enum core_term core_missed(const struct core_time *predicted, double seconds,
                           struct interval measured, double *factor);

#endif
