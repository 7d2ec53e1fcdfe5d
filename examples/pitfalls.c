/* Loops that each fall into one pitfall of measuring a speedup, and the same loops without it
 * (docs/pitfalls.md).
 *
 *   cc -O2 -fopenmp pitfalls.c -o pitfalls
 *   ./pitfalls LOOP [SIZE]      prints the seconds of the parallel part, and a checksum that all
 * forms of a loop share
 *
 * touch-one, touch-all   a sum over an array that one thread, or each thread, first wrote
 * uneven, even           a triangle of rows, divided statically (the last thread has most), or
 * handed out row by row */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The value of element i: small integers, so that sums are exact in any order. */
static double value(int64_t i)
{
    return (double)(i % 8);
}

static double sum_of(const double *x, int64_t n)
{
    double sum = 0.0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (int64_t i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

/* Nothing was written before: the system gives a page of memory to the thread that first writes it.
 * The seconds contain that. */
static double touched(int64_t n, int by_all)
{
    double *x = malloc((size_t)n * sizeof *x);
    if (!x)
        return -1.0;
#pragma omp parallel for schedule(static) if (by_all)
    for (int64_t i = 0; i < n; i++)
        x[i] = value(i);
    const double sum = sum_of(x, n);
    free(x);
    return sum;
}

/* Row i has i + 1 elements. */
static double row(int64_t i)
{
    double sum = 0.0;
    for (int64_t j = 0; j <= i; j++)
        sum += value(i + j);
    return sum;
}

static double triangle(int64_t n, int by_row)
{
    double sum = 0.0;
    if (by_row) {
#pragma omp parallel for schedule(dynamic, 16) reduction(+ : sum)
        for (int64_t i = 0; i < n; i++)
            sum += row(i);
    } else {
#pragma omp parallel for schedule(static) reduction(+ : sum)
        for (int64_t i = 0; i < n; i++)
            sum += row(i);
    }
    return sum;
}

static int usage(void)
{
    fputs("usage: pitfalls touch-one|touch-all|uneven|even [SIZE]\n", stderr);
    return 2;
}

int main(int count, char **arguments)
{
    const char *loop = count > 1 ? arguments[1] : "";
    const int touch = strncmp(loop, "touch-", 6) == 0;
    const int cured = strcmp(loop, "touch-all") == 0 || strcmp(loop, "even") == 0;
    const long long size = count > 2 ? atoll(arguments[2]) : touch ? 32 << 20 : 20000;
    if ((!cured && strcmp(loop, "touch-one") != 0 && strcmp(loop, "uneven") != 0) || size < 1)
        return usage();
    const double start = omp_get_wtime();
    const double sum = touch ? touched(size, cured) : triangle(size, cured);
    if (sum < 0.0) {
        fprintf(stderr, "pitfalls: no memory for %lld elements\n", size);
        return 4;
    }
    printf("seconds %.6f\nsum %.0f\n", omp_get_wtime() - start, sum);
    return 0;
}
