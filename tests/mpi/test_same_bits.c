/* A result has the same bits on any number of ranks and of their threads, whichever way the
 * processes obtain the image (tests/mpi/same_bits.h). */
#include "mpi/group.h"
#include "mpi/mpi_space.h"
#include "mpi/rank.h"
#include "tests/mpi/same_bits.h"
#include "tests/support/unit_test.h"

enum { MOST_THREADS = 3, MOST_RANKS = 16 };

static const struct job ways[] = {
    {.distribution = DISTRIBUTE_GENERATE},
    {.distribution = DISTRIBUTE_SCATTER},
    {.distribution = DISTRIBUTE_SCATTER, .parallel = PARALLEL_PRODUCT},
};

/* Only max pooling has methods whose product alone can be parallel. */
static struct job share(const struct operator_row *kind, uint64_t seed)
{
    struct job job = ways[seed / MOST_THREADS % (kind == &maxpool_operator ? 3 : 2)];
    job.threads = 1 + (int64_t)(seed % MOST_THREADS);
    return job;
}

/* The ranks have the bands that they have when the method is alone. */
static void check_bands(const struct operation *op, const struct instance *instance)
{
    struct band alone[MOST_RANKS];
    assert_in_range(group()->ranks, 1, MOST_RANKS);
    bands_make(op, group()->ranks, operation_unit_rows(op), alone);
    for (int r = 0; r < group()->ranks; r++) {
        assert_int_equal(instance->bands[r].map.first, alone[r].map.first);
        assert_int_equal(instance->bands[r].map.count, alone[r].map.count);
    }
}

TEST(bits_are_those_of_one_worker)
{
    check_same_bits(&mpi_space, share, check_bands);
}
