/* The five kinds of five_kinds.c as MPI programs, to try `study speedup` on (docs/own_program.md).
 *
 *   mpicc -O2 five_kinds_mpi.c -lm -o five_kinds_mpi
 *   mpirun -np RANKS ./five_kinds_mpi KIND [SIZE]      prints a checksum that does not depend on
 * RANKS
 *
 * stencil   averages of the neighbours in a square of SIZE x SIZE; ranks exchange the rows at the
 *           borders of their bands in each step
 * pi        a Monte Carlo estimate: SIZE random points, one sum at the end
 * sort      each rank sorts some of sixteen parts; the parts have unequal lengths, the last is the
 *           longest
 * triad     a[i] = b[i] + 3 c[i] over SIZE elements, many times: the memory limits it
 * serial    a fifth of its work is done by rank 0 while the others wait */
#include "five_kinds.h"

#include <mpi.h>
#include <stdlib.h>

static int rank, ranks;

/* First of the `n` items of a rank; those of the next one begin where they end. */
static int64_t first_of(int64_t n, int which)
{
    return n * which / ranks;
}

/* The elements `begin` to `end` of an array that is the same for any number of ranks. */
static double *array(int64_t begin, int64_t end)
{
    double *a = malloc((size_t)(end > begin ? end - begin : 1) * sizeof *a);
    if (!a) {
        fputs("not enough memory\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 4);
    }
    for (int64_t i = begin; i < end; i++)
        a[i - begin] = (double)(i % 8);
    return a;
}

/* ---- stencil --------------------------------------------------------------------------------- */

/* Exchanges border rows with the ranks above and below. `rows` are this rank's own; before and
 * behind them `a` has a row of each neighbour, n elements each. */
static void exchange(double *a, int64_t rows, int64_t n)
{
    const int up = rank > 0 ? rank - 1 : MPI_PROC_NULL,
              down = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(a + n, (int)n, MPI_DOUBLE, up, 0, a + (rows + 1) * n, (int)n, MPI_DOUBLE, down, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(a + rows * n, (int)n, MPI_DOUBLE, down, 1, a, (int)n, MPI_DOUBLE, up, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static double stencil(int64_t n)
{
    const int64_t begin = first_of(n, rank), end = first_of(n, rank + 1), rows = end - begin;
    double *from = array((begin - 1) * n, (end + 1) * n),
           *to = array((begin - 1) * n, (end + 1) * n), sum = 0.0;
    for (int step = 0; step < STENCIL_STEPS; step++) {
        exchange(from, rows, n);
        for (int64_t i = begin > 0 ? begin : 1; i < end && i < n - 1; i++)
            for (int64_t j = 1; j < n - 1; j++) {
                const double *at = from + (i - begin + 1) * n + j;
                to[(i - begin + 1) * n + j] = 0.25 * (at[-n] + at[n] + at[-1] + at[1]);
            }
        double *other = from;
        from = to;
        to = other;
    }
    for (int64_t i = begin * n; i < end * n; i++)
        if (i % (n * n / 1000 + 1) == 0)
            sum += from[i - (begin - 1) * n];
    free(from);
    free(to);
    return sum;
}

/* ---- Monte Carlo ----------------------------------------------------------------------------- */

static double pi(int64_t n)
{
    int64_t inside = 0;
    for (int64_t i = first_of(n, rank); i < first_of(n, rank + 1); i++)
        inside += in_circle(i);
    return 4.0 * (double)inside / (double)n;
}

/* ---- sort ------------------------------------------------------------------------------------ */

/* Consecutive parts belong to one rank. */
static double sort(int64_t n)
{
    double sum = 0.0;
    for (int64_t part = first_of(SORT_PARTS, rank); part < first_of(SORT_PARTS, rank + 1); part++) {
        const int64_t begin = part_begin(n, part), end = part_begin(n, part + 1);
        double *a = array(begin, end);
        for (int64_t i = begin; i < end; i++)
            a[i - begin] = (double)(mixed((uint64_t)i) >> 11);
        qsort(a, (size_t)(end - begin), sizeof *a, ascending);
        sum += end > begin ? a[0] : 0.0;
        free(a);
    }
    return sum;
}

/* ---- triad ----------------------------------------------------------------------------------- */

static double triad(int64_t n)
{
    const int64_t begin = first_of(n, rank), end = first_of(n, rank + 1);
    double *a = array(begin, end), *b = array(begin, end), *c = array(begin, end), sum = 0.0;
    for (int times = 0; times < TRIAD_TIMES; times++) {
        for (int64_t i = 0; i < end - begin; i++)
            a[i] = b[i] + 3.0 * c[i];
        double *other = a;
        a = b;
        b = other;
    }
    for (int64_t i = begin; i < end; i++)
        if (i % (n / 1000 + 1) == 0)
            sum += b[i - begin];
    free(a);
    free(b);
    free(c);
    return sum;
}

/* ---- a serial part --------------------------------------------------------------------------- */

static double serial(int64_t n)
{
    const int64_t rest = n - n / 5;
    double sum = 0.0;
    for (int64_t i = 0; rank == 0 && i < n / 5; i++)
        sum += work(i);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int64_t i = first_of(rest, rank); i < first_of(rest, rank + 1); i++)
        sum += work(n / 5 + i);
    return sum;
}

/* Runs a kind, whose ranks each have a part of the checksum; returns 0 for an unknown one. */
static int run(const struct kind *kind, int64_t size)
{
    const int64_t n = kind && size == 0 ? kind->size : size;
    if (!kind || n < SMALLEST_SIZE || n < ranks)
        return 0;
    const double part = kind->run(n);
    double sum = 0.0;
    MPI_Reduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s %.6g\n", kind->name, sum);
    return 1;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int good = run(kind_find(argv[1]), argc > 2 ? strtoll(argv[2], NULL, 10) : 0);
    if (!good && rank == 0)
        kinds_usage(argv[0]);
    MPI_Finalize();
    return good ? 0 : 2;
}
