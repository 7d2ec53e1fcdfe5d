/* Collects the rows of a record file. */
#ifndef MAXPOOL_TESTS_KEPT_ROWS_H
#define MAXPOOL_TESTS_KEPT_ROWS_H

#include "harness/records/record.h"
#include "tests/support/unit_test.h"

enum { ROWS_MOST = 4096 };

struct rows {
    struct record items[ROWS_MOST];
    size_t count;
};

/* Callback for record_read(); `context` is a struct rows. A file of more than ROWS_MOST rows fails
 * the test. */
static inline bool keep_row(const struct record *r, int64_t line, void *context)
{
    struct rows *rows = context;
    (void)line;
    assert_true(rows->count < ROWS_MOST);
    rows->items[rows->count++] = *r;
    return true;
}

#endif
