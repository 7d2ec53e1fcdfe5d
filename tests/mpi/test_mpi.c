/* The MPI space over the grid, run by mpirun with each number of ranks. Every rank walks the same
 * cases; the root compares the gathered maps with the oracle, which never reads a band. */
#include "harness/base/clock.h"
#include "mpi/group.h"
#include "mpi/mpi_space.h"
#include "mpi/rank.h"
#include "mpi/start_skew.h"
#include "tests/support/cases.h"
#include "tests/support/space_check.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdlib.h>

/* Ranks that wait for a core make these the slowest tests. Two ranks have bands with one neighbour,
 * three have one with two, and seven are more than many cases have rows. Others add depth to the
 * trees of messages. */
static enum grid_extent extent(void)
{
    const int ranks = group()->ranks;
    return ranks <= 2 ? GRID_EVERY_METHOD : ranks == 3 || ranks == 7 ? GRID_BRIEF : GRID_SPARSE;
}

TEST(mpi_passes_the_grid)
{
    assert_int_equal(check_space(&mpi_space, 1, extent()), 0);
}

/* Two threads in each of one or two ranks (hybrid). */
TEST(hybrid_passes_the_grid)
{
    if (!mpi_space.has_threads || group()->ranks > 2)
        skip();
    assert_int_equal(
        check_space(&mpi_space, 2, group()->ranks == 1 ? GRID_EVERY_METHOD : GRID_SPARSE), 0);
}

/* Rank r's clock is 1000 r seconds ahead. */
static double skewed_clock(void)
{
    return clock_now() + 1000.0 * group()->rank;
}

TEST(clocks_are_compared)
{
    double uncertain;
    const double offset = start_offset(group()->all, skewed_clock, &uncertain);
    assert_true(uncertain >= 0.0 && uncertain < 100.0);
    assert_true(fabs(offset - 1000.0 * group()->rank) <= uncertain);
}

/* No rank begins before the common moment, and the moment is the same for all ranks. */
TEST(ranks_start_together)
{
    for (int i = 0; i < 3; i++) {
        const struct start start = start_together();
        double first, last;
        MPI_Allreduce(&start.at, &first, 1, MPI_DOUBLE, MPI_MIN, group()->all);
        MPI_Allreduce(&start.at, &last, 1, MPI_DOUBLE, MPI_MAX, group()->all);
        assert_true(start.error_s >= 0.0);
        assert_true(first == last); /* one computer, one clock */
    }
}

/* Messages are cut into pieces of 101 floats, to test at small size what happens beyond 2^30. */
TEST(long_messages_are_cut)
{
    const int64_t longest = messages_longest;
    messages_longest =
        101; /* no multiple of a row; smaller pieces are so many that ranks take minutes */
    assert_int_equal(messages_pieces(0), 0);
    assert_int_equal(messages_pieces(202), 2);
    assert_int_equal(messages_pieces(203), 3);
    assert_int_equal(messages_pieces(INT64_C(1) << 40), ((INT64_C(1) << 40) + 100) / 101);
    assert_int_equal(check_verdicts(&mpi_space, 1, group()->ranks == 3 ? GRID_BRIEF : GRID_SPARSE),
                     0);
    messages_longest = longest;
}

/* If one rank fails, all fail, with the message of the lowest rank that failed. */
TEST(statuses_are_common)
{
    const struct rank_group *g = group();
    struct failure f = {0};
    assert_int_equal(mpi_processes.common_status(STATUS_OK, &f), STATUS_OK);
    enum status mine = STATUS_OK;
    if (g->rank == g->ranks - 1)
        mine = (fail)(&f, STATUS_RESOURCE, "the last rank");
    assert_int_equal(mpi_processes.common_status(mine, &f), STATUS_RESOURCE);
    assert_string_equal(f.message, "the last rank");
    f = (struct failure){0};
    mine = (fail)(&f, g->rank == 0 ? STATUS_USAGE : STATUS_OUTPUT, "rank %d", g->rank);
    assert_int_equal(mpi_processes.common_status(mine, &f), STATUS_USAGE);
    assert_string_equal(f.message, "rank 0");
}

/* Another library in the process sends in MPI_COMM_WORLD, with one of our tags: its message is not
 * taken for ours. */
TEST(messages_of_libraries_stay_their_own)
{
    const int self = group()->rank;
    const float theirs = -1.0f, ours = 35.0f;
    float received = 0.0f;
    struct messages m = {0};
    struct failure f = {0};
    MPI_Request sent;
    int order;
    MPI_Isend(&theirs, 1, MPI_FLOAT, self, 0, MPI_COMM_WORLD, &sent);
    assert_int_equal(messages_reserve(&m, 2, &f), STATUS_OK);
    messages_receive(&m, &received, 1, self);
    messages_send(&m, &ours, 1, self);
    messages_wait(&m);
    assert_true(received == ours);
    MPI_Recv(&received, 1, MPI_FLOAT, self, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert_true(received == theirs);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    messages_release(&m);
    MPI_Comm_compare(group()->all, MPI_COMM_WORLD, &order);
    assert_int_equal(order, MPI_CONGRUENT);
}
