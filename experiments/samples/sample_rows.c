#include "experiments/samples/sample_rows.h"

#include "experiments/samples/folder_samples.h"
#include "experiments/samples/point.h"

#include <stdlib.h>
#include <string.h>

struct rows {
    const char *experiment;
    record_visitor *visit;
    void *context;
    struct numbering launches; /* samples_launch_name of the experiment's launches */
    struct numbering seen;     /* samples_row_name of the rows so far */
    bool stopped, out_of_memory;
};

static bool note_launches(struct rows *r, const struct samples *s)
{
    for (size_t i = 0; i < s->launch_count; i++) {
        const struct point_samples *p = &s->points[s->launches[i].point];
        struct record row = p->identity;
        char launch[SAMPLES_LAUNCH];
        snprintf(row.run_id, sizeof row.run_id, "%s", s->launches[i].run_id);
        samples_launch_name(&row, launch);
        if (numbering_put(&r->launches, launch) < 0)
            return false;
    }
    return true;
}

static bool take_row(const struct record *row, int64_t line, void *context)
{
    struct rows *r = context;
    char launch[SAMPLES_LAUNCH], name[SAMPLES_ROW];
    samples_launch_name(row, launch);
    if (numbering_find(&r->launches, launch) < 0)
        return true;
    samples_row_name(row, name);
    const size_t known = r->seen.count;
    const ptrdiff_t at = numbering_put(&r->seen, name);
    r->out_of_memory = at < 0;
    if ((size_t)at < known || at < 0)
        return at >= 0;
    struct record own = *row;
    snprintf(own.experiment, sizeof own.experiment, "%s", r->experiment);
    r->stopped = !r->visit(&own, line, r->context);
    return !r->stopped;
}

/* Reads R/samples.csv, the experiment's own file, and those of others. One that cannot be read has
 * none of its launches. */
static void read_files(struct rows *r, const struct folder_samples *all)
{
    const struct results_path joint = results_samples(all->folder);
    if (table_is_begun(joint.text))
        record_read(joint.text, take_row, r, NULL, NULL);
    for (size_t i = 0; i < all->count && !r->stopped && !r->out_of_memory; i++) {
        const struct results_path own = results_own_samples(all->folder, all->names.items[i]);
        if (table_is_begun(own.text))
            record_read(own.text, take_row, r, NULL, NULL);
    }
}

enum status sample_rows_visit(const char *folder, const char *experiment, record_visitor *visit,
                              void *context, struct failure *f)
{
    struct rows r = {.experiment = experiment, .visit = visit, .context = context};
    struct folder_samples all;
    struct samples own = {0};
    enum status status = folder_samples_read(&all, folder, f);
    if (status != STATUS_OK)
        return status;
    const size_t at = folder_samples_find(&all, experiment);
    status = at < all.count
                 ? folder_samples_of(&own, &all, at, f)
                 : fail(f, STATUS_USAGE, "%s: there are no samples of '%s'", folder, experiment);
    if (status == STATUS_OK &&
        (!note_launches(&r, &own) || (read_files(&r, &all), r.out_of_memory)))
        status = fail(f, STATUS_RESOURCE, "%s: not enough memory for its samples", folder);
    samples_release(&own);
    folder_samples_release(&all);
    numbering_release(&r.launches);
    numbering_release(&r.seen);
    return status;
}

/* ---- lost columns --------------------------------------------------------------------------- */

static bool has_value(const struct record *r, const struct record_column *c)
{
    int64_t value;
    if (c->column.type == COLUMN_TEXT)
        return *(const char *)record_field(r, c);
    memcpy(&value, record_field(r, c), sizeof value);
    return value != RECORD_NO_INT;
}

const char *sample_lost_column(const struct record *r)
{
    static const char *const filled[] = {"planes",   "rows",    "cols",   "threads",
                                         "ranks",    "kernel",  "stride", "padding",
                                         "channels", "filters", "network"};
    const struct point_kind kind = point_record_kind(r);
    for (size_t i = 0; kind.operator_row && kind.space && i < sizeof filled / sizeof *filled; i++) {
        const struct record_column *c = record_column_find(filled[i]);
        if (point_column_applies(c, kind) && !has_value(r, c))
            return filled[i];
    }
    return NULL;
}
