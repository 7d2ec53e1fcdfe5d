/* The table that compares the methods of one launch. */
#include "harness/point/compare.h"
#include "harness/point/noise.h"
#include "harness/point/show.h"
#include "harness/point/show_text.h"

#include <math.h>

enum { METHOD = 18, TIME = 11, INTERVAL = 24, RATIO = 22, RATE = 14, VERDICT = 15, COUNT = 6 };

static void print_heading(FILE *out, const struct point *p)
{
    char faster[64];
    snprintf(faster, sizeof faster, "times %s", operation_method(&p->contenders[0].operation));
    fprintf(out, "\n  %-*s%-*s%-*s", METHOD, "Method", TIME, "median", INTERVAL, "95 % interval");
    print_column(out, faster, RATIO);
    fprintf(out, "%-*s%-*s%-*s%s\n", RATE, "rate", VERDICT, "verified", COUNT, "n", "stopped by");
}

static const char *ratio_text(const struct summary *s, char *buffer, size_t size)
{
    if (isnan(s->lower))
        snprintf(buffer, size, "%.3g", s->median);
    else
        snprintf(buffer, size, "%.3g (%.3g .. %.3g)", s->median, s->lower, s->upper);
    return buffer;
}

static const char *interval_text(const struct summary *s, char *buffer, size_t size)
{
    char low[32], high[32];
    if (isnan(s->lower))
        return "(fewer than 6)";
    snprintf(buffer, size, "%s .. %s", text_seconds(s->lower, low, sizeof low),
             text_seconds(s->upper, high, sizeof high));
    return buffer;
}

static void print_line(FILE *out, const struct point *p, size_t i)
{
    const struct contender *c = &p->contenders[i];
    const struct measurement *m = &c->measurement;
    const struct comparison compared = compare(p, i);
    char text[96];
    fprintf(out, "%c ", compared.best ? '*' : ' ');
    print_column(out, operation_method(&c->operation), METHOD);
    if (m->count == 0) {
        fprintf(out, "no sample: %s\n", m->stop_reason ? m->stop_reason : "");
        return;
    }
    print_column(out, text_seconds(compared.total.median, text, sizeof text), TIME);
    print_column(out, interval_text(&compared.total, text, sizeof text), INTERVAL);
    print_column(out, ratio_text(&compared.faster, text, sizeof text), RATIO);
    print_column(out, compare_rate(&c->operation, compared.total.median, text, sizeof text), RATE);
    fprintf(out, "%-*s%-*zu%s\n", VERDICT, m->row.verified, COUNT, m->count,
            m->stop_reason ? m->stop_reason : "");
}

/* The lines below the table: what its columns are, and what a reader should know of the noise. */
static void print_notes(FILE *out, const struct point *p)
{
    bool batched = false;
    for (size_t i = 0; i < p->contender_count; i++)
        batched = batched || p->contenders[i].measurement.repeats > 1;
    fprintf(out,
            "\n%-14s* is the fastest; times %s: how many times as fast as it, turn by turn, with "
            "its\n%-14s95 %% interval\n",
            "Read", operation_method(&p->contenders[0].operation), "");
    if (batched)
        fprintf(out,
                "%-14swhat is too short for the clock's steps is a mean of several executions\n",
                "");
}

void show_comparison(FILE *out, const struct point *p)
{
    char text[512];
    print_heading(out, p);
    for (size_t i = 0; i < p->contender_count; i++)
        print_line(out, p, i);
    print_notes(out, p);
    for (size_t i = 0; i < p->contender_count; i++) {
        const struct contender *c = &p->contenders[i];
        const struct noise noise = noise_of(&c->measurement);
        if (noise.seen)
            fprintf(out, "%-14s%s: %s\n", "Noise", operation_method(&c->operation),
                    noise_text(&noise, &p->machine, text, sizeof text));
    }
}
