/* Which method is the fastest, and how much it gained. */
#include "experiments/analysis/numbers.h"
#include "experiments/analysis/selections/columns.h"
#include "experiments/analysis/selections/fastest.h"
#include "experiments/common/text/messages.h"
#include "experiments/report/claims/claims.h"
#include "experiments/report/claims/selected_charts.h"
#include "experiments/samples/point.h"

#include <math.h>
#include <string.h>

/* The places are the roles of fastest.h. */
static const struct template method_sentences = {
    .title =
        {
            {N_("%{fastest.method} is %{gain.brief} times as fast as %{base.method}"), NULL, NULL},
            {N_("%{fastest.method} takes %{fastest.plain}; all measurements are SUSPECT"),
             "doubted", NULL},
            {N_("%{fastest.method} takes %{fastest.plain}; times of faster methods are SUSPECT"),
             "left_out", NULL},
            {N_("%{fastest.method} is the fastest: %{fastest.plain}"), NULL, NULL},
        },
    .answer =
        {
            {N_("%{fastest}: with one worker %{fastest.method} takes %{fastest.y}%{fastest.doubt}"),
             NULL, NULL},
            {N_(", %{gain.y} times as fast as %{base.method}"), NULL, NULL},
            {N_("; no difference from %{tie.method} is seen"), NULL, NULL},
            {N_(" (%{tie_times.y} times as long)"), NULL, NULL},
            {"; %{left_out}", NULL, NULL},
            {N_("; %{many.workers} take %{many.y} with %{many.method}%{many.doubt}"), NULL, NULL},
            {N_("; the maximum alone, by %{maximum.method}, takes %{maximum.y}%{maximum.doubt}"),
             NULL, NULL},
            {".", NULL, NULL},
        },
    .plain =
        {
            {N_("Where %{base.method} takes one minute, %{fastest.method} takes about "
                "%{minute.about}."),
             NULL, NULL},
            {N_("Faster methods were measured too, but their times are doubtful."), "left_out",
             NULL},
            {N_("%{fastest.method} needs the least time of all methods that were measured with one "
                "worker."),
             "alone", NULL},
            {N_("%{fastest.method} needs the least time of all methods that were measured with one "
                "worker."),
             "doubted", NULL},
            {N_(" The samples do not show which of %{fastest.method} and %{tie.method} is faster."),
             NULL, NULL},
        },
};

/* ---- charts of all methods ------------------------------------------------------------------- */

static const struct columns methods = {
    .panels = {{"size", "window_ns", "rung workers=1", "%{method}", false},
               {"size", "window_ns", "rung !workers=1", "%{method}", false}},
    .dashed = "kind=maximum",
    .name_roles = fastest_name_serial_in_caches,
};
static const struct form methods_form = {
    .name = "lines",
    .panels = {{N_("one worker"), N_("n, rows and columns"), N_("ns per window"), "%g", AXIS_LOG,
                AXIS_LOG, 0.0, NULL, NULL},
               {N_("all workers"), N_("n, rows and columns"), N_("ns per window"), "%g", AXIS_LOG,
                AXIS_LOG, 0.0, NULL, NULL}},
};

static const struct columns ladder = {
    .panels = {{"kernel", "named_compute", LADDER_POINTS " stride=kernel", "%{method}", false},
               {"kernel", "named_compute", LADDER_POINTS " stride=1", "%{method}", false}},
    .dashed = "kind=maximum",
    .name_roles = fastest_name_serial,
};
static const struct form ladder_form = {
    .name = "lines",
    .panels = {{N_("s = k: windows apart"), N_("k, side of the window (elements)"),
                N_("times as fast as literal"), "%g", AXIS_LOG, AXIS_LOG, .level = 1.0},
               {N_("s = 1: windows overlap"), N_("k, side of the window (elements)"),
                N_("times as fast as literal"), "%g", AXIS_LOG, AXIS_LOG, .level = 1.0}},
};

static const struct columns distances_growth = {
    .panels = {{"rows", "compute_s", "operator=distances space=serial rung !cols>128", "%{method}",
                false},
               {"rows", "compute_s", "operator=distances space=serial rung cols>128", "%{method}",
                false}},
    .name_roles = fastest_name_serial,
};
static const struct form distances_growth_form = {
    .name = "lines",
    .panels = {{N_("128 dimensions"), N_("n, points"), N_("compute time (dotted: n²)"), "%.0s %cs",
                AXIS_LOG, AXIS_LOG, 2.0, NULL, NULL},
               {N_("512 dimensions"), N_("n, points"), N_("compute time (dotted: n²)"), "%.0s %cs",
                AXIS_LOG, AXIS_LOG, 2.0, NULL, NULL}},
};

static const struct columns brain = {
    .panels = {{"total_s", "total_s", "elements^", "[*operator?%{operator} ]%{method}", false}},
    .mark = COLUMNS_WORKERS,
    .order = "place",
    .name_roles = fastest_name_serial,
};
static const struct form brain_form = {
    .name = "dots",
    .panels = {{NULL, N_("total time"), NULL, "%.0s %cs", AXIS_LOG, AXIS_LOG, .level = 0.0}},
};

static const struct columns methods_by_shape = {
    .panels = {{"named_compute", "named_compute", SHAPE_POINTS, SHAPE_ROW, false}},
    .group = SHAPE_GROUP,
    .order = "rung",
    .name_roles = fastest_name_serial,
};
static const struct form methods_by_shape_form = {
    .name = "dots",
    .panels = {{NULL, N_("times as fast as the first rung"), NULL, "%g", AXIS_LOG, AXIS_LOG,
                .level = 1.0}},
};

const struct selected_chart methods_chart = {select_columns, &methods, &methods_form,
                                             &method_sentences},
                            ladder_chart = {select_columns, &ladder, &ladder_form,
                                            &method_sentences},
                            distances_growth_chart = {select_columns, &distances_growth,
                                                      &distances_growth_form, &method_sentences},
                            brain_chart = {select_columns, &brain, &brain_form, &method_sentences},
                            methods_by_shape_chart = {select_columns, &methods_by_shape,
                                                      &methods_by_shape_form, &method_sentences};

/* ---- instruction sets ------------------------------------------------------------------------ */

static double gain_of_set(const struct point *p)
{
    const struct record *r = &p->samples->identity;
    const struct speedup *s = &p->speedup[BASELINE_ISA];
    const bool wider = r->isa_limit[0] && strcmp(r->isa_limit, "baseline") != 0;
    return evidence_usable(p) && wider && s->point >= 0 ? s->value[METRIC_COMPUTE] : (double)NAN;
}

/* Takes the points with the largest gains from wider instruction sets, each method once, largest
 * first. */
static void take_gains(const struct analysis *a, struct claim *c)
{
    while (c->count < CLAIM_ROWS) {
        const struct point *best = NULL;
        for (size_t i = 0; i < a->point_count; i++) {
            const struct point *p = &a->points[i];
            bool known = isnan(gain_of_set(p));
            for (size_t j = 0; j < c->count; j++)
                known = known || strcmp(method_of(c->rows[j]), method_of(p)) == 0;
            if (!known && (!best || evidence_is_larger(p, gain_of_set(p), best, gain_of_set(best))))
                best = p;
        }
        if (!best)
            return;
        c->rows[c->count++] = best;
    }
}

void claim_isa(const struct experiment *e, const struct language *l, struct claim *c)
{
    take_gains(&e->analysis, c);
    if (c->count == 0) {
        claim_refuse(c, l, "no instruction set but the baseline was measured");
        return;
    }
    const struct point *most = c->rows[0], *least = evidence_last(c->rows, c->count);
    const struct speedup *s = &most->speedup[BASELINE_ISA];
    claim_title(
        c, l, "%{isa} makes %{method} %{times} times as fast",
        WITH({"isa", most->samples->identity.isa_limit}, {"method", method_of(most)},
             {"times",
              number_brief(l, s->value[METRIC_COMPUTE], s->interval[METRIC_COMPUTE]).text}));
    claim_say(c, l,
              "%{isa} makes %{method} %{times} times as fast as the baseline instruction set "
              "(%{problem})",
              WITH({"isa", most->samples->identity.isa_limit}, {"method", method_of(most)},
                   {"times",
                    number_answer(l, s->value[METRIC_COMPUTE], s->interval[METRIC_COMPUTE]).text},
                   {"problem", words_problem(most, l).text}));
    if (least != most)
        claim_say(
            c, l, ", and %{method} at most %{times} times",
            WITH({"method", method_of(least)},
                 {"times", number_answer(l, gain_of_set(least),
                                         least->speedup[BASELINE_ISA].interval[METRIC_COMPUTE])
                               .text}));
    claim_add(c, words_doubt(most, l).text);
    claim_add(c, ".");
    claim_plain(
        c, l,
        "One instruction of %{isa} works on more values at once; %{method} takes about %{share} of "
        "the time that it takes with the baseline instruction set.",
        WITH({"isa", most->samples->identity.isa_limit}, {"method", method_of(most)},
             {"share", number_percent(l, 1.0 / s->value[METRIC_COMPUTE]).text}));
}

/* ---- epilogues ------------------------------------------------------------------------------- */

static bool is_serial(const struct point *p)
{
    return point_is_alone(&p->samples->identity);
}

static bool is_in_store(const struct point *p)
{
    return is_serial(p) && strcmp(p->samples->identity.epilogue, "store") == 0;
}

static bool is_in_pass(const struct point *p)
{
    return is_serial(p) && strcmp(p->samples->identity.epilogue, "pass") == 0;
}

/* The same method and problem, its epilogue applied as outputs are stored. */
static const struct point *in_store(const struct point *pass, const void *analysis)
{
    const struct wanted w = {
        .one_worker = true, .also = is_in_store, .problem = pass, .method = method_of(pass)};
    return evidence_fastest(analysis, &w);
}

/* Compares the fastest method that applies its epilogue in a separate pass with the same method
 * applying it as outputs are stored. */
void claim_epilogue(const struct experiment *e, const struct language *l, struct claim *c)
{
    const struct analysis *a = &e->analysis;
    const struct wanted w = {.one_worker = true, .also = is_in_pass};
    const struct choice in_pass = evidence_choice(a, &w).choice,
                        stored = choice_of_companions(&in_pass, in_store, a);
    const struct point *pass = in_pass.point, *store = stored.point;
    if (!store) {
        claim_refuse(c, l, "one method measured both ways is needed");
        return;
    }
    const struct comparison_of_points t =
        compare_choices(&a->samples, &stored, &in_pass, METRIC_COMPUTE);
    claim_title(
        c, l,
        "Applied as outputs are stored, %{method} takes %{share} of the time of a separate pass",
        WITH({"method", method_of(store)}, {"share", number_percent(l, t.value).text}));
    claim_say(
        c, l,
        "%{method} takes %{share} of the time when factor, bias, residual and clamp are applied as "
        "outputs are stored instead of in a separate pass (%{problem}%{doubt}).",
        WITH({"method", method_of(store)},
             {"share", number_answer_share(l, t.value, t.interval).text},
             {"problem", words_problem(store, l).text}, {"doubt", words_doubt(store, l).text}));
    claim_plain(c, l,
                "Finishing an output while the processor still holds it saves writing and reading "
                "it once more; it takes about %{share} of the time.",
                WITH({"share", number_percent(l, t.value).text}));
    evidence_add(c->rows, &c->count, CLAIM_ROWS, store);
    evidence_add(c->rows, &c->count, CLAIM_ROWS, pass);
}
