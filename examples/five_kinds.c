/* Five kinds of parallel programs whose speedups have different causes, to try `study speedup` on
 * (docs/own_program.md).
 *
 *   cc -O2 -fopenmp five_kinds.c -lm -o five_kinds
 *   ./five_kinds KIND [SIZE]      prints a checksum that is the same for any number of threads
 *
 * stencil   averages of the neighbours in a square of SIZE x SIZE, several times over
 * pi        a Monte Carlo estimate: SIZE random points, almost nothing shared
 * sort      each thread sorts a part; the parts have unequal lengths, the last is the longest
 * triad     a[i] = b[i] + 3 c[i] over SIZE elements, many times: the memory limits it
 * serial    a fifth of its work is done by one thread while the others wait */
#include "five_kinds.h"

#include <stdlib.h>

static double *array(int64_t n)
{
    double *a = malloc((size_t)n * sizeof *a);
    if (!a) {
        fputs("not enough memory\n", stderr);
        exit(4);
    }
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < n; i++)
        a[i] = (double)(i % 8);
    return a;
}

static double total(const double *a, int64_t n)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i += n / 1000 + 1)
        sum += a[i];
    return sum;
}

/* ---- stencil --------------------------------------------------------------------------------- */

static double stencil(int64_t n)
{
    double *from = array(n * n), *to = array(n * n);
    for (int step = 0; step < STENCIL_STEPS; step++) {
#pragma omp parallel for schedule(static)
        for (int64_t i = 1; i < n - 1; i++)
            for (int64_t j = 1; j < n - 1; j++)
                to[i * n + j] = 0.25 * (from[(i - 1) * n + j] + from[(i + 1) * n + j] +
                                        from[i * n + j - 1] + from[i * n + j + 1]);
        double *other = from;
        from = to;
        to = other;
    }
    const double sum = total(from, n * n);
    free(from);
    free(to);
    return sum;
}

/* ---- Monte Carlo ----------------------------------------------------------------------------- */

static double pi(int64_t n)
{
    int64_t inside = 0;
#pragma omp parallel for schedule(static) reduction(+ : inside)
    for (int64_t i = 0; i < n; i++)
        inside += in_circle(i);
    return 4.0 * (double)inside / (double)n;
}

/* ---- sort ------------------------------------------------------------------------------------ */

/* Sixteen parts, each longer than the one before; consecutive ones belong to one thread. */
static double sort(int64_t n)
{
    double *a = array(n), sum = 0.0;
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < n; i++)
        a[i] = (double)(mixed((uint64_t)i) >> 11);
#pragma omp parallel for schedule(static)
    for (int part = 0; part < SORT_PARTS; part++) {
        const int64_t begin = part_begin(n, part), end = part_begin(n, part + 1);
        qsort(a + begin, (size_t)(end - begin), sizeof *a, ascending);
    }
    for (int part = 0; part < SORT_PARTS; part++)
        sum += a[part_begin(n, part)];
    free(a);
    return sum;
}

/* ---- triad ----------------------------------------------------------------------------------- */

static double triad(int64_t n)
{
    double *a = array(n), *b = array(n), *c = array(n);
    for (int times = 0; times < TRIAD_TIMES; times++) {
#pragma omp parallel for schedule(static)
        for (int64_t i = 0; i < n; i++)
            a[i] = b[i] + 3.0 * c[i];
        double *other = a;
        a = b;
        b = other;
    }
    const double sum = total(b, n);
    free(a);
    free(b);
    free(c);
    return sum;
}

/* ---- a serial part --------------------------------------------------------------------------- */

static double serial(int64_t n)
{
    double sum = 0.0, more = 0.0;
    for (int64_t i = 0; i < n / 5; i++)
        sum += work(i);
#pragma omp parallel for schedule(static) reduction(+ : more)
    for (int64_t i = n / 5; i < n; i++)
        more += work(i);
    return sum + more;
}

int main(int argc, char **argv)
{
    const struct kind *kind = kind_find(argv[1]);
    const int64_t n = kind && argc > 2 ? strtoll(argv[2], NULL, 10) : kind ? kind->size : 0;
    if (n < SMALLEST_SIZE) {
        kinds_usage(argv[0]);
        return 2;
    }
    printf("%s %.6g\n", kind->name, kind->run(n));
    return 0;
}
