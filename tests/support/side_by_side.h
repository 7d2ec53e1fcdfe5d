/* Runs tests that wait more than they compute in several processes at a time. Each process takes
 * the next test that none has taken, so tests begin in their order; each has its own folders,
 * environment and limits. What a test prints is printed in one piece when the test has ended. */
#ifndef MAXPOOL_TEST_SIDE_BY_SIDE_H
#define MAXPOOL_TEST_SIDE_BY_SIDE_H

#include <stddef.h>

struct CMUnitTest;

/* Returns the exit status of the program: 0, or 1 if a test failed or a process ended early. */
int run_side_by_side(const struct CMUnitTest *tests, size_t count, size_t processes);

#endif
