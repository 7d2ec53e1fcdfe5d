#include "experiments/run/shared_samples.h"

#include "experiments/common/text/numbering.h"
#include "experiments/samples/point.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME = POINT_KEY + 2 * RECORD_TEXT + 64 };

struct results_path sharing_under_way(const char *results)
{
    return results_file(results, "under_way.samples.csv");
}

/* ---- the files ------------------------------------------------------------------------------ */

enum status homes_open(struct homes *h, const struct plan *plan, const char *results,
                       struct failure *f)
{
    *h = (struct homes){plan, results,
                        calloc(plan->definition_count + 1, sizeof(struct record_writer *))};
    if (!h->writers)
        return fail(f, STATUS_RESOURCE, "not enough memory for the samples");
    enum status status = STATUS_OK;
    for (size_t i = 0; i < plan->definition_count && status == STATUS_OK; i++)
        status = record_writer_open(
            &h->writers[i], results_samples(results, plan->definitions[i].name).text, NULL, f);
    return status;
}

enum status homes_close(struct homes *h, struct failure *f)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; h->writers && i < h->plan->definition_count; i++) {
        enum status closed = record_writer_close(h->writers[i], f);
        status = status == STATUS_OK ? closed : status;
    }
    free(h->writers);
    h->writers = NULL;
    return status;
}

/* ---- copying launches ------------------------------------------------------------------------ */

/* What to copy from one file: launches, and for each the definitions that receive its rows. */
struct transport {
    struct homes *homes;
    struct numbering launches; /* "RUN KEY" */
    struct span {
        size_t first, count; /* range in `definitions` */
    } * spans;               /* one per launch */
    size_t *definitions;
    size_t count;
    struct numbering known; /* samples that exist: "DEFINITION RUN KEY WARMUP SAMPLE" */
    size_t reading;         /* definition whose samples are being noted */
    enum status status;
    struct failure *failure;
};

static void launch_name(const char *run_id, const char *key, char name[NAME])
{
    snprintf(name, NAME, "%s %s", run_id, key);
}

static void out_of_memory(struct transport *t)
{
    t->status = fail(t->failure, STATUS_RESOURCE, "not enough memory to share samples");
}

/* Adds a launch that no definition receives yet. */
static void begin_launch(struct transport *t, const char *run_id, const char *key)
{
    char name[NAME];
    launch_name(run_id, key, name);
    struct span *grown = array_grow(t->spans, t->launches.count, sizeof *grown);
    t->spans = grown ? grown : t->spans;
    ptrdiff_t at = grown ? numbering_put(&t->launches, name) : NUMBERING_FULL;
    if (at < 0)
        out_of_memory(t);
    else
        t->spans[at] = (struct span){t->count, 0};
}

/* Adds a definition that receives the last launch. */
static void add_definition(struct transport *t, size_t definition)
{
    size_t *grown = array_grow(t->definitions, t->count, sizeof *grown);
    if (!grown) {
        out_of_memory(t);
        return;
    }
    t->definitions = grown;
    t->definitions[t->count++] = definition;
    t->spans[t->launches.count - 1].count++;
}

static ptrdiff_t find_launch(const struct transport *t, const struct record *row)
{
    char key[POINT_KEY], name[NAME];
    point_key(row, key);
    launch_name(row->run_id, key, name);
    return numbering_find(&t->launches, name);
}

static void sample_name(size_t definition, const char *launch, const struct record *row,
                        char name[NAME + 64])
{
    snprintf(name, NAME + 64, "%zu %s %" PRId64 " %" PRId64, definition, launch, row->warmup,
             row->sample);
}

static bool copy_row(const struct record *row, int64_t line, void *context)
{
    struct transport *t = context;
    ptrdiff_t at = find_launch(t, row);
    (void)line;
    if (at < 0)
        return true;
    for (size_t i = 0; i < t->spans[at].count && t->status == STATUS_OK; i++) {
        size_t definition = t->definitions[t->spans[at].first + i];
        char name[NAME + 64];
        struct record copy = *row;
        sample_name(definition, t->launches.texts[at], row, name);
        if (numbering_find(&t->known, name) >= 0)
            continue;
        snprintf(copy.experiment, sizeof copy.experiment, "%s",
                 t->homes->plan->definitions[definition].name);
        t->status = record_append(t->homes->writers[definition], &copy, t->failure);
    }
    return t->status == STATUS_OK;
}

static bool note_known(const struct record *row, int64_t line, void *context)
{
    struct transport *t = context;
    ptrdiff_t at = find_launch(t, row);
    (void)line;
    if (at < 0)
        return true;
    char name[NAME + 64];
    sample_name(t->reading, t->launches.texts[at], row, name);
    if (numbering_put(&t->known, name) < 0)
        out_of_memory(t);
    return t->status == STATUS_OK;
}

/* Notes the existing samples: a study that was killed while copying left some of them, which must
 * not be copied again. */
static void note_what_is_there(struct transport *t)
{
    for (t->reading = 0; t->reading < t->homes->plan->definition_count; t->reading++) {
        bool wanted = false;
        for (size_t i = 0; i < t->count && !wanted; i++)
            wanted = t->definitions[i] == t->reading;
        if (!wanted || t->status != STATUS_OK)
            continue;
        const char *name = t->homes->plan->definitions[t->reading].name;
        enum status status = record_read(results_samples(t->homes->results, name).text, note_known,
                                         t, NULL, t->failure);
        t->status = t->status == STATUS_OK ? status : t->status;
    }
}

/* Copies the gathered launches and releases the transport. */
static enum status deliver(struct transport *t, const char *from, bool may_be_there)
{
    if (t->status == STATUS_OK && t->count > 0 && may_be_there)
        note_what_is_there(t);
    if (t->status == STATUS_OK && t->count > 0) {
        enum status status = record_read(from, copy_row, t, NULL, t->failure);
        t->status = t->status == STATUS_OK ? status : t->status;
    }
    numbering_release(&t->launches);
    numbering_release(&t->known);
    free(t->definitions);
    free(t->spans);
    return t->status;
}

/* ---- rows of a process ----------------------------------------------------------------------- */

enum status sharing_take(struct homes *h, const struct samples *fresh, const size_t *points,
                         size_t count, struct failure *f)
{
    struct transport t = {.homes = h, .failure = f};
    for (size_t i = 0; i < fresh->launch_count && t.status == STATUS_OK; i++) {
        const struct point_samples *p = &fresh->points[fresh->launches[i].point];
        begin_launch(&t, fresh->launches[i].run_id, p->key);
        for (size_t j = 0; j < count && t.status == STATUS_OK; j++) {
            const struct planned *asked = &h->plan->points[points[j]];
            if (point_matches(&asked->point, &p->identity))
                add_definition(&t, asked->definition);
        }
    }
    return deliver(&t, sharing_under_way(h->results).text, false);
}

/* ---- earlier launches ------------------------------------------------------------------------ */

static bool note_adoption(struct adoptions *adopted, size_t point, int64_t round)
{
    struct adoption *grown = array_grow(adopted->items, adopted->count, sizeof *grown);
    if (!grown)
        return false;
    adopted->items = grown;
    adopted->items[adopted->count++] = (struct adoption){point, round};
    return true;
}

/* Copies a launch of another experiment to every point that lacks its round. */
static void adopt_launch(struct transport *t, struct ledger *ledger, const struct samples *from,
                         const struct launch *launch, struct adoptions *adopted)
{
    const struct point_samples *p = &from->points[launch->point];
    begin_launch(t, launch->run_id, p->key);
    for (size_t i = 0; i < ledger->plan->count && t->status == STATUS_OK; i++) {
        const struct planned *asked = &ledger->plan->points[i];
        if (asked->skip || ledger_state(ledger, i, launch->round) == LAUNCH_DONE ||
            launch->round >= plan_launches(ledger->plan, asked) ||
            !point_matches(&asked->point, &p->identity))
            continue;
        add_definition(t, asked->definition);
        ledger_take(ledger, i, from, launch);
        if (!note_adoption(adopted, i, launch->round))
            out_of_memory(t);
    }
}

static enum status adopt_file(struct homes *h, struct ledger *ledger, const char *path,
                              struct adoptions *adopted, struct failure *f)
{
    struct samples from;
    struct transport t = {.homes = h, .failure = f};
    struct failure unreadable = {0};
    if (!table_is_begun(path) || samples_read(&from, path, &unreadable) != STATUS_OK)
        return STATUS_OK; /* its owner reports it */
    for (size_t i = 0; i < from.launch_count && t.status == STATUS_OK; i++)
        if (ledger_counts(&from.launches[i]))
            adopt_launch(&t, ledger, &from, &from.launches[i], adopted);
    enum status status = deliver(&t, path, true);
    samples_release(&from);
    return status;
}

/* Returns the definition that a row names if the plan has the row's point in it; otherwise
 * SIZE_MAX. */
static size_t own_definition(const struct plan *plan, const struct record *row)
{
    for (size_t i = 0; i < plan->count; i++)
        if (strcmp(plan->points[i].point.experiment, row->experiment) == 0 &&
            point_matches(&plan->points[i].point, row))
            return plan->points[i].definition;
    return SIZE_MAX;
}

/* Copies rows of launches that did not finish, too, to the experiment that they name. */
static enum status take_rest(struct homes *h, struct failure *f)
{
    struct results_path path = sharing_under_way(h->results);
    struct transport t = {.homes = h, .failure = f};
    struct samples rest;
    if (!table_is_begun(path.text) || samples_read(&rest, path.text, NULL) != STATUS_OK)
        return STATUS_OK;
    for (size_t i = 0; i < rest.launch_count && t.status == STATUS_OK; i++) {
        const struct point_samples *p = &rest.points[rest.launches[i].point];
        size_t definition = own_definition(h->plan, &p->identity);
        if (definition == SIZE_MAX)
            continue;
        begin_launch(&t, rest.launches[i].run_id, p->key);
        if (t.status == STATUS_OK)
            add_definition(&t, definition);
    }
    enum status status = deliver(&t, path.text, true);
    samples_release(&rest);
    return status;
}

/* State of copying rows of an experiment that the plan does not have. */
struct rescue {
    const char *experiment;
    struct numbering known; /* "RUN KEY WARMUP SAMPLE" of the rows in its file */
    struct record_writer *writer;
    enum status status;
    struct failure *failure;
};

/* Notes a row; false if it was known, or if memory is lacking. */
static bool note_row(struct rescue *r, const struct record *row)
{
    char key[POINT_KEY], launch[NAME], name[NAME + 64];
    size_t before = r->known.count;
    point_key(row, key);
    launch_name(row->run_id, key, launch);
    sample_name(0, launch, row, name);
    if (numbering_put(&r->known, name) < 0)
        r->status = fail(r->failure, STATUS_RESOURCE, "not enough memory to rescue samples");
    return r->status == STATUS_OK && r->known.count > before;
}

static bool note_theirs(const struct record *row, int64_t line, void *context)
{
    struct rescue *r = context;
    (void)line;
    note_row(r, row);
    return r->status == STATUS_OK;
}

static bool rescue_row(const struct record *row, int64_t line, void *context)
{
    struct rescue *r = context;
    (void)line;
    if (strcmp(row->experiment, r->experiment) == 0 && note_row(r, row))
        r->status = record_append(r->writer, row, r->failure);
    return r->status == STATUS_OK;
}

static enum status rescue(const struct homes *h, const char *experiment, struct failure *f)
{
    struct results_path from = sharing_under_way(h->results);
    struct results_path to = results_samples(h->results, experiment);
    struct rescue r = {.experiment = experiment, .failure = f};
    enum status status = record_writer_open(&r.writer, to.text, NULL, f);
    if (status != STATUS_OK)
        return status;
    status = record_read(to.text, note_theirs, &r, NULL, f);
    if (status == STATUS_OK && r.status == STATUS_OK)
        status = record_read(from.text, rescue_row, &r, NULL, f);
    enum status closed = record_writer_close(r.writer, f);
    numbering_release(&r.known);
    status = status == STATUS_OK ? r.status : status;
    return status == STATUS_OK ? closed : status;
}

static bool gather_experiment(const struct record *row, int64_t line, void *context)
{
    (void)line;
    return !results_name_is_safe(row->experiment) || numbering_put(context, row->experiment) >= 0;
}

static bool is_of_plan(const struct plan *plan, const char *experiment)
{
    for (size_t i = 0; i < plan->definition_count; i++)
        if (strcmp(plan->definitions[i].name, experiment) == 0)
            return true;
    return false;
}

/* Copies the rows that another study left to their experiments, before the common file is used
 * again. */
static enum status rescue_others(const struct homes *h, struct failure *f)
{
    struct numbering experiments = {0};
    struct results_path path = sharing_under_way(h->results);
    enum status status = STATUS_OK;
    if (!table_is_begun(path.text) ||
        record_read(path.text, gather_experiment, &experiments, NULL, NULL) != STATUS_OK)
        return STATUS_OK;
    for (size_t i = 0; i < experiments.count && status == STATUS_OK; i++)
        if (!is_of_plan(h->plan, experiments.texts[i]))
            status = rescue(h, experiments.texts[i], f);
    numbering_release(&experiments);
    return status;
}

/* Whether a file holds samples: NAME.csv, without another dot. */
static int is_samples(const struct dirent *item)
{
    const char *dot = strchr(item->d_name, '.');
    return dot && dot != item->d_name && strcmp(dot, ".csv") == 0 &&
           strcmp(item->d_name, "ceilings.csv") != 0;
}

enum status sharing_recover(struct homes *h, struct ledger *ledger, struct adoptions *adopted,
                            struct failure *f)
{
    struct results_path under_way = sharing_under_way(h->results);
    enum status status = adopt_file(h, ledger, under_way.text, adopted, f);
    if (status == STATUS_OK)
        status = take_rest(h, f);
    return status == STATUS_OK ? rescue_others(h, f) : status;
}

enum status sharing_adopt(struct homes *h, struct ledger *ledger, struct adoptions *adopted,
                          struct failure *f)
{
    struct dirent **items = NULL;
    int count = scandir(h->results, &items, is_samples, alphasort);
    enum status status = STATUS_OK;
    for (int i = 0; i < count; i++) {
        if (status == STATUS_OK)
            status =
                adopt_file(h, ledger, results_file(h->results, items[i]->d_name).text, adopted, f);
        free(items[i]);
    }
    free(items);
    if (status == STATUS_OK && ledger->out_of_memory)
        status = fail(f, STATUS_RESOURCE, "not enough memory for the ledger");
    return status;
}
