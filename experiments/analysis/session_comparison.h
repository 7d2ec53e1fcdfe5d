/* Compares all points of two result sets. The sets are two sessions, and the machine may differ
 * between sessions: a change that all times have in common may be due to the session or to the
 * build.
 *
 * Points of other libraries (anchors) distinguish the two, because no build of ours changes them.
 * The session is assumed to have changed a point of ours by as much as the anchors: by their mean,
 * with its uncertainty and their variance beyond noise, or by the largest change of one anchor, if
 * that is more. Source: DerSimonian & Laird (1986), Controlled Clinical Trials 7, 177-188. Without
 * anchors, the session is assumed to have caused the median change of many points, with its
 * uncertainty, so that only changes beyond it are reported. With few points, SAME is the only
 * verdict besides UNDECIDED. */
#ifndef MAXPOOL_SESSION_COMPARISON_H
#define MAXPOOL_SESSION_COMPARISON_H

#include "experiments/analysis/comparison.h"

#include <stdbool.h>

enum { SESSION_FEWEST_POINTS = 10 };

/* Median seconds of each launch of a point, those of A first. */
struct session_point {
    const double *medians;
    size_t count_a, count_b;
    bool anchor;  /* another library's */
    bool doubted; /* its times decide nothing */
};

enum session_source { SESSION_UNKNOWN, SESSION_ANCHORS, SESSION_POINTS };

struct session_shift {
    enum session_source source;
    size_t points; /* number of points that show it */
    double moved;  /* factor: farthest of the anchors, or median of the points; 1 without either */
    double reach;  /* factor, at least 1, by which the sessions may differ, in either direction */
    double margin; /* what a change must exceed: the requested margin extended by `reach` */
    size_t withheld; /* points that would be FASTER or SLOWER if both sets were one session */
};

/* Fills *shift, and results[i] for each point. Returns 0, or -1 if memory runs out. */
int compare_sessions(struct session_shift *shift, struct comparison *results,
                     const struct session_point *points, size_t count, double margin, gsl_rng *rng);

/* False if it has too few launches to decide anything. */
bool session_point_is_decided(const struct session_point *p);

#endif
