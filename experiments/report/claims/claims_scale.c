/* What the model predicts for many ranks, and its error at points that it was not fitted to. */
#include "experiments/analysis/numbers.h"
#include "experiments/report/claims/claims.h"
#include "harness/base/text/messages.h"

#include <inttypes.h>
#include <math.h>

/* The fastest simulated point of the largest image: more ranks than it has gain nothing. */
static const struct forecast *find_fastest(const struct forecasts *f)
{
    const struct forecast *best = NULL;
    for (size_t i = 0; i < f->count; i++) {
        const struct forecast *row = &f->rows[i];
        if (row->source != FORECAST_SIMULATED || !(row->seconds > 0.0))
            continue;
        if (!best || row->problem->rows > best->problem->rows ||
            (row->problem->rows == best->problem->rows && row->seconds < best->seconds))
            best = row;
    }
    return best;
}

/* True if more ranks than the best has were simulated for its image. */
static bool has_more_ranks(const struct forecasts *f, const struct forecast *best)
{
    for (size_t i = 0; i < f->count; i++)
        if (f->rows[i].source == FORECAST_SIMULATED && f->rows[i].seconds > 0.0 &&
            f->rows[i].problem->rows == best->problem->rows && f->rows[i].ranks > best->ranks)
            return true;
    return false;
}

void claim_scale(const struct experiment *e, const struct language *l, struct claim *c)
{
    const struct forecasts *f = &e->forecasts;
    const struct forecast *best = find_fastest(f);
    size_t measured, simulated;
    const double miss = forecasts_worst(f, FORECAST_MEASURED, &measured);
    size_t with_interval;
    const size_t inside = forecasts_inside(f, FORECAST_MEASURED, &with_interval);
    const double middle = forecasts_median(f, FORECAST_MEASURED);
    const double far = forecasts_worst(f, FORECAST_SIMULATED, &simulated);
    if (!best) {
        claim_refuse(c, l, "nothing was simulated");
        return;
    }
    claim_title(c, l, "n = %{n}: %{ranks} ranks are the fastest, %{time}",
                WITH({"n", number_text("%" PRId64, best->problem->rows).text},
                     {"ranks", number_text("%" PRId64, best->ranks).text},
                     {"time", number_seconds(l, best->seconds).text}));
    claim_say(c, l,
              "In simulation at n = %{n}, the total time is shortest with %{ranks} ranks on "
              "%{platform}: %{time}",
              WITH({"n", number_text("%" PRId64, best->problem->rows).text},
                   {"ranks", number_text("%" PRId64, best->ranks).text},
                   {"platform", best->problem->platform},
                   {"time", number_seconds(l, best->seconds).text}));
    if (measured > 0)
        claim_say(c, l,
                  "; the model is wrong by %{middle} in the median and by at most %{share} at "
                  "%{points} measured points that it was not fitted to",
                  WITH({"points", number_text("%zu", measured).text},
                       {"middle", number_percent(l, middle).text},
                       {"share", number_percent(l, miss).text}));
    if (with_interval > 0)
        claim_say(c, l, ", and %{inside} of %{points} lie within its 95 % interval",
                  WITH({"inside", number_text("%zu", inside).text},
                       {"points", number_text("%zu", with_interval).text}));
    if (simulated > 0)
        claim_say(c, l,
                  "; the simulation differs from the model by at most %{share} at %{points} points",
                  WITH({"points", number_text("%zu", simulated).text},
                       {"share", number_percent(l, far).text}));
    claim_add(c, ".");
    claim_plain(c, l,
                has_more_ranks(f, best)
                    ? N_("This is computed by a simulator, not measured. With still more ranks, "
                         "messages would cost more time than the further ranks save.")
                    : N_("This is computed by a simulator, not measured; more ranks than that were "
                         "not simulated."),
                NULL);
    const int64_t most = forecasts_most_ranks(f, FORECAST_MEASURED);
    if (most > 0 && most < best->ranks)
        claim_plain(c, l,
                    " At most %{ranks} ranks were measured here. That tests what a rank computes "
                    "and what few messages cost; it says nothing about %{many} ranks.",
                    WITH({"ranks", number_text("%" PRId64, most).text},
                         {"many", number_text("%" PRId64, best->ranks).text}));
}
