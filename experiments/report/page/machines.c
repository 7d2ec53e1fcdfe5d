#include "experiments/report/page/machines.h"
#include "experiments/common/folder_files.h"
#include "harness/base/text/messages.h"

#include "experiments/analysis/numbers.h"
#include "experiments/analysis/palette.h"
#include "experiments/analysis/selections/evidence.h"
#include "experiments/common/results.h"
#include "experiments/common/text/distinct.h"
#include "experiments/report/page/portability.h"
#include "experiments/report/report.h"
#include "harness/base/text/fit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the same point on another machine ------------------------------------------------------- */

static bool same_way(const struct record *a, const struct record *b)
{
    return strcmp(a->program, b->program) == 0 && strcmp(a->method, b->method) == 0 &&
           strcmp(a->offload, b->offload) == 0 && strcmp(a->distribution, b->distribution) == 0 &&
           strcmp(a->isa_limit, b->isa_limit) == 0;
}

/* Returns the point of that experiment with the same command, even if it is INVALID. If there is
 * none and `p` has several workers: the one with the most workers. NULL: not measured there. */
static const struct point *find_same(const struct report_data *s, const char *experiment,
                                     const struct point *p)
{
    const struct experiment *e = report_data_experiment(s, experiment);
    const struct point *best = NULL;
    for (size_t i = 0; e && i < e->analysis.point_count; i++) {
        const struct point *q = &e->analysis.points[i];
        const bool same = strcmp(q->samples->key, p->samples->key) == 0;
        if (!evidence_usable(q) && !(same && q->trust == TRUST_INVALID))
            continue;
        if (same)
            return q;
        if (p->workers > 1.0 && q->workers > 1.0 && analysis_same_problem(p, q) &&
            same_way(&p->samples->identity, &q->samples->identity) &&
            (!best || q->workers > best->workers))
            best = q;
    }
    return best;
}

/* ---- sections that are compared -------------------------------------------------------------- */

/* Takes the sections of the first machine that has any; what it did not measure is not compared. */
static size_t find_leads(const struct machines *m, const struct language *l,
                         struct section_lead *leads)
{
    for (size_t i = 0; i < m->count; i++) {
        const size_t count = report_leads(&m->all[i], l, leads, COMPARED_MAX);
        if (count > 0)
            return count;
    }
    return 0;
}

static struct words label_of(const struct point *p, const struct language *l)
{
    return words_text("%s, %s, %s", words_method(p).text, words_problem(p, l).text,
                      words_workers(p, l).text);
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool has_label(const struct machines *m, size_t machine, const char *label)
{
    bool has = false;
    for (size_t i = 0; i < m->count; i++)
        has = has || (i != machine && strcmp(m->all[i].label, label) == 0);
    return has;
}

static const char *folder_name(const char *path)
{
    const char *name = file_name(path);
    return *name ? name : path;
}

static bool has_folder_name(const struct machines *m, size_t machine)
{
    bool has = false;
    for (size_t i = 0; i < m->count; i++)
        has = has || (i != machine && strcmp(folder_name(m->all[i].folder),
                                             folder_name(m->all[machine].folder)) == 0);
    return has;
}

void machines_distinguish(struct machines *m)
{
    bool shared[MACHINES_MAX] = {false};
    for (size_t i = 0; i < m->count; i++)
        shared[i] = has_label(m, i, m->all[i].label);
    for (size_t i = 0; i < m->count; i++) {
        char where[121];
        const char *folder = m->all[i].folder;
        if (!shared[i])
            continue;
        text_distinct(where, sizeof where, has_folder_name(m, i) ? folder : folder_name(folder));
        text_fit_format(m->labels[i], sizeof m->labels[i], "%s (%s)",
                        text_brief(m->all[i].label, 100).text, where);
        m->all[i].label = m->labels[i];
    }
}

/* A launch that both result sets have; NULL: none. */
static const char *find_shared(const struct report_data *s, const struct report_data *t)
{
    for (size_t i = 0; i < s->count; i++) {
        const struct experiment *e = report_data_experiment(t, s->experiments[i].name);
        const struct samples *ours = &s->experiments[i].analysis.samples;
        for (size_t j = 0; e && j < ours->launch_count; j++)
            for (size_t k = 0; k < e->analysis.samples.launch_count; k++)
                if (strcmp(ours->launches[j].run_id, e->analysis.samples.launches[k].run_id) == 0)
                    return ours->launches[j].run_id;
    }
    return NULL;
}

void machines_find_copies(struct machines *m, const struct language *l)
{
    for (size_t i = 0; i < m->count; i++)
        for (size_t j = i + 1; j < m->count; j++) {
            char text[900];
            const char *run_id = find_shared(&m->all[i], &m->all[j]);
            message_format(text, sizeof text, l,
                           "%{first} and %{second} contain the same launches (run_id %{run_id}): "
                           "one is a copy of the other.",
                           WITH({"first", m->all[i].folder}, {"second", m->all[j].folder},
                                {"run_id", run_id ? run_id : ""}));
            if (run_id)
                texts_add(&m->copies, text);
        }
}

/* ---- the order of machines ------------------------------------------------------------------- */

/* A machine and its measurement of a point; NULL: none. */
struct measured {
    size_t machine;
    const struct point *point;
};

/* Orders by time, the fastest first; then times that are INVALID, then missing ones. */
static int by_time(const void *a, const void *b)
{
    const struct measured *p = a, *q = b;
    const int ranks[2] = {!p->point ? 2 : !evidence_usable(p->point),
                          !q->point ? 2 : !evidence_usable(q->point)};
    if (ranks[0] != ranks[1] || ranks[0] == 2)
        return ranks[0] != ranks[1] ? ranks[0] - ranks[1]
                                    : (p->machine > q->machine) - (p->machine < q->machine);
    const double x = total_of(p->point), y = total_of(q->point);
    return x != y ? (x > y) - (x < y) : (p->machine > q->machine) - (p->machine < q->machine);
}

static void sort_machines(const struct machines *m, const struct section_lead *lead,
                          const struct point *row, struct measured sorted[MACHINES_MAX])
{
    for (size_t i = 0; i < m->count; i++)
        sorted[i] = (struct measured){i, find_same(&m->all[i], lead->experiment->name, row)};
    qsort(sorted, m->count, sizeof *sorted, by_time);
}

/* ---- findings of a section ------------------------------------------------------------------- */

/* The machines where a point takes the least and the most time; the same one if only one has it. */
struct extremes {
    const struct point *fast, *slow;
    size_t fastest, slowest; /* indices of the machines */
};

static struct extremes find_extremes(const struct machines *m, const struct section_lead *lead,
                                     const struct point *row)
{
    struct extremes e = {0};
    for (size_t i = 0; i < m->count; i++) {
        const struct point *p = find_same(&m->all[i], lead->experiment->name, row);
        if (!p || !evidence_usable(p))
            continue;
        if (!e.fast || total_of(p) < total_of(e.fast)) {
            e.fast = p;
            e.fastest = i;
        }
        if (!e.slow || total_of(p) >= total_of(e.slow)) {
            e.slow = p;
            e.slowest = i;
        }
    }
    return e;
}

/* Two machines have no rounds in common: launches of both are resampled. */
static struct comparison_of_points compare_machines(const struct point *p, const struct point *q)
{
    return (struct comparison_of_points){
        total_of(p) / total_of(q),
        estimate_ratio_interval(&p->seconds[METRIC_TOTAL], &q->seconds[METRIC_TOTAL]), 0};
}

/* The finding, as a title: how many times as fast one machine is as another, for the first point of
 * the section that two machines measured. */
static struct words find_out(const struct machines *m, const struct section_lead *lead,
                             const struct language *l)
{
    for (size_t i = 0; i < lead->claim.count; i++) {
        const struct extremes e = find_extremes(m, lead, lead->claim.rows[i]);
        if (!e.fast || e.fastest == e.slowest)
            continue;
        const struct comparison_of_points c = compare_machines(e.slow, e.fast);
        const char *fast = m->all[e.fastest].label, *slow = m->all[e.slowest].label;
        const struct words of = label_of(e.fast, l);
        if (evidence_differs(&c))
            return words_message(l, "%{fast} is %{times} times as fast as %{slow} (%{problem})",
                                 WITH({"fast", fast},
                                      {"times", number_brief(l, c.value, c.interval).text},
                                      {"slow", slow}, {"problem", of.text}));
        return words_message(l, "%{fast} and %{slow}: no difference is seen (%{problem})",
                             WITH({"fast", fast}, {"slow", slow}, {"problem", of.text}));
    }
    return words_text("%s", message(l, "No point was measured on two machines"));
}

/* ---- the charts ------------------------------------------------------------------------------ */

const struct form machines_form =
    FORM("machines", NULL, N_("total time"), NULL, "%.0s %cs", AXIS_LOG, AXIS_LINEAR, .level = 0.0);

/* The colour of a machine: one of the palette after the ink, which is the baseline method's. */
static unsigned machine_colour(size_t machine)
{
    return palette_colours[1 + (machine + 1) % (palette_colour_count - 1)];
}

/* True for the first points of a section and the last, `room` in all. */
static bool is_shown(const struct section_lead *lead, size_t row, size_t room)
{
    return row + 1 < room || row + 1 == lead->claim.count;
}

/* Draws a point on every machine that measured it, the fastest first. */
static void draw_panel(const struct machines *m, const struct language *l,
                       const struct section_lead *lead, const struct point *point,
                       struct compared *out)
{
    struct measured sorted[MACHINES_MAX];
    sort_machines(m, lead, point, sorted);
    selection_label(&out->rows, "panel", label_of(point, l).text);
    out->panels++;
    for (size_t i = 0; i < m->count && sorted[i].point; i++) {
        const struct point *p = sorted[i].point;
        const size_t machine = sorted[i].machine;
        struct selection_row *row =
            selection_mark(&out->rows, p, out->panels, m->all[machine].label);
        row->colour = machine_colour(machine);
        row->x = (double)i + 1.0;
        row->y = total_of(p);
        row->ends = p->seconds[METRIC_TOTAL].interval;
        row->quantity = QUANTITY_TOTAL;
    }
}

size_t machines_compare(const struct machines *m, const struct language *l,
                        struct compared out[COMPARED_MAX])
{
    struct section_lead leads[COMPARED_MAX];
    const size_t count = find_leads(m, l, leads);
    for (size_t i = 0; i < count; i++) {
        out[i] = (struct compared){.section = leads[i].key};
        text_fit(out[i].title, sizeof out[i].title, find_out(m, &leads[i], l).text);
        for (size_t j = 0; j < leads[i].claim.count; j++)
            if (is_shown(&leads[i], j, MACHINES_PANELS))
                draw_panel(m, l, &leads[i], leads[i].claim.rows[j], &out[i]);
    }
    return count;
}

/* ---- the page -------------------------------------------------------------------------------- */

static void write_machines(const struct report_format *format, const struct document *d,
                           const struct machines *m)
{
    const struct language *l = d->language;
    const char *const headers[] = {message(l, "machine"), message(l, "what it is"),
                                   message(l, "points")};
    format->table_begin(d, "", headers, 3);
    for (size_t i = 0; i < m->count; i++) {
        size_t trusted[TRUSTS];
        char what[900];
        report_data_trust(&m->all[i], trusted);
        report_machine_words(&m->all[i], l, what, sizeof what);
        const struct words points = report_trust_words(trusted, l);
        const struct cell cells[] = {{m->all[i].label, NULL}, {what, NULL}, {points.text, NULL}};
        format->row(d, cells, 3, false);
    }
    format->table_end(d, 3);
    for (size_t i = 0; i < m->copies.count; i++)
        format->paragraph(d, m->copies.items[i]);
}

/* Writes one point on one machine, compared with the first machine that has it. */
static void write_compared(const struct report_format *format, const struct document *d,
                           const char *label, const char *machine, const struct point *p,
                           const struct point *first)
{
    const struct language *l = d->language;
    struct number time = {"-"}, times = {"-"};
    struct words spread = {""};
    if (p) {
        time = number_known_seconds(l, &p->seconds[METRIC_TOTAL]);
        spread = words_spread(p, l);
    }
    if (p && first && p != first && evidence_usable(p)) {
        const struct comparison_of_points c = compare_machines(first, p);
        if (evidence_differs(&c))
            times = number_answer(l, c.value, c.interval);
        else
            snprintf(times.text, sizeof times.text, "%s", message(l, "no difference seen"));
    }
    const char *missing = message(l, "not measured there");
    const char *reference = message(l, "the reference");
    const struct cell cells[] = {{label, NULL},
                                 {machine, NULL},
                                 {p ? time.text : missing, spread.text},
                                 {p && p == first ? reference : times.text, NULL}};
    format->row(d, cells, 4, false);
}

static void write_point_rows(const struct report_format *format, const struct document *d,
                             const struct machines *m, const struct section_lead *lead,
                             const struct point *row)
{
    const struct point *first = NULL;
    const struct words label = label_of(row, d->language);
    struct measured sorted[MACHINES_MAX];
    for (size_t i = 0; i < m->count && !first; i++) {
        const struct point *p = find_same(&m->all[i], lead->experiment->name, row);
        first = p && evidence_usable(p) ? p : NULL;
    }
    sort_machines(m, lead, row, sorted);
    for (size_t i = 0; i < m->count; i++)
        write_compared(format, d, i == 0 ? label.text : "", m->all[sorted[i].machine].label,
                       sorted[i].point, first);
}

/* Writes the table of a section: as many points as make eight rows, the first ones and the last. */
static void write_section(const struct report_format *format, const struct document *page,
                          const struct machines *m, const struct section_lead *lead)
{
    struct document d = *page;
    const struct language *l = d.language;
    char place[80];
    const size_t room = CLAIM_ROWS / m->count > 2 ? CLAIM_ROWS / m->count : 2;
    const char *const headers[] = {message(l, "point"), message(l, "machine"),
                                   message(l, "total time"),
                                   message(l, "times as fast as the reference")};
    d.place = lead->key;
    format->section_begin(&d, lead->title);
    format->question(&d, lead->question);
    snprintf(place, sizeof place, "machines-%s", lead->key);
    d.place = place;
    const struct words finding = find_out(m, lead, l);
    char sentence[sizeof finding.text + 2];
    snprintf(sentence, sizeof sentence, "%s.", finding.text);
    format->answer(&d, sentence);
    format->chart(&d, "machines", finding.text);
    format->table_begin(&d, "", headers, 4);
    for (size_t i = 0; i < lead->claim.count; i++)
        if (is_shown(lead, i, room))
            write_point_rows(format, &d, m, lead, lead->claim.rows[i]);
    format->table_end(&d, 4);
    format_part(format->section_end, &d);
}

void machines_write(const struct report_format *format, const struct document *d,
                    const struct machines *m)
{
    struct section_lead leads[COMPARED_MAX];
    const size_t count = find_leads(m, d->language, leads);
    const char *glance = message(d->language, "The machines");
    const char *title = message(d->language, "Max pooling on several machines");
    const char *portable = portability_title(m, d->language);
    format->begin(d, title);
    format_part(format->contents_begin, d);
    format->contents_item(d, "top", glance);
    for (size_t i = 0; i < count; i++)
        format->contents_item(d, leads[i].key, leads[i].title);
    if (portable)
        format->contents_item(d, portability_place, portable);
    format->contents_end(d, title);
    write_machines(format, d, m);
    for (size_t i = 0; i < count; i++)
        write_section(format, d, m, &leads[i]);
    portability_write(format, d, m);
    report_glossary(format, d);
    format_part(format->end, d);
}
