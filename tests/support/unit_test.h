/* cmocka, behind the headers that it needs before it. */
#ifndef MAXPOOL_TEST_UNIT_TEST_H
#define MAXPOOL_TEST_UNIT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
