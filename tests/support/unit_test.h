/* cmocka, behind the headers that it needs before it, and the list of a file's tests. */
#ifndef MAXPOOL_TEST_UNIT_TEST_H
#define MAXPOOL_TEST_UNIT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* The parameter of a test, a setup or a teardown that does not use its state. */
#define NO_STATE   __attribute__((unused)) void **state /* NOLINT(bugprone-macro-parentheses) */

/* TEST(name) { ... } defines a test that tests_run runs, in the order of the file: none is written
 * and left out. TEST_WITH has functions that run before and after the test; each may be NULL. */
#define TEST(name) TEST_WITH(name, NULL, NULL)
#define TEST_WITH(name, setup, teardown)                                                           \
    static void name(NO_STATE);                                                                    \
    __attribute__((constructor)) static void add_##name(void)                                      \
    {                                                                                              \
        tests_add(&(struct CMUnitTest){#name, name, setup, teardown, NULL});                       \
    }                                                                                              \
    static void name(NO_STATE)

/* The tests of the file that includes this header. */
static struct {
    struct CMUnitTest all[64];
    size_t count;
} unit_tests;

static inline void tests_add(const struct CMUnitTest *test)
{
    if (unit_tests.count == sizeof unit_tests.all / sizeof *unit_tests.all)
        abort();
    unit_tests.all[unit_tests.count++] = *test;
}

/* Runs them between two functions for all, each of which may be NULL; returns the number of those
 * that fail. */
static inline int tests_run(CMFixtureFunction setup, CMFixtureFunction teardown)
{
    return _cmocka_run_group_tests("tests", unit_tests.all, unit_tests.count, setup, teardown);
}

#endif
