#include "experiments/report/page/staircase.h"

#include "experiments/analysis/numbers.h"
#include "experiments/analysis/selections/evidence.h"
#include "harness/base/text/messages.h"

#include <string.h>

static const struct step {
    const char *program, *method;
} steps[] = {{"maxpool_python", "python"},
             {"maxpool_numba", "numba"},
             {"maxpool_serial", "literal"},
             {"maxpool_serial", "simd"}};
enum { STEPS = sizeof steps / sizeof *steps };

/* The point of a step: for the problem of `first`, or for the largest image if that is NULL. */
static const struct point *find_step(const struct analysis *a, const struct step *step,
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
                                 {seconds.text, words_doubt(step, l).text},
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

void staircase_write(const struct part *p)
{
    for (size_t i = 0; i < p->data->count; i++) {
        const struct experiment *e = &p->data->experiments[i];
        const struct point *found[STEPS];
        const size_t count = has_steps(e) ? find_steps(&e->analysis, found) : 0;
        if (count > 1)
            write_table(p, e, found, count);
    }
}
