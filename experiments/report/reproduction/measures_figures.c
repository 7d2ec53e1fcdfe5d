/* Measures of the tesina's tables and curves: what the figure of ours shows, in words. */
#include "experiments/report/reproduction/taking.h"

#include "experiments/analysis/numbers.h"
#include "experiments/report/reproduction/figures.h"
#include "harness/base/text/messages.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- what all of them say -------------------------------------------------------------------- */

static struct number n_text(double n)
{
    return number_text("%.0f", n);
}

static void found_words(const struct taking *t, const struct figure_row *row)
{
    struct taken *out = t->out;
    out->found = true;
    out->trusted = true;
    for (size_t i = 0; i < FIGURE_SERIES; i++)
        if (row->of[i] && row->of[i]->trust > out->trust)
            out->trust = row->of[i]->trust;
}

/* "On NVIDIA H100." or "" for a processor. */
static void say_device(const struct taking *t, const struct point *p)
{
    const char *device = figure_device(&t->experiment->analysis, p);
    struct taken *out = t->out;
    const size_t length = strlen(out->sentence);
    out->device = *device ? device : NULL;
    if (*device)
        message_format(out->sentence + length, sizeof out->sentence - length, t->language,
                       length ? N_(" Measured on %{device}.") : N_("Measured on %{device}."),
                       WITH({"device", device}));
}

/* An emulated device gives bits and counts, and no seconds. */
static void say_emulated(const struct taking *t, const struct figure *f)
{
    if (f->emulated)
        message_format(t->out->why, sizeof t->out->why, t->language,
                       "an emulated device has no seconds; it computed n = %{first} to %{last}, "
                       "%{exact} of %{points} exactly",
                       WITH({"first", n_text(f->emulated_n[0]).text},
                            {"last", n_text(f->emulated_n[1]).text},
                            {"exact", number_of(f->emulated_exact).text},
                            {"points", number_of(f->emulated).text}));
}

/* ---- one kernel ------------------------------------------------------------------------------ */

/* A table without seconds of the products is not the printed one. */
static bool is_clocked(const struct taking *t, const struct figure_row *last)
{
    if (last->product[0].value > 0.0)
        return true;
    message_format(t->out->why, sizeof t->out->why, t->language,
                   "%{method} does not clock its products",
                   WITH({"method", method_of(last->of[0])}));
    return false;
}

static void say_table(const struct taking *t, const struct figure *f, const struct figure_row *last)
{
    const struct language *l = t->language;
    const struct point *p = last->of[0];
    struct taken *out = t->out;
    if (!is_clocked(t, last))
        return;
    found_words(t, last);
    message_format(
        out->finding, sizeof out->finding, l,
        p->kind && p->kind->words.unit
            ? N_("%{what}: n = %{first} to %{last}. At n = %{last}, %{windows} windows: products "
                 "%{product}, in all %{total}")
            : N_("%{what}: n = %{first} to %{last}. At n = %{last}: product %{product}, in all "
                 "%{total}"),
        WITH({"what", figure_configuration(p, l).text}, {"first", n_text(f->rows[0].n).text},
             {"last", n_text(last->n).text}, {"windows", number_count(l, p->windows).text},
             {"product", number_answer_seconds(l, &last->product[0]).text},
             {"total", number_answer_seconds(l, &p->seconds[METRIC_TOTAL]).text}));
    say_device(t, p);
}

static void say_growth(const struct taking *t, const struct figure *f)
{
    struct taken *out = t->out;
    const struct fit *power = &f->power, *other = &f->exponential;
    if (power->reason[0] && !power->bent)
        return;
    message_format(out->sentence, sizeof out->sentence, t->language,
                   "A power of n leaves %{power} of the time unexplained, an exponential "
                   "%{exponential}.",
                   WITH({"power", number_percent(t->language, power->error).text},
                        {"exponential", number_percent(t->language, other->error).text}));
}

static void say_curve(const struct taking *t, const struct figure *f, const struct figure_row *last)
{
    const struct language *l = t->language;
    const struct point *p = last->of[0];
    const struct fit *power = &f->power;
    const bool fitted = !power->reason[0];
    struct taken *out = t->out;
    if (!is_clocked(t, last))
        return;
    found_words(t, last);
    message_format(
        out->finding, sizeof out->finding, l,
        fitted ? N_("%{what}: the products' time grows as n^%{exponent}, from %{least} at n = "
                    "%{first} to %{most} at n = %{last}")
               : N_("%{what}: the products' time grows from %{least} at n = %{first} to %{most} "
                    "at n = %{last}; no single power describes it"),
        WITH({"what", figure_configuration(p, l).text},
             {"exponent",
              fitted ? number_justified(l, power->value[1], power->interval[1]).text : ""},
             {"first", n_text(f->rows[0].n).text}, {"last", n_text(last->n).text},
             {"least", number_seconds(l, f->rows[0].product[0].value).text},
             {"most", number_answer_seconds(l, &last->product[0]).text}));
    say_growth(t, f);
    say_device(t, p);
}

/* ---- the three kernels ----------------------------------------------------------------------- */

static size_t fastest_of(const struct figure_row *row)
{
    size_t best = 0;
    for (size_t i = 1; i < FIGURE_SERIES; i++)
        if (total_of(row->of[i]) < total_of(row->of[best]))
            best = i;
    return best;
}

/* True if each of the others is seen to take longer. */
static bool is_fastest_alone(const struct analysis *a, const struct figure_row *row, size_t best)
{
    size_t longer = 0;
    for (size_t i = 0; i < FIGURE_SERIES; i++)
        longer +=
            i != best &&
            compare_points(&a->samples, row->of[i], row->of[best], METRIC_TOTAL).interval.lower >
                1.0;
    return longer + 1 == FIGURE_SERIES;
}

/* The kernels' times; of a curve, the two others over the fastest. */
static void add_kernel(const struct taking *t, const struct figure_row *last, size_t i, size_t best,
                       bool ratios)
{
    const struct language *l = t->language;
    const struct point *p = last->of[i];
    const struct comparison_of_points c =
        compare_points(&t->experiment->analysis.samples, p, last->of[best], METRIC_TOTAL);
    const bool alone = i == best && is_fastest_alone(&t->experiment->analysis, last, best);
    struct taken *out = t->out;
    const size_t length = strlen(out->finding);
    message_format(out->finding + length, sizeof out->finding - length, l,
                   !ratios     ? N_("; %{kernel} %{total}")
                   : alone     ? N_("; %{kernel} is the fastest")
                   : i == best ? N_("; no kernel is seen to be faster than %{kernel}")
                               : N_("; %{kernel} takes %{times} times as long"),
                   WITH({"kernel", figure_kernel(p).text},
                        {"times", number_brief(l, c.value, c.interval).text},
                        {"total", number_seconds(l, total_of(p)).text}));
}

static void say_kernels(const struct taking *t, const struct figure *f,
                        const struct figure_row *last)
{
    const struct language *l = t->language;
    const struct record *r = &last->of[0]->samples->identity;
    struct taken *out = t->out;
    const bool ratios = t->measure->form == FORM_KERNELS_CURVE;
    const size_t best = fastest_of(last);
    found_words(t, last);
    message_format(out->finding, sizeof out->finding, l,
                   "Block %{block} × %{block}, filter %{memory}, n = %{first} to %{last}. At n = "
                   "%{last}",
                   WITH({"block", number_of(r->block).text},
                        {"memory", figure_memory(r->filter_memory, l)},
                        {"first", n_text(f->rows[0].n).text}, {"last", n_text(last->n).text}));
    for (size_t i = 0; i < FIGURE_SERIES; i++)
        add_kernel(t, last, i, best, ratios);
    say_device(t, last->of[0]);
}

/* ---- a kernel against a serial program ------------------------------------------------------- */

static void say_against(const struct taking *t, const struct figure *f,
                        const struct figure_row *last)
{
    const struct language *l = t->language;
    const struct figure_speedup s = figure_speedup_of(&t->experiment->analysis, last);
    struct taken *out = t->out;
    (void)f;
    found_words(t, last);
    message_format(out->finding, sizeof out->finding, l,
                   "At n = %{n}, %{kernel} is %{speedup} times as fast as %{serial}: %{fast} "
                   "against %{slow}",
                   WITH({"n", n_text(last->n).text}, {"kernel", figure_kernel(last->of[1]).text},
                        {"serial", figure_configuration(last->of[0], l).text},
                        {"speedup", number_answer(l, s.speedup.value, s.speedup.interval).text},
                        {"fast", number_seconds(l, total_of(last->of[1])).text},
                        {"slow", number_seconds(l, total_of(last->of[0])).text}));
    message_format(
        out->sentence, sizeof out->sentence, l,
        s.efficiency > 0.0
            ? N_("The efficiency, speedup over the GPU's %{cores} cores, is %{efficiency}.")
            : N_("The efficiency is the speedup over the GPU's cores, whose number is not known "
                 "for this GPU."),
        WITH({"cores", number_text("%.0f", s.cores).text},
             {"efficiency", figure_efficiency(&s, l).text}));
    say_device(t, last->of[1]);
}

/* ---- all of them ----------------------------------------------------------------------------- */

typedef void figure_function(const struct taking *t, const struct figure *f,
                             const struct figure_row *last);

/* table: rows of n, windows, seconds of the products, seconds in all. curve: seconds of the
 * products against n. kernels table, kernels curve: the tesina's three kernels, the same image for
 * all. against: the second point's program compared with the first, window by window. */
void take_figure(const struct taking *t)
{
    static figure_function *const say[] = {
        [FORM_TABLE] = say_table,           [FORM_CURVE] = say_curve,
        [FORM_KERNELS_TABLE] = say_kernels, [FORM_KERNELS_CURVE] = say_kernels,
        [FORM_AGAINST] = say_against,
    };
    struct figure f;
    const struct figure_row *last =
        figure_make(&f, t->measure, &t->experiment->analysis) ? figure_last(&f) : NULL;
    if (last)
        say[t->measure->form](t, &f, last);
    else
        say_emulated(t, &f);
    figure_release(&f);
}
