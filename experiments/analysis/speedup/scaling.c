#include "experiments/analysis/speedup/scaling.h"

#include <math.h>

double amdahl_speedup(double fraction, double workers)
{
    return 1.0 / ((1.0 - fraction) + fraction / workers);
}

double amdahl_bound(double fraction)
{
    return fraction < 1.0 ? 1.0 / (1.0 - fraction) : INFINITY;
}

double karp_flatt(double speedup, double workers)
{
    if (!(workers > 1.0))
        return NAN;
    return (1.0 / speedup - 1.0 / workers) / (1.0 - 1.0 / workers);
}

double gustafson_speedup(double serial, double workers)
{
    return serial + (1.0 - serial) * workers;
}

double usl_speedup(double sigma, double kappa, double workers)
{
    return workers / (1.0 + sigma * (workers - 1.0) + kappa * workers * (workers - 1.0));
}

double usl_peak(double sigma, double kappa)
{
    return kappa > 0.0 ? sqrt((1.0 - sigma) / kappa) : INFINITY;
}
