#include "experiments/commands/detectable.h"

#include "harness/base/statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static bool is_left_out(const struct detectable *d, size_t i)
{
    return d->left_out && d->left_out[i];
}

void detectable_print(const struct detectable *d)
{
    double *least = malloc((d->count + 1) * sizeof *least);
    size_t n = 0, blind = 0;
    for (size_t i = 0; least && i < d->count; i++) {
        const double ratio = comparison_detectable(&d->all[i], d->margin, d->decided);
        blind += !is_left_out(d, i) && !isfinite(ratio);
        if (!is_left_out(d, i) && isfinite(ratio))
            least[n++] = ratio - 1.0;
    }
    sort_samples(least, least ? n : 0);
    if (n)
        printf("One point that takes %.1f %% more would be found 19 times of 20 (median of %zu "
               "points; %.1f %% for the one with the widest interval).\n",
               100.0 * sorted_quantile(least, n, 0.5), n, 100.0 * least[n - 1]);
    if (blind)
        printf("Of %zu point%s a single change could not be found: %zu %s are needed among %zu.\n",
               blind, blind == 1 ? "" : "s", d->needed, d->unit, d->decided);
    free(least);
}
