#include "harness/limits/roof.h"

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

/* ---- least times ----------------------------------------------------------------------------- */

double least_traffic_s(const struct ceilings *c, double bytes, double workers, double write_share)
{
    double seconds = 0.0, moved = 0.0;
    while (moved < bytes) {
        const double rate = rates_bandwidth(c, moved, workers, write_share, RATE_HIGHEST);
        const double end = fmin(rates_next_size(c, moved, workers), bytes);
        if (isnan(rate))
            break;
        seconds += (end - moved) / rate;
        moved = end;
    }
    return seconds;
}

/* A mixture takes at most the time of its parts one after the other. So the given work takes at
 * least the time of the measured mixture (two multiply-adds per maximum) that contains it, less the
 * time of the operations that are missing to that mixture. */
double least_arithmetic_s(const struct ceilings *c, double multiply_adds, double maxima,
                          double workers, const char *isa, enum rate_end end)
{
    const double multiply_add_s = 2.0 / rates_peak(c, "multiply_add", workers, isa, end);
    const double maximum_s = 1.0 / rates_peak(c, "maximum", workers, isa, end);
    const double mixture_s = 5.0 / rates_peak(c, "product", workers, isa, end);
    const double apart = fmax(multiply_adds * multiply_add_s, maxima * maximum_s);
    const double pairs = 0.5 * multiply_adds;
    const double together = pairs >= maxima
                                ? pairs * mixture_s - (pairs - maxima) * maximum_s
                                : maxima * mixture_s - 2.0 * (maxima - pairs) * multiply_add_s;
    return fmax(apart, together);
}

/* ---- roofs ---------------------------------------------------------------------------------- */

static double arithmetic_s(const struct ceilings *c, const struct arithmetic *a, double workers,
                           const char *isa, enum rate_end end)
{
    return least_arithmetic_s(c, a->multiply_adds, a->maxima, workers, isa, end);
}

/* The longer of both; NaN if the arithmetic time is unknown. */
static double longer(double traffic_s, double arithmetic_s)
{
    return isnan(arithmetic_s) ? (double)NAN : fmax(traffic_s, arithmetic_s);
}

/* Both roofs, with all rates taken at one end. */
struct two_roofs {
    double traffic_s, arithmetic_s, seconds, apart_s;
};

static struct two_roofs roofs_at(const struct ceilings *c, const struct need *need, double workers,
                                 const char *isa, enum rate_end end)
{
    const double bytes = need_bytes(need), write_share = need->bytes_written / bytes;
    struct two_roofs r;
    r.traffic_s = bytes / rates_bandwidth(c, bytes, workers, write_share, end);
    r.arithmetic_s = arithmetic_s(c, &need->least, workers, isa, end);
    r.seconds = longer(r.traffic_s, r.arithmetic_s);
    r.apart_s = longer(r.traffic_s, arithmetic_s(c, &need->per_output, workers, isa, end));
    return r;
}

static struct roof unknown_roof(void)
{
    return (struct roof){"", NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
}

struct roof roof_of(const struct ceilings *c, const struct need *need, double workers,
                    const char *isa)
{
    struct roof roof = unknown_roof();
    const double bytes = need_bytes(need), write_share = need->bytes_written / bytes;
    if (!(bytes > 0.0) || isnan(rates_bandwidth(c, bytes, workers, write_share, RATE_VALUE)))
        return roof;
    const struct two_roofs at = roofs_at(c, need, workers, isa, RATE_VALUE);
    const struct two_roofs fast = roofs_at(c, need, workers, isa, RATE_UPPER);
    const struct two_roofs slow = roofs_at(c, need, workers, isa, RATE_LOWER);
    snprintf(roof.level, sizeof roof.level, "%s", rates_level(c, bytes, workers));
    roof.traffic_s = at.traffic_s;
    roof.arithmetic_s = at.arithmetic_s;
    roof.seconds = at.seconds;
    roof.lower_s = fast.seconds;
    roof.upper_s = slow.seconds;
    roof.apart_s = at.apart_s;
    roof.apart_lower_s = fast.apart_s;
    roof.apart_upper_s = slow.apart_s;
    roof.least_s = fmax(least_traffic_s(c, bytes, workers, write_share),
                        arithmetic_s(c, &need->least, workers, isa, RATE_HIGHEST));
    return roof;
}
