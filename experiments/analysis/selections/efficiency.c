/* Where the efficiency of workers went. */
#include "experiments/analysis/selections/workers.h"

#include "experiments/analysis/speedup/efficiency.h"
#include "harness/base/text/messages.h"

#include <math.h>

static const double least_share = 0.002; /* shorter parts are left out */

/* The part of a loss that a factor explains: -ln of it; 0 if it is no loss. */
static double part_of(double factor)
{
    return factor > 0.0 && factor < 1.0 ? -log(factor) : 0.0;
}

static struct words label_of(const struct speedup_mark *mark, const struct efficiency *f,
                             const struct language *l)
{
    static const char *const kinds[] = {[WORKERS_THREADS] = N_("threads"),
                                        [WORKERS_RANKS] = N_("ranks"),
                                        [WORKERS_BOTH] = N_("ranks × threads")};
    const bool doubtful = mark->point->trust == TRUST_SUSPECT || f->loss == LOSS_DOUBTFUL;
    struct words w;
    snprintf(w.text, sizeof w.text, "%s, %.0f %s%s%s%s", method_of(mark->point), mark->workers,
             message(l, kinds[worker_kind_of(mark->record)]), doubtful ? " (" : "",
             doubtful ? trust_word(TRUST_SUSPECT, l) : "", doubtful ? ")" : "");
    return w;
}

static void draw_bar(const struct speedup_mark *mark, const struct efficiency *f,
                     const struct language *l, struct selection *out)
{
    static const struct {
        const char *name;
        unsigned colour;
    } parts[FACTORS] = {[FACTOR_BALANCE] = {N_("waiting for the slowest"), 0xE69F00},
                        [FACTOR_MESSAGES] = {N_("messages"), 0xCC79A7},
                        [FACTOR_IDLE] = {N_("idle processors"), 0x56B4E9},
                        [FACTOR_FREQUENCY] = {N_("lower frequency"), 0x999933},
                        [FACTOR_MEMORY] = {N_("memory's bandwidth"), 0xD55E00},
                        [FACTOR_REST] = {N_("loss, cause not measured"), 0xBBBBBB}};
    const struct words label = label_of(mark, f, l);
    const double used = fmin(1.0, f->total.value), whole = part_of(f->total.value);
    double explained = 0.0, rest = 1.0 - used;
    for (size_t i = 0; i < FACTOR_REST && f->loss != LOSS_DOUBTFUL && f->loss != LOSS_NOT_SEEN; i++)
        explained += part_of(f->factors[i].value);
    selection_part(out, mark->point, 0, message(l, "efficiency"), 0x009E73, label.text, used);
    for (size_t i = 0; i < FACTORS; i++) {
        const double share =
            i == FACTOR_REST  ? rest
            : explained > 0.0 ? (1.0 - used) * part_of(f->factors[i].value) / fmax(whole, explained)
                              : 0.0; /* factors that together exceed the loss share it */
        if (i != FACTOR_REST)
            rest -= share;
        if (share > least_share)
            selection_part(out, mark->point, i + 1, message(l, parts[i].name), parts[i].colour,
                           label.text, share);
    }
}

void efficiency_draw(const struct experiment *e, const struct language *l, struct selection *out)
{
    struct speedup_figure figure;
    struct failure why = {0};
    if (speedup_figure_make(&figure, &e->analysis, &e->forecasts, e->request.machine, false,
                            &why) != STATUS_OK) {
        out->lacks_memory = true;
        return;
    }
    for (size_t i = 0; i < figure.count; i++) {
        const struct speedup_mark *mark = &figure.marks[i];
        if (!speedup_mark_counts(mark) || !(mark->workers > figure.base))
            continue;
        const struct efficiency f = efficiency_of(&figure, &e->analysis, mark);
        if (isfinite(f.total.value))
            draw_bar(mark, &f, l, out);
    }
    speedup_figure_release(&figure);
}
