/* What a GPU brings, and where its time goes. */
#include "experiments/report/claims/claims.h"
#include "experiments/report/numbers.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static void refuse_gpu(struct claim *c, enum language l)
{
    claim_refuse(c, l, "no such GPU samples are here", "aquí no hay tales muestras de GPU");
}

/* ---- kernels -----------------------------------------------------------------------------------
 */

static void claim_offload_way(const struct experiment *e, const char *offload, enum language l,
                              struct claim *c)
{
    const struct analysis *a = &e->analysis;
    struct wanted w = {.on_device = true, .offload = offload};
    w.problem = evidence_problem(a, &w);
    const struct point *best = w.problem ? evidence_fastest(a, &w) : NULL;
    if (!best) {
        refuse_gpu(c, l);
        return;
    }
    const struct speedup *s = &best->speedup[BASELINE_NAMED];
    claim_title(
        c, say(l, "%s is the fastest kernel: %s at %s", "%s es el kernel más rápido: %s con %s"),
        method_of(best), number_seconds(l, total_of(best)).text, words_problem(best, l).text);
    claim_say(c,
              say(l, "At %s, the fastest kernel is %s: %s in all%s",
                  "Con %s, el kernel más rápido es %s: %s en total%s"),
              words_problem(best, l).text, method_of(best),
              number_told_seconds(l, &best->seconds[METRIC_TOTAL]).text, words_doubt(best, l).text);
    if (s->point >= 0)
        claim_say(c,
                  say(l, ", %s times as fast as serial %s", ", %s veces más rápido que %s serial"),
                  number_told(l, s->value[METRIC_TOTAL], s->interval[METRIC_TOTAL]).text,
                  method_of(&a->points[s->point]));
    const struct point *tie = evidence_tie(a, &w, best);
    if (tie)
        claim_say(c, say(l, "; no difference from %s is seen", "; no se ve diferencia con %s"),
                  method_of(tie));
    claim_say(c, ".");
    w.on_device = false;
    w.offload = NULL;
    c->count = evidence_sorted(a, &w, c->rows, CLAIM_ROWS);
}

void claim_gpu_window(const struct experiment *e, enum language l, struct claim *c)
{
    claim_offload_way(e, "window", l, c);
}

void claim_gpu_lean(const struct experiment *e, enum language l, struct claim *c)
{
    claim_offload_way(e, "window-lean", l, c);
}

void claim_gpu_image(const struct experiment *e, enum language l, struct claim *c)
{
    claim_offload_way(e, "image", l, c);
}

/* ---- two ways to do the same ----------------------------------------------------------------- */

/* The fastest of two groups at the problem that most of both solved. */
static void claim_versus(const struct experiment *e, struct wanted slow, struct wanted fast,
                         enum language l, const char *slow_name, const char *fast_name,
                         struct claim *c)
{
    const struct analysis *a = &e->analysis;
    const struct point *best = NULL, *other = NULL;
    for (size_t i = 0; i < a->point_count;
         i++) { /* the largest problem that both were measured at */
        const struct point *p = &a->points[i];
        struct wanted s = slow, f = fast;
        s.problem = f.problem = evidence_fits(p, &f) ? p : NULL;
        const struct point *pair = s.problem ? evidence_fastest(a, &s) : NULL;
        if (pair && (!best || p->cells > best->cells)) {
            best = evidence_fastest(a, &f);
            other = pair;
        }
    }
    if (!best) {
        refuse_gpu(c, l);
        return;
    }
    const struct comparison_of_points t = compare_points(&a->samples, other, best, METRIC_TOTAL);
    if (evidence_differs(&t))
        claim_title(c, say(l, "%s takes %s times as long as %s", "%s tarda %s veces lo que %s"),
                    slow_name, number_brief(l, t.value, t.interval).text, fast_name);
    else
        claim_title(c, say(l, "%s and %s: no difference is seen", "%s y %s: no se ve diferencia"),
                    slow_name, fast_name);
    c->title[0] = (char)toupper((unsigned char)c->title[0]);
    claim_say(c,
              say(l, "At %s, %s takes %s times as long in all as %s (%s with %s%s).",
                  "Con %s, %s tarda en total %s veces lo que %s (%s con %s%s)."),
              words_problem(best, l).text, slow_name, number_told(l, t.value, t.interval).text,
              fast_name, number_told_seconds(l, &best->seconds[METRIC_TOTAL]).text, method_of(best),
              words_doubt(best, l).text);
    evidence_add(c->rows, &c->count, CLAIM_ROWS, best);
    evidence_add(c->rows, &c->count, CLAIM_ROWS, other);
}

static bool is_pinned(const struct point *p)
{
    return strcmp(p->samples->identity.host_memory, "pinned") == 0;
}

static bool is_pageable(const struct point *p)
{
    return !is_pinned(p);
}

static bool is_constant(const struct point *p)
{
    return strcmp(p->samples->identity.filter_memory, "constant") == 0;
}

static bool is_transferred(const struct point *p)
{
    return strcmp(p->samples->identity.filter_memory, "transferred") == 0;
}

void claim_offload(const struct experiment *e, enum language l, struct claim *c)
{
    claim_versus(e, (struct wanted){.on_device = true, .offload = "window"},
                 (struct wanted){.on_device = true, .offload = "image"}, l,
                 say(l, "window by window", "ventana por ventana"),
                 say(l, "the whole image at once", "la imagen completa de una vez"), c);
}

void claim_pinned(const struct experiment *e, enum language l, struct claim *c)
{
    claim_versus(e, (struct wanted){.on_device = true, .offload = "image", .also = is_pageable},
                 (struct wanted){.on_device = true, .offload = "image", .also = is_pinned}, l,
                 say(l, "pageable memory", "la memoria paginable"),
                 say(l, "pinned memory", "la memoria fijada"), c);
}

static void claim_filter(const struct experiment *e, const char *offload, enum language l,
                         struct claim *c)
{
    claim_versus(e, (struct wanted){.on_device = true, .offload = offload, .also = is_transferred},
                 (struct wanted){.on_device = true, .offload = offload, .also = is_constant}, l,
                 say(l, "a transferred filter", "un filtro transferido"),
                 say(l, "one in constant memory", "uno en memoria constante"), c);
}

void claim_filter_window(const struct experiment *e, enum language l, struct claim *c)
{
    claim_filter(e, "window", l, c);
}

void claim_filter_image(const struct experiment *e, enum language l, struct claim *c)
{
    claim_filter(e, "image", l, c);
}

/* ---- moving data ----------------------------------------------------------------------------- */

void claim_transfers(const struct experiment *e, enum language l, struct claim *c)
{
    const struct analysis *a = &e->analysis;
    const struct point *most = NULL, *least = NULL;
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        if (!evidence_fits(p, &(struct wanted){.on_device = true}) || isnan(p->transfer_share))
            continue;
        most = !most || p->transfer_share > most->transfer_share ? p : most;
        least = !least || p->transfer_share < least->transfer_share ? p : least;
    }
    if (!most) {
        refuse_gpu(c, l);
        return;
    }
    claim_title(c,
                say(l, "Moving data takes %s to %s of the time",
                    "Mover datos toma del %s al %s del tiempo"),
                number_percent(l, least->transfer_share).text,
                number_percent(l, most->transfer_share).text);
    claim_say(c,
              say(l, "Moving data takes from %s (%s %s, %s) to %s (%s %s, %s) of the total time.",
                  "Mover datos toma del %s (%s %s, %s) al %s (%s %s, %s) del tiempo total."),
              number_percent(l, least->transfer_share).text, method_of(least),
              least->samples->identity.offload, words_problem(least, l).text,
              number_percent(l, most->transfer_share).text, method_of(most),
              most->samples->identity.offload, words_problem(most, l).text);
    evidence_add(c->rows, &c->count, CLAIM_ROWS, least);
    evidence_add(c->rows, &c->count, CLAIM_ROWS, most);
}
