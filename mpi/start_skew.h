/* The common start of a sample. The ranks of one computer share its monotonic clock; between
 * computers, rank 0 measures the offset of each clock from its own. Then rank 0 sets a moment in
 * the near future, and every rank waits for it. A barrier would not do: its last rank leaves long
 * after the first.
 *
 * Source: Hoefler, Schneider & Lumsdaine, "Accurately measuring collective operations at massive
 * scale" (2008), the window scheme; offsets by the round trip that took least time (Cristian,
 * "Probabilistic clock synchronization", 1989). */
#ifndef MAXPOOL_MPI_START_SKEW_H
#define MAXPOOL_MPI_START_SKEW_H

#include <mpi.h>

typedef double start_clock(void);

/* Collective over `comm`: returns the seconds by which this rank's clock is ahead of that of the
 * first rank. *uncertain is half of the round trip by which it was measured. */
double start_offset(MPI_Comm comm, start_clock *clock, double *uncertain);

struct start {
    double at;      /* the common start by this rank's clock, seconds */
    double error_s; /* how much later this rank began; NaN after a barrier */
};

/* Collective: lets all ranks start together. If the clock offsets are not known to within 50
 * microseconds, a barrier is used instead. */
struct start start_together(void);

/* Called after a sample with the worst skew of all ranks: the next moment is set further ahead if a
 * rank missed this one. */
void start_missed(double worst_s);

#endif
