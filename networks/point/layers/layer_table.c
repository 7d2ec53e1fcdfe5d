#include "networks/point/layers/layer_table.h"

#include "harness/machine/memory.h"
#include "harness/point/show/show_text.h"
#include "networks/bands.h"
#include "networks/point/layers/layer_facts.h"
#include "networks/point/layers/layer_roof.h"

#include <math.h>

/* The amount per second, in 10^9; "-" if there is none. */
static void rate_text(double amount, double seconds, char *text, size_t size)
{
    snprintf(text, size, "-");
    if (amount > 0.0 && seconds > 0.0)
        snprintf(text, size, "%.3g", 1e-9 * amount / seconds);
}

/* The columns of times; roof_s in seconds, NaN: unknown, 0: not requested. */
struct times {
    double seconds, all, multiply_adds, bytes, roof_s;
};

static void print_times(FILE *out, const struct times *t)
{
    char time[32], rate[32], flow[32];
    rate_text(2.0 * t->multiply_adds, t->seconds, rate, sizeof rate);
    rate_text(t->bytes, t->seconds, flow, sizeof flow);
    screen_left(out, text_seconds(t->seconds, time, sizeof time), 11);
    fprintf(out, "%5.1f%%%9s%13s%8s", t->all > 0.0 ? 100.0 * t->seconds / t->all : 0.0, rate,
            memory_text(t->bytes).text, flow);
    if (isnan(t->roof_s))
        fprintf(out, "%7s", "-");
    else if (t->roof_s > 0.0)
        fprintf(out, "%6.1f%%", 100.0 * t->roof_s / t->seconds);
    fprintf(out, "\n");
}

/* "0.81", "0" if all outputs are exact, "-" if none was verified. */
static const char *ulps_text(double ulps, char *text, size_t size)
{
    if (isnan(ulps))
        return "-";
    snprintf(text, size, "%.2g", ulps);
    return text;
}

static void print_step(FILE *out, const struct step *s, double ulps, const struct times *t)
{
    char shape[64], error[32];
    const struct layer_facts facts = layer_facts_of(s);
    snprintf(shape, sizeof shape, "%lld x %lld x %lld", (long long)s->out.channels,
             (long long)s->out.rows, (long long)s->out.cols);
    fprintf(out, "%-24s%-26s%-18s%11lld%15.0f  ", s->layer->name, facts.kinds, shape,
            (long long)facts.parameters, facts.multiply_adds);
    screen_left(out, s->method, 11);
    screen_left(out, facts.multiply_adds > 0.0 ? step_bound(s) : "-", 12);
    screen_left(out, ulps_text(ulps, error, sizeof error), 8);
    print_times(out, t);
}

static struct times times_of(const struct forward *w, int step, const struct layer_roofs *r)
{
    const struct layer_facts facts = layer_facts_of(&w->plan.steps[step]);
    return (struct times){.seconds = w->clocks[step].fastest_s,
                          .multiply_adds = facts.multiply_adds,
                          .bytes = facts.bytes,
                          .roof_s = r->ceilings->count > 0 ? layer_roof_s(r, w, step) : 0.0};
}

/* Prints which rows of the table are computed together. */
static void print_bands(FILE *out, const struct plan *p)
{
    const char *label = N_("Bands");
    for (int i = 0; i < p->count; i++)
        if (p->steps[i].bands > 0) {
            show_label(out, label);
            screen_say(out, "%{first} to %{last}, %{rows} rows at a time\n",
                       WITH({"first", p->steps[i].layer->name},
                            {"last", p->steps[bands_last(p, i)].layer->name},
                            {"rows", text_grouped(p->steps[i].band_rows).text}));
            label = "";
        }
}

static void print_heads(FILE *out, bool roof)
{
    static const struct {
        const char *word;
        int columns; /* below 0: at the right of as many columns */
    } heads[] = {{N_("Layer"), 24},
                 {N_("what it does"), 26},
                 {N_("output"), 18},
                 {N_("parameters"), -11},
                 {N_("multiply-adds"), -15},
                 {"", 2},
                 {N_("method"), 11},
                 {N_("bound"), 12},
                 {"ulps", 8},
                 {N_("fastest"), 11},
                 {N_("share"), -6},
                 {"GFLOP/s", -9},
                 {"bytes", -13},
                 {"GB/s", -8},
                 {N_("roof"), -7}};
    const size_t count = sizeof heads / sizeof *heads - !roof;
    fputc('\n', out);
    for (size_t i = 0; i < count; i++)
        if (heads[i].columns < 0)
            screen_right(out, screen_text(heads[i].word), -heads[i].columns);
        else
            screen_left(out, *heads[i].word ? screen_text(heads[i].word) : "", heads[i].columns);
    fprintf(out, "%s\n", roof ? "" : "       ");
}

static void print_legend(FILE *out)
{
    show_label(out, N_("Bounds"));
    screen_say(out,
               "sum: of a sum in any order; tiles of 2, of 4: of Winograd's sums, those of 4 never "
               "exact\n",
               NULL);
    show_label(out, N_("Ulps"));
    screen_say(out, "root mean square error of the outputs, in steps of float32 at their size\n",
               NULL);
}

void layer_table_print(FILE *out, struct instance *in, const struct layer_roofs *r)
{
    const struct forward *w = network_forward(in);
    struct times all = {0};
    for (int i = 0; i < w->plan.count; i++) {
        const struct times t = times_of(w, i, r);
        all.seconds += t.seconds;
        all.multiply_adds += t.multiply_adds;
        all.bytes += t.bytes;
        all.roof_s += t.roof_s;
    }
    all.all = all.seconds;
    print_heads(out, r->ceilings->count > 0);
    for (int i = 0; i < w->plan.count; i++) {
        struct times t = times_of(w, i, r);
        t.all = all.seconds;
        print_step(out, &w->plan.steps[i], instance_step_ulps(in, i), &t);
    }
    screen_left(out, screen_text("all"), 68);
    fprintf(out, "%11lld%15.0f  %-31s", (long long)w->plan.network->parameters, all.multiply_adds,
            "");
    print_times(out, &all);
    print_legend(out);
    print_bands(out, &w->plan);
    if (r->ceilings->count > 0)
        return;
    show_label(out, N_("Roof"));
    screen_say(out, "--roof FILE adds each layer's share of this machine's limit\n", NULL);
}
