/* Tests that wait more than they compute, in several processes side by side. Each process takes the
 * next test that none has taken, so that those which stand first begin first; folders, environment
 * and limits are its own. What a test prints comes in one piece, once it has ended. */
#ifndef MAXPOOL_TEST_SIDE_BY_SIDE_H
#define MAXPOOL_TEST_SIDE_BY_SIDE_H

#include <stddef.h>

struct CMUnitTest;

/* The status that the program ends with: 0, or 1 where a test failed or a process ended early. */
int run_side_by_side(const struct CMUnitTest *tests, size_t count, size_t processes);

#endif
