/* All points of two result sets compared. The sets are two sessions, and the machine may differ
 * between sessions: a change that all times have in common may be due to the session or to the
 * build.
 *
 * Points of other libraries (anchors) distinguish the two, because no build of ours changes them.
 * The session is taken to have changed a point of ours by as much as the anchors: by their mean,
 * with its uncertainty and their variance beyond noise, or by the largest change of one anchor, if
 * that is more. Source: DerSimonian & Laird (1986), Controlled Clinical Trials 7, 177-188. Without
 * anchors, the median change of many points, with its uncertainty, is taken as that of the session,
 * so that only changes beyond it are reported. With few points, SAME is the only verdict besides
 * UNDECIDED. */
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
