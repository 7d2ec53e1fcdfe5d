#include "classroom/class/board.h"

#include "harness/base/text/messages.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const struct report_format *const format = &report_html;

/* The kernel's time / the method's, with its interval. */
struct times {
    double value, lower, upper;
};

/* The axis of the board: times as long as the rubric's method, logarithmic. */
struct axis {
    double least, most;
};

struct number class_points(const struct class_row *row, const struct language *l)
{
    const struct lab_grade *g = &row->grade;
    if (!row->graded)
        return number_text("-");
    if (!g->decided)
        return number_in(l, "%g / %g?", g->points, g->perhaps);
    return number_in(l, "%g", g->points);
}

static struct times times_of(const struct class *c, const struct class_row *row)
{
    const struct summary *s = &row->submission.methods[class_reference(c, row)].ratio;
    return (struct times){1.0 / s->median, 1.0 / s->upper, 1.0 / s->lower};
}

static int by_place(const void *a, const void *b)
{
    const struct class_row *p = *(const struct class_row *const *)a,
                           *q = *(const struct class_row *const *)b;
    if (p->place != q->place)
        return p->place < q->place ? -1 : 1;
    if (p->last_place != q->last_place)
        return p->last_place < q->last_place ? -1 : 1;
    return p->number < q->number ? -1 : p->number > q->number;
}

/* Returns the rows that have a place, best first; the caller frees it. */
static const struct class_row **ranked(const struct class *c, size_t *count)
{
    const struct class_row **rows = calloc(c->count + 1, sizeof(struct class_row *));
    *count = 0;
    for (size_t i = 0; rows && i < c->count; i++)
        if (c->rows[i].place > 0)
            rows[(*count)++] = &c->rows[i];
    if (rows)
        qsort(rows, *count, sizeof(struct class_row *), by_place);
    return rows;
}

static struct axis axis_of(const struct class *c, const struct class_row *const *rows, size_t count)
{
    static const double margin = 1.1;
    struct axis a = {INFINITY, 0.0};
    for (size_t i = 0; i < c->rubric->count; i++) {
        a.least = fmin(a.least, c->rubric->steps[i].ratio);
        a.most = fmax(a.most, c->rubric->steps[i].ratio);
    }
    for (size_t i = 0; i < count; i++) {
        const struct times times = times_of(c, rows[i]);
        a.least = fmin(a.least, fmin(times.value, times.lower));
        a.most = fmax(a.most, fmax(times.value, times.upper));
    }
    return (struct axis){a.least / margin, a.most * margin};
}

static double percent_of(const struct axis *a, double times)
{
    return 100.0 * log(times / a->least) / log(a->most / a->least);
}

static struct number place_text(const struct class_row *row)
{
    return row->place == row->last_place ? number_text("%zu", row->place)
                                         : number_text("%zu-%zu", row->place, row->last_place);
}

/* A kernel's row: the interval is a bar, the median a line across it; thresholds are lines. */
static void write_track(const struct class *c, const struct document *d,
                        const struct class_row *row, const struct axis *a)
{
    const struct times times = times_of(c, row);
    const double lower = isfinite(times.lower) ? times.lower : times.value,
                 upper = isfinite(times.upper) ? times.upper : times.value;
    const double from = percent_of(a, lower), to = percent_of(a, upper);
    const struct number title =
        number_ratio(d->language, times.value, (struct interval){lower, upper});
    fputs("<div class=\"track\">", d->stream);
    for (size_t i = 0; i < c->rubric->count; i++)
        fprintf(d->stream, "<u style=\"left:%.2f%%\"></u>",
                percent_of(a, c->rubric->steps[i].ratio));
    fprintf(
        d->stream,
        "<s style=\"left:%.2f%%;width:%.2f%%\" title=\"%s\"></s><em style=\"left:%.2f%%\"></em>",
        from, to - from, title.text, percent_of(a, times.value));
    fputs("</div>", d->stream);
}

static void write_scale(const struct class *c, const struct document *d, const struct axis *a)
{
    fputs("<b></b><div class=\"scale\">", d->stream);
    for (size_t i = 0; i < c->rubric->count; i++)
        fprintf(d->stream, "<span style=\"left:%.2f%%\">%s</span>",
                percent_of(a, c->rubric->steps[i].ratio),
                number_in(d->language, "%g", c->rubric->steps[i].ratio).text);
    fputs("</div><span></span>\n", d->stream);
}

/* "PLACE: NUMBER", with the student's name if names are shown. */
static void write_label(const struct document *d, const struct class_row *row, bool names)
{
    fprintf(d->stream, "<b>%s: %zu", place_text(row).text, row->number);
    if (names) {
        putc(' ', d->stream);
        format->text(d, row->student);
    }
    fputs("</b>", d->stream);
}

static void write_bars(const struct class *c, const struct document *d,
                       const struct class_row *const *rows, size_t count, bool names)
{
    const struct axis axis = axis_of(c, rows, count);
    fputs("<div class=\"strip board\">\n", d->stream);
    for (size_t i = 0; i < count; i++) {
        write_label(d, rows[i], names);
        write_track(c, d, rows[i], &axis);
        fprintf(d->stream, "<span>%s</span>\n", class_points(rows[i], d->language).text);
    }
    write_scale(c, d, &axis);
    fputs("</div>\n", d->stream);
}

static void write_table(const struct class *c, const struct document *d,
                        const struct class_row *const *rows, size_t count, bool names)
{
    const struct language *l = d->language;
    char ratio[120];
    message_format(ratio, sizeof ratio, l, "times as long as %{method}",
                   WITH({"method", c->rubric->method}));
    const char *const headers[] = {message(l, "place"), message(l, "number"), ratio,
                                   message(l, "points")};
    const size_t columns = sizeof headers / sizeof *headers;
    format->table_begin(d, "", headers, columns);
    for (size_t i = 0; i < count; i++) {
        char who[PACKAGE_STUDENT + 24];
        const struct times times = times_of(c, rows[i]);
        snprintf(who, sizeof who, "%zu%s%s", rows[i]->number, names ? " " : "",
                 names ? rows[i]->student : "");
        const struct number place = place_text(rows[i]), points = class_points(rows[i], l),
                            value = number_ratio(l, times.value,
                                                 (struct interval){times.lower, times.upper});
        const struct cell cells[] = {
            {place.text, NULL}, {who, NULL}, {value.text, NULL}, {points.text, NULL}};
        format->row(d, cells, columns, false);
    }
    format->table_end(d, columns);
}

static void write_words(const struct class *c, const struct document *d)
{
    const struct language *l = d->language;
    char text[1200];
    const double chance = ldexp(1.0, (int)c->passes - 1);
    message_format(
        text, sizeof text, l,
        "All kernels were measured on one machine, in %{passes} passes; a pass measures each "
        "kernel once, in a new random order. The axis is the kernel's time divided by that of "
        "%{method}: shorter times are on the left. A bar is the 95 % interval over the passes, and "
        "vertical lines are the rubric's thresholds. A kernel is faster than another if it was "
        "faster in "
        "every pass: of two equal kernels one is so by chance once in %{chance} cases. Places such "
        "as 2-5 are shared: no difference was seen. Kernels with the same compiled code were "
        "measured as one.",
        WITH({"passes", number_text("%zu", c->passes).text}, {"method", c->rubric->method},
             {"chance", number_text("%.0f", chance).text}));
    format->paragraph(d, text);
}

void class_write_board(const struct class *c, const struct document *page, bool names)
{
    size_t count;
    struct document d = *page;
    const struct class_row **rows = ranked(c, &count);
    d.place = "board";
    format->section_begin(&d, message(d.language, "The board"));
    if (rows && count > 0) {
        write_bars(c, &d, rows, count, names);
        write_words(c, &d);
        format->fold_begin(&d, message(d.language, "The board as a table"));
        write_table(c, &d, rows, count, names);
        format_part(format->fold_end, &d);
    } else
        format->paragraph(&d, message(d.language, "No kernel was measured."));
    format_part(format->section_end, &d);
    free(rows);
}
