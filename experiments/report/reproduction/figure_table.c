#include "experiments/report/reproduction/figure_table.h"

#include "experiments/analysis/numbers.h"
#include "experiments/report/reproduction/figures.h"
#include "experiments/samples/point.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/integer.h"
#include "harness/base/text/messages.h"
#include "theses/reproduce/pooled.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct filling {
    struct figure_table *out;
    const struct analysis *analysis;
    const struct figure *figure;
    bool drawn;
    const struct language *language;
};

static void head(struct figure_table *t, const char *text)
{
    text_fit(t->headers[t->columns++], FIGURE_CELL, text);
}

static void cell(struct figure_table *t, size_t row, size_t *column, const char *text)
{
    text_fit(t->cells[row][(*column)++], FIGURE_CELL, text);
}

/* ---- bars ------------------------------------------------------------------------------------ */

/* A bar on a logarithmic scale from the least to the most of the column: its length from 1 to
 * BAR_MOST shows the exponent, as the slope of a curve on two logarithmic axes does. */
enum { BAR_MOST = 24 };

static void bar(char text[FIGURE_CELL], double value, double least, double most)
{
    static const char *const block = "█";
    const double share = most > least ? log(value / least) / log(most / least) : 1.0;
    const int length = 1 + (int)lround(share * (BAR_MOST - 1));
    text[0] = '\0';
    for (int i = 0; i < length && value > 0.0; i++)
        strcat(text, block);
}

static void draw_bars(const struct filling *in, const double *values)
{
    double least = INFINITY, most = 0.0;
    struct figure_table *t = in->out;
    if (!in->drawn)
        return;
    for (size_t i = 0; i < t->rows; i++) {
        least = values[i] > 0.0 ? fmin(least, values[i]) : least;
        most = fmax(most, values[i]);
    }
    for (size_t i = 0; i < t->rows; i++)
        bar(t->cells[i][t->columns], values[i], least, most);
    head(t, message(in->language, "logarithmic"));
}

/* ---- one kernel ------------------------------------------------------------------------------ */

static void fill_one(const struct filling *in, bool table)
{
    const struct language *l = in->language;
    struct figure_table *t = in->out;
    const struct figure *f = in->figure;
    double products[FIGURE_ROWS];
    const bool windows = table && f->rows[0].of[0]->kind && f->rows[0].of[0]->kind->words.unit;
    head(t, "n");
    if (windows)
        head(t, message(l, "windows"));
    head(t, message(l, "products"));
    if (table)
        head(t, message(l, "in all"));
    for (size_t i = 0; i < f->count; i++) {
        const struct figure_row *r = &f->rows[i];
        const struct point *p = r->of[0];
        size_t column = 0;
        cell(t, i, &column, number_text("%.0f", r->n).text);
        if (windows)
            cell(t, i, &column, number_count(l, p->windows).text);
        cell(t, i, &column, number_known_seconds(l, &r->product[0]).text);
        if (table)
            cell(t, i, &column, number_known_seconds(l, &p->seconds[METRIC_TOTAL]).text);
        products[i] = r->product[0].value;
    }
    t->rows = f->count;
    if (!table)
        draw_bars(in, products);
}

/* ---- several series -------------------------------------------------------------------------- */

static const struct point *any_of(const struct figure *f, size_t series)
{
    for (size_t i = 0; i < f->count; i++)
        if (f->rows[i].of[series])
            return f->rows[i].of[series];
    return NULL;
}

static void fill_series(const struct filling *in)
{
    struct figure_table *t = in->out;
    const struct figure *f = in->figure;
    head(t, "n");
    for (size_t j = 0; j < f->series; j++) {
        const struct point *p = any_of(f, j);
        head(t, !p ? "-"
                : point_is_on_device(&p->samples->identity)
                    ? figure_kernel(p).text
                    : figure_configuration(p, in->language).text);
    }
    for (size_t i = 0; i < f->count; i++) {
        size_t column = 0;
        cell(t, i, &column, number_text("%.0f", f->rows[i].n).text);
        for (size_t j = 0; j < f->series; j++) {
            const struct point *p = f->rows[i].of[j];
            cell(t, i, &column,
                 p ? number_known_seconds(in->language, &p->seconds[METRIC_TOTAL]).text : "-");
        }
    }
    t->rows = f->count;
}

/* The tesina's efficiency: speedup over the cores of the GPU. */
static void fill_against(const struct filling *in)
{
    const struct language *l = in->language;
    struct figure_table *t = in->out;
    fill_series(in);
    for (size_t i = 0; i < t->rows; i++) {
        const struct figure_row *r = &in->figure->rows[i];
        size_t column = t->columns;
        if (!r->of[0] || !r->of[1]) {
            cell(t, i, &column, "-");
            cell(t, i, &column, "-");
            continue;
        }
        const struct figure_speedup s = figure_speedup_of(in->analysis, r);
        cell(t, i, &column, number_ratio(l, s.speedup.value, s.speedup.interval).text);
        cell(t, i, &column, s.efficiency > 0.0 ? figure_efficiency(&s, l).text : "-");
    }
    head(t, message(l, "speedup"));
    head(t, message(l, "efficiency by cores"));
}

/* ---- maps ------------------------------------------------------------------------------------ */

/* A row of an image: its elements as numbers, or as bars from 0 to 9. */
static void write_elements(char text[FIGURE_CELL], const float *row, int64_t count, bool drawn)
{
    static const char *const levels[] = {"▁", "▁", "▂", "▃", "▃", "▄", "▅", "▆", "▇", "█"};
    text[0] = '\0';
    for (int64_t i = 0; i < count; i++) {
        const size_t length = strlen(text);
        const int level = (int)fmin(9.0, fmax(0.0, (double)row[i]));
        if (drawn)
            snprintf(text + length, FIGURE_CELL - length, "%s", levels[level]);
        else
            snprintf(text + length, FIGURE_CELL - length, "%s%g", i ? " " : "", (double)row[i]);
    }
}

static void fill_map(const struct filling *in, const struct pooled *p)
{
    const struct language *l = in->language;
    struct figure_table *t = in->out;
    t->rows = (size_t)(p->n > p->side ? p->n : p->side);
    for (int drawn = 0; drawn <= in->drawn; drawn++)
        for (int map = 0; map < 2; map++) {
            const int64_t side = map ? p->side : p->n;
            const float *elements = map ? p->map : p->image;
            for (int64_t i = 0; i < side; i++)
                write_elements(t->cells[i][t->columns], elements + i * side, side, drawn);
            head(t, drawn ? message(l, map ? N_("map as bars") : N_("image as bars"))
                          : number_text("%s %" PRId64 " × %" PRId64,
                                        map ? message(l, "map") : message(l, "image"), side, side)
                                .text);
        }
}

/* Fills the map of an answer "pooled N K S P". */
static bool fill_answer(const struct filling *in, const char *expression)
{
    static const char *const name = "pooled";
    int64_t sizes[4];
    struct pooled p;
    struct failure f = {0};
    if (strncmp(expression, name, strlen(name)) != 0)
        return false;
    const char *at = expression + strlen(name);
    for (int i = 0; i < 4; i++)
        if (*at++ != ' ' || !integer_take(&at, 0, INT64_MAX, &sizes[i]))
            return false;
    if (pooled_make(&p, sizes[0], sizes[1], sizes[2], sizes[3], &f) != STATUS_OK)
        return false;
    fill_map(in, &p);
    return true;
}

/* ---- all of them ----------------------------------------------------------------------------- */

bool figure_table_make(struct figure_table *out, const struct reproduced_row *row, bool drawn,
                       const struct language *l)
{
    struct figure f;
    const enum figure_form form = row->measure.form;
    struct filling in = {out, NULL, &f, drawn, l};
    *out = (struct figure_table){.rows = 0};
    if (!row->published->figure)
        return false;
    if (row->state == REPRODUCED_ANSWER)
        return fill_answer(&in, row->counterpart->cells[COUNTERPART_ANSWER_OF]);
    if (form == FORM_NONE || !row->experiment)
        return false;
    in.analysis = &row->experiment->analysis;
    if (figure_make(&f, &row->measure, in.analysis)) {
        if (form == FORM_TABLE || form == FORM_CURVE)
            fill_one(&in, form == FORM_TABLE);
        else if (form == FORM_AGAINST)
            fill_against(&in);
        else
            fill_series(&in);
    }
    figure_release(&f);
    return out->rows > 0;
}

/* ---- places ---------------------------------------------------------------------------------- */

/* "4.11": two numbers; the second is 0 without a point. Moves *at past it. */
struct figure_number {
    long major, minor;
};

static struct figure_number next_number(const char **at)
{
    char *end;
    struct figure_number n = {strtol(*at, &end, 10), 0};
    if (*end == '.' && end[1] >= '0' && end[1] <= '9')
        n.minor = strtol(end + 1, &end, 10);
    *at = end;
    return n;
}

static bool is_within(struct figure_number n, struct figure_number first, struct figure_number last)
{
    return n.major >= first.major && n.major <= last.major &&
           (n.major > first.major || n.minor >= first.minor) &&
           (n.major < last.major || n.minor <= last.minor);
}

bool figure_is_at(const char *place, const char *item)
{
    static const char *const word = "figure ", *const words = "figures ";
    const char *number = item + strcspn(item, "0123456789");
    if (strncmp(item, "figure", strlen("figure")) != 0 || !*number ||
        (strncmp(place, word, strlen(word)) != 0 && strncmp(place, words, strlen(words)) != 0))
        return false;
    const struct figure_number n = next_number(&number);
    for (const char *at = place; *(at += strcspn(at, "0123456789"));) {
        const struct figure_number first = next_number(&at);
        const bool range = *at == '-' && at[1] >= '0' && at[1] <= '9';
        at += range;
        if (is_within(n, first, range ? next_number(&at) : first))
            return true;
    }
    return false;
}
