#include "experiments/commands/run/again.h"

#include "experiments/analysis/inventory.h"
#include "experiments/common/results.h"
#include "experiments/samples/journal.h"
#include "experiments/samples/point.h"
#include "harness/base/text/screen.h"
#include "harness/base/text/wording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char again_help[] =
    "measure points afresh that were measured before: suspect, invalid, or experiments, joined by "
    "commas; their new launches replace the old ones once all are done";

/* ---- what was asked -------------------------------------------------------------------------- */

static enum status lacks_memory(struct failure *f)
{
    return fail(f, STATUS_RESOURCE, "not enough memory for --again");
}

static enum status take_word(struct again *a, const char *word, struct failure *f)
{
    if (!*word)
        return fail(f, STATUS_USAGE,
                    "--again: name suspect, invalid or experiments, joined by commas");
    if (strcmp(word, "suspect") == 0)
        a->suspect = true;
    else if (strcmp(word, "invalid") == 0)
        a->invalid = true;
    else if (!texts_add(&a->whole, word) || !texts_add(&a->names, word))
        return lacks_memory(f);
    return STATUS_OK;
}

static enum status take_words(struct again *a, const char *text, struct failure *f)
{
    char *words = strdup(text);
    enum status status = words ? STATUS_OK : lacks_memory(f);
    for (char *rest = words; rest && status == STATUS_OK;) {
        char *word = strsep(&rest, ",");
        status = take_word(a, word, f);
    }
    free(words);
    return status;
}

/* Adds an experiment of the folder if it has a definition; that of study speedup is in the folder
 * itself. */
static enum status add_experiment(struct again *a, const char *name, const struct selection *s,
                                  struct failure *f)
{
    char *path = NULL;
    struct failure unused = {0};
    const char *const folders[] = {s->definitions, s->results, definitions_thesis_folder()};
    for (size_t i = 0; i < sizeof folders / sizeof *folders && !path; i++)
        if (definition_find(&path, folders[i], name, &unused) != STATUS_OK)
            path = NULL;
    if (!path) {
        wording_warn("study", "%s: no definition was found, so it is not measured again", name);
        return STATUS_OK;
    }
    const bool added = texts_add(&a->names, path);
    free(path);
    return added ? STATUS_OK : lacks_memory(f);
}

/* The scale of a journal's row, if it is larger than those before. */
static bool take_scale(const struct journal_row *row, void *context)
{
    int *largest = context;
    for (int scale = *largest + 1; scale < SCALES; scale++)
        if (strcmp(row->scale, scale_names[scale]) == 0 && strcmp(row->status, "done") == 0)
            *largest = scale;
    return true;
}

static void set_scale(struct selection *s, const struct texts *names)
{
    int largest = -1;
    struct failure unread = {0}; /* the run reports it */
    if (s->quick || s->standard || s->full || s->thesis)
        return;
    for (size_t i = 0; i < names->count; i++)
        journal_read_of(s->results, names->items[i], take_scale, &largest, &unread);
    s->standard = largest == SCALE_STANDARD;
    s->full = largest == SCALE_FULL;
    s->thesis = largest == SCALE_THESIS;
}

enum status again_begin(struct again *a, const char *text, char **operands, int count,
                        struct selection *s, struct failure *f)
{
    *a = (struct again){0};
    struct inventory in = {0};
    enum status status = take_words(a, text, f);
    for (int i = 0; i < count && status == STATUS_OK; i++)
        status = texts_add(&a->names, operands[i]) ? STATUS_OK : lacks_memory(f);
    if (status == STATUS_OK)
        status = inventory_open(&in, s->results, NULL, 0, f);
    if (status != STATUS_OK) {
        again_release(a);
        return status;
    }
    set_scale(s, &in.names);
    if (a->names.count == 0)
        for (size_t i = 0; i < in.names.count && status == STATUS_OK; i++)
            status = add_experiment(a, in.names.items[i], s, f);
    inventory_close(&in);
    if (status == STATUS_OK && a->names.count == 0)
        status = fail(f, STATUS_USAGE, "%s: none of its experiments has a definition", s->results);
    if (status != STATUS_OK)
        again_release(a);
    return status;
}

/* ---- the points ------------------------------------------------------------------------------ */

struct choice {
    struct again *again;
    const struct plan *plan;
};

static bool is_asked(const struct again *a, const struct point *p)
{
    return (a->suspect && p->trust == TRUST_SUSPECT) || (a->invalid && p->trust == TRUST_INVALID);
}

/* Whether a reason of a point's own word is one that new launches can clear. */
static bool can_clear(const struct point *p)
{
    for (size_t i = 0; i < p->reason_count; i++)
        if (p->reasons[i].trust == p->trust && reason_can_clear(&p->reasons[i]))
            return true;
    return false;
}

static void mark(const struct choice *c, const struct point *p)
{
    bool planned = false;
    for (size_t i = 0; i < c->plan->count; i++) {
        if (c->plan->points[i].skip ||
            !point_matches(&c->plan->points[i].point, &p->samples->identity))
            continue;
        planned = true;
        if (can_clear(p))
            c->again->points[i] = true;
    }
    c->again->kept += planned && !can_clear(p);
}

static enum status choose_in(struct experiment *e, struct inventory *in, void *context,
                             struct failure *f)
{
    const struct choice *c = context;
    (void)in;
    (void)f;
    for (size_t i = 0; i < e->analysis.point_count; i++)
        if (is_asked(c->again, &e->analysis.points[i]))
            mark(c, &e->analysis.points[i]);
    return STATUS_OK;
}

static bool is_whole(const struct again *a, const char *experiment)
{
    return texts_have(&a->whole, experiment);
}

static bool is_planned(const struct plan *plan, const char *experiment)
{
    for (size_t i = 0; i < plan->definition_count; i++)
        if (strcmp(plan->definitions[i].name, experiment) == 0)
            return true;
    return false;
}

/* Leaves out the names of experiments that the plan does not have. */
static void keep_planned(struct texts *names, const struct plan *plan)
{
    size_t kept = 0;
    for (size_t i = 0; i < names->count; i++)
        if (is_planned(plan, names->items[i]))
            names->items[kept++] = names->items[i];
        else
            free(names->items[i]);
    names->count = kept;
}

/* Marks the points that are doubted, of the plan's experiments that have samples. */
static enum status choose_doubted(struct choice *c, const char *results, struct failure *f)
{
    struct inventory in = {0};
    if (!inventory_is_results(results))
        return STATUS_OK;
    const enum status status = inventory_open(&in, results, NULL, 0, f);
    if (status == STATUS_OK) {
        keep_planned(&in.names, c->plan);
        inventory_visit(&in, choose_in, c);
        inventory_close(&in);
    }
    return status;
}

enum status again_choose(struct again *a, const struct selection *s, const struct plan *plan,
                         struct failure *f)
{
    struct choice c = {a, plan};
    a->points = calloc(plan->count + 1, sizeof *a->points);
    if (!a->points)
        return lacks_memory(f);
    for (size_t i = 0; i < plan->count; i++)
        a->points[i] = is_whole(a, plan->points[i].point.experiment);
    const enum status status =
        a->suspect || a->invalid ? choose_doubted(&c, s->results, f) : STATUS_OK;
    for (size_t i = 0; i < plan->count; i++)
        a->chosen += a->points[i];
    return status;
}

void again_print(const struct again *a)
{
    if (a->chosen == 0)
        puts(screen_text("No point asks to be measured again."));
    if (a->kept > 0)
        screen_say_plural(stdout,
                          "%{n} doubtful point stays as it is: measuring again on this machine "
                          "cannot clear it, and 'study report' says why.\n",
                          "%{n} doubtful points stay as they are: measuring again on this machine "
                          "cannot clear them, and 'study report' says why.\n",
                          a->kept, NULL);
}

void again_release(struct again *a)
{
    texts_release(&a->whole);
    texts_release(&a->names);
    free(a->points);
    *a = (struct again){0};
}
