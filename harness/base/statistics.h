/* Order statistics of timing samples: the one place where they are computed. */
#ifndef MAXPOOL_STATISTICS_H
#define MAXPOOL_STATISTICS_H

#include <stddef.h>

/* Ranks (from 1) of the order statistics that bound the median with at least the given confidence,
 * without assuming any distribution: the interval [x_(lower), x_(upper)] covers the median unless
 * B(n, 1/2) falls outside, so lower is the largest rank with 2 P(B(n, 1/2) <= lower - 1) <=
 * 1 - confidence, and upper = n + 1 - lower. Source: David & Nagaraja, Order Statistics (2003),
 * section 7.1. For n = 6, 10, 30, 100 at 0.95: (1,6), (2,9), (10,21), (40,61).
 * Returns 0, or -1 where n is too small for the confidence (n < 6 at 0.95). */
int median_interval_ranks(size_t n, double confidence, size_t *lower, size_t *upper);

/* The same for the quantile at `fraction` in (0, 1): it lies below x_(lower) with probability
 * P(B(n, fraction) <= lower - 1), above x_(upper) with P(B(n, fraction) >= upper), and each is at
 * most (1 - confidence) / 2. Same source. For the upper quartile at 0.95: n = 13 (7,13), 26
 * (15,24). Returns 0, or -1 where n is too small (below 13 for the quartile). */
int quantile_interval_ranks(size_t n, double fraction, double confidence, size_t *lower,
                            size_t *upper);

/* Summary of samples; nothing is thrown away. The interval is NaN where n is too small. */
struct summary {
    size_t n;
    double median, lower, upper; /* 95 % nonparametric interval of the median */
    double minimum, quartile1, quartile3, maximum;
    double mean;
};

/* Sorts `samples` in place and summarises them. n = 0 gives all NaN. Quartiles interpolate linearly
 * (Hyndman & Fan 1996, type 7), as does the median of an even n. NaN samples are not allowed. */
struct summary summarise(double *samples, size_t n);

/* Ascending, in place. */
void sort_samples(double *samples, size_t n);

/* The quantile at `fraction` in [0, 1] of sorted samples (type 7, as above); NaN where n is 0. */
double sorted_quantile(const double *sorted, size_t n, double fraction);

/* Sorts `samples` in place; their median, or NaN where n is 0. */
double median_of(double *samples, size_t n);

/* Half the interval's width over the median; infinity where there is no interval, or the median is
 * not above 0. */
double summary_relative_half_width(const struct summary *s);

#endif
