#include "networks/training/evaluate.h"

#include "kernels/min_max.h"

#include <math.h>

/* Sums over samples: losses, squares and amounts of errors, true values, squared errors of
 * persistence. */
struct evaluation_sums {
    int64_t hits;
    double losses, squares, amounts, values, expected;
};

static int64_t largest(const float *y, int64_t values)
{
    int64_t best = 0;
    for (int64_t i = 1; i < values; i++)
        best = y[i] > y[best] ? i : best;
    return best;
}

static void add_class(struct score *s, struct evaluation_sums *t, const float *y, int64_t classes,
                      int32_t label)
{
    const int64_t predicted = largest(y, classes);
    t->hits += predicted == label;
    if (classes <= CONFUSED_MOST)
        s->matrix[label][predicted]++;
}

static void add_values(struct evaluation_sums *t, const struct data *d, const struct data_part *p,
                       int64_t at, const float *y)
{
    for (int64_t i = 0; i < d->outputs; i++) {
        const double value = p->values[at * d->outputs + i], error = (double)y[i] - value;
        t->squares += error * error;
        t->amounts += fabs(error);
        t->values += value;
    }
    if (p->predicted)
        p->predicted[at] = y[0];
    if (p->persistence)
        t->expected += pow((double)p->persistence[at] - p->values[at * d->outputs], 2.0);
}

static void run_local(struct forward *w, const float *images, int64_t count)
{
    w->input = images;
    for (int i = 0; i < w->plan.count; i++) {
        w->plan.steps[i].images = count;
        if (w->plan.steps[i].input == NETWORK_INPUT)
            w->plan.steps[i].from = w->input;
    }
    forward_run(w);
}

static void add_outputs(const struct trainer *trainer, const struct forward *w,
                        const struct data *d, const struct data_part *p, int64_t first,
                        int64_t images, struct score *s, struct evaluation_sums *t)
{
    const struct loss_call call = {.outputs = w->output,
                                   .targets = {d->classes ? p->labels + first : NULL,
                                               d->classes ? NULL : p->values + first * d->outputs},
                                   .values = d->outputs,
                                   .whole = images};
    for (int64_t n = 0; n < images; n++) {
        const float *y = w->output + n * d->outputs;
        t->losses += trainer->settings.loss->expect(&call, n).value;
        if (d->classes)
            add_class(s, t, y, d->outputs, p->labels[first + n]);
        else
            add_values(t, d, p, first + n, y);
    }
}

/* Runs all samples of the part, on the trainer's device or in this process. */
static enum status run_all(struct trainer *trainer, struct forward *w, const struct data *d,
                           const struct data_part *p, struct score *s, struct evaluation_sums *t,
                           struct failure *f)
{
    const int64_t batch = w->plan.batch, elements = tensor_elements(d->shape);
    enum status status = STATUS_OK;
    for (int64_t first = 0; status == STATUS_OK && first < p->count; first += batch) {
        const int64_t images = smaller(batch, p->count - first);
        if (trainer->where.device)
            status = trainer_outputs(trainer, p->images + first * elements, images, f);
        else
            run_local(w, p->images + first * elements, images);
        if (status == STATUS_OK)
            add_outputs(trainer, w, d, p, first, images, s, t);
    }
    return status;
}

static enum status run_by_team(struct trainer *t, const struct data *d, const struct data_part *p,
                               struct score *out, struct evaluation_sums *tally, struct failure *f)
{
    const struct plan *trained = &t->forward.plan;
    const int64_t batch = smaller(t->settings.batch, p->count);
    struct forward w = {.plan = {.network = trained->network,
                                 .parameters = t->state.parameters,
                                 .batch = batch,
                                 .whole_batch = batch,
                                 .isa = trained->isa,
                                 .forced = trained->forced},
                        .team = t->forward.team,
                        .input = p->images};
    enum status status = forward_open(&w, f);
    if (status == STATUS_OK)
        status = run_all(t, &w, d, p, out, tally, f);
    forward_close(&w);
    return status;
}

enum status evaluate(struct trainer *t, const struct data *d, enum data_parts part,
                     struct score *out, struct failure *f)
{
    const struct data_part *p = &d->parts[part];
    struct evaluation_sums tally = {0, 0.0, 0.0, 0.0, 0.0, 0.0};
    *out = (struct score){p->count, NAN, NAN, {{0}}, NAN, NAN, NAN, NAN};
    const enum status status = t->where.device ? run_all(t, &t->forward, d, p, out, &tally, f)
                                               : run_by_team(t, d, p, out, &tally, f);
    const double count = (double)p->count, values = count * (double)d->outputs;
    out->loss = tally.losses / count;
    if (d->classes)
        out->accuracy = (double)tally.hits / count;
    if (!d->classes) {
        out->error = sqrt(tally.squares / values);
        out->absolute_error = tally.amounts / values;
        out->mean = tally.values / values;
    }
    if (p->persistence)
        out->persistence = sqrt(tally.expected / count);
    return status;
}
