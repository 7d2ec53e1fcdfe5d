/* A result has the same bits on any number of ranks and of their threads, whichever way the
 * processes obtain the image (tests/mpi/same_bits.h). */
#include "mpi/group.h"
#include "mpi/mpi_space.h"
#include "tests/mpi/same_bits.h"
#include "tests/support/unit_test.h"

enum { MOST_THREADS = 3 };

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

TEST(bits_are_those_of_one_worker)
{
    check_same_bits(&mpi_space, share);
}

int main(int argc, char **argv)
{
    struct failure f = {0};
    if (mpi_processes.begin(&argc, &argv, &f) != STATUS_OK)
        return 1;
    const int failed = tests_run();
    mpi_processes.end();
    return failed;
}
