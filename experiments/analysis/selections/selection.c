#include "experiments/analysis/selections/selection.h"

#include "experiments/analysis/derived/derived.h"
#include "experiments/analysis/derived/derived_table.h"
#include "experiments/analysis/palette.h"
#include "experiments/common/output.h"
#include "experiments/common/text/distinct.h"
#include "harness/base/text/fit.h"
#include "harness/records/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows ------------------------------------------------------------------------------------ */

/* Returns a blank row; one that is not kept if memory runs out. */
static struct selection_row *add_row(struct selection *s)
{
    static struct selection_row lost;
    const size_t capacity = s->capacity > 0 ? 2 * s->capacity : 32;
    struct selection_row *rows = s->rows;
    if (s->count == s->capacity) {
        rows = realloc(s->rows, capacity * sizeof *rows);
        s->lacks_memory = s->lacks_memory || !rows;
        s->rows = rows ? rows : s->rows;
        s->capacity = rows ? capacity : s->capacity;
    }
    struct selection_row *row = rows ? &rows[s->count++] : &lost;
    *row = (struct selection_row){.panel = 1, .dash = 1, .x = NAN, .y = NAN, .ends = {NAN, NAN}};
    return row;
}

void selection_release(struct selection *s)
{
    free(s->rows);
    *s = (struct selection){.count = 0};
}

struct selection_row *selection_name(struct selection *s, const char *role)
{
    struct selection_row *row = add_row(s);
    row->role = role;
    return row;
}

struct selection_row *selection_label(struct selection *s, const char *role, const char *label)
{
    struct selection_row *row = selection_name(s, role);
    text_fit(row->label, sizeof row->label, label);
    return row;
}

void selection_count(struct selection *s, const char *role, double count)
{
    selection_name(s, role)->x = count;
}

struct selection_row *selection_value(struct selection *s, const char *role, double value,
                                      struct interval ends, enum quantity quantity)
{
    struct selection_row *row = selection_name(s, role);
    row->y = value;
    row->ends = ends;
    row->quantity = quantity;
    return row;
}

struct selection_row *selection_plain(struct selection *s, const char *role, double value)
{
    return selection_value(s, role, value, no_interval, QUANTITY_NUMBER);
}

bool selection_lacks(struct selection *s, bool lacks, const char *why)
{
    s->lack = lacks ? why : NULL;
    return lacks;
}

struct selection_row *selection_point(struct selection *s, const char *role, const struct point *p,
                                      double x)
{
    struct selection_row *row = selection_name(s, role);
    row->of = choice_given(p);
    row->x = x;
    return row;
}

struct selection_row *selection_number(struct selection *s, const char *role, const struct point *p,
                                       double value, struct interval ends)
{
    struct selection_row *row = selection_name(s, role);
    row->of = choice_given(p);
    row->y = value;
    row->ends = ends;
    row->quantity = QUANTITY_NUMBER;
    return row;
}

void selection_time(struct selection *s, const char *role, const struct choice *of,
                    const struct estimate *total)
{
    struct selection_row *row = selection_name(s, role);
    row->of = *of;
    row->y = total->value;
    row->ends = total->interval;
    row->quantity = QUANTITY_TOTAL;
}

struct selection_row *selection_ratio(struct selection *s, const char *role,
                                      const struct choice *of, const struct choice *against,
                                      const struct comparison_of_points *c, enum quantity quantity)
{
    struct selection_row *row = selection_name(s, role);
    row->of = *of;
    row->against = *against;
    row->y = c->value;
    row->ends = c->interval;
    row->quantity = quantity;
    return row;
}

void selection_longer(struct selection *s, const char *role, const struct analysis *a,
                      const struct point *slow, const struct point *fast)
{
    const struct comparison_of_points r = compare_points(&a->samples, slow, fast, METRIC_TOTAL);
    const struct choice choices[] = {choice_given(slow), choice_given(fast)};
    selection_ratio(s, role, &choices[0], &choices[1], &r, QUANTITY_TOTAL_RATIO);
}

void selection_minute(struct selection *s, double times, struct interval ends)
{
    const struct interval seconds = {60.0 / ends.upper, 60.0 / ends.lower};
    selection_value(s, "minute", 60.0 / times, ends.lower > 0.0 ? seconds : no_interval,
                    QUANTITY_TOTAL);
}

/* The number of a series: that of the rows with the same name, or a new one. */
static size_t place_of(const struct selection *s, const char *series)
{
    size_t last = 0;
    for (size_t i = s->count; i-- > 0;) {
        if (!s->rows[i].role && strcmp(s->rows[i].series, series) == 0)
            return s->rows[i].place;
        last = s->rows[i].place > last ? s->rows[i].place : last;
    }
    return last + 1;
}

struct selection_row *selection_mark(struct selection *s, const struct point *p, size_t panel,
                                     const char *series)
{
    char name[SELECTION_SERIES];
    text_distinct(name, sizeof name, series);
    const size_t place = place_of(s, name);
    struct selection_row *row = add_row(s);
    row->panel = panel;
    memcpy(row->series, name, sizeof name);
    row->place = place;
    row->colour = p ? palette_colour(p) : selection_colour(place);
    row->of = choice_given(p);
    return row;
}

struct selection_row *selection_at(struct selection *s, size_t panel, const char *series, double x,
                                   double y)
{
    if (isnan(x) || isnan(y))
        return NULL;
    struct selection_row *row = selection_mark(s, NULL, panel, series);
    row->x = x;
    row->y = y;
    row->ends = (struct interval){y, y};
    return row;
}

unsigned selection_colour(size_t place)
{
    enum { FIRST = 2, HUES = 8 }; /* of the palette, without black and dark red */
    return palette_colours[FIRST + (place - 1) % HUES];
}

struct selection_row *selection_part(struct selection *s, const struct point *p, size_t part,
                                     const char *name, unsigned colour, const char *bar,
                                     double length)
{
    struct selection_row *row = selection_mark(s, p, 1, name);
    row->place = part + 1;
    row->colour = colour;
    row->y = length;
    text_fit(row->label, sizeof row->label, bar);
    return row;
}

struct selection_row *selection_draw(struct selection *s, const struct analysis *a,
                                     const struct point *p, size_t panel, const char *x,
                                     const char *y, const char *series)
{
    const double at = derived_point_number(a, p, x);
    const struct bounded of = derived_bounded(&derived_points, a, p, y);
    if (isnan(at) || isnan(of.value))
        return NULL;
    struct selection_row *row = selection_mark(s, p, panel, series);
    row->x = at;
    row->y = of.value;
    row->ends = (struct interval){of.lower, of.upper};
    return row;
}

void selection_list(struct selection *s, const struct point *p)
{
    evidence_add(s->listed, &s->listed_count, SELECTION_LISTED, p);
}

bool selection_row_is(const struct selection_row *row, const char *role)
{
    return row->role && strcmp(row->role, role) == 0;
}

const struct selection_row *selection_find(const struct selection *s, const char *role)
{
    for (size_t i = 0; i < s->count; i++)
        if (selection_row_is(&s->rows[i], role))
            return &s->rows[i];
    return NULL;
}

/* ---- the file -------------------------------------------------------------------------------- */

static const char *const quantity_names[QUANTITIES] = {
    [QUANTITY_NONE] = "",
    [QUANTITY_TOTAL] = "total_s",
    [QUANTITY_COMPUTE] = "compute_s",
    [QUANTITY_TOTAL_RATIO] = "total_ratio",
    [QUANTITY_COMPUTE_RATIO] = "compute_ratio",
    [QUANTITY_IMAGE] = "image_s",
    [QUANTITY_IMAGE_RATIO] = "image_ratio",
    [QUANTITY_NUMBER] = "number",
};

enum { POINTS_TEXT = 64 }; /* names of a point and of those that timed it */

/* A comma takes three bytes (write_text()). */
struct written_row {
    char role[32], series[3 * SELECTION_SERIES], label[3 * SELECTION_LABEL], trust[16],
        quantity[16], of[POINTS_TEXT], against[POINTS_TEXT];
    double panel, place, colour, dash, x, y, lower, upper;
};

#define TEXT_COLUMN(name) TABLE_COLUMN(struct written_row, name, COLUMN_TEXT, "")
#define REAL_COLUMN(name) TABLE_COLUMN(struct written_row, name, COLUMN_REAL, "")
static const struct column columns[] = {
    TEXT_COLUMN(role),     REAL_COLUMN(panel), TEXT_COLUMN(series),  REAL_COLUMN(x),
    REAL_COLUMN(y),        REAL_COLUMN(lower), REAL_COLUMN(upper),   TEXT_COLUMN(label),
    TEXT_COLUMN(trust),    REAL_COLUMN(place), REAL_COLUMN(colour),  REAL_COLUMN(dash),
    TEXT_COLUMN(quantity), TEXT_COLUMN(of),    TEXT_COLUMN(against),
};
static const struct schema schema = {columns, sizeof columns / sizeof *columns,
                                     sizeof(struct written_row)};

/* gnuplot ends a text at a comma or a quote, quoted or not, and drops backslashes: the forms put
 * U+201A back to a comma (plots/lib/selection.gp). */
static void write_text(char *to, size_t size, const char *text)
{
    size_t used = 0;
    for (; *text && used + 4 < size; text++) {
        const char *written = *text == ','    ? "\xe2\x80\x9a"
                              : *text == '"'  ? "'"
                              : *text == '\\' ? "/"
                                              : (const char[]){*text, '\0'};
        used += (size_t)snprintf(to + used, size - used, "%s", written);
    }
}

/* The name of a point; of a choice timed by others also theirs. */
static void write_points(const struct choice *c, char text[POINTS_TEXT])
{
    if (!c->point)
        return;
    derived_point_name(c->point, text);
    for (size_t half = 0; half < HALVES && choice_is_split(c); half++) {
        char name[POINTS_TEXT];
        derived_point_name(c->timed[half], name);
        text_fit_append(text, POINTS_TEXT, " %s", name);
    }
}

static void write_row(const struct selection_row *row, FILE *stream)
{
    struct written_row out;
    const bool drawn = !row->role;
    table_blank(&schema, &out);
    snprintf(out.role, sizeof out.role, "%s", drawn ? "" : row->role);
    write_text(out.series, sizeof out.series, row->series);
    write_text(out.label, sizeof out.label, row->label);
    if (row->trust || row->of.point)
        snprintf(out.trust, sizeof out.trust, "%s",
                 trust_names[row->trust ? *row->trust : row->of.point->trust]);
    snprintf(out.quantity, sizeof out.quantity, "%s", quantity_names[row->quantity]);
    write_points(&row->of, out.of);
    write_points(&row->against, out.against);
    out.panel = drawn ? (double)row->panel : NAN;
    out.place = drawn ? (double)row->place : NAN;
    out.colour = drawn ? (double)row->colour : NAN;
    out.dash = drawn ? (double)row->dash : NAN;
    out.x = row->x;
    out.y = row->y;
    out.lower = row->ends.lower;
    out.upper = row->ends.upper;
    table_print(&schema, stream, &out);
}

/* The rows of the selection, its finding, and the points that the table lists. */
static void write_rows(const struct selection *s, FILE *stream)
{
    struct selection_row row = {.x = NAN, .y = NAN, .ends = {NAN, NAN}};
    table_print_header(&schema, stream);
    for (size_t i = 0; i < s->count; i++)
        write_row(&s->rows[i], stream);
    row.role = "finding";
    snprintf(row.label, sizeof row.label, "%s", s->finding ? s->finding : "");
    if (s->finding)
        write_row(&row, stream);
    row = (struct selection_row){.role = "listed", .x = NAN, .y = NAN, .ends = {NAN, NAN}};
    for (size_t i = 0; i < s->listed_count; i++) {
        row.of = choice_given(s->listed[i]);
        snprintf(row.label, sizeof row.label, "%s", s->listed[i]->label);
        write_row(&row, stream);
    }
}

enum status selection_write(const struct selection *s, const char *path, struct failure *f)
{
    struct output out;
    if (output_open_derived(&out, path, f) != STATUS_OK)
        return f->status;
    write_rows(s, out.stream);
    return output_close(&out, f);
}
