#include "mpi/start_skew.h"

#include "harness/base/clock.h"
#include "mpi/group.h"

#include <math.h>
#include <sched.h>

enum { ROUND_TRIPS = 20 };

static const double uncertain_most_s = 50e-6;
static const double synchronize_again_s = 1.0; /* clocks drift apart by microseconds per second */
static const double lead_s[] = {50e-6, 10e-3}; /* least and most */

/* The part of rank 0: sends its time, receives the other rank's, and keeps the shortest round
 * trip. */
static void measure_offset(MPI_Comm comm, int rank, start_clock *clock, double best[2])
{
    best[1] = INFINITY;
    for (int i = 0; i < ROUND_TRIPS; i++) {
        double theirs;
        const double sent = clock();
        MPI_Send(&sent, 1, MPI_DOUBLE, rank, 0, comm);
        MPI_Recv(&theirs, 1, MPI_DOUBLE, rank, 0, comm, MPI_STATUS_IGNORE);
        const double half = 0.5 * (clock() - sent);
        if (half < best[1]) {
            best[0] = theirs - (sent + half);
            best[1] = half;
        }
    }
    MPI_Send(best, 2, MPI_DOUBLE, rank, 0, comm);
}

static void answer_clock(MPI_Comm comm, start_clock *clock, double best[2])
{
    for (int i = 0; i < ROUND_TRIPS; i++) {
        double request;
        MPI_Recv(&request, 1, MPI_DOUBLE, 0, 0, comm, MPI_STATUS_IGNORE);
        const double now = clock();
        MPI_Send(&now, 1, MPI_DOUBLE, 0, 0, comm);
    }
    MPI_Recv(best, 2, MPI_DOUBLE, 0, 0, comm, MPI_STATUS_IGNORE);
}

double start_offset(MPI_Comm comm, start_clock *clock, double *uncertain)
{
    int rank, ranks;
    double best[2] = {0.0, 0.0};
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    if (rank > 0)
        answer_clock(comm, clock, best);
    for (int other = 1; rank == 0 && other < ranks; other++) {
        double theirs[2];
        measure_offset(comm, other, clock, theirs);
    }
    *uncertain = best[1];
    return best[0];
}

static double offset_s;          /* of this rank's clock from rank 0's */
static double synchronized_at_s; /* when that was measured, by this rank's clock */
static int clocks_synchronized;  /* 0: offsets are not known well enough */
static double lead = 50e-6;      /* how far ahead the root sets the moment */

/* One rank of each computer measures; the other ranks on it have the same clock. */
static void synchronize_clocks(void)
{
    const struct rank_group *g = group();
    double uncertain = 0.0, worst;
    offset_s = g->node_rank == 0 ? start_offset(g->leaders, clock_now, &uncertain) : 0.0;
    MPI_Bcast(&offset_s, 1, MPI_DOUBLE, 0, g->node);
    MPI_Allreduce(&uncertain, &worst, 1, MPI_DOUBLE, MPI_MAX, group()->all);
    clocks_synchronized = worst <= uncertain_most_s;
    synchronized_at_s = clock_now();
}

struct start start_together(void)
{
    const struct rank_group *g = group();
    struct start start = {.at = clock_now()};
    if (g->ranks == 1)
        return start;
    int again = synchronized_at_s == 0.0 ||
                (g->nodes > 1 && start.at - synchronized_at_s > synchronize_again_s);
    MPI_Bcast(&again, 1, MPI_INT, GROUP_ROOT, group()->all);
    if (again)
        synchronize_clocks();
    MPI_Barrier(group()->all);
    if (!clocks_synchronized)
        return (struct start){clock_now(), NAN};
    double moment = clock_now() + lead;
    MPI_Bcast(&moment, 1, MPI_DOUBLE, GROUP_ROOT, group()->all);
    moment += offset_s;
    while ((start.at = clock_now()) < moment)
        sched_yield(); /* a rank on the same core may still wait for the message */
    start.error_s = start.at - moment;
    start.at = moment;
    return start;
}

void start_missed(double worst_s)
{
    lead = worst_s > lead_s[0] ? fmin(2.0 * lead, lead_s[1]) : fmax(0.9 * lead, lead_s[0]);
}
