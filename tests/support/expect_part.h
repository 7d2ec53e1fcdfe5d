/* Checks that a text contains a part, or does not. If the test fails, the message has the part and
 * the beginning of the text. */
#ifndef MAXPOOL_TEST_EXPECT_PART_H
#define MAXPOOL_TEST_EXPECT_PART_H

#include "tests/support/unit_test.h"

#include <string.h>

static inline void expect_part(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is not in: %.2000s", part, text);
}

static inline void expect_no_part(const char *text, const char *part)
{
    if (strstr(text, part))
        fail_msg("'%s' is in: %.2000s", part, text);
}

#endif
