/* A result has the same bits on any number of threads, whether they share all of the work or the
 * products alone (tests/mpi/same_bits.h). */
#include "openmp/omp.h"
#include "tests/mpi/same_bits.h"
#include "tests/support/unit_test.h"

enum { MOST_THREADS = 7 };

/* Only max pooling has methods whose product alone can be parallel. */
static struct job share(const struct operator_row *kind, uint64_t seed)
{
    const bool product = kind == &maxpool_operator && seed % 3 == 2;
    return (struct job){.threads = 1 + (int64_t)(seed % MOST_THREADS),
                        .parallel = product ? PARALLEL_PRODUCT : PARALLEL_ALL};
}

TEST(bits_are_those_of_one_worker)
{
    check_same_bits(&omp_space, share, NULL);
}
