#include "harness/ceilings/least_time.h"

#include <math.h>

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
