/* What the model says of many ranks, and how far it missed what it never saw. */
#include "experiments/report/claims/claims.h"
#include "experiments/report/numbers.h"

#include <inttypes.h>
#include <math.h>

/* Of the simulated points the fastest of the largest image: beyond its ranks more do not pay. */
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

void claim_scale(const struct experiment *e, enum language l, struct claim *c)
{
    const struct forecasts *f = &e->forecasts;
    const struct forecast *best = find_fastest(f);
    size_t measured, simulated;
    const double miss = forecasts_worst(f, FORECAST_MEASURED, &measured);
    const double far = forecasts_worst(f, FORECAST_SIMULATED, &simulated);
    if (!best) {
        claim_refuse(c, l, "nothing was simulated", "no se simuló nada");
        return;
    }
    claim_title(c,
                say(l, "n = %" PRId64 ": %" PRId64 " ranks are the fastest, %s",
                    "n = %" PRId64 ": %" PRId64 " procesos son lo más rápido, %s"),
                best->problem->rows, best->ranks, number_seconds(l, best->seconds).text);
    claim_say(c,
              say(l,
                  "Simulated at n = %" PRId64 " the total time is shortest with %" PRId64
                  " ranks of %s: %s; the model misses",
                  "En la simulación con n = %" PRId64 " el tiempo total es mínimo con %" PRId64
                  " procesos de %s: %s; el modelo se desvía"),
              best->problem->rows, best->ranks, best->problem->platform,
              number_seconds(l, best->seconds).text);
    if (measured > 0)
        claim_say(c,
                  say(l, " %zu measured points that it never saw by at most %s",
                      " a lo sumo un %2$s en %1$zu puntos medidos que nunca vio"),
                  measured, number_percent(l, miss).text);
    if (simulated > 0)
        claim_say(c,
                  say(l, "%s %zu simulated ones by at most %s", "%1$s un %3$s en %2$zu simulados"),
                  measured > 0 ? say(l, " and", " y") : "", simulated, number_percent(l, far).text);
    claim_say(c, ".");
}
