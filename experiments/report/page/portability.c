#include "experiments/report/page/portability.h"

#include "experiments/analysis/numbers.h"
#include "experiments/analysis/palette.h"
#include "experiments/analysis/portability.h"
#include "experiments/analysis/selections/evidence.h"
#include "harness/base/text/messages.h"
#include "harness/base/text/word_list.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char portability_place[] = "portability";

enum { METHODS_MAX = 32 };

/* ---- the methods of a problem ---------------------------------------------------------------- */

/* One problem, and the methods that any machine measured for it on one worker. */
struct subject {
    const char *experiment;
    const struct point *problem;
    const struct point *methods[METHODS_MAX]; /* one point of each method, from any machine */
    size_t count;
};

/* True for one worker of the host, any instruction set, the usual pages; also if INVALID. */
static bool is_candidate(const struct point *p, const struct point *problem)
{
    const struct record *r = &p->samples->identity;
    return p->workers == 1.0 && !p->shares_cores && p->trust != TRUST_SIMULATED &&
           !r->isa_limit[0] && !r->pages_asked[0] && total_of(p) > 0.0 &&
           analysis_same_problem(p, problem) && p->product == problem->product;
}

static bool has_method(const struct subject *s, const struct point *p)
{
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(method_of(s->methods[i]), method_of(p)) == 0)
            return true;
    return false;
}

static void add_methods(struct subject *s, const struct machines *m)
{
    for (size_t i = 0; i < m->count; i++) {
        const struct experiment *e = report_data_experiment(&m->all[i], s->experiment);
        for (size_t j = 0; e && j < e->analysis.point_count; j++) {
            const struct point *p = &e->analysis.points[j];
            if (is_candidate(p, s->problem) && s->count < METHODS_MAX && !has_method(s, p))
                s->methods[s->count++] = p;
        }
    }
}

/* Of the first machine's experiments, chooses the one with the most methods of one problem; count 0
 * if none has two. */
static struct subject find_subject(const struct machines *m)
{
    static const struct wanted asked = {.one_worker = true, .peers = true};
    struct subject best = {.count = 0};
    for (size_t i = 0; m->count > 1 && i < m->all[0].count; i++) {
        const struct experiment *e = &m->all[0].experiments[i];
        struct subject s = {.experiment = e->name,
                            .problem = evidence_problem(&e->analysis, &asked)};
        if (s.problem)
            add_methods(&s, m);
        if (s.count > best.count)
            best = s;
    }
    if (best.count < 2)
        best.count = 0;
    return best;
}

/* ---- efficiencies ---------------------------------------------------------------------------- */

/* The method's point on a machine, the fastest if several programs have it; `method` NULL: of any
 * method. NULL: none. */
static const struct point *point_of(const struct report_data *machine, const struct subject *s,
                                    const char *method)
{
    const struct experiment *e = report_data_experiment(machine, s->experiment);
    const struct point *best = NULL;
    for (size_t i = 0; e && i < e->analysis.point_count; i++) {
        const struct point *p = &e->analysis.points[i];
        if (is_candidate(p, s->problem) && (!method || strcmp(method_of(p), method) == 0) &&
            evidence_usable(p) && (!best || total_of(p) < total_of(best)))
            best = p;
    }
    return best;
}

static struct efficiency application_efficiency(const struct report_data *machine,
                                                const struct subject *s, const char *method)
{
    const struct point *p = point_of(machine, s, method), *fastest = point_of(machine, s, NULL);
    if (!p)
        return (struct efficiency){.value = 0.0};
    return (struct efficiency){total_of(fastest) / total_of(p), &p->seconds[METRIC_TOTAL],
                               &fastest->seconds[METRIC_TOTAL]};
}

/* The limit counts as exact and adds nothing to the interval. */
static struct efficiency architectural_efficiency(const struct report_data *machine,
                                                  const struct subject *s, const char *method)
{
    const struct point *p = point_of(machine, s, method);
    if (!p)
        return (struct efficiency){.value = 0.0};
    const struct estimate *seconds = &p->seconds[point_work_metric(p)];
    return (struct efficiency){p->roof.seconds > 0.0 ? p->roof.seconds / seconds->value : NAN,
                               seconds, NULL};
}

/* One method on all machines. */
struct portable {
    const struct point *method;
    struct portability application, architecture;
};

static struct portable measure(const struct machines *m, const struct subject *s,
                               const struct point *method)
{
    struct efficiency application[MACHINES_MAX], architecture[MACHINES_MAX];
    for (size_t i = 0; i < m->count; i++) {
        application[i] = application_efficiency(&m->all[i], s, method_of(method));
        architecture[i] = architectural_efficiency(&m->all[i], s, method_of(method));
    }
    return (struct portable){method, portability_of(application, m->count),
                             portability_of(architecture, m->count)};
}

static int by_portability(const void *a, const void *b)
{
    const struct portable *p = a, *q = b;
    return (p->application.value < q->application.value) -
           (p->application.value > q->application.value);
}

static void measure_all(const struct machines *m, const struct subject *s,
                        struct portable out[METHODS_MAX])
{
    for (size_t i = 0; i < s->count; i++)
        out[i] = measure(m, s, s->methods[i]);
    qsort(out, s->count, sizeof *out, by_portability);
}

/* True if the first is seen to be more portable than the next: by disjoint intervals. */
static bool is_first_alone(const struct portable *sorted, size_t count)
{
    const struct portability *first = &sorted[0].application, *next = &sorted[1].application;
    return count == 1 || next->value == 0.0 || first->interval.lower > next->interval.upper;
}

/* The subject, without methods if none was measured on every machine: nothing is ranked then. */
static struct subject ranked_subject(const struct machines *m)
{
    struct portable sorted[METHODS_MAX];
    struct subject s = find_subject(m);
    if (s.count > 0)
        measure_all(m, &s, sorted);
    if (s.count > 0 && !(sorted[0].application.value > 0.0))
        s.count = 0;
    return s;
}

/* ---- the chart ------------------------------------------------------------------------------- */

const struct form portability_form = {
    .name = "lines",
    .panels = {{N_("on that machine"), N_("machines, from the best for the method"),
                N_("efficiency against the fastest method"), "%.1f", AXIS_LINEAR, AXIS_LINEAR,
                .level = 0.0},
               {N_("harmonic mean so far"), N_("machines, from the best for the method"), NULL,
                "%.1f", AXIS_LINEAR, AXIS_LINEAR, .level = 0.0}},
    .y_top = 1.0,
};

/* A method's efficiency on a machine. */
struct cascade_step {
    size_t machine;
    struct efficiency efficiency;
};

static int by_efficiency(const void *a, const void *b)
{
    const struct cascade_step *p = a, *q = b;
    return (p->efficiency.value < q->efficiency.value) -
           (p->efficiency.value > q->efficiency.value);
}

static void draw(const struct point *method, size_t panel, double place, double value,
                 const char *machine, struct selection *out)
{
    struct selection_row *row = selection_at(out, panel, method_of(method), place, value);
    if (!row)
        return;
    row->colour = palette_colour(method);
    snprintf(row->label, sizeof row->label, "%s", machine);
}

/* Draws the machines from the best for this method to the worst, each with the metric over the
 * machines so far. */
static void draw_cascade(const struct machines *m, const struct subject *s,
                         const struct point *method, struct selection *out)
{
    struct cascade_step steps[MACHINES_MAX];
    struct efficiency first[MACHINES_MAX];
    for (size_t i = 0; i < m->count; i++)
        steps[i] =
            (struct cascade_step){i, application_efficiency(&m->all[i], s, method_of(method))};
    qsort(steps, m->count, sizeof *steps, by_efficiency);
    for (size_t i = 0; i < m->count; i++) {
        const char *machine = m->all[steps[i].machine].label;
        first[i] = steps[i].efficiency;
        draw(method, 1, (double)i + 1.0, first[i].value, machine, out);
        draw(method, 2, (double)i + 1.0, portability_of(first, i + 1).value, machine, out);
    }
}

void portability_select(const struct machines *m, struct selection *out)
{
    struct portable sorted[METHODS_MAX];
    const struct subject s = ranked_subject(m);
    measure_all(m, &s, sorted);
    for (size_t i = 0; i < s.count; i++)
        draw_cascade(m, &s, sorted[i].method, out);
}

/* ---- the section ----------------------------------------------------------------------------- */

bool portability_finding(const struct machines *m, const struct language *l, char *text,
                         size_t size)
{
    struct portable sorted[METHODS_MAX];
    const struct subject s = ranked_subject(m);
    if (s.count == 0)
        return false;
    measure_all(m, &s, sorted);
    message_format(text, size, l,
                   is_first_alone(sorted, s.count)
                       ? N_("%{method} is the most portable of %{methods} methods on %{machines} "
                            "machines")
                       : N_("%{method} and %{other}, of %{methods} methods on %{machines} "
                            "machines: no difference of portability is seen"),
                   WITH({"method", method_of(sorted[0].method)},
                        {"other", method_of(sorted[s.count > 1 ? 1 : 0].method)},
                        {"methods", number_of(s.count).text},
                        {"machines", number_of(m->count).text}));
    return true;
}

const char *portability_title(const struct machines *m, const struct language *l)
{
    return ranked_subject(m).count > 0 ? message(l, "Performance portability") : NULL;
}

static struct number number_at(const struct language *l, const struct portability *p)
{
    if (p->value == 0.0)
        return number_text("0");
    return isfinite(p->value) ? number_justified(l, p->value, p->interval) : number_text("-");
}

/* Names the machines that make the metric 0. */
static void name_lacking(const struct machines *m, const struct subject *s, const char *method,
                         char *text, size_t size)
{
    text[0] = '\0';
    for (size_t i = 0; i < m->count; i++)
        if (!point_of(&m->all[i], s, method))
            word_list_add(text, size, "; ", m->all[i].label);
}

static void write_rows(const struct report_format *format, const struct document *d,
                       const struct machines *m, const struct subject *s)
{
    struct portable sorted[METHODS_MAX];
    const struct language *l = d->language;
    measure_all(m, s, sorted);
    for (size_t i = 0; i < s->count; i++) {
        char lacking[600];
        const struct number application = number_at(l, &sorted[i].application),
                            architecture = number_at(l, &sorted[i].architecture);
        name_lacking(m, s, method_of(sorted[i].method), lacking, sizeof lacking);
        const struct cell cells[] = {{method_of(sorted[i].method), NULL},
                                     {application.text, NULL},
                                     {architecture.text, NULL},
                                     {lacking, NULL}};
        format->row(d, cells, 4, i == 0 && is_first_alone(sorted, s->count));
    }
}

void portability_write(const struct report_format *format, const struct document *page,
                       const struct machines *m)
{
    struct document d = *page;
    const struct subject s = ranked_subject(m);
    const struct language *l = d.language;
    struct portable sorted[METHODS_MAX];
    char finding[200], text[600];
    if (s.count == 0)
        return;
    d.place = portability_place;
    measure_all(m, &s, sorted);
    format->section_begin(&d, message(l, "Performance portability"));
    format->question(&d, message(l, "Which method is close to the best on every machine, and not "
                                    "only on one?"));
    portability_finding(m, l, finding, sizeof finding);
    message_format(text, sizeof text, l,
                   "%{finding}: %{value} of the fastest method's speed (%{problem}, one worker).",
                   WITH({"finding", finding}, {"value", number_at(l, &sorted[0].application).text},
                        {"problem", words_problem(s.problem, l).text}));
    format->answer(&d, text);
    format->chart(&d, "cascade", finding);
    const char *const headers[] = {message(l, "method"), message(l, "of the fastest method"),
                                   message(l, "of the machine's limit"),
                                   message(l, "lacking or INVALID on")};
    format->table_begin(&d, "", headers, 4);
    write_rows(format, &d, m, &s);
    format->table_end(&d, 4);
    format->paragraph(&d, message(l, "Both columns are harmonic means of efficiencies over all "
                                     "machines, with 95 % intervals, and 0 where a machine lacks "
                                     "the method (Pennycook, Sewall and Lee 2019)."));
    format_part(format->section_end, &d);
}
