/* Whether one of two commands takes longer, from launches in rounds: in each round A, B and A once
 * more, in a random order.
 *
 * The ratio of a round is B / A of that round; the ratio of the A/A arm is A once more / A. Under
 * "no difference" the launches of a round are exchangeable, whatever their distribution, so that
 * the logarithm of either ratio is symmetric about 0: the sign test is exact
 * (experiments/analysis/paired_comparison.h). The mean of both launches of A is not used: with
 * times that have a long tail its ratio would not have the median 1. */
#ifndef MAXPOOL_PAIRS_LAUNCH_PAIRS_H
#define MAXPOOL_PAIRS_LAUNCH_PAIRS_H

#include "experiments/analysis/comparison.h"

enum pair_arm { PAIR_A, PAIR_B, PAIR_A_AGAIN, PAIR_ARMS };

/* What is said of B. */
enum pair_verdict {
    PAIR_FASTER,
    PAIR_SLOWER,
    PAIR_SAME,      /* the whole interval is within 1 +- margin */
    PAIR_NONE,      /* no difference is shown */
    PAIR_UNDECIDED, /* too few rounds to show any */
    PAIR_SUSPECT,   /* the launches of A differ from each other, so that nothing follows for B */
    PAIR_VERDICTS
};

/* Seconds of a benchmark by round; NaN: no launch that counts. */
struct launch_pairs {
    const double *seconds[PAIR_ARMS];
    size_t rounds;
};

struct pair_result {
    struct comparison b, again; /* of B, and of A once more, with A */
    size_t rounds;              /* with A and B */
    double seconds[PAIR_ARMS];  /* medians; NaN: none */
    double detectable;          /* ratio that is found 19 times of 20; infinity: none */
    enum pair_verdict verdict;
};

/* Decides the benchmarks together: of benchmarks that do not differ, none is called FASTER or
 * SLOWER in 95 of 100 runs (Holm). Returns 0, or -1 if memory runs out. */
int launch_pairs_decide(struct pair_result *results, const struct launch_pairs *all, size_t count,
                        double margin);

#endif
