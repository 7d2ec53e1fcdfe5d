#include "harness/point/sampling/noise.h"

#include "harness/base/text/screen.h"
#include "harness/base/text/wording.h"

#include <math.h>
#include <stdlib.h>

enum { FEWEST = 6 }; /* samples, as for an interval */

const double noise_ratio = 1.5;
/* Two modes that differ by more than this have another cause than caches or the placement of
 * pages. */
static const double noise_modes_ratio = 1.1;

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
    char share[32], ratio[32];
    snprintf(share, sizeof share, "%.0f", 100.0 * noise->modes.slow);
    snprintf(ratio, sizeof ratio, "%.3g", noise->modes.two ? noise->modes.ratio : noise->ratio);
    message_format(
        buffer, size, screen_language(),
        noise->modes.two
            ? N_("%{share} % of the samples took %{ratio} times as long as the others")
            : N_("half of the samples took more than %{ratio} times what the fastest tenth takes"),
        WITH({"share", share}, {"ratio", ratio}));
    return buffer;
}

const char *noise_remedy(const struct machine *machine, const char *sharing, char *buffer,
                         size_t size)
{
    char load[32];
    if (sharing[0]) {
        message_format(
            buffer, size, screen_language(),
            "%{sharing} and wait for each other: measure with no more workers than cores",
            WITH({"sharing", wording_on_screen(sharing).text}));
        return buffer;
    }
    snprintf(load, sizeof load, "%.2f", machine->load);
    message_format(
        buffer, size, screen_language(),
        machine->load >= 0.0
            ? N_("something else was probably running (load %{load} when it began): end it or "
                 "wait, and measure again")
            : N_("something else was probably running: end it or wait, and measure again"),
        WITH({"load", load}));
    return buffer;
}
