/* All points of two result sets compared. The sets are two sessions, and a machine is not the same
 * in two sessions: what all times of one have in common is of the session, or of the build.
 *
 * Points of other libraries (anchors) distinguish them, since no build of ours changes them. A
 * point of ours may have moved as far as one of them does: as far as their mean, with its
 * uncertainty and with what they differ among themselves beyond their noise, or as far as the one
 * that moved most. Source: DerSimonian & Laird (1986), Controlled Clinical Trials 7, 177-188.
 * Without anchors the median of many points, with its uncertainty, counts as the sessions', so that
 * only what moved beyond the others is a change; of few points nothing is reported but that they
 * are the same. */
#ifndef MAXPOOL_SESSION_COMPARISON_H
#define MAXPOOL_SESSION_COMPARISON_H

#include "experiments/analysis/comparison.h"

#include <stdbool.h>

enum { SESSION_FEWEST_POINTS = 10 };

/* Median seconds of the launches of a point, those of A first. */
struct session_point {
    const double *medians;
    size_t count_a, count_b;
    bool anchor;  /* another library's */
    bool doubted; /* its times decide nothing */
};

enum session_source { SESSION_UNKNOWN, SESSION_ANCHORS, SESSION_POINTS };

struct session_shift {
    enum session_source source;
    size_t points; /* that show it */
    double moved;  /* factor: anchors: the farthest, points: their median; 1 where there are none */
    double reach;  /* factor, at least 1, that the sessions may differ by, either way */
    double margin; /* with what was asked: a change has to exceed it */
    size_t withheld; /* points that would be called FASTER or SLOWER, were the sessions one */
};

/* Fills *shift, and of each point results[i]. Returns 0, or -1 where memory lacks. */
int compare_sessions(struct session_shift *shift, struct comparison *results,
                     const struct session_point *points, size_t count, double margin, gsl_rng *rng);

/* False where launches are too few to decide anything. */
bool session_point_is_decided(const struct session_point *p);

#endif
