#include "networks/point/layer_table.h"

#include "harness/machine/memory.h"
#include "harness/point/show_text.h"
#include "networks/point/layer_facts.h"

/* So many a second, in 10^9; "-" where there are none. */
static void rate_text(double amount, double seconds, char *text, size_t size)
{
    snprintf(text, size, "-");
    if (amount > 0.0 && seconds > 0.0)
        snprintf(text, size, "%.3g", 1e-9 * amount / seconds);
}

/* What of the table belongs to times. */
static void print_times(FILE *out, double seconds, double all, double multiply_adds, double bytes)
{
    char time[32], rate[32], moved[32], flow[32];
    rate_text(2.0 * multiply_adds, seconds, rate, sizeof rate);
    rate_text(bytes, seconds, flow, sizeof flow);
    memory_text(moved, sizeof moved, bytes);
    print_column(out, text_seconds(seconds, time, sizeof time), 11);
    fprintf(out, "%5.1f%%%9s%13s%8s\n", all > 0.0 ? 100.0 * seconds / all : 0.0, rate, moved, flow);
}

static void print_step(FILE *out, const struct step *s, double seconds, double all)
{
    char shape[64];
    const struct layer_facts facts = layer_facts_of(s);
    snprintf(shape, sizeof shape, "%lld x %lld x %lld", (long long)s->out.channels,
             (long long)s->out.rows, (long long)s->out.cols);
    fprintf(out, "%-24s%-26s%-18s%11lld%15.0f  ", s->layer->name, facts.kinds, shape,
            (long long)facts.parameters, facts.multiply_adds);
    print_column(out, s->method, 11);
    print_times(out, seconds, all, facts.multiply_adds, facts.bytes);
}

void layer_table_print(FILE *out, const struct forward *w)
{
    double all = 0.0, work = 0.0, bytes = 0.0;
    for (int i = 0; i < w->plan.count; i++) {
        const struct layer_facts facts = layer_facts_of(&w->plan.steps[i]);
        all += w->clocks[i].fastest_s;
        work += facts.multiply_adds;
        bytes += facts.bytes;
    }
    fprintf(out, "\n%-24s%-26s%-18s%11s%15s  %-11s%-11s%6s%9s%13s%8s\n", "Layer", "what it does",
            "output", "parameters", "multiply-adds", "method", "fastest", "share", "GFLOP/s",
            "bytes", "GB/s");
    for (int i = 0; i < w->plan.count; i++)
        print_step(out, &w->plan.steps[i], w->clocks[i].fastest_s, all);
    fprintf(out, "%-68s%11lld%15.0f  %-11s", "all", (long long)w->plan.network->parameters, work,
            "");
    print_times(out, all, all, work, bytes);
}
