#include "experiments/analysis/pairs/launch_pairs.h"

#include "experiments/analysis/paired_comparison.h"
#include "harness/base/statistics.h"

#include <math.h>
#include <stdlib.h>

static double median_in(const double *seconds, size_t rounds, double *scratch)
{
    size_t count = 0;
    for (size_t i = 0; i < rounds; i++)
        if (!isnan(seconds[i]))
            scratch[count++] = seconds[i];
    return median_of(scratch, count);
}

/* Compares an arm with A, over the rounds that have both; returns their number. */
static size_t compare_arm(struct comparison *c, const struct launch_pairs *p, enum pair_arm arm,
                          double margin, double *scratch)
{
    size_t count = 0;
    for (size_t i = 0; i < p->rounds; i++) {
        const double ratio = p->seconds[arm][i] / p->seconds[PAIR_A][i];
        if (isfinite(ratio) && ratio > 0.0)
            scratch[count++] = ratio;
    }
    compare_paired(c, scratch, count, margin);
    return count;
}

static enum pair_verdict verdict_of(const struct pair_result *r, enum comparison_verdict again,
                                    size_t needed)
{
    static const enum pair_verdict of[] = {[COMPARISON_SAME] = PAIR_SAME,
                                           [COMPARISON_FASTER] = PAIR_FASTER,
                                           [COMPARISON_SLOWER] = PAIR_SLOWER,
                                           [COMPARISON_UNDECIDED] = PAIR_NONE};
    if (again == COMPARISON_FASTER || again == COMPARISON_SLOWER)
        return PAIR_SUSPECT;
    if (r->rounds < needed)
        return PAIR_UNDECIDED;
    return of[r->b.verdict];
}

/* `all` has the comparisons of B, then those of A with itself; `scratch` one element a round. */
static int decide(struct pair_result *results, const struct launch_pairs *pairs, size_t count,
                  double margin, struct comparison *all, double *scratch)
{
    for (size_t i = 0; i < count; i++) {
        struct pair_result *r = &results[i];
        *r = (struct pair_result){.rounds =
                                      compare_arm(&all[i], &pairs[i], PAIR_B, margin, scratch)};
        compare_arm(&all[count + i], &pairs[i], PAIR_A_AGAIN, margin, scratch);
        for (int arm = 0; arm < PAIR_ARMS; arm++)
            r->seconds[arm] = median_in(pairs[i].seconds[arm], pairs[i].rounds, scratch);
    }
    if (compare_all_of(all, count) != 0 || compare_all_of(all + count, count) != 0)
        return -1;
    for (size_t i = 0; i < count; i++) {
        struct pair_result *r = &results[i];
        r->b = all[i];
        r->again = all[count + i];
        r->detectable = comparison_detectable(&r->b, margin, count);
        r->verdict = verdict_of(r, r->again.verdict, paired_layouts_needed(count));
    }
    return 0;
}

int launch_pairs_decide(struct pair_result *results, const struct launch_pairs *all, size_t count,
                        double margin)
{
    size_t most = 0;
    for (size_t i = 0; i < count; i++)
        most = all[i].rounds > most ? all[i].rounds : most;
    struct comparison *comparisons = calloc(2 * count + 1, sizeof *comparisons);
    double *scratch = calloc(most + 1, sizeof *scratch);
    const int result =
        comparisons && scratch ? decide(results, all, count, margin, comparisons, scratch) : -1;
    free(comparisons);
    free(scratch);
    return result;
}
