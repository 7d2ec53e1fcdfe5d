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
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* SplitMix64: Steele, Lea & Flood (2014), "Fast splittable pseudorandom number generators". */
static uint64_t mixed(uint64_t x)
{
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

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
    enum { STEPS = 40 };
    double *from = array(n * n), *to = array(n * n);
    for (int step = 0; step < STEPS; step++) {
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
    for (int64_t i = 0; i < n; i++) {
        const uint64_t bits = mixed((uint64_t)i);
        const double x = (double)(bits >> 32) / 4294967296.0,
                     y = (double)(bits & 0xFFFFFFFFu) / 4294967296.0;
        inside += x * x + y * y < 1.0;
    }
    return 4.0 * (double)inside / (double)n;
}

/* ---- sort ------------------------------------------------------------------------------------ */

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sixteen parts, each longer than the one before; consecutive ones belong to one thread. */
static double sort(int64_t n)
{
    enum { PARTS = 16 };
    double *a = array(n), sum = 0.0;
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < n; i++)
        a[i] = (double)(mixed((uint64_t)i) >> 11);
#pragma omp parallel for schedule(static)
    for (int part = 0; part < PARTS; part++) {
        const int64_t begin = n * part * part / (PARTS * PARTS),
                      end = n * (part + 1) * (part + 1) / (PARTS * PARTS);
        qsort(a + begin, (size_t)(end - begin), sizeof *a, ascending);
    }
    for (int part = 0; part < PARTS; part++)
        sum += a[n * part * part / (PARTS * PARTS)];
    free(a);
    return sum;
}

/* ---- triad ----------------------------------------------------------------------------------- */

static double triad(int64_t n)
{
    enum { TIMES = 20 };
    double *a = array(n), *b = array(n), *c = array(n);
    for (int times = 0; times < TIMES; times++) {
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

static double work(int64_t i)
{
    const double x = sin((double)i);
    return x * x;
}

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
    static const struct {
        const char *name;
        double (*run)(int64_t n);
        int64_t size;
    } kinds[] = {{"stencil", stencil, 1500},
                 {"pi", pi, 60000000},
                 {"sort", sort, 3000000},
                 {"triad", triad, 8000000},
                 {"serial", serial, 12000000}};
    for (size_t i = 0; argc > 1 && i < sizeof kinds / sizeof *kinds; i++) {
        const int64_t n = argc > 2 ? strtoll(argv[2], NULL, 10) : kinds[i].size;
        if (strcmp(argv[1], kinds[i].name) == 0 && n > 15) {
            printf("%s %.6g\n", kinds[i].name, kinds[i].run(n));
            return 0;
        }
    }
    fprintf(stderr, "usage: %s stencil|pi|sort|triad|serial [SIZE]\n", argv[0]);
    return 2;
}
