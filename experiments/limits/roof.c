#include "experiments/limits/roof.h"

#include "networks/point/record_subject.h"

#include <math.h>

struct need need_of(const struct record *r, bool product)
{
    const struct operator_row *o = recorded_operator(r);
    struct operation op;
    if (!o || recorded_operation(&op, o, r).kind != REFUSAL_NONE)
        return (struct need){NAN, NAN, {NAN, NAN}, {NAN, NAN}};
    return o->need(&op, product);
}
