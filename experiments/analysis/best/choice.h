/* The fastest of several points, chosen and timed by different rounds.
 *
 * If several points are equally fast, the one that is chosen as the fastest is the one that was
 * luckiest, and its time in the rounds that chose it is too short. The rounds are therefore split
 * into odd and even ones. Each half chooses, and the chosen point is timed by the rounds of the
 * other half. All rounds together are then a series of times of "the fastest" in which no round
 * chose for itself. The value is the median of the series. Its interval lies between two rounds by
 * rank, at 97.5 %, because each half chooses for the other. If both halves choose the same point,
 * the series is that point's own, with its usual time and ratios. Sources: Cox (1975), Biometrika
 * 62, 441-444, on splitting data; with both halves in either part: Chernozhukov et al. (2018),
 * Econometrics Journal 21, C1-C68 (cross-fitting). */
#ifndef MAXPOOL_ANALYSIS_CHOICE_H
#define MAXPOOL_ANALYSIS_CHOICE_H

#include "experiments/analysis/paired_times.h"

enum { HALVES = 2 };

struct choice {
    const struct point *point; /* the one that is reported: the fastest by all rounds; NULL: none */
    const struct point *timed[HALVES]; /* timed by the rounds of that half, chosen by the other */
};

/* Returns a point that was not chosen by its time. */
struct choice choice_given(const struct point *p);

/* Returns the fastest of the points in total time: a point that is not doubtful comes before any
 * that is SUSPECT. If one of them has launches in fewer than six rounds, all rounds choose and
 * time. */
struct choice choice_of(const struct samples *s, const struct point *const *points, size_t count);

/* Returns the slowest of them by the same rules: one that is SUSPECT is the slowest only if all
 * are. */
struct choice choice_of_slowest(const struct samples *s, const struct point *const *points,
                                size_t count);

/* Returns the companions of a choice, one for each of its points, so that the two are compared
 * round by round. If a half has no companion: the companion of the reported point alone. */
typedef const struct point *choice_companion(const struct point *p, const void *context);
struct choice choice_of_companions(const struct choice *c, choice_companion *companion,
                                   const void *context);

/* False if both halves chose the reported point. */
bool choice_is_split(const struct choice *c);

/* The time of the choice: value, interval, launches and samples; no draws. */
struct estimate choice_seconds(const struct samples *s, const struct choice *c, enum metric metric);

/* Stores the logarithms of the ratios within rounds, each half with the points that the other half
 * chose; returns their number. `logs` has as many elements as both points of the numerator have
 * launches. */
size_t choice_logs(const struct samples *s, const struct choice *numerator,
                   const struct choice *denominator, enum metric metric, double *logs);

/* The ratio of two such times, taken within rounds if there are enough of them. Its interval
 * contains the quotient of the two times and that of the reported points: a page may show either.
 */
struct comparison_of_points compare_choices(const struct samples *s, const struct choice *numerator,
                                            const struct choice *denominator, enum metric metric);

#endif
