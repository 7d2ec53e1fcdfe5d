/* The statistics of timing samples, compared with known answers and with brute force. */
#include "harness/base/statistics.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdlib.h>

/* P(B(n, 1/2) <= k) by adding rows of Pascal's triangle: slow, and independent of the tested
 * code. */
static double binomial_tail(size_t n, size_t k)
{
    double *row = calloc(n + 1, sizeof *row);
    assert_non_null(row);
    row[0] = 1.0;
    for (size_t i = 1; i <= n; i++) {
        for (size_t j = i; j > 0; j--)
            row[j] = 0.5 * (row[j] + row[j - 1]);
        row[0] *= 0.5;
    }
    double tail = 0.0;
    for (size_t j = 0; j <= k; j++)
        tail += row[j];
    free(row);
    return tail;
}

TEST(ranks_known)
{
    const size_t known[][3] = {{6, 1, 6},    {7, 1, 7},    {8, 1, 8},     {9, 2, 8},
                               {10, 2, 9},   {12, 3, 10},  {20, 6, 15},   {30, 10, 21},
                               {40, 14, 27}, {50, 18, 33}, {100, 40, 61}, {1000, 469, 532}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        size_t lower = 0, upper = 0;
        assert_int_equal(median_interval_ranks(known[i][0], 0.95, &lower, &upper), 0);
        assert_int_equal(lower, known[i][1]);
        assert_int_equal(upper, known[i][2]);
    }
}

/* The definition itself, for every n up to 400: the interval is wide enough, and one rank narrower
 * would be too narrow. */
TEST(ranks_are_tight)
{
    for (size_t n = 6; n <= 400; n++) {
        size_t lower = 0, upper = 0;
        assert_int_equal(median_interval_ranks(n, 0.95, &lower, &upper), 0);
        assert_int_equal(lower + upper, n + 1);
        assert_true(lower < upper);
        assert_true(2.0 * binomial_tail(n, lower - 1) <= 0.05);
        assert_true(2.0 * binomial_tail(n, lower) > 0.05);
    }
}

TEST(ranks_of_many_samples)
{
    /* The normal approximation n/2 - 1.96 sqrt(n)/2 holds to a rank or two at these sizes. */
    for (size_t n = 500; n <= 50000000; n *= 10) {
        size_t lower = 0, upper = 0;
        assert_int_equal(median_interval_ranks(n, 0.95, &lower, &upper), 0);
        double expected = 0.5 * (double)n - 0.979982 * sqrt((double)n);
        assert_true(fabs((double)lower - expected) <= 1.0);
        assert_int_equal(upper, n + 1 - lower);
    }
}

TEST(ranks_refused)
{
    size_t lower = 77, upper = 77;
    for (size_t n = 0; n < 6; n++)
        assert_int_equal(median_interval_ranks(n, 0.95, &lower, &upper), -1);
    assert_int_equal(median_interval_ranks(10, 0.0, &lower, &upper), -1);
    assert_int_equal(median_interval_ranks(10, 1.0, &lower, &upper), -1);
    assert_int_equal(median_interval_ranks(10, (double)NAN, &lower, &upper), -1);
    assert_int_equal(lower, 77);
    /* 2 P(B(6) <= 0) is exactly 1/32: at that confidence the bound is just met. */
    assert_int_equal(median_interval_ranks(6, 1.0 - 1.0 / 32.0, &lower, &upper), 0);
    assert_int_equal(median_interval_ranks(6, 0.97, &lower, &upper), -1);
}

TEST(summary_known)
{
    double samples[] = {7, 1, 10, 3, 5, 2, 9, 4, 8, 6};
    struct summary s = summarise(samples, 10);
    assert_int_equal(s.n, 10);
    assert_true(s.minimum == 1.0 && s.maximum == 10.0);
    assert_true(s.median == 5.5 && s.mean == 5.5);
    assert_true(s.quartile1 == 3.25 && s.quartile3 == 7.75);
    assert_true(s.lower == 2.0 && s.upper == 9.0); /* swapped bounds fail here */
    assert_true(fabs(summary_relative_half_width(&s) - 3.5 / 5.5) < 1e-15);
}

/* Few samples and many are sorted by different algorithms. */
TEST(any_number_of_samples_is_sorted)
{
    enum { MOST = 200 };
    for (size_t n = 1; n <= MOST; n++) {
        double samples[MOST];
        for (size_t i = 0; i < n; i++)
            samples[i] = (double)(i * 211 % n); /* 211 is prime: each of 0 .. n - 1, once */
        sort_samples(samples, n);
        for (size_t i = 0; i < n; i++)
            assert_true(samples[i] == (double)i);
    }
}

TEST(summary_of_few)
{
    struct summary none = summarise(NULL, 0);
    assert_true(isnan(none.median) && isnan(none.mean) && isnan(none.minimum));
    assert_true(isinf(summary_relative_half_width(&none)));
    double one[] = {4.0};
    struct summary single = summarise(one, 1);
    assert_true(single.median == 4.0 && single.quartile1 == 4.0 && single.maximum == 4.0);
    assert_true(isnan(single.lower) && isnan(single.upper));
    double zeros[6] = {0};
    struct summary zero = summarise(zeros, 6);
    assert_true(zero.lower == 0.0 && isinf(summary_relative_half_width(&zero)));
}

static uint64_t next(uint64_t *s)
{
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return *s >> 33;
}

/* Coverage, the property that the interval must have: samples of a skewed distribution whose median
 * is known (exponential, ln 2). Swapped or shifted ranks leave the accepted range. */
TEST(interval_covers)
{
    enum { DRAWS = 4000, N = 30 };
    uint64_t seed = 35;
    int covered = 0;
    for (int draw = 0; draw < DRAWS; draw++) {
        double x[N];
        for (int i = 0; i < N; i++)
            x[i] = -log(((double)next(&seed) + 0.5) / 2147483648.0);
        struct summary s = summarise(x, N);
        covered += s.lower <= log(2.0) && log(2.0) <= s.upper;
    }
    /* (10, 21) of 30 covers with 95.7 %; 4,000 draws have a standard error of 0.3 %. */
    assert_in_range(covered, DRAWS * 945 / 1000, DRAWS * 969 / 1000);
}

/* P(B(n, 3/4) <= k), by rows of Pascal's triangle. */
static double quartile_tail(size_t n, size_t k)
{
    double row[64] = {1.0}, tail = 0.0;
    for (size_t i = 1; i <= n; i++) {
        for (size_t j = i; j > 0; j--)
            row[j] = 0.25 * row[j] + 0.75 * row[j - 1];
        row[0] *= 0.25;
    }
    for (size_t j = 0; j <= k; j++)
        tail += row[j];
    return tail;
}

/* The interval of a quantile: for 1/2 it equals the interval of the median, and for the upper
 * quartile it is wide enough and tight at both ends. */
TEST(ranks_of_quantiles)
{
    size_t lower, upper, low, high;
    for (size_t n = 6; n <= 400; n++) {
        assert_int_equal(median_interval_ranks(n, 0.95, &lower, &upper), 0);
        assert_int_equal(quantile_interval_ranks(n, 0.5, 0.95, &low, &high), 0);
        assert_true(low == lower && high == upper);
    }
    for (size_t n = 13; n < 64; n++) {
        assert_int_equal(quantile_interval_ranks(n, 0.75, 0.95, &lower, &upper), 0);
        assert_true(quartile_tail(n, lower - 1) <= 0.025 && quartile_tail(n, lower) > 0.025);
        assert_true(1.0 - quartile_tail(n, upper - 1) <= 0.025);
        assert_true(upper == 1 || 1.0 - quartile_tail(n, upper - 2) > 0.025);
    }
    assert_int_equal(quantile_interval_ranks(12, 0.75, 0.95, &lower, &upper), -1);
    assert_int_equal(quantile_interval_ranks(0, 0.75, 0.95, &lower, &upper), -1);
    assert_int_equal(quantile_interval_ranks(20, 1.0, 0.95, &lower, &upper), -1);
}

/* The median of repeated values has the bits of the median of the sorted sample, for every way to
 * repeat up to five values, in any order. */
TEST(median_of_repeated_values)
{
    const double values[] = {0.3, -1.7, 0.1, 0.1, 5.0};
    const size_t order[] = {1, 2, 3, 0, 4};
    enum { VALUES = sizeof values / sizeof *values, MOST = 3 };
    for (size_t code = 1; code < 1024; code++) {
        size_t times[VALUES], n = 0;
        double sample[VALUES * MOST];
        for (size_t i = 0; i < VALUES; i++) {
            times[i] = code >> 2 * i & MOST;
            for (size_t j = 0; j < times[i]; j++)
                sample[n++] = values[i];
        }
        const double median = median_of_repeated(values, order, times, n);
        const double expected = median_of(sample, n);
        assert_memory_equal(&median, &expected, sizeof median);
    }
}

TEST(equal_values_share_their_ranks)
{
    const double values[] = {2.0, 1.0, 2.0, 0.5, 2.0}, ranks[] = {4.0, 2.0, 4.0, 1.0, 4.0};
    for (size_t i = 0; i < 5; i++)
        assert_true(rank_among(values, 5, i) == ranks[i]);
    assert_true(rank_among((const double[]){3.0, 3.0}, 2, 1) == 1.5);
}
