/* The laws of parallel speedup as plain formulas. Pure functions of doubles; workers p >= 1. */
#ifndef MAXPOOL_SCALING_H
#define MAXPOOL_SCALING_H

/* Speedup on p workers if the share `fraction` of the serial time is parallel: 1 / ((1 - f) + f /
 * p). Source: Amdahl (1967), AFIPS 30, 483-485. */
double amdahl_speedup(double fraction, double workers);

/* Its bound as p grows: 1 / (1 - f); infinity for f = 1. */
double amdahl_bound(double fraction);

/* The serial share that a measured speedup on p > 1 workers implies: (1/S - 1/p) / (1 - 1/p).
 * NaN for p = 1. Source: Karp & Flatt (1990), CACM 33(5), 539-543. */
double karp_flatt(double speedup, double workers);

/* Scaled speedup if the work grows with p and the share `serial` of the time does not shrink: s +
 * (1 - s) p. Source: Gustafson (1988), CACM 31(5), 532-533. */
double gustafson_speedup(double serial, double workers);

/* Universal Scalability Law, p / (1 + sigma (p - 1) + kappa p (p - 1)): contention sigma, coherence
 * kappa. Source: Gunther (2007), Guerrilla Capacity Planning, chapter 4. */
double usl_speedup(double sigma, double kappa, double workers);

/* The number of workers with the largest such speedup: sqrt((1 - sigma) / kappa); infinity if kappa
 * <= 0, and NaN if sigma > 1. */
double usl_peak(double sigma, double kappa);

#endif
