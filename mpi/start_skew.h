/* The common start of a sample. The ranks of one computer share its monotonic clock; between
 * computers rank 0 measures how far each clock is from its own. Then rank 0 names a moment a little
 * ahead, and every rank waits for it: a barrier lets the last rank out long after the first.
 *
 * Source: Hoefler, Schneider & Lumsdaine, "Accurately measuring collective operations at massive
 * scale" (2008), the window scheme; offsets by the round trip that took least time (Cristian,
 * "Probabilistic clock synchronization", 1989). */
#ifndef MAXPOOL_MPI_START_SKEW_H
#define MAXPOOL_MPI_START_SKEW_H

#include <mpi.h>

typedef double start_clock(void);

/* Collective over `comm`: seconds by which this rank's clock is ahead of that of the first;
 * *uncertain is half of the round trip it was measured by. */
double start_offset(MPI_Comm comm, start_clock *clock, double *uncertain);

struct start {
    double at;      /* when this rank began, by its own clock, seconds */
    double error_s; /* how late that was; NaN where a barrier had to do */
};

/* Collective: lets all ranks go together. Clocks that cannot be distinguished by less than some 50
 * microseconds, or not at all, are replaced by a barrier. */
struct start start_together(void);

/* After a sample, by the worst error of all ranks: the next moment is named further ahead where
 * one missed it. */
void start_missed(double worst_s);

#endif
