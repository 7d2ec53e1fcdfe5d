/* The table that compares the methods of one launch. */
#include "harness/point/sampling/noise.h"
#include "harness/point/show/compare.h"
#include "harness/point/show/show.h"
#include "harness/point/show/show_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Widths of columns, for lines of 100. */
enum { METHOD = 13, TIME = 9, INTERVAL = 17, RATIO = 22, RATE = 13, VERDICT = 9, COUNT = 5 };

static void print_heading(FILE *out, const struct point *p)
{
    char faster[64];
    message_format(faster, sizeof faster, screen_language(), "times %{method}",
                   WITH({"method", operation_method(&p->contenders[0].operation)}));
    fputs("\n  ", out);
    screen_left(out, screen_text(N_("Method")), METHOD);
    screen_left(out, screen_text(N_("median")), TIME);
    screen_left(out, screen_text(N_("95 % interval")), INTERVAL);
    screen_left(out, faster, RATIO);
    screen_left(out, screen_text(N_("rate")), RATE);
    screen_left(out, screen_text(N_("verified")), VERDICT);
    screen_left(out, "n", COUNT);
    fprintf(out, "%s\n", screen_text(N_("stopped by")));
}

static const char *ratio_text(const struct summary *s, char *buffer, size_t size)
{
    if (isnan(s->lower))
        snprintf(buffer, size, "%.3g", s->median);
    else
        snprintf(buffer, size, "%.3g (%.3g .. %.3g)", s->median, s->lower, s->upper);
    return buffer;
}

/* Writes the interval in the unit of its upper end. */
static const char *interval_text(const struct summary *s, char *buffer, size_t size)
{
    char upper[32];
    if (isnan(s->lower))
        return screen_text(N_("(fewer than 6)"));
    text_seconds(s->upper, upper, sizeof upper);
    const double unit = s->upper / strtod(upper, NULL);
    snprintf(buffer, size, "%.3g .. %.3g%s", s->lower / unit, s->upper / unit,
             strchr(upper, ' ') ? strchr(upper, ' ') : "");
    return buffer;
}

/* All methods are compared with the oracle alike, in full or in part: the line below the table says
 * which. */
static const char *verdict_text(const char *verified)
{
    return strncmp(verified, "sampled", 7) == 0 ? "sampled" : verified;
}

static void print_line(FILE *out, const struct point *p, size_t i)
{
    const struct contender *c = &p->contenders[i];
    const struct measurement *m = &c->measurement;
    const struct comparison compared = compare(p, i);
    char text[96];
    fprintf(out, "%c ", compared.best ? '*' : ' ');
    screen_left(out, operation_method(&c->operation), METHOD);
    if (m->count == 0) {
        screen_say(out, "no sample: %{reason}\n",
                   WITH({"reason", m->stop_reason ? m->stop_reason : ""}));
        return;
    }
    screen_left(out, text_seconds(compared.total.median, text, sizeof text), TIME);
    screen_left(out, interval_text(&compared.total, text, sizeof text), INTERVAL);
    screen_left(out, ratio_text(&compared.faster, text, sizeof text), RATIO);
    screen_left(out, compare_rate(&c->operation, compared.total.median, text, sizeof text), RATE);
    fprintf(out, "%-*s%-*zu%s\n", VERDICT, verdict_text(m->row.verified), COUNT, m->count,
            m->stop_reason ? m->stop_reason : "");
}

/* Lists the methods whose samples were delayed, and prints the remedy once. */
static void print_noise(FILE *out, const struct point *p)
{
    char text[256];
    bool seen = false;
    for (size_t i = 0; i < p->contender_count; i++) {
        const struct contender *c = &p->contenders[i];
        const struct noise noise = noise_of(&c->measurement);
        if (!noise.seen)
            continue;
        show_label(out, seen ? "" : N_("Noise"));
        fprintf(out, "%s: %s\n", operation_method(&c->operation),
                noise_text(&noise, text, sizeof text));
        seen = true;
    }
    if (seen)
        fprintf(out, "%-14s%s\n", "",
                noise_remedy(&p->machine, p->contenders[0].resources.sharing, text, sizeof text));
}

/* Explains how to read the table. */
static void print_notes(FILE *out, const struct point *p)
{
    bool batched = false;
    for (size_t i = 0; i < p->contender_count; i++)
        batched = batched || p->contenders[i].measurement.repeats > 1;
    fputc('\n', out);
    show_label(out, N_("Read"));
    screen_say(out, "* is the fastest; times %{method}: how many times as fast, within rounds\n",
               WITH({"method", operation_method(&p->contenders[0].operation)}));
    if (!batched)
        return;
    show_label(out, "");
    screen_say(out, "samples of what is too short for the clock are means of several executions\n",
               NULL);
}

void show_comparison(FILE *out, const struct point *p)
{
    print_heading(out, p);
    for (size_t i = 0; i < p->contender_count; i++)
        print_line(out, p, i);
    print_notes(out, p);
    print_noise(out, p);
}
