#include "harness/point/sampling/noise.h"

#include <math.h>
#include <stdlib.h>

enum { FEWEST = 6 }; /* samples, as for an interval */

const double noise_ratio = 1.5;
const double noise_modes_ratio = 1.1;

struct noise noise_of(const struct measurement *m)
{
    struct noise noise = {.ratio = NAN};
    const size_t n = m->count;
    double *seconds = malloc((n + 1) * sizeof *seconds);
    if (!seconds || n < FEWEST) {
        free(seconds);
        return noise;
    }
    for (size_t i = 0; i < n; i++)
        seconds[i] = m->timed[i].total_s;
    const struct summary total = summarise(seconds, n); /* which sorts */
    noise.ratio = total.median / sorted_quantile(seconds, n, 0.1);
    noise.modes = modes_of(seconds, n);
    noise.seen =
        noise.ratio > noise_ratio || (noise.modes.two && noise.modes.ratio > noise_modes_ratio);
    free(seconds);
    return noise;
}

const char *noise_text(const struct noise *noise, char *buffer, size_t size)
{
    if (noise->modes.two)
        snprintf(buffer, size, "%.0f %% of the samples took %.3g times as long as the others",
                 100.0 * noise->modes.slow, noise->modes.ratio);
    else
        snprintf(buffer, size,
                 "half of the samples took more than %.3g times what the fastest tenth takes",
                 noise->ratio);
    return buffer;
}

const char *noise_remedy(const struct machine *machine, const char *sharing, char *buffer,
                         size_t size)
{
    char load[64] = "";
    if (sharing[0]) {
        snprintf(buffer, size,
                 "%s and wait for each other: measure with no more workers than cores", sharing);
        return buffer;
    }
    if (machine->load >= 0.0)
        snprintf(load, sizeof load, " (load %.2f when it began)", machine->load);
    snprintf(buffer, size,
             "something else was probably running%s: end it or wait, and measure again", load);
    return buffer;
}
