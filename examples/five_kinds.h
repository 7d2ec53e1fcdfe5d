/* What five_kinds.c and five_kinds_mpi.c share: the pieces of work that one worker does, and the
 * names of the kinds with their usual sizes. Each program defines the five functions. */
#ifndef FIVE_KINDS_H
#define FIVE_KINDS_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Each returns a checksum, or this rank's part of it. */
static double stencil(int64_t n), pi(int64_t n), sort(int64_t n), triad(int64_t n),
    serial(int64_t n);

struct kind {
    const char *name;
    double (*run)(int64_t n);
    int64_t size; /* unless another one is asked for */
};

enum { STENCIL_STEPS = 40, SORT_PARTS = 16, TRIAD_TIMES = 20, SMALLEST_SIZE = 16 };

/* NULL: there is no such kind. */
static inline const struct kind *kind_find(const char *name)
{
    static const struct kind kinds[] = {{"stencil", stencil, 1500},
                                        {"pi", pi, 60000000},
                                        {"sort", sort, 3000000},
                                        {"triad", triad, 8000000},
                                        {"serial", serial, 12000000}};
    for (size_t i = 0; name && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(name, kinds[i].name) == 0)
            return &kinds[i];
    return NULL;
}

static inline void kinds_usage(const char *program)
{
    fprintf(stderr, "usage: %s stencil|pi|sort|triad|serial [SIZE]\n", program);
}

/* SplitMix64: Steele, Lea & Flood (2014), "Fast splittable pseudorandom number generators". */
static inline uint64_t mixed(uint64_t x)
{
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

/* Whether random point i of the unit square lies in the quarter circle. */
static inline int in_circle(int64_t i)
{
    const uint64_t bits = mixed((uint64_t)i);
    const double x = (double)(bits >> 32) / 4294967296.0,
                 y = (double)(bits & 0xFFFFFFFFu) / 4294967296.0;
    return x * x + y * y < 1.0;
}

/* Where part `part` of n elements to sort begins: each part is longer than the one before. */
static inline int64_t part_begin(int64_t n, int64_t part)
{
    return n * part * part / (SORT_PARTS * SORT_PARTS);
}

static inline int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline double work(int64_t i)
{
    const double x = sin((double)i);
    return x * x;
}

#endif
