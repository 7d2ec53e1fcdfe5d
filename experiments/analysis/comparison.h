/* Whether one point became faster or slower between two result sets.
 *
 * The unit is the launch: its samples share an address layout, a core and a moment, so they are
 * correlated, and counting them one by one finds differences that are not there. Launches of both
 * sets are split anew in every possible way (or 9,999 random ones), which makes the false alarm
 * rate exact for any distribution that both sets share: outliers, two modes, drift. What is
 * compared are ranks, so that one bad launch of nine hides nothing, by Welch's statistic, so that
 * unequal spreads do no harm either; FASTER and SLOWER look, from eight launches of each on, also
 * at ranks within two parts, so that a second mode hides no shift (splits.h). The interval holds
 * every ratio that the test of all ranks does not reject: it is wide where the modes are not
 * equally likely on both sides, and may hold 1 where the parts show a shift. Sources: Janssen
 * (1997), Statistics & Probability Letters 36, 9-21; for ranks, Neubert & Brunner (2007),
 * Computational Statistics & Data Analysis 51, 5192-5204. */
#ifndef MAXPOOL_COMPARISON_H
#define MAXPOOL_COMPARISON_H

#include <gsl/gsl_rng.h>
#include <stddef.h>

enum comparison_verdict {
    COMPARISON_SAME,     /* the whole interval lies within 1 +- margin, which no test contradicts */
    COMPARISON_FASTER,   /* B takes less time: the ratio is seen to lie below 1 - margin */
    COMPARISON_SLOWER,   /* B takes more: it is seen to lie above 1 + margin */
    COMPARISON_UNDECIDED /* none of them is seen */
};

extern const char *const comparison_names[];

struct comparison {
    double ratio;        /* seconds of B over seconds of A: the shift that the ranks agree on */
    double lower, upper; /* 95 %; 0 and infinity where launches are too few to bound it */
    double p_value;      /* of "no difference", two-sided, by all ranks as the interval */
    double p_slower;     /* one-sided, of "the ratio is 1 + margin at most" */
    double p_faster;     /* one-sided, of "the ratio is 1 - margin at least" */
    double least_p;      /* that so few launches can give */
    size_t launches_a, launches_b;
    enum comparison_verdict verdict;
};

/* Launches needed on both sides together: with fewer possible assignments than 40, no outcome is
 * rarer than 5 %. Four and four are enough. */
int comparison_possible(size_t launches_a, size_t launches_b);

/* `a` and `b` hold the median seconds of each launch, all above 0. The verdict is that of one
 * comparison alone. Returns 0, or -1 where memory lacks. */
int compare_launches(struct comparison *c, const double *a, size_t count_a, const double *b,
                     size_t count_b, double margin, gsl_rng *rng);

/* The verdict of one comparison alone, from its interval and probabilities. */
void comparison_decide(struct comparison *c, double margin);

/* The one-sided probability that one point among `count` has to stay below to be called FASTER or
 * SLOWER where no other is. */
double comparison_level(size_t count);

/* Decides several comparisons together: those called FASTER or SLOWER are chosen so that among them
 * false ones are 5 % on average, and where nothing differs none is called so in 95 of 100 studies.
 * `verdicts` come in as the verdicts of each alone; those that are UNDECIDED stay so where nothing
 * is seen. Source: Benjamini & Hochberg (1995), Journal of the Royal Statistical Society B 57,
 * 289-300; for tests that depend on each other as these do: Benjamini & Yekutieli (2001), Annals of
 * Statistics 29, 1165-1188. */
int compare_together(struct comparison *all, size_t count);

/* The ratio that one point of `count` must have changed by to be called SLOWER 19 times of 20, from
 * the width of its interval; infinity where so few launches cannot show any. */
double comparison_detectable(const struct comparison *c, double margin, size_t count);

/* Launches of each side that can show a change of one point among `count`. */
size_t comparison_launches_needed(size_t count);

#endif
