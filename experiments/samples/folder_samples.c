#include "experiments/samples/folder_samples.h"

#include "experiments/samples/journal.h"
#include "experiments/samples/point.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

/* ---- the files ------------------------------------------------------------------------------- */

/* The files of a folder while it is read, and which of their points each experiment has. */
struct folder_reading {
    const char *folder;
    struct texts names; /* of experiments: first those with a file of their own, in this order */
    size_t own_count;   /* of these */
    struct samples *sources; /* of R/samples.csv, then of each file of one experiment */
    size_t source_count;
    bool ***wanted;         /* by experiment, source and point; NULL for a source: no point of it */
    struct numbering asked; /* "EXPERIMENT KEY" of journal rows that were looked at */
    bool out_of_memory;
};

static int select_own(const struct dirent *item)
{
    char name[RESULTS_NAME + 1];
    return results_own_name(item->d_name, name) && results_name_is_safe(name);
}

/* Lists the experiments that have a file of their own. A file and its packed form are one. */
static bool list_own(struct folder_reading *r)
{
    struct dirent **items = NULL;
    const int count = scandir(r->folder, &items, select_own, alphasort);
    bool good = true;
    for (int i = 0; i < count; i++) {
        char name[RESULTS_NAME + 1];
        results_own_name(items[i]->d_name, name);
        if (good && !texts_have(&r->names, name) &&
            table_is_begun(results_own_samples(r->folder, name).text))
            good = texts_add(&r->names, name);
        free(items[i]);
    }
    free(items);
    r->own_count = r->names.count;
    return good;
}

static bool read_sources(struct folder_reading *r, struct failure *unread)
{
    const struct results_path path = results_samples(r->folder);
    r->source_count = r->own_count + 1;
    r->sources = calloc(r->source_count, sizeof *r->sources);
    if (!r->sources)
        return false;
    if (table_is_begun(path.text))
        samples_read(&r->sources[0], path.text, unread);
    for (size_t i = 0; i < r->own_count; i++) {
        struct failure later = {0};
        samples_read(&r->sources[i + 1], results_own_samples(r->folder, r->names.items[i]).text,
                     &later);
    }
    return true;
}

/* ---- the points of an experiment ------------------------------------------------------------- */

/* Returns the index of an experiment, which is added if it is new; -1: its name is not safe, or
 * memory is lacking. */
static ptrdiff_t put_name(struct folder_reading *r, const char *name)
{
    for (size_t i = 0; i < r->names.count; i++)
        if (strcmp(r->names.items[i], name) == 0)
            return (ptrdiff_t)i;
    if (!results_name_is_safe(name))
        return -1;
    bool ***grown = array_grow(r->wanted, r->names.count, sizeof *grown);
    r->wanted = grown ? grown : r->wanted;
    bool **none = grown ? calloc(r->source_count, sizeof *none) : NULL;
    if (!none || !texts_add(&r->names, name)) {
        free(none);
        r->out_of_memory = true;
        return -1;
    }
    r->wanted[r->names.count - 1] = none;
    return (ptrdiff_t)r->names.count - 1;
}

/* The points of a source that an experiment has; all are absent at first. NULL if memory is
 * lacking. */
static bool *wanted_of(struct folder_reading *r, size_t experiment, size_t source)
{
    bool **of = &r->wanted[experiment][source];
    if (!*of)
        *of = calloc(r->sources[source].point_count + 1, sizeof **of);
    r->out_of_memory = r->out_of_memory || !*of;
    return *of;
}

/* Adds a point of a source to an experiment. */
static void want(struct folder_reading *r, const char *name, size_t source, size_t point)
{
    const ptrdiff_t experiment = put_name(r, name);
    bool *wanted = experiment < 0 ? NULL : wanted_of(r, (size_t)experiment, source);
    if (wanted)
        wanted[point] = true;
}

/* Rows name the experiment for which they were measured. */
static void want_by_rows(struct folder_reading *r)
{
    const struct samples *all = &r->sources[0];
    for (size_t i = 0; i < all->launch_count && !r->out_of_memory; i++)
        want(r, all->launches[i].experiment, 0, all->launches[i].point);
}

static void want_own_files(struct folder_reading *r)
{
    for (size_t i = 0; i < r->own_count && !r->out_of_memory; i++) {
        bool *wanted = wanted_of(r, i, i + 1);
        for (size_t j = 0; wanted && j < r->sources[i + 1].point_count; j++)
            wanted[j] = true;
    }
}

/* Adds to the experiment of a row of the journal the points of all sources that have its key, or if
 * `key` is NULL, that match it as it was planned, with what its program decided left open. Returns
 * how many there are. */
static size_t want_points(struct folder_reading *r, const struct record *asked, const char *key)
{
    size_t found = 0;
    for (size_t s = 0; s < r->source_count; s++)
        for (size_t i = 0; i < r->sources[s].point_count && !r->out_of_memory; i++) {
            const struct point_samples *p = &r->sources[s].points[i];
            const bool equal = key && strcmp(p->key, key) == 0;
            if (!point_may_share(asked, &p->identity) ||
                !(key ? equal : point_matches(asked, &p->identity)))
                continue;
            want(r, asked->experiment, s, i);
            found++;
        }
    return found;
}

/* A launch that was done for another experiment has a row of the journal for this one, too. */
static bool want_by_journal(const struct journal_row *row, void *context)
{
    struct folder_reading *r = context;
    char key[POINT_KEY], name[POINT_KEY + RECORD_TEXT];
    if (strcmp(row->status, "done") != 0)
        return true;
    point_key(&row->point, key);
    snprintf(name, sizeof name, "%s %s", row->point.experiment, key);
    const size_t known = r->asked.count;
    const ptrdiff_t at = numbering_put(&r->asked, name);
    r->out_of_memory = r->out_of_memory || at < 0;
    if (at == (ptrdiff_t)known && want_points(r, &row->point, key) == 0)
        want_points(r, &row->point, NULL);
    return !r->out_of_memory;
}

static bool find_points(struct folder_reading *r)
{
    struct failure unread = {0}; /* the journal's readers report it */
    r->wanted = calloc(r->own_count + 1, sizeof *r->wanted);
    for (size_t i = 0; r->wanted && i < r->own_count; i++) {
        r->wanted[i] = calloc(r->source_count, sizeof **r->wanted);
        r->out_of_memory = r->out_of_memory || !r->wanted[i];
    }
    if (!r->wanted || r->out_of_memory)
        return false;
    want_own_files(r);
    want_by_rows(r);
    if (!r->out_of_memory)
        journal_read(results_journal(r->folder).text, want_by_journal, r, NULL, &unread);
    return !r->out_of_memory;
}

/* True if the experiment has no points but those of its own file. */
static bool is_own_alone(const struct folder_reading *r, size_t experiment)
{
    for (size_t s = 0; s < r->source_count; s++)
        if (s != experiment + 1 && r->wanted[experiment][s])
            return false;
    return experiment < r->own_count;
}

/* Makes the set of an experiment of its own file, R/samples.csv and what it shares with others. */
static enum status make_set(struct samples *out, struct folder_reading *r, size_t experiment,
                            struct failure *f)
{
    struct samples_part *parts = calloc(r->source_count + 1, sizeof *parts);
    size_t count = 0;
    if (!parts)
        return fail(f, STATUS_RESOURCE, "%s: not enough memory", r->folder);
    for (int others = 0; others < 2; others++)
        for (size_t s = 0; s < r->source_count; s++) {
            const bool own = s == 0 || s == experiment + 1;
            if (own != others && r->wanted[experiment][s])
                parts[count++] =
                    (struct samples_part){&r->sources[s], r->wanted[experiment][s], own};
        }
    const enum status status = samples_unite(out, r->folder, parts, count, f);
    free(parts);
    return status;
}

/* ---- points that experiments share ----------------------------------------------------------- */

/* An occurrence of a point: its key and an experiment. */
struct occurrence {
    size_t key, experiment;
};

static int by_key(const void *a, const void *b)
{
    const struct occurrence *p = a, *q = b;
    return (p->key > q->key) - (p->key < q->key);
}

/* Marks every two experiments that have the same key. */
static void note_pairs(struct folder_samples *s, struct occurrence *occurrences, size_t count)
{
    qsort(occurrences, count, sizeof *occurrences, by_key);
    for (size_t first = 0, end = 0; first < count; first = end) {
        for (end = first; end < count && occurrences[end].key == occurrences[first].key; end++)
            ;
        for (size_t i = first; i < end; i++)
            for (size_t j = first; j < end; j++)
                s->same[occurrences[i].experiment * s->count + occurrences[j].experiment] = true;
    }
}

/* Returns false if memory runs out. */
static bool compare_sets(struct folder_samples *s)
{
    struct numbering keys = {0};
    struct occurrence *occurrences = NULL;
    size_t count = 0, points = 0;
    for (size_t i = 0; i < s->count; i++)
        points += s->sets[i].point_count;
    occurrences = calloc(points + 1, sizeof *occurrences);
    bool whole = occurrences != NULL;
    for (size_t i = 0; i < s->count; i++)
        for (size_t j = 0; j < s->sets[i].point_count && whole; j++) {
            const struct point_samples *p = &s->sets[i].points[j];
            char group[SAMPLES_GROUP];
            samples_group(&p->identity, p->key, group);
            const ptrdiff_t key = numbering_put(&keys, group);
            whole = key >= 0;
            if (whole)
                occurrences[count++] = (struct occurrence){(size_t)key, i};
        }
    if (whole)
        note_pairs(s, occurrences, count);
    free(occurrences);
    numbering_release(&keys);
    return whole;
}

static bool shares_any(const struct folder_samples *s, size_t index)
{
    for (size_t i = 0; i < s->count; i++)
        if (folder_samples_share(s, index, i))
            return true;
    return false;
}

/* ---- experiments in order of their names ----------------------------------------------------- */

struct named {
    const char *name;
    size_t index;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct named *)a)->name, ((const struct named *)b)->name);
}

/* Sets of experiments whose own file is all they have are moved last: others take points of it. */
static enum status make_sets(struct folder_samples *out, struct folder_reading *r,
                             const struct named *order, struct failure *f)
{
    enum status status = STATUS_OK;
    for (int alone = 0; alone < 2; alone++)
        for (size_t i = 0; i < out->count && status == STATUS_OK; i++) {
            const size_t experiment = order[i].index;
            if (out->alone[i] != alone)
                continue;
            if (!alone) {
                status = make_set(&out->sets[i], r, experiment, f);
                continue;
            }
            out->sets[i] = r->sources[experiment + 1];
            r->sources[experiment + 1] = (struct samples){0};
        }
    return status;
}

static enum status put_in_order(struct folder_samples *out, struct folder_reading *r,
                                struct failure *f)
{
    const size_t count = r->names.count;
    struct named *order = calloc(count + 1, sizeof *order);
    out->sets = calloc(count + 1, sizeof *out->sets);
    out->same = calloc(count * count + 1, sizeof *out->same);
    out->alone = calloc(count + 1, sizeof *out->alone);
    bool good = order && out->sets && out->same && out->alone;
    for (size_t i = 0; good && i < count; i++)
        order[i] = (struct named){r->names.items[i], i};
    if (good)
        qsort(order, count, sizeof *order, by_name);
    for (size_t i = 0; good && i < count; i++) {
        good = texts_add(&out->names, order[i].name);
        out->alone[i] = is_own_alone(r, order[i].index);
    }
    out->count = good ? count : 0;
    enum status status = good ? make_sets(out, r, order, f) : STATUS_RESOURCE;
    free(order);
    if (status == STATUS_OK && compare_sets(out))
        return STATUS_OK;
    return fail(f, STATUS_RESOURCE, "%s: not enough memory for its samples", r->folder);
}

static void release_reading(struct folder_reading *r)
{
    for (size_t i = 0; r->wanted && i < r->names.count; i++) {
        for (size_t s = 0; r->wanted[i] && s < r->source_count; s++)
            free(r->wanted[i][s]);
        free(r->wanted[i]);
    }
    free(r->wanted);
    for (size_t s = 0; r->sources && s < r->source_count; s++)
        samples_release(&r->sources[s]);
    free(r->sources);
    texts_release(&r->names);
    numbering_release(&r->asked);
}

enum status folder_samples_read(struct folder_samples *out, const char *folder, struct failure *f)
{
    struct folder_reading r = {.folder = folder};
    *out = (struct folder_samples){.folder = folder};
    enum status status = STATUS_OK;
    if (!list_own(&r) || !read_sources(&r, &out->unread) || !find_points(&r))
        status = fail(f, STATUS_RESOURCE, "%s: not enough memory for its samples", folder);
    if (status == STATUS_OK)
        status = put_in_order(out, &r, f);
    release_reading(&r);
    if (status != STATUS_OK)
        folder_samples_release(out);
    return status;
}

void folder_samples_release(struct folder_samples *s)
{
    for (size_t i = 0; i < s->count; i++)
        samples_release(&s->sets[i]);
    free(s->sets);
    free(s->same);
    free(s->alone);
    texts_release(&s->names);
    *s = (struct folder_samples){0};
}

/* ---- use ------------------------------------------------------------------------------------- */

size_t folder_samples_find(const struct folder_samples *s, const char *experiment)
{
    size_t at = 0;
    while (at < s->count && strcmp(s->names.items[at], experiment) != 0)
        at++;
    return at;
}

bool folder_samples_share(const struct folder_samples *s, size_t index, size_t other)
{
    return index != other && s->same[index * s->count + other];
}

struct results_path folder_samples_path(const struct folder_samples *s, size_t index)
{
    const struct results_path own = results_own_samples(s->folder, s->names.items[index]);
    return table_is_begun(own.text) ? own : results_samples(s->folder);
}

enum status folder_samples_of(struct samples *out, struct folder_samples *s, size_t index,
                              struct failure *f)
{
    const struct results_path path = folder_samples_path(s, index);
    if (s->sets[index].point_count == 0)
        return samples_read(out, path.text, f);
    if (!s->alone[index] || shares_any(s, index))
        return samples_join(out, &s->sets[index], path.text, s->sets, s->count, f);
    *out = s->sets[index];
    s->sets[index] = (struct samples){0};
    return STATUS_OK;
}

enum status folder_samples_of_one(struct samples *out, const char *folder, const char *experiment,
                                  struct failure *f)
{
    struct folder_samples all;
    *out = (struct samples){0};
    enum status status = folder_samples_read(&all, folder, f);
    if (status != STATUS_OK)
        return status;
    const size_t at = folder_samples_find(&all, experiment);
    if (at < all.count)
        status = folder_samples_of(out, &all, at, f);
    folder_samples_release(&all);
    return status;
}
