#include "experiments/run/sample_store.h"

#include "experiments/samples/journal.h"
#include "experiments/samples/older_header.h"
#include "experiments/samples/point.h"

#include <string.h>

struct results_path sample_store_under_way(const char *results)
{
    return results_file(results, "under_way.samples.csv");
}

enum status sample_store_open(struct sample_store *store, const char *results, struct failure *f)
{
    const struct results_path path = results_samples(results);
    store->results = results;
    const enum status status = older_header_renew(path.text, &record_schema, f);
    return status == STATUS_OK ? record_writer_open(&store->writer, path.text, NULL, f) : status;
}

enum status sample_store_close(struct sample_store *store, struct failure *f)
{
    const enum status status = record_writer_close(store->writer, f);
    store->writer = NULL;
    return status;
}

/* A first set is not named, so that rows are as they always were. */
static void name_set(struct record *row, int64_t set, int64_t set_launches)
{
    if (set > 1) {
        row->set = set;
        row->set_launches = set_launches;
    }
}

/* ---- rows of a process ----------------------------------------------------------------------- */

struct taking {
    struct sample_store *store;
    const struct ledger *ledger;
    const size_t *points;
    size_t count;
    enum status status;
    struct failure *failure;
};

/* A point that several experiments show is at the same set in all of them. */
static bool take_row(const struct record *row, int64_t line, void *context)
{
    struct taking *t = context;
    (void)line;
    for (size_t i = 0; i < t->count; i++) {
        const struct record *asked = &t->ledger->plan->points[t->points[i]].point;
        const struct ledger_point *at = &t->ledger->points[t->points[i]];
        if (!point_matches(asked, row))
            continue;
        struct record copy = *row;
        snprintf(copy.experiment, sizeof copy.experiment, "%s", asked->experiment);
        name_set(&copy, at->set, at->set_launches);
        t->status = record_append(t->store->writer, &copy, t->failure);
        return t->status == STATUS_OK;
    }
    return true;
}

enum status sample_store_take(struct sample_store *store, const struct ledger *ledger,
                              const size_t *points, size_t count, struct failure *f)
{
    const struct results_path from = sample_store_under_way(store->results);
    struct taking t = {
        .store = store, .ledger = ledger, .points = points, .count = count, .failure = f};
    if (!table_is_begun(from.text))
        return STATUS_OK;
    const enum status status = record_read(from.text, take_row, &t, NULL, f);
    return t.status == STATUS_OK ? status : t.status;
}

/* ---- rows that a killed study left ----------------------------------------------------------- */

struct recovery {
    struct sample_store *store;
    struct numbering *runs;
    struct numbering known; /* samples_row_name of the rows of these runs that are there */
    struct record last;     /* a copied row of the launch, with its set */
    enum status status;
    struct failure *failure;
};

static void lacks_memory(struct recovery *r)
{
    r->status = fail(r->failure, STATUS_RESOURCE, "not enough memory to recover samples");
}

static bool note_run(const struct record *row, int64_t line, void *context)
{
    struct recovery *r = context;
    (void)line;
    if (numbering_put(r->runs, row->run_id) < 0)
        lacks_memory(r);
    return r->status == STATUS_OK;
}

/* Notes a row of one of the runs; *is_new: it was not known. */
static bool note_row(struct recovery *r, const struct record *row, bool *is_new)
{
    char name[SAMPLES_ROW];
    const size_t before = r->known.count;
    samples_row_name(row, name);
    if (numbering_put(&r->known, name) < 0)
        lacks_memory(r);
    *is_new = r->known.count > before;
    return r->status == STATUS_OK;
}

static bool note_known(const struct record *row, int64_t line, void *context)
{
    struct recovery *r = context;
    bool is_new;
    (void)line;
    return numbering_find(r->runs, row->run_id) < 0 || note_row(r, row, &is_new);
}

/* Takes from the journal the newest set of a row's point. */
static bool take_set(const struct journal_row *row, void *context)
{
    struct record *r = context;
    if (strcmp(row->status, "again") == 0 && point_matches(&row->point, r) &&
        record_set(&row->point) > record_set(r))
        name_set(r, row->point.set, row->point.set_launches);
    return true;
}

static void find_set(struct recovery *r, struct record *row)
{
    if (strcmp(r->last.run_id, row->run_id) == 0 && record_same(&r->last, row, COLUMN_POINT)) {
        name_set(row, r->last.set, r->last.set_launches);
        return;
    }
    r->status = journal_read_of(r->store->results, row->experiment, take_set, row, r->failure);
    r->last = *row;
}

static bool copy_row(const struct record *row, int64_t line, void *context)
{
    struct recovery *r = context;
    struct record copy = *row;
    bool is_new;
    (void)line;
    if (!note_row(r, row, &is_new) || !is_new)
        return r->status == STATUS_OK;
    find_set(r, &copy);
    if (r->status == STATUS_OK)
        r->status = record_append(r->store->writer, &copy, r->failure);
    return r->status == STATUS_OK;
}

enum status sample_store_recover(struct sample_store *store, struct numbering *runs,
                                 struct failure *f)
{
    const struct results_path from = sample_store_under_way(store->results),
                              to = results_samples(store->results);
    struct recovery r = {.store = store, .runs = runs, .last = record_empty(), .failure = f};
    *runs = (struct numbering){0};
    if (!table_is_begun(from.text) ||
        record_read(from.text, note_run, &r, NULL, NULL) != STATUS_OK) /* nothing was recorded */
        return r.status;
    enum status status = record_read(to.text, note_known, &r, NULL, f);
    if (status == STATUS_OK && r.status == STATUS_OK)
        status = record_read(from.text, copy_row, &r, NULL, f);
    numbering_release(&r.known);
    return r.status == STATUS_OK ? status : r.status;
}
