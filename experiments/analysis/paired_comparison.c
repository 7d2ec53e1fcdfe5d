#include "experiments/analysis/paired_comparison.h"

#include "harness/base/statistics.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

/* The probability that at least `on_the_side` of `layouts` fall on one side of their median. */
static double sign_test(size_t on_the_side, size_t layouts)
{
    return on_the_side == 0 ? 1.0
                            : gsl_cdf_binomial_Q((unsigned)on_the_side - 1, 0.5, (unsigned)layouts);
}

static void count_sides(const double *ratios, size_t layouts, double margin, size_t *above,
                        size_t *below)
{
    for (size_t i = 0; i < layouts; i++) {
        *above += ratios[i] > 1.0 + margin;
        *below += ratios[i] < 1.0 - margin;
    }
}

void compare_paired(struct comparison *c, double *ratios, size_t layouts, double margin)
{
    size_t slower = 0, faster = 0, more = 0, less = 0;
    const struct summary s = summarise(ratios, layouts);
    count_sides(ratios, layouts, margin, &slower, &faster);
    count_sides(ratios, layouts, 0.0, &more, &less);
    *c = (struct comparison){.ratio = s.median,
                             .lower = isnan(s.lower) ? 0.0 : s.lower,
                             .upper = isnan(s.upper) ? INFINITY : s.upper,
                             /* Equal times count for neither side. */
                             .p_value =
                                 fmin(1.0, 2.0 * sign_test(more > less ? more : less, more + less)),
                             .p_slower = sign_test(slower, layouts),
                             .p_faster = sign_test(faster, layouts),
                             .least_p = ldexp(1.0, -(int)layouts),
                             .launches_a = layouts,
                             .launches_b = layouts,
                             .verdict = COMPARISON_UNDECIDED};
    if (layouts >= PAIRED_FEWEST_LAYOUTS)
        comparison_decide(c, margin);
}

size_t paired_layouts_needed(size_t count)
{
    size_t layouts = PAIRED_FEWEST_LAYOUTS;
    while (comparison_level(count) < ldexp(1.0, -(int)layouts))
        layouts++;
    return layouts;
}
