/* Whether one point became faster or slower between two result sets.
 *
 * The unit is the launch. Samples of one launch share an address layout, a core and a moment, so
 * they are correlated, and counting them singly finds differences that do not exist. The launches
 * of both sets are split anew in every possible way (or 9,999 random ones), which makes the false
 * alarm rate exact for any distribution that both sets share: outliers, two modes, drift. The test
 * compares ranks, so that one bad launch of nine hides nothing, by Welch's statistic, so that
 * unequal spreads do no harm. From eight launches per side on, FASTER and SLOWER also compare ranks
 * within two parts, so that a second mode hides no shift (splits.h). The interval contains every
 * ratio that the test of all ranks does not reject: it is wide if the modes are not equally likely
 * on both sides, and may contain 1 although the parts show a shift. Sources: Janssen (1997),
 * Statistics & Probability Letters 36, 9-21; for ranks, Neubert & Brunner (2007), Computational
 * Statistics & Data Analysis 51, 5192-5204. */
#ifndef MAXPOOL_COMPARISON_H
#define MAXPOOL_COMPARISON_H

#include <gsl/gsl_rng.h>
#include <stddef.h>

enum comparison_verdict {
    COMPARISON_SAME,     /* the whole interval is within 1 +- margin, and no test contradicts */
    COMPARISON_FASTER,   /* B takes less time: the ratio is significantly below 1 - margin */
    COMPARISON_SLOWER,   /* B takes more: it is significantly above 1 + margin */
    COMPARISON_UNDECIDED /* none of these is shown */
};

extern const char *const comparison_names[];

struct comparison {
    double ratio;        /* seconds of B / seconds of A: the Hodges-Lehmann estimate */
    double lower, upper; /* 95 %; 0 and infinity if there are too few launches to bound it */
    double p_value;      /* of "no difference", two-sided, from all ranks as the interval */
    double p_slower;     /* one-sided, of "the ratio is at most 1 + margin" */
    double p_faster;     /* one-sided, of "the ratio is at least 1 - margin" */
    double least_p;      /* the smallest that this many launches can give */
    size_t launches_a, launches_b;
    enum comparison_verdict verdict;
};

/* Whether the launches can show a difference: with fewer than 40 possible splits, no outcome is
 * rarer than 5 %. Four and four are enough. */
int comparison_possible(size_t launches_a, size_t launches_b);

/* Compares the median seconds of the launches, `a` with `b`, all above 0. The verdict is that of
 * one comparison alone. Returns 0, or -1 if memory runs out. */
int compare_launches(struct comparison *c, const double *a, size_t count_a, const double *b,
                     size_t count_b, double margin, gsl_rng *rng);

/* Sets the verdict of one comparison alone, from its interval and probabilities. */
void comparison_decide(struct comparison *c, double margin);

/* The one-sided probability below which one point among `count` is called FASTER or SLOWER when no
 * other one is. */
double comparison_level(size_t count);

/* Decides several comparisons together, so that of those called FASTER or SLOWER 5 % are false on
 * average, and if nothing differs, none is called so in 95 of 100 studies. On entry, `verdict` is
 * that of each comparison alone; UNDECIDED stays unless a difference is shown. Returns 0, or -1 if
 * memory runs out. Source: Benjamini & Hochberg (1995), Journal of the Royal Statistical Society B
 * 57, 289-300; for tests that depend on each other as these do: Benjamini & Yekutieli (2001),
 * Annals of Statistics 29, 1165-1188. */
int compare_together(struct comparison *all, size_t count);

/* The same, so that not one of those that do not differ is called FASTER or SLOWER in 95 of 100
 * studies, whatever the others do. Source: Holm (1979), Scandinavian Journal of Statistics 6,
 * 65-70. */
int compare_all_of(struct comparison *all, size_t count);

/* The ratio by which one point of `count` must change to be called SLOWER 19 times out of 20, from
 * the width of its interval; infinity if the launches are too few to show any change. */
double comparison_detectable(const struct comparison *c, double margin, size_t count);

/* Launches per side that can show a change of one point among `count`. */
size_t comparison_launches_needed(size_t count);

#endif
