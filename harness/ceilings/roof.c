#include "harness/ceilings/roof.h"

#include <math.h>
#include <stdio.h>

double need_bytes(const struct need *n)
{
    return n->bytes_read + n->bytes_written;
}

double arithmetic_operations(const struct arithmetic *a)
{
    return 2.0 * a->multiply_adds + a->maxima;
}

/* ---- roofs ---------------------------------------------------------------------------------- */

static double arithmetic_s(const struct ceilings *c, const struct arithmetic *a, double workers,
                           const char *isa, enum rate_end end)
{
    return least_arithmetic_s(c, a->multiply_adds, a->maxima, workers, isa, end);
}

/* The longer of both; unknown where the arithmetic is. */
static double longer(double traffic_s, double arithmetic_s)
{
    return isnan(arithmetic_s) ? (double)NAN : fmax(traffic_s, arithmetic_s);
}

struct roof roof_of(const struct ceilings *c, const struct need *need, double workers,
                    const char *isa)
{
    struct roof roof = {"", NAN, NAN, NAN, NAN, NAN};
    const double bytes = need_bytes(need), write_share = need->bytes_written / bytes;
    const double bandwidth =
        bytes > 0.0 ? rates_bandwidth(c, bytes, workers, write_share, RATE_VALUE) : (double)NAN;
    if (isnan(bandwidth))
        return roof;
    snprintf(roof.level, sizeof roof.level, "%s", rates_level(c, bytes, workers));
    roof.traffic_s = bytes / bandwidth;
    roof.arithmetic_s = arithmetic_s(c, &need->least, workers, isa, RATE_VALUE);
    roof.seconds = longer(roof.traffic_s, roof.arithmetic_s);
    roof.apart_s = longer(roof.traffic_s, arithmetic_s(c, &need->apart, workers, isa, RATE_VALUE));
    roof.least_s = fmax(least_traffic_s(c, bytes, workers, write_share),
                        arithmetic_s(c, &need->least, workers, isa, RATE_UPPER));
    return roof;
}
