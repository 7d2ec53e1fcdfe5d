#include "networks/point/layer_table.h"

#include "harness/point/show_text.h"

/* The step's layers, each by its kind: "conv, batchnorm, add, relu". */
static void kinds_text(const struct step *s, char *text, size_t size)
{
    const struct layer *const layers[] = {s->norm, s->add == s->layer ? NULL : s->add,
                                          s->clamp == s->layer ? NULL : s->clamp};
    size_t used = (size_t)snprintf(text, size, "%s", s->layer->kind->name);
    for (size_t i = 0; i < sizeof layers / sizeof *layers && used < size; i++)
        if (layers[i])
            used += (size_t)snprintf(text + used, size - used, "+%s", layers[i]->kind->name);
}

static int64_t parameters_of(const struct layer *l)
{
    int64_t sum = 0;
    for (int i = 0; l && i < layer_parameter_count(l); i++) {
        const struct parameter_tensor t = layer_parameter(l, i);
        sum += t.trained ? parameter_floats(&t) : 0;
    }
    return sum;
}

static double multiply_adds(const struct step *s)
{
    return s->layer->kind->multiply_adds
               ? s->layer->kind->multiply_adds(s->layer) * (double)s->images
               : 0.0;
}

static void print_step(FILE *out, const struct step *s, double seconds, double all)
{
    char kinds[64], shape[64], time[32], rate[32] = "-";
    const double work = multiply_adds(s);
    kinds_text(s, kinds, sizeof kinds);
    snprintf(shape, sizeof shape, "%lld x %lld x %lld", (long long)s->out.channels,
             (long long)s->out.rows, (long long)s->out.cols);
    if (work > 0.0 && seconds > 0.0)
        snprintf(rate, sizeof rate, "%.3g", 2e-9 * work / seconds);
    fprintf(out, "%-24s%-26s%-18s%11lld%15.0f  ", s->layer->name, kinds, shape,
            (long long)(parameters_of(s->layer) + parameters_of(s->norm)), work);
    print_column(out, s->method, 11);
    print_column(out, text_seconds(seconds, time, sizeof time), 11);
    fprintf(out, "%5.1f%%%9s\n", all > 0.0 ? 100.0 * seconds / all : 0.0, rate);
}

void layer_table_print(FILE *out, const struct forward *w)
{
    double all = 0.0, work = 0.0;
    char time[32];
    for (int i = 0; i < w->plan.count; i++) {
        all += w->seconds[i];
        work += multiply_adds(&w->plan.steps[i]);
    }
    fprintf(out, "\n%-24s%-26s%-18s%11s%15s  %-11s%-11s%6s%9s\n", "Layer", "what it does", "output",
            "parameters", "multiply-adds", "method", "fastest", "share", "GFLOP/s");
    for (int i = 0; i < w->plan.count; i++)
        print_step(out, &w->plan.steps[i], w->seconds[i], all);
    fprintf(out, "%-68s%11lld%15.0f  %-11s", "all", (long long)w->plan.network->parameters, work,
            "");
    print_column(out, text_seconds(all, time, sizeof time), 11);
    fprintf(out, "%6s%9.3g\n", "", all > 0.0 ? 2e-9 * work / all : 0.0);
}
