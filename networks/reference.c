#include "networks/reference.h"

#include "networks/layers/batchnorm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const double reference_most_multiply_adds = 4e9;

/* One step on one image. */
struct passage {
    const struct step *step;
    const float *parameters;
    const double *from, *residual;
    double *to;
    int64_t workers;
};

static int64_t at_least(int64_t value, int64_t least)
{
    return value > least ? value : least;
}

static int64_t at_most(int64_t value, int64_t most)
{
    return value < most ? value : most;
}

/* The outputs [first, end) along one axis whose windows have element `tap` inside the image: output
 * o reads element o * stride + offset. */
struct reach {
    int64_t first, end, offset;
};

static struct reach reach_of(const struct layer *l, int64_t tap, int64_t in, int64_t out)
{
    const int64_t offset = tap - l->padding;
    const int64_t first = offset < 0 ? (-offset + l->stride - 1) / l->stride : 0;
    const int64_t last = in - 1 - offset; /* largest o * stride whose element is inside the image */
    return (struct reach){first, last < 0 ? 0 : at_most(last / l->stride + 1, out), offset};
}

/* Adds to a plane of outputs the products of one weight and the elements of one input plane. */
static void add_tap(const struct passage *p, int64_t row_tap, int64_t col_tap, double weight,
                    const double *plane, double *to)
{
    const struct layer *l = p->step->layer;
    const struct tensor_shape in = p->step->in, out = p->step->out;
    const struct reach rows = reach_of(l, row_tap, in.rows, out.rows);
    const struct reach cols = reach_of(l, col_tap, in.cols, out.cols);
    for (int64_t r = rows.first; r < rows.end; r++) {
        const double *restrict line = plane + (r * l->stride + rows.offset) * in.cols + cols.offset;
        double *restrict sums = to + r * out.cols;
        if (l->stride == 1)
            for (int64_t c = cols.first; c < cols.end; c++)
                sums[c] += weight * line[c];
        else
            for (int64_t c = cols.first; c < cols.end; c++)
                sums[c] += weight * line[c * l->stride];
    }
}

static void convolve(const struct passage *p, int64_t filter, double *to)
{
    const struct layer *l = p->step->layer;
    const struct tensor_shape in = p->step->in, out = p->step->out;
    const int64_t depth = in.channels / l->groups, k = l->kernel, elements = out.rows * out.cols;
    const int64_t first = filter / (l->filters / l->groups) * depth;
    const float *weights = p->parameters + l->offset[0] + filter * depth * k * k;
    const double bias = l->bias ? p->parameters[l->offset[1] + filter] : 0.0;
    for (int64_t i = 0; i < elements; i++)
        to[i] = bias;
    for (int64_t c = 0; c < depth; c++)
        for (int64_t i = 0; i < k * k; i++)
            add_tap(p, i / k, i % k, *weights++, p->from + (first + c) * in.rows * in.cols, to);
    if (!p->step->norm)
        return;
    const struct norm n = norm_of(p->step->norm, p->parameters, filter);
    for (int64_t i = 0; i < elements; i++)
        to[i] = n.scale * to[i] + n.shift;
}

static void multiply(const struct passage *p, int64_t output, double *to)
{
    const struct layer *l = p->step->layer;
    const int64_t inputs = tensor_elements(p->step->in);
    const float *weights = p->parameters + l->offset[0] + output * inputs;
    double sum = p->parameters[l->offset[1] + output];
    for (int64_t i = 0; i < inputs; i++)
        sum += (double)weights[i] * p->from[i];
    *to = sum;
}

static void find_maxima(const struct passage *p, int64_t channel, double *to)
{
    const struct layer *l = p->step->layer;
    const struct tensor_shape in = p->step->in, out = p->step->out;
    const double *plane = p->from + channel * in.rows * in.cols;
    for (int64_t i = 0; i < out.rows * out.cols; i++) {
        const int64_t top = i / out.cols * l->stride - l->padding;
        const int64_t left = i % out.cols * l->stride - l->padding;
        double best = -INFINITY;
        for (int64_t r = at_least(top, 0); r < at_most(top + l->kernel, in.rows); r++)
            for (int64_t c = at_least(left, 0); c < at_most(left + l->kernel, in.cols); c++)
                best = fmax(best, plane[r * in.cols + c]);
        to[i] = best;
    }
}

static void average(const struct passage *p, int64_t channel, double *to)
{
    const int64_t elements = p->step->in.rows * p->step->in.cols;
    double sum = 0.0;
    for (int64_t i = 0; i < elements; i++)
        sum += p->from[channel * elements + i];
    *to = sum / (double)elements;
}

static void copy(const struct passage *p, int64_t channel, double *to)
{
    const int64_t elements = p->step->out.rows * p->step->out.cols;
    memcpy(to, p->from + channel * elements, (size_t)elements * sizeof *to);
}

typedef void plane_function(const struct passage *p, int64_t channel, double *to);
static plane_function *const planes[LAYER_FORMS] = {[FORM_CONV] = convolve,
                                                    [FORM_LINEAR] = multiply,
                                                    [FORM_MAXPOOL] = find_maxima,
                                                    [FORM_AVERAGE] = average,
                                                    [FORM_COPY] = copy};

/* Computes every workers-th channel, adds the residual and clamps. */
static void pass_share(int64_t worker, void *context)
{
    const struct passage *p = context;
    const struct step *s = p->step;
    const int64_t elements = s->out.rows * s->out.cols;
    for (int64_t channel = worker; channel < s->out.channels; channel += p->workers) {
        double *to = p->to + channel * elements;
        planes[s->layer->kind->form](p, channel, to);
        for (int64_t i = 0; s->add && i < elements; i++)
            to[i] += p->residual[channel * elements + i];
        for (int64_t i = 0; s->clamp && i < elements; i++)
            to[i] = fmin(fmax(to[i], (double)s->clamp->kind->least), (double)s->clamp->kind->most);
    }
}

/* True if the step reads outputs made[made]: made[0] is the image, made[i + 1] the output of step
 * i. */
static bool reads(const struct plan *p, int step, int made)
{
    const struct step *s = &p->steps[step];
    return plan_step_of(p, s->input) + 1 == made ||
           (s->add && plan_step_of(p, s->other) + 1 == made);
}

/* Frees the outputs that no step after this one reads. */
static void drop_read(const struct plan *p, int step, double **made)
{
    for (int i = 0; i <= step; i++) {
        bool wanted = false;
        for (int later = step + 1; !wanted && later < p->count; later++)
            wanted = reads(p, later, i);
        if (!wanted) {
            free(made[i]);
            made[i] = NULL;
        }
    }
}

static bool pass_step(const struct forward *w, int step, double **made)
{
    const struct plan *p = &w->plan;
    const struct step *s = &p->steps[step];
    struct passage passage = {.step = s,
                              .parameters = p->parameters,
                              .from = made[plan_step_of(p, s->input) + 1],
                              .residual = s->add ? made[plan_step_of(p, s->other) + 1] : NULL,
                              .to = malloc((size_t)tensor_elements(s->out) * sizeof(double)),
                              .workers = w->team.workers};
    made[step + 1] = passage.to;
    if (!passage.to)
        return false;
    w->team.run(w->team.workers, pass_share, &passage);
    drop_read(p, step, made);
    return true;
}

static double *widened(const struct forward *w)
{
    const int64_t elements = tensor_elements(w->plan.network->input);
    double *image = malloc((size_t)elements * sizeof *image);
    for (int64_t i = 0; image && i < elements; i++)
        image[i] = w->input[i];
    return image;
}

enum status reference_outputs(const struct forward *w, double **out, struct failure *f)
{
    const int count = w->plan.count;
    double **made = calloc((size_t)count + 1, sizeof *made);
    bool good = made && (made[0] = widened(w));
    for (int i = 0; good && i < count; i++)
        good = pass_step(w, i, made);
    *out = good ? made[count] : NULL;
    for (int i = 0; made && i < count + (good ? 0 : 1); i++)
        free(made[i]);
    free(made);
    return good ? STATUS_OK
                : fail(f, STATUS_RESOURCE, "no memory for the network in double precision");
}
