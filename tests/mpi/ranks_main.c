/* The main of tests that run in several ranks. */
#include "mpi/group.h"
#include "tests/support/unit_test.h"

int main(int argc, char **argv)
{
    struct failure f = {0};
    if (mpi_processes.begin(&argc, &argv, &f) != STATUS_OK)
        return 1;
    const int failed = tests_run();
    mpi_processes.end();
    return failed;
}
