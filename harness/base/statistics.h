/* Order statistics of timing samples; no other file computes them. */
#ifndef MAXPOOL_STATISTICS_H
#define MAXPOOL_STATISTICS_H

#include <stddef.h>

/* Ranks (from 1) of the order statistics that bound the median with at least the given confidence,
 * for any distribution. The interval [x_(lower), x_(upper)] covers the median unless B(n, 1/2)
 * falls outside; so lower is the largest rank with 2 P(B(n, 1/2) <= lower - 1) <= 1 - confidence,
 * and upper = n + 1 - lower. Source: David & Nagaraja, Order Statistics (2003), section 7.1. At
 * 0.95: (1,6), (2,9), (10,21), (40,61) for n = 6, 10, 30, 100. Returns 0, or -1 if n is too small
 * for the confidence (n < 6 at 0.95). */
int median_interval_ranks(size_t n, double confidence, size_t *lower, size_t *upper);

/* The same for the quantile at `fraction` in (0, 1). The quantile is below x_(lower) with
 * probability P(B(n, fraction) <= lower - 1) and above x_(upper) with P(B(n, fraction) >= upper);
 * each is at most (1 - confidence) / 2. Same source. For the upper quartile at 0.95: n = 13 (7,13),
 * 26 (15,24). Returns 0, or -1 if n is too small (below 13 for the quartile). */
int quantile_interval_ranks(size_t n, double fraction, double confidence, size_t *lower,
                            size_t *upper);

/* Summary of all samples; none is discarded. The interval is NaN if n is too small. */
struct summary {
    size_t n;
    double median, lower, upper; /* 95 % nonparametric interval of the median */
    double minimum, quartile1, quartile3, maximum;
    double mean;
};

/* Sorts `samples` in place and returns their summary. n = 0 gives all NaN. Quartiles interpolate
 * linearly (Hyndman & Fan 1996, type 7), as does the median of an even n. NaN samples are not
 * allowed. */
struct summary summarise(double *samples, size_t n);

/* Sorts in place, ascending. */
void sort_samples(double *samples, size_t n);

/* Returns the quantile at `fraction` in [0, 1] of sorted samples (type 7, as above), or NaN if n is
 * 0. */
double sorted_quantile(const double *sorted, size_t n, double fraction);

/* Returns the rank of values[i], from 1 in ascending order; equal values share the mean of their
 * ranks. */
double rank_among(const double *values, size_t n, size_t i);

/* Sorts `samples` in place and returns their median, or NaN if n is 0. */
double median_of(double *samples, size_t n);

/* The median of a sample that contains values[i] times[i] times, n >= 1 in all; values[order[0]],
 * values[order[1]] ... ascend. The same bits as median_of, without a sort: resampling takes the
 * median of the same few values a thousand times. */
double median_of_repeated(const double *values, const size_t *order, const size_t *times, size_t n);

/* Returns half the interval's width divided by the median; infinity if there is no interval, or if
 * the median is not above 0. */
double summary_relative_half_width(const struct summary *s);

#endif
