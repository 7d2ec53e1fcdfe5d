#include "experiments/commands/detectable.h"

#include "experiments/analysis/numbers.h"
#include "harness/base/statistics.h"
#include "harness/base/text/screen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static bool is_left_out(const struct detectable *d, size_t i)
{
    return d->left_out && d->left_out[i];
}

void detectable_print(const struct detectable *d)
{
    const struct language *l = screen_language();
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
        screen_say(stdout,
                   "One point that takes %{more} % more would be found 19 times of 20 (median of "
                   "%{points} points; %{most} % for the one with the widest interval).\n",
                   WITH({"more", number_in(l, "%.1f", 100.0 * sorted_quantile(least, n, 0.5)).text},
                        {"points", number_of(n).text},
                        {"most", number_in(l, "%.1f", 100.0 * least[n - 1]).text}));
    if (blind)
        screen_say_plural(stdout,
                          "Of %{n} point a single change could not be found: %{needed} %{unit} are "
                          "needed among %{decided}.\n",
                          "Of %{n} points a single change could not be found: %{needed} %{unit} "
                          "are needed among %{decided}.\n",
                          blind,
                          WITH({"needed", number_of(d->needed).text},
                               {"unit", screen_text(d->unit)},
                               {"decided", number_of(d->decided).text}));
    free(least);
}
