/* cmocka, behind the headers that it needs before it, and the list of a program's tests. */
#ifndef MAXPOOL_TEST_UNIT_TEST_H
#define MAXPOOL_TEST_UNIT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The parameter of a test, a setup or a teardown that does not use its state. */
#define NO_STATE   __attribute__((unused)) void **state /* NOLINT(bugprone-macro-parentheses) */

/* TEST(name) { ... } defines a test, and the program runs it, in the order of its file: none is
 * written and left out. TEST_WITH has functions that run before and after the test; each may be
 * NULL. A program without a main of its own has that of unit_test_main.c. */
#define TEST(name) TEST_WITH(name, NULL, NULL)
#define TEST_WITH(name, setup, teardown)                                                           \
    static void name(NO_STATE);                                                                    \
    __attribute__((constructor)) static void add_##name(void)                                      \
    {                                                                                              \
        tests_add(&(struct CMUnitTest){#name, name, setup, teardown, NULL});                       \
    }                                                                                              \
    static void name(NO_STATE)

void tests_add(const struct CMUnitTest *test);

/* What runs before and after all tests, if the program defines it; each may be NULL. */
struct tests_group {
    CMFixtureFunction setup, teardown;
};
extern const struct tests_group tests_group __attribute__((weak));

/* Runs all tests; returns the number of those that fail, and 1 if there are none. */
int tests_run(void);

#endif
