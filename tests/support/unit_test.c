#include "tests/support/unit_test.h"

#include <stdlib.h>

static struct {
    struct CMUnitTest all[64];
    size_t count;
} tests;

void tests_add(const struct CMUnitTest *test)
{
    if (tests.count == sizeof tests.all / sizeof *tests.all)
        abort();
    tests.all[tests.count++] = *test;
}

int tests_run(void)
{
    if (tests.count == 0)
        return 1;
    const struct tests_group group = &tests_group ? tests_group : (struct tests_group){NULL, NULL};
    return _cmocka_run_group_tests("tests", tests.all, tests.count, group.setup, group.teardown);
}
