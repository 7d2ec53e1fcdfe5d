#include "experiments/analysis/selections/float32_rate.h"

#include "experiments/plan/simulated.h"
#include "experiments/samples/point.h"
#include "networks/point/record_subject.h"

#include <string.h>

/* True for an operator whose operands tensor cores could multiply. */
static bool could_round(const struct operator_row *o)
{
    return o && (recorded_is_network(o) || operator_parameter_of_column(o, "math"));
}

const struct card *float32_card(const struct analysis *a, const struct point *p)
{
    const struct record *r = &p->samples->identity;
    const bool rounded = r->math[0] && strcmp(r->math, "fp32") != 0;
    if (!point_is_on_device(r) || is_simulated(r) || rounded || !could_round(p->kind) ||
        p->samples->count == 0)
        return NULL;
    const struct card *card = card_of_device(a->samples.launches[p->samples->first].device);
    return card && card->float32_tflops > 0.0 && card->bf16_tflops > 0.0 ? card : NULL;
}
