#include "experiments/report/claims/memory_held.h"

#include "harness/records/timeline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct rows {
    const char *label;
    double sum, peak, count;
};

static bool take(const void *row, int64_t line, void *context)
{
    const struct timeline_row *r = row;
    struct rows *rows = context;
    (void)line;
    if (strcmp(r->label, rows->label) == 0 && r->resident_bytes > 0.0) {
        rows->sum += r->resident_bytes;
        rows->peak = fmax(rows->peak, r->resident_bytes);
        rows->count += 1.0;
    }
    return true;
}

bool memory_held_read(struct memory_held *out, const struct experiment *e, const char *label)
{
    struct rows rows = {.label = label};
    struct failure ignored = {0};
    if (table_read(e->timeline_path, &timeline_schema, take, &rows, NULL, &ignored) != STATUS_OK ||
        !(rows.count > 0.0))
        return false;
    *out = (struct memory_held){rows.sum / rows.count, rows.peak};
    return true;
}
