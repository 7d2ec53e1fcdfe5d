#include "kernels/error_tally.h"

#include <float.h>
#include <math.h>

static double over_bound(double error, double bound)
{
    if (error == 0.0)
        return 0.0;
    return bound > 0.0 ? error / bound : INFINITY;
}

void error_tally_add(struct error_tally *t, struct expectation e, float found)
{
    const double error = isfinite(found) ? fabs((double)found - e.value) : INFINITY;
    const double relative = over_bound(error, e.bound);
    t->outputs++;
    t->rounding += e.bound != 0.0;
    t->bound_max = fmax(t->bound_max, relative);
    t->bound_squares += relative * relative;
    t->error_max = fmax(t->error_max, error);
    t->error_squares += error * error;
    t->value_squares += e.value * e.value;
}

void error_tally_join(struct error_tally *to, const struct error_tally *from)
{
    to->outputs += from->outputs;
    to->rounding += from->rounding;
    to->bound_max = fmax(to->bound_max, from->bound_max);
    to->bound_squares += from->bound_squares;
    to->error_max = fmax(to->error_max, from->error_max);
    to->error_squares += from->error_squares;
    to->value_squares += from->value_squares;
}

struct error_tally error_tally_exact(int64_t outputs)
{
    return (struct error_tally){.outputs = outputs};
}

double error_tally_ulp(const struct error_tally *t)
{
    const double mean = t->outputs > 0 ? t->value_squares / (double)t->outputs : 0.0;
    const float typical = (float)fmin(sqrt(mean), (double)FLT_MAX / 2.0);
    return (double)nextafterf(typical, INFINITY) - (double)typical;
}

double error_tally_ulps(const struct error_tally *t)
{
    if (t->outputs == 0)
        return NAN;
    return sqrt(t->error_squares / (double)t->outputs) / error_tally_ulp(t);
}

/* Adds one of the layers that round. *most is the largest root mean square in ulps so far. */
static void add_layer(struct error_summary *s, const struct error_tally *t, int layer, double *most)
{
    const double n = (double)t->outputs, ulps = error_tally_ulps(t);
    s->bound_rms += t->bound_squares / n;
    s->ulps_rms += ulps * ulps;
    s->ulps_max = fmax(s->ulps_max, t->error_max / error_tally_ulp(t));
    if (ulps > *most) {
        *most = ulps;
        s->worst = layer;
    }
}

struct error_summary error_summarise(const struct error_tally *layers, int count)
{
    struct error_summary s = {.worst = -1};
    int64_t outputs = 0, rounding = 0;
    double most = -1.0;
    for (int i = 0; i < count; i++) {
        outputs += layers[i].outputs;
        s.bound_max = fmax(s.bound_max, layers[i].bound_max);
        if (layers[i].rounding == 0)
            continue;
        rounding++;
        add_layer(&s, &layers[i], i, &most);
    }
    if (outputs == 0)
        return (struct error_summary){NAN, NAN, NAN, NAN, -1};
    s.bound_rms = rounding > 0 ? sqrt(s.bound_rms / (double)rounding) : 0.0;
    s.ulps_rms = rounding > 0 ? sqrt(s.ulps_rms / (double)rounding) : 0.0;
    return s;
}
