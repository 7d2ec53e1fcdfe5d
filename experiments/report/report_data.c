#include "experiments/report/report_data.h"

#include "experiments/analysis/selections/evidence.h"
#include "experiments/common/results.h"
#include "experiments/report/report.h"
#include "experiments/samples/journal.h"
#include "experiments/samples/point.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- opening --------------------------------------------------------------------------------- */

/* Appends a scale to the list unless it is there. */
static void note_scale(struct report_data *s, const char *scale)
{
    const size_t length = strlen(s->scale);
    if (scale[0] && !strstr(s->scale, scale))
        snprintf(s->scale + length, sizeof s->scale - length, "%s%s", length ? " + " : "", scale);
}

struct data_reading {
    struct report_data *data;
    const char *experiment;
    bool out_of_memory;
};

/* True if two reasons differ only in their numbers. */
static bool same_words(const char *a, const char *b)
{
    static const char digits[] = "0123456789";
    while (*a && *b && (*a == *b || (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)))) {
        const bool number = isdigit((unsigned char)*a);
        a += number ? strspn(a, digits) : 1;
        b += number ? strspn(b, digits) : 1;
    }
    return *a == *b;
}

/* Returns the row of this status and reason; creates it if necessary. NULL if memory runs out. */
static struct missing *find_missing(struct report_data *s, const struct journal_row *row)
{
    char reason[sizeof s->missing->reason];
    snprintf(reason, sizeof reason, "%.*s", (int)sizeof reason - 1, row->reason);
    for (size_t i = 0; i < s->missing_count; i++) {
        struct missing *m = &s->missing[i];
        if (strcmp(m->status, row->status) == 0 && same_words(m->reason, reason)) {
            m->varies = m->varies || strcmp(m->reason, reason) != 0;
            return m;
        }
    }
    struct missing *grown = array_grow(s->missing, s->missing_count, sizeof *grown);
    if (!grown)
        return NULL;
    s->missing = grown;
    struct missing *m = &grown[s->missing_count++];
    *m = (struct missing){0};
    memcpy(m->reason, reason, sizeof reason);
    snprintf(m->status, sizeof m->status, "%s", row->status);
    point_label(&row->point, m->first, sizeof m->first);
    return m;
}

static void name_experiment(struct missing *m, const char *name)
{
    const size_t length = strlen(m->experiments), last = strlen(name);
    if (length < last || strcmp(m->experiments + length - last, name) != 0)
        snprintf(m->experiments + length, sizeof m->experiments - length, "%s%s",
                 length ? ", " : "", name);
}

static bool take_row(const struct journal_row *row, void *context)
{
    struct data_reading *r = context;
    note_scale(r->data, row->scale);
    if (strcmp(row->status, "done") == 0)
        return true;
    struct missing *m = find_missing(r->data, row);
    r->out_of_memory = !m;
    if (!m)
        return false;
    name_experiment(m, r->experiment);
    m->count++;
    return true;
}

static enum status read_journal(struct report_data *s, const char *name, struct failure *f)
{
    struct data_reading r = {.data = s, .experiment = name};
    struct failure why = {0};
    if (journal_read_of(s->folder, name, take_row, &r, &why) != STATUS_OK)
        gaps_note(&s->inventory.gaps, name, GAP_NOT_READ, why.status, "%s", why.message);
    return r.out_of_memory ? fail(f, STATUS_RESOURCE, "not enough memory") : STATUS_OK;
}

/* Opens one more experiment; one that cannot be analysed is noted as a gap and left out. */
static enum status open_experiment(struct report_data *s, size_t index, struct failure *f)
{
    struct failure why = {0};
    if (experiment_open(&s->experiments[s->count], &s->inventory, index, &why) != STATUS_OK) {
        gaps_note(&s->inventory.gaps, "", GAP_NOT_READ, why.status, "%s", why.message);
        return STATUS_OK;
    }
    s->count++;
    return read_journal(s, s->inventory.names.items[index], f);
}

/* The gravest status of each point of the page. */
struct agreement {
    struct numbering keys;
    const struct point **gravest; /* one per key */
};

static bool note_gravest(struct agreement *g, const struct point *p)
{
    const size_t known = g->keys.count;
    const ptrdiff_t at = numbering_put(&g->keys, p->samples->key);
    if (at < 0)
        return false;
    if ((size_t)at == known) {
        const struct point **grown = array_grow(g->gravest, known, sizeof *grown);
        if (!grown)
            return false;
        g->gravest = grown;
        grown[at] = p;
    }
    if (p->trust > g->gravest[at]->trust)
        g->gravest[at] = p;
    return true;
}

static bool take_gravest(const struct agreement *g, struct analysis *a)
{
    bool good = true;
    for (size_t i = 0; i < a->point_count && good; i++)
        good = trust_take_graver(a, &a->points[i],
                                 g->gravest[numbering_find(&g->keys, a->points[i].samples->key)]);
    return good;
}

/* A cause found for a point along the curve of one experiment holds in every experiment that shows
 * it: the point has one status on the page. */
static enum status share_gravest_trust(struct report_data *s, struct failure *f)
{
    struct agreement g = {.gravest = NULL};
    bool good = true;
    for (size_t i = 0; i < s->count; i++)
        for (size_t j = 0; j < s->experiments[i].analysis.point_count && good; j++)
            good = note_gravest(&g, &s->experiments[i].analysis.points[j]);
    for (size_t i = 0; i < s->count && good; i++)
        good = take_gravest(&g, &s->experiments[i].analysis);
    numbering_release(&g.keys);
    free(g.gravest);
    return good ? STATUS_OK : fail(f, STATUS_RESOURCE, "not enough memory");
}

/* ---- claims ---------------------------------------------------------------------------------- */

struct made_claim {
    const char *chart;
    const struct language *language;
    struct claim claim;
};

struct made_claims {
    struct made_claim *items; /* one per chart */
    size_t count;
};

/* The place of a claim that was made, or else of the next one; NULL if memory runs out. */
static struct made_claim *find_claim(struct made_claims *made, const char *chart)
{
    size_t at = 0;
    while (at < made->count && strcmp(made->items[at].chart, chart) != 0)
        at++;
    if (at < made->count)
        return &made->items[at];
    struct made_claim *grown = array_grow(made->items, made->count, sizeof *grown);
    if (!grown)
        return NULL;
    made->items = grown;
    grown[made->count++] = (struct made_claim){.chart = chart};
    return &grown[at];
}

void report_data_claim(const struct report_data *s, const struct experiment *e, const char *chart,
                       const struct language *l, struct claim *c)
{
    struct made_claim *made = find_claim(&s->claims[e - s->experiments], chart);
    if (!made || made->language != l) {
        claim_make(e, chart, l, c);
        if (made)
            *made = (struct made_claim){made->chart, l, *c};
    } else {
        *c = made->claim;
    }
}

static void release_claims(struct report_data *s)
{
    for (size_t i = 0; s->claims && i < s->count; i++)
        free(s->claims[i].items);
    free(s->claims);
}

/* Counts the tables of the page that compare their rows with the best: their verdicts hold
 * simultaneously. */
static void count_tables(struct report_data *s)
{
    size_t tables = 0;
    for (size_t i = 0; i < s->count; i++)
        for (size_t j = 0; j < experiment_chart_count(&s->experiments[i]); j++) {
            struct claim c;
            claim_make(&s->experiments[i], experiment_chart(&s->experiments[i], j),
                       &language_english, &c); /* not kept: its intervals depend on the count */
            tables += report_compares_with_best(&c);
        }
    for (size_t i = 0; i < s->count; i++)
        s->experiments[i].analysis.tables = tables;
}

const struct experiment *report_data_experiment(const struct report_data *s, const char *name)
{
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->experiments[i].name, name) == 0)
            return &s->experiments[i];
    return NULL;
}

enum status report_data_open(struct report_data *s, const char *folder, const char *definitions,
                             const char *label, char **names, size_t count, struct failure *f)
{
    *s = (struct report_data){.folder = folder, .label = label};
    enum status status = inventory_open(&s->inventory, folder, names, count, f);
    if (status != STATUS_OK)
        return status;
    s->inventory.definitions = definitions;
    s->experiments = calloc(s->inventory.names.count + 1, sizeof *s->experiments);
    s->claims = calloc(s->inventory.names.count + 1, sizeof *s->claims);
    if (!s->experiments || !s->claims)
        status = fail(f, STATUS_RESOURCE, "not enough memory");
    for (size_t i = 0; status == STATUS_OK && i < s->inventory.names.count; i++)
        status = open_experiment(s, i, f);
    if (status == STATUS_OK)
        status = share_gravest_trust(s, f);
    if (status == STATUS_OK)
        count_tables(s);
    if (!s->label[0])
        s->label = s->inventory.machine.cpu[0] ? s->inventory.machine.cpu : folder;
    if (status != STATUS_OK)
        report_data_close(s);
    return status;
}

void report_data_close(struct report_data *s)
{
    release_claims(s);
    for (size_t i = 0; i < s->count; i++)
        experiment_close(&s->experiments[i]);
    free(s->experiments);
    free(s->missing);
    inventory_close(&s->inventory);
    *s = (struct report_data){0};
}

void report_data_trust(const struct report_data *s, size_t trusted[TRUSTS])
{
    struct numbering keys = {0};
    memset(trusted, 0, TRUSTS * sizeof *trusted);
    for (size_t i = 0; i < s->count; i++) {
        const struct analysis *a = &s->experiments[i].analysis;
        for (size_t j = 0; j < a->point_count; j++) {
            const size_t known = keys.count;
            const ptrdiff_t at = numbering_put(&keys, a->points[j].samples->key);
            trusted[a->points[j].trust] += at < 0 || (size_t)at == known;
        }
    }
    numbering_release(&keys);
}

/* ---- what the first screen shows ------------------------------------------------------------- */

static bool is_plain_pooling(const struct point *p)
{
    const struct record *r = &p->samples->identity;
    return strcmp(r->input, "random") == 0 && r->planes == 1 && r->padding == 0 && r->kernel > 0 &&
           r->kernel == r->stride;
}

const struct point *report_data_most_workers(const struct experiment *e, const struct point *one)
{
    const struct point *best = NULL;
    for (size_t i = 0; i < e->analysis.point_count; i++) {
        const struct point *p = &e->analysis.points[i];
        if (!p->shares_cores &&
            evidence_fits(p, &(struct wanted){.problem = one, .several_workers = true}) &&
            strcmp(method_of(p), method_of(one)) == 0 &&
            (!best || p->workers > best->workers ||
             (p->workers == best->workers && total_of(p) < total_of(best))))
            best = p;
    }
    return best;
}

/* True if `a` suits better. The smallest window comes first, because it is the tesina's; then the
 * largest image; of equal ones, an experiment that also measured several workers. */
static bool is_fitter(const struct found *a, const struct found *b)
{
    const int64_t k = a->point->samples->identity.kernel,
                  other = b->point->samples->identity.kernel;
    if (k != other)
        return k < other;
    if (a->point->elements != b->point->elements)
        return a->point->elements > b->point->elements;
    return report_data_most_workers(a->experiment, a->point) &&
           !report_data_most_workers(b->experiment, b->point);
}

struct found report_data_fraction(const struct report_data *s)
{
    struct found best = {0};
    for (size_t i = 0; i < s->count; i++) {
        const struct analysis *a = &s->experiments[i].analysis;
        for (size_t j = 0; j < a->point_count; j++) {
            const struct found here = {&s->experiments[i], &a->points[j]};
            if (!evidence_fits(here.point,
                               &(struct wanted){.serial = true, .also = is_plain_pooling}) ||
                isnan(here.point->share.value))
                continue;
            if (!best.point || is_fitter(&here, &best))
                best = here;
        }
    }
    return best;
}

static bool is_serial(const struct point *p)
{
    return point_is_alone(&p->samples->identity) && is_plain_pooling(p);
}

/* Makes the figures of one experiment for the first screen; baseline.point is NULL if it cannot
 * provide them. */
static struct headline headline_of(const struct experiment *e)
{
    const struct analysis *a = &e->analysis;
    struct headline h = {0};
    struct wanted w = {.work = WORK_PRODUCT, .also = is_serial};
    const struct point *problem = evidence_problem(a, &w);
    if (!problem)
        return h;
    w.problem = problem;
    const struct wanted many = {.problem = problem, .work = WORK_PRODUCT, .several_workers = true},
                        maximum = {.problem = problem, .work = WORK_MAXIMUM};
    h.one = evidence_choice(a, &w);
    if (!h.one.point || h.one.point->speedup[BASELINE_NAMED].point < 0)
        return h;
    h.all = evidence_choice(a, &many);
    h.maximum = evidence_choice(a, &maximum);
    h.baseline = (struct found){e, &a->points[h.one.point->speedup[BASELINE_NAMED].point]};
    h.left_out[0] = (struct found){e, evidence_left_out(a, &w, h.one.point)};
    if (h.all.point)
        h.left_out[1] = (struct found){e, evidence_left_out(a, &many, h.all.point)};
    return h;
}

/* Ranks headlines: with several workers first, then with more points, then with a larger image. */
static double weight_of(const struct headline *h)
{
    if (!h->baseline.point)
        return 0.0;
    const struct analysis *a = &h->baseline.experiment->analysis;
    const struct point *rows[256];
    const size_t points =
        evidence_sorted(a, &(struct wanted){.problem = h->baseline.point}, rows, 256);
    return (h->all.point ? 1e6 : 0.0) + (double)points + h->baseline.point->elements * 1e-12;
}

struct headline report_data_headline(const struct report_data *s)
{
    struct headline best = {0};
    for (size_t i = 0; i < s->count; i++) {
        const struct headline h = headline_of(&s->experiments[i]);
        if (weight_of(&h) > weight_of(&best))
            best = h;
    }
    return best;
}
