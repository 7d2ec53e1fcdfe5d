/* cmocka, behind the headers that it needs before it. */
#ifndef MAXPOOL_TEST_UNIT_TEST_H
#define MAXPOOL_TEST_UNIT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The parameter of a test, a setup or a teardown that does not use its state. */
#define NO_STATE __attribute__((unused)) void **state /* NOLINT(bugprone-macro-parentheses) */

#endif
