/* The first page: the speedup, four figures, and the answers of sections in a few words; where and
 * when; how far they can be trusted; and the tesina's figures compared with ours. */
#include "experiments/analysis/numbers.h"
#include "experiments/analysis/selections/evidence.h"
#include "experiments/analysis/speedup/scaling.h"
#include "experiments/analysis/speedup/speedup_figure.h"
#include "experiments/report/page/first_figure.h"
#include "experiments/report/report.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/messages.h"
#include "theses/published/suite.h"

#include <math.h>
#include <string.h>

/* ---- the staircase --------------------------------------------------------------------------- */

/* The staircase of the first screen: a chart of the tesina's Python loop, the same loops compiled
 * by Numba, and the same algorithm in C, from its plain form to vectors. */

static const struct stair {
    const char *program, *method;
} steps[] = {{"maxpool_python", "python"},
             {"maxpool_numba", "numba"},
             {"maxpool_serial", "literal"},
             {"maxpool_serial", "simd"}};
enum { STEPS = sizeof steps / sizeof *steps };

/* The point of a step: for the problem of `first`, or for the largest image if that is NULL. */
static const struct point *find_step(const struct analysis *a, const struct stair *step,
                                     const struct point *first)
{
    static const struct wanted any = {.peers = true};
    const struct point *found = NULL;
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        if (evidence_fits(p, &any) && strcmp(p->samples->identity.program, step->program) == 0 &&
            strcmp(method_of(p), step->method) == 0 && p->windows > 0.0 &&
            (!first || analysis_same_problem(p, first)) &&
            (!found || p->elements > found->elements))
            found = p;
    }
    return found;
}

/* Finds the steps that were measured, the Python loop first; 0 if that was not measured. */
static size_t find_steps(const struct analysis *a, const struct point *found[STEPS])
{
    size_t count = 0;
    for (size_t i = 0; i < STEPS && (i == 0 || count > 0); i++) {
        const struct point *p = find_step(a, &steps[i], count ? found[0] : NULL);
        if (p)
            found[count++] = p;
    }
    return count;
}

/* "simd, maxpool_serial | 1.21 ns | 5010 [4980, 5030]": total time per window, and how many times
 * as fast as the Python loop. */
static void write_step(const struct part *p, const struct analysis *a, const struct point *first,
                       const struct point *step)
{
    const struct language *l = p->document.language;
    struct estimate window = step->seconds[METRIC_TOTAL];
    const struct comparison_of_points times =
        compare_points(&a->samples, first, step, METRIC_TOTAL);
    char what[2 * RECORD_TEXT + 4];
    window.value /= step->windows;
    window.interval.lower /= step->windows;
    window.interval.upper /= step->windows;
    snprintf(what, sizeof what, "%s, %s", method_of(step), step->samples->identity.program);
    const struct number seconds = number_answer_seconds(l, &window),
                        factor = number_answer(l, times.value, times.interval);
    const struct cell cells[] = {{what, NULL},
                                 {seconds.text, words_doubt_alone(step, l).text},
                                 {step == first ? "1" : factor.text, NULL}};
    p->format->row(&p->document, cells, 3, false);
}

static void write_table(const struct part *part, const struct experiment *e,
                        const struct point *const found[STEPS], size_t count)
{
    struct part p = *part;
    const struct language *l = p.document.language;
    char text[400];
    p.document.place = "staircase";
    message_format(text, sizeof text, l,
                   "From the tesina's Python loop to vector instructions, %{problem}:",
                   WITH({"problem", words_problem(found[0], l).text}));
    p.format->paragraph(&p.document, text);
    const char *const headers[] = {message(l, "program"), message(l, "total time of one window"),
                                   message(l, "times as fast as the Python loop")};
    p.format->table_begin(&p.document, "", headers, 3);
    for (size_t i = 0; i < count; i++)
        write_step(&p, &e->analysis, found[0], found[i]);
    p.format->table_end(&p.document, 3);
}

/* The experiments that measure the steps: the suite's own, and the one with the tesina's points
 * only. */
static bool has_steps(const struct experiment *e)
{
    return strcmp(e->name, "technologies") == 0 || strcmp(e->name, "tesina_technologies") == 0;
}

/* Writes nothing if no experiment has the Python loop and another step. */
static void staircase_write(const struct part *p)
{
    for (size_t i = 0; i < p->data->count; i++) {
        const struct experiment *e = &p->data->experiments[i];
        const struct point *found[STEPS];
        const size_t count = has_steps(e) ? find_steps(&e->analysis, found) : 0;
        if (count > 1)
            write_table(p, e, found, count);
    }
}

/* ---- where and when -------------------------------------------------------------------------- */

/* The time of the last sample of all, ISO 8601; "" if none has it. */
static const char *last_moment(const struct report_data *s)
{
    const char *last = "";
    for (size_t i = 0; i < s->count; i++) {
        const struct samples *samples = &s->experiments[i].analysis.samples;
        for (size_t j = 0; j < samples->launch_count; j++)
            if (strcmp(samples->launches[j].last_utc, last) > 0)
                last = samples->launches[j].last_utc;
    }
    return last;
}

/* "b1a35fce3a5b", or "b1a35fce3a5b and others". */
static void describe_commits(const struct report_data *s, const struct language *l, char *text,
                             size_t size)
{
    const char *first = "";
    bool others = false;
    for (size_t i = 0; i < s->count; i++) {
        const struct samples *samples = &s->experiments[i].analysis.samples;
        for (size_t j = 0; j < samples->launch_count; j++) {
            const char *commit = samples->launches[j].commit;
            others = others || (first[0] && commit[0] && strcmp(first, commit) != 0);
            first = first[0] ? first : commit;
        }
    }
    snprintf(text, size, "%s%s", first[0] ? first : message(l, "not recorded"),
             others ? message(l, " and others") : "");
}

/* The GPU of the first launch that has one; "" without one. */
static const char *find_gpu(const struct report_data *s)
{
    for (size_t i = 0; i < s->count; i++) {
        const struct samples *samples = &s->experiments[i].analysis.samples;
        for (size_t j = 0; j < samples->launch_count; j++)
            if (samples->launches[j].device[0])
                return samples->launches[j].device;
    }
    return "";
}

/* ", governor powersave from 800 to 3700 MHz", as far as known. */
static void describe_governor(const struct machine_facts *m, const struct language *l, char *text,
                              size_t size)
{
    text[0] = '\0';
    if (!m->governor[0])
        return;
    if (m->frequency_most_mhz > 0.0 && m->frequency_least_mhz > 0.0)
        message_format(text, size, l, ", governor %{governor} from %{least} to %{most} MHz",
                       WITH({"governor", m->governor},
                            {"least", number_text("%.0f", m->frequency_least_mhz).text},
                            {"most", number_text("%.0f", m->frequency_most_mhz).text}));
    else
        message_format(text, size, l, ", governor %{governor}", WITH({"governor", m->governor}));
}

void report_machine_words(const struct report_data *s, const struct language *l, char *text,
                          size_t size)
{
    const struct machine_facts *m = &s->inventory.machine;
    char cpu[sizeof m->cpu + 2] = "", cores[48] = "", memory[120] = "", governor[120], commits[100],
                             machine[1024];
    const char *gpu = find_gpu(s), *moment = last_moment(s);
    describe_commits(s, l, commits, sizeof commits);
    if (m->cpu[0] && strcmp(m->cpu, s->label) != 0) /* the user chose the label */
        snprintf(cpu, sizeof cpu, ": %s", m->cpu);
    if (m->cores > 0.0)
        message_format(cores, sizeof cores, l, ", %{cores} cores",
                       WITH({"cores", number_text("%.0f", m->cores).text}));
    if (m->memory_bytes > 0.0)
        snprintf(memory, sizeof memory, ", %s GiB",
                 number_plain(l, m->memory_bytes / 1073741824.0).text);
    describe_governor(m, l, governor, sizeof governor);
    if (!*moment)
        gpu = "";
    text_fit_format(machine, sizeof machine, "%s%s%s%s%s%s%s%s%s", s->label, cpu, cores, governor,
                    memory, m->os[0] ? ", " : "", m->os, gpu[0] ? ", " : "", gpu);
    message_format(
        text, size, l,
        *moment ? N_("%{machine}. Measured until %{moment}, commit %{commit}, scale %{scale}.")
        : s->count > 0 ? N_("%{machine}. The samples do not say when they were measured.")
                       : N_("%{machine}. No row of the samples could be read."),
        WITH({"machine", machine}, {"moment", number_text("%.16s", moment).text},
             {"commit", commits}, {"scale", s->scale[0] ? s->scale : message(l, "not recorded")}));
}

/* ---- four figures ---------------------------------------------------------------------------- */

enum { CARDS = 5, NOTE = 400 };

struct cards {
    struct card all[CARDS];
    struct number values[CARDS];
    char names[CARDS][2 * NOTE], notes[CARDS][NOTE];
    size_t count;
};

static void add_card(struct cards *c, struct number value)
{
    const size_t i = c->count++;
    c->values[i] = value;
    c->all[i] = (struct card){c->names[i], c->values[i].text, c->notes[i]};
}

/* Adds the time of the fastest point; for the baseline itself `f->base` is NULL. */
static void add_time(struct cards *c, const struct fastest *f, const struct language *l)
{
    const struct point *p = f->point;
    const size_t i = c->count;
    snprintf(c->names[i], sizeof c->names[i], "%s, %s", method_of(p), words_workers(p, l).text);
    char trust[TRUST_TEXT];
    trust_describe(p, l, trust);
    if (f->base)
        message_format(c->notes[i], NOTE, l, "%{trust}; %{times} times as fast as %{method}",
                       WITH({"trust", trust},
                            {"times", number_answer(l, f->gain.value, f->gain.interval).text},
                            {"method", method_of(f->base)}));
    else
        snprintf(c->notes[i], NOTE, "%s; %s", trust, message(l, "the baseline"));
    add_card(c, number_brief_seconds(l, &f->total));
}

static void add_times(struct cards *c, const struct headline *h, const struct language *l)
{
    const struct fastest *best = h->all.point ? &h->all : &h->one;
    const size_t i = c->count;
    if (best->point->speedup[BASELINE_NAMED].point < 0)
        return;
    snprintf(c->names[i], sizeof c->names[i], "%s", message(l, "as fast as the baseline"));
    message_format(c->notes[i], NOTE, l, "the same product at %{problem}",
                   WITH({"problem", words_problem(best->point, l).text}));
    struct number times =
        best->base ? number_brief(l, best->gain.value, best->gain.interval) : number_plain(l, 1.0);
    strncat(times.text, " ×", sizeof times.text - strlen(times.text) - 1);
    add_card(c, times);
}

/* Writes which points were faster, and why they are not among the figures. */
static void write_left_out(const struct part *p, const struct headline *h)
{
    const struct language *l = p->document.language;
    for (size_t i = 0; i < sizeof h->left_out / sizeof *h->left_out; i++) {
        char text[sizeof(struct words) + 2];
        if (!h->left_out[i].point)
            continue;
        snprintf(text, sizeof text, "%s.", words_left_out(h->left_out[i].point, l).text);
        p->format->paragraph(&p->document, text);
    }
}

/* Which image and which experiment the times are of, since others measure the same methods; and the
 * time of the maximum alone. */
static void write_whose(const struct part *p, const struct headline *h)
{
    const struct language *l = p->document.language;
    char text[700];
    const size_t used = message_format(
        text, sizeof text, l, "All times are of %{problem}, from the experiment \"%{experiment}\".",
        WITH({"problem", words_problem(h->baseline.point, l).text},
             {"experiment", experiment_title(h->baseline.experiment, l).text}));
    if (h->maximum.point)
        message_format(text + used, sizeof text - used, l,
                       " Taking the maximum alone, without the product, %{method} needs %{time} "
                       "with %{workers}%{doubt}.",
                       WITH({"method", method_of(h->maximum.point)},
                            {"time", number_answer_seconds(l, &h->maximum.total).text},
                            {"workers", words_workers(h->maximum.point, l).text},
                            {"doubt", words_doubt(h->maximum.point, l).text}));
    p->format->paragraph(&p->document, text);
}

static void write_cards(const struct part *p)
{
    const struct language *l = p->document.language;
    const struct headline h = report_data_headline(p->data);
    struct cards c = {0};
    if (!h.baseline.point)
        return;
    const struct point *base = h.baseline.point;
    add_time(&c, &(struct fastest){.point = base, .total = base->seconds[METRIC_TOTAL]}, l);
    if (h.one.point != base)
        add_time(&c, &h.one, l);
    if (h.all.point)
        add_time(&c, &h.all, l);
    add_times(&c, &h, l);
    p->format->cards(&p->document, c.all, c.count);
    write_left_out(p, &h);
    write_whose(p, &h);
}

/* ---- the tesina compared with ours ----------------------------------------------------------- */

/* The tesina's own times, of the product and of all computing. It prints them without a unit. */
static double tesina_product(void)
{
    return published_number("amdahl.product");
}

static double tesina_compute(void)
{
    return published_number("amdahl.compute");
}

/* "0.5267": four digits, as the tesina prints them. */
static struct number four_digits(const struct language *l, double value)
{
    struct number n;
    snprintf(n.text, sizeof n.text, "%.4f", value);
    number_localize(l, n.text);
    return n;
}

/* "2.5641 (computed here)": from the tesina's f, not printed in it. */
static struct words computed_here(const struct language *l, struct number n)
{
    return words_message(l, "%{number} (computed here)", WITH({"number", n.text}));
}

static void write_both(const struct part *p, const char *what, const char *tesina, const char *ours)
{
    const struct cell cells[] = {{what, NULL}, {tesina, NULL}, {ours, NULL}};
    p->format->row(&p->document, cells, 3, false);
}

/* The speedup of the total time over one worker of the same program, as on the whole page. */
static const struct speedup *measured_speedup(const struct point *many)
{
    return &many->speedup[BASELINE_ONE];
}

/* Writes the rows about workers; `many` is NULL if none were measured. */
static void write_workers(const struct part *p, const struct found *f, const struct point *many)
{
    const struct point *one = f->point;
    const double fraction = one->share.value;
    const struct language *l = p->document.language;
    char what[200];
    const double workers = many ? many->workers : 2.0;
    message_format(what, sizeof what, l, "%{workers} workers, by Amdahl",
                   WITH({"workers", number_text("%.0f", workers).text}));
    write_both(p, what,
               computed_here(l, number_plain(l, amdahl_speedup(tesina_fraction(), workers))).text,
               number_plain(l, amdahl_speedup(fraction, workers)).text);
    if (!many)
        return;
    message_format(what, sizeof what, l, "%{workers}, measured with %{method}",
                   WITH({"workers", words_workers(many, l).text}, {"method", method_of(many)}));
    const struct speedup *t = measured_speedup(many);
    if (t->point >= 0)
        write_both(p, what, "-",
                   number_answer(l, t->value[METRIC_TOTAL], t->interval[METRIC_TOTAL]).text);
}

static void explain(const struct part *p, const struct found *f, const struct point *many)
{
    const struct language *l = p->document.language;
    char text[1400];
    const double share = f->point->share.value;
    size_t length = message_format(
        text, sizeof text, l,
        "f is the product's share of the compute time of serial %{method} at %{problem}. The "
        "tesina's f is %{product} / %{compute} = %{quotient}, rounded to %{rounded}; the unit is "
        "not printed there. The bound is 1 / (1 - f).",
        WITH({"method", method_of(f->point)}, {"problem", words_problem(f->point, l).text},
             {"product", four_digits(l, tesina_product()).text},
             {"compute", four_digits(l, tesina_compute()).text},
             {"quotient", four_digits(l, tesina_product() / tesina_compute()).text},
             {"rounded", number_plain(l, tesina_fraction()).text}));
    const bool beyond = many && measured_speedup(many)->interval[METRIC_TOTAL].lower >
                                    amdahl_speedup(share, many->workers);
    if (many)
        length += message_format(text + length, sizeof text - length, l,
                                 " The measured speedup is the total time of one worker of the "
                                 "same program divided by that of %{workers}, within rounds.",
                                 WITH({"workers", words_workers(many, l).text}));
    if (beyond)
        message_format(text + length, sizeof text - length, l,
                       " The measured speedup exceeds Amdahl's law for this f, because f counts "
                       "only the product, while the workers share every stage of a window.",
                       NULL);
    p->format->paragraph(&p->document, text);
}

static void write_tesina(const struct part *part)
{
    const struct language *l = part->document.language;
    const struct found f = report_data_fraction(part->data);
    struct part p = *part;
    if (!f.point)
        return;
    p.document.place = "tesina";
    const struct point *many = report_data_most_workers(f.experiment, f.point);
    const double share = f.point->share.value;
    const struct interval of = f.point->share.interval,
                          bound = {amdahl_bound(of.lower), amdahl_bound(of.upper)};
    const char *const headers[] = {"", message(l, "the tesina"), message(l, "here")};
    p.format->table_begin(&p.document, "", headers, 3);
    write_both(&p, message(l, "product"), four_digits(l, tesina_product()).text,
               number_seconds(l, f.point->phase[PHASE_PRODUCT]).text);
    write_both(&p, message(l, "compute"), four_digits(l, tesina_compute()).text,
               number_estimate(l, &f.point->seconds[METRIC_COMPUTE]).text);
    write_both(&p, message(l, "f, the parallel fraction"), number_plain(l, tesina_fraction()).text,
               number_justified(l, share, of).text);
    write_both(&p, message(l, "Amdahl's bound"),
               computed_here(l, four_digits(l, amdahl_bound(tesina_fraction()))).text,
               number_justified(l, amdahl_bound(share), bound).text);
    write_workers(&p, &f, many);
    p.format->table_end(&p.document, 3);
    explain(&p, &f, many);
}

/* Refers to the page that names what could not be read, drawn or written. */
static void write_lost(const struct part *p)
{
    const struct gaps *gaps = &p->data->inventory.gaps;
    char text[200], link[120];
    size_t lost = 0;
    for (size_t i = 0; i < gaps->count; i++)
        lost += gaps->items[i].status != STATUS_OK;
    if (lost == 0 || !p->format->pages_begin)
        return;
    message_fill(
        text, sizeof text,
        message_plural(p->document.language,
                       "One part could not be read, drawn or written: which, and why",
                       "%{parts} parts could not be read, drawn or written: which, and why", lost),
        WITH({"parts", number_of(lost).text}));
    snprintf(link, sizeof link, "%s#missing", report_page_file(PAGE_METHOD));
    p->format->link(&p->document, link, text);
}

void report_first_screen(const struct part *part)
{
    struct part p = *part;
    size_t trusted[TRUSTS];
    char text[900];
    p.document.place = "top";
    report_data_trust(p.data, trusted);
    if (report_common_cause(p.data, p.document.language, text, sizeof text))
        p.format->answer(&p.document, text);
    first_figure_write(&p);
    write_cards(&p);
    report_headlines(&p);
    report_machine_words(p.data, p.document.language, text, sizeof text);
    p.format->paragraph(&p.document, text);
    p.format->trust(&p.document, trusted);
    report_causes(&p);
    write_lost(&p);
    write_tesina(&p);
    staircase_write(&p);
}
