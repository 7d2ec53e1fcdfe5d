/* How close methods come to the limit of the machine. */
#include "experiments/analysis/limit_share.h"
#include "experiments/analysis/selections/fastest.h"
#include "harness/base/text/messages.h"

#include <math.h>
#include <string.h>

static double share_of_roof(const struct point *p)
{
    const double compute = p->seconds[METRIC_COMPUTE].value;
    return evidence_usable(p) && !p->shares_cores && !p->peer && p->rung >= 0 &&
                   p->roof.seconds > 0.0 && arithmetic_operations(&p->need.least) > 0.0
               ? p->roof.seconds / compute
               : (double)NAN;
}

/* The point nearest to its roof whose operator and kind of work are not among the rows yet. */
static const struct point *next_nearest(const struct analysis *a, const struct selection *s)
{
    const struct point *best = NULL;
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        const struct record *r = &p->samples->identity;
        bool known = isnan(share_of_roof(p)) || p->workers != 1.0;
        for (size_t j = 0; j < s->listed_count; j++)
            known = known ||
                    (strcmp(s->listed[j]->samples->identity.operator_name, r->operator_name) == 0 &&
                     s->listed[j]->product == p->product);
        if (!known && (!best || evidence_is_larger(p, share_of_roof(p), best, share_of_roof(best))))
            best = p;
    }
    return best;
}

void limits_name_roof(const struct experiment *e, const struct language *l, struct selection *out)
{
    const struct analysis *a = &e->analysis;
    const struct point *next = next_nearest(a, out);
    (void)l;
    out->lack = next ? NULL : N_("the machine's ceilings were not measured: run 'study roofline'");
    if (next) {
        const struct interval share = point_share_interval(next);
        selection_value(out, "times", 1.0 / share_of_roof(next),
                        (struct interval){1.0 / share.upper, 1.0 / share.lower}, QUANTITY_NUMBER);
    }
    for (; next && out->listed_count < SELECTION_LISTED; next = next_nearest(a, out)) {
        selection_number(out, out->listed_count ? "next" : "nearest", next, share_of_roof(next),
                         point_share_interval(next));
        selection_list(out, next);
    }
}
