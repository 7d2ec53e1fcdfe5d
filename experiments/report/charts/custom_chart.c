#include "experiments/report/charts/custom_chart.h"
#include "experiments/report/charts/custom_words.h"
#include "experiments/report/charts/form.h"
#include "harness/base/text/messages.h"

#include "experiments/analysis/derived/derived_table.h"
#include "experiments/analysis/palette.h"
#include "experiments/common/results.h"
#include "experiments/common/text/distinct.h"
#include "experiments/samples/point.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/word_list.h"
#include "harness/base/text/wording.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- choosing rows --------------------------------------------------------------------------- */

static void list_once(char *list, size_t size, const char *word)
{
    if (*word && !word_list_has(list, ",", word))
        word_list_add(list, size, ",", word);
}

/* Lists the values of a column, each once. */
static void list_values(const struct frame *points, size_t column, char *list, size_t size)
{
    list[0] = '\0';
    for (size_t i = 0; i < points->rows; i++)
        list_once(list, size, frame_field(points, i, column));
}

static bool has_value(const struct frame *points, size_t column, const char *word)
{
    size_t row = 0;
    while (row < points->rows && strcmp(frame_field(points, row, column), word) != 0)
        row++;
    return *word && row < points->rows;
}

/* Refuses a word that no row has in the column. */
static enum status check_value(const struct frame *points, size_t column, const char *word,
                               const char *option, struct failure *f)
{
    char known[700];
    if (has_value(points, column, word))
        return STATUS_OK;
    list_values(points, column, known, sizeof known);
    return fail(f, STATUS_USAGE, "%s: no point of '%s'; there are: %s", option,
                text_brief(word, 80).text, known);
}

/* Moves a row to the place of an earlier one; the fields of the header come first. */
static void keep_row(struct frame *points, size_t from, size_t to)
{
    memmove(points->fields + (to + 1) * points->columns,
            points->fields + (from + 1) * points->columns,
            points->columns * sizeof *points->fields);
}

/* Keeps the rows with a word of the list in the column, or none. */
static void keep_rows(struct frame *points, size_t column, const char *words)
{
    size_t kept = 0;
    for (size_t i = 0; i < points->rows; i++)
        if (word_list_has(words, ",", frame_field(points, i, column)) ||
            !*frame_field(points, i, column))
            keep_row(points, i, kept++);
    points->rows = kept;
}

enum status own_chart_choose(struct frame *points, const char *methods, struct failure *f)
{
    const ptrdiff_t column = frame_find(points, "method");
    if (!*methods)
        return STATUS_OK;
    if (column < 0)
        return fail(f, STATUS_USAGE, "--methods %s: there is no column 'method'",
                    text_brief(methods, 100).text);
    char *wanted = strdup(methods);
    enum status status =
        wanted ? STATUS_OK : fail(f, STATUS_RESOURCE, "not enough memory for --methods");
    for (char *rest = wanted, *word; status == STATUS_OK && (word = strsep(&rest, ","));)
        status = check_value(points, (size_t)column, word, "--methods", f);
    free(wanted);
    if (status == STATUS_OK)
        keep_rows(points, (size_t)column, methods);
    return status;
}

/* The text that most rows have in a column; "": no row has one. */
static const char *most_frequent(const struct frame *points, size_t column)
{
    const char *found = "";
    size_t most = 0;
    for (size_t i = 0; i < points->rows; i++) {
        size_t rows = 0;
        for (size_t j = i; j < points->rows && *frame_field(points, i, column); j++)
            rows += strcmp(frame_field(points, i, column), frame_field(points, j, column)) == 0;
        if (rows > most) {
            most = rows;
            found = frame_field(points, i, column);
        }
    }
    return found;
}

enum status own_chart_choose_operator(struct frame *points, const char *operator,
                                      struct failure * f)
{
    char known[400];
    const ptrdiff_t column = frame_find(points, "operator");
    if (column < 0)
        return *operator? fail(f, STATUS_USAGE, "--operator %s: there is no column 'operator'",
                               text_brief(operator, 100).text)
                        : STATUS_OK;
    if (*operator) {
        const enum status status = check_value(points, (size_t)column, operator, "--operator", f);
        if (status != STATUS_OK)
            return status;
    } else {
        list_values(points, (size_t)column, known, sizeof known);
        operator= most_frequent(points, (size_t)column);
        if (strchr(known, ','))
            wording_warn("study", "only %s is drawn; --operator chooses from %s", operator, known);
    }
    keep_rows(points, (size_t)column, operator);
    return STATUS_OK;
}

/* ---- columns --------------------------------------------------------------------------------- */

/* Accepts short names for two columns that are often used. */
static const char *full_name(const struct frame *points, const char *name)
{
    static const char *const shorts[][2] = {{"speedup", "one_total"}, {"seconds", "total_s"}};
    for (size_t i = 0; i < 2 && frame_find(points, name) < 0; i++)
        if (strcmp(name, shorts[i][0]) == 0)
            return shorts[i][1];
    return name;
}

static bool has_numbers(const struct frame *points, size_t column)
{
    for (size_t i = 0; i < points->rows; i++)
        if (!isnan(frame_number(points, i, column)))
            return true;
    return false;
}

/* False for ends of intervals and for columns that only charts use: they cannot be chosen. */
static bool is_offered(const struct frame *points, size_t column)
{
    const struct derived_column *row = dictionary_find("points", frame_name(points, column));
    return has_numbers(points, column) &&
           (!row || row->role == ROLE_IDENTITY || row->role == ROLE_QUANTITY);
}

static enum status no_such_column(const struct frame *points, const char *option, const char *name,
                                  struct failure *f)
{
    char known[900] = "";
    for (size_t i = 0; i < points->columns; i++)
        if (is_offered(points, i))
            list_once(known, sizeof known - 4, frame_name(points, i));
    return fail(f, STATUS_USAGE, "--%s: no column '%s' with numbers; there are: %s", option,
                text_brief(name, 60).text, known);
}

/* Refuses a column in which most texts are no numbers (1,024; 3 ms): the rest would be drawn as if
 * it were all. */
static enum status check_numbers(const struct frame *points, const char *option, size_t column,
                                 struct failure *f)
{
    size_t numbers = 0, others = 0, first = 0;
    for (size_t i = 0; i < points->rows; i++) {
        const bool is_number = !isnan(frame_number(points, i, column));
        if (!is_number && *frame_field(points, i, column) && others++ == 0)
            first = i;
        numbers += is_number;
    }
    if (others <= numbers)
        return STATUS_OK;
    return fail(f, STATUS_USAGE,
                "--%s %s: '%s' in row %zu is no number; %zu of %zu fields cannot be read", option,
                frame_name(points, column), text_brief(frame_field(points, first, column), 80).text,
                first + 1, others, others + numbers);
}

/* True for the columns of samples and points that hold words. */
static bool is_text(const struct frame *points, size_t column)
{
    const struct derived_column *row = dictionary_find("points", frame_name(points, column));
    return row && strcmp(row->unit, "text") == 0;
}

static enum status find_column(size_t *column, const struct frame *points, const char *option,
                               const char *name, struct failure *f)
{
    const ptrdiff_t at = frame_find(points, full_name(points, name));
    if (at < 0 || is_text(points, (size_t)at))
        return no_such_column(points, option, name, f);
    const enum status status = check_numbers(points, option, (size_t)at, f);
    if (status == STATUS_OK && !has_numbers(points, (size_t)at))
        return no_such_column(points, option, name, f);
    *column = (size_t)at;
    return status;
}

/* The columns of y's interval, -1 if it has none: as in the dictionary, or y's name followed by
 * _lower and _upper. */
struct ends {
    ptrdiff_t lower, upper;
};

/* The column that is called NAME followed by `end`; -1: there is none. */
static ptrdiff_t find_end(const struct frame *points, const char *name, const char *end)
{
    const size_t length = strlen(name);
    for (size_t i = 0; i < points->columns; i++) {
        const char *column = frame_name(points, i);
        if (strncmp(column, name, length) == 0 && strcmp(column + length, end) == 0)
            return (ptrdiff_t)i;
    }
    return -1;
}

static struct ends find_ends(const struct frame *points, size_t y)
{
    const char *name = frame_name(points, y);
    const struct derived_column *row = dictionary_find("points", name);
    if (!row)
        row = dictionary_find("tidy", name);
    if (row && row->lower)
        return (struct ends){frame_find(points, row->lower), frame_find(points, row->upper)};
    return (struct ends){find_end(points, name, "_lower"), find_end(points, name, "_upper")};
}

/* ---- series ---------------------------------------------------------------------------------- */

/* The data of a chart. */
struct own {
    const struct frame *points;
    size_t x, y;
    struct ends ends;
    size_t distinguishing[8]; /* columns that distinguish series */
    size_t distinguishing_count;
    bool recoloured; /* some series have one colour: each gets another than the column's */
};

enum { SERIES_TEXT = 1040, SERIES_MOST = 40 }; /* bytes of eight parts; series */

static void name_series(const struct own *o, size_t row, char text[SERIES_TEXT])
{
    text[0] = '\0';
    for (size_t i = 0; i < o->distinguishing_count; i++) {
        const char *field = frame_field(o->points, row, o->distinguishing[i]);
        const double number = frame_number(o->points, row, o->distinguishing[i]);
        const size_t used = strlen(text);
        char part[64], of[64];
        text_distinct(part, sizeof part, field);
        text_distinct(of, sizeof of, frame_name(o->points, o->distinguishing[i]));
        if (isnan(number))
            snprintf(text + used, SERIES_TEXT - used, "%s%s", used && *field ? " " : "", part);
        else
            snprintf(text + used, SERIES_TEXT - used, "%s%s=%s", used ? " " : "", of, part);
    }
}

static bool is_drawn(const struct own *o, size_t row)
{
    return !isnan(frame_number(o->points, row, o->x)) && !isnan(frame_number(o->points, row, o->y));
}

/* True if two rows of one series have the same x: a line through both would be meaningless. */
static bool collide(const struct own *o, size_t a, size_t b)
{
    char one[SERIES_TEXT], other[SERIES_TEXT];
    if (frame_number(o->points, a, o->x) != frame_number(o->points, b, o->x))
        return false;
    name_series(o, a, one);
    name_series(o, b, other);
    return strcmp(one, other) == 0;
}

/* Finds the first pair that collides; false if there is none. */
static bool find_collision(const struct own *o, size_t *a, size_t *b)
{
    for (*a = 0; *a < o->points->rows; ++*a)
        for (*b = 0; *b < *a; ++*b)
            if (is_drawn(o, *a) && is_drawn(o, *b) && collide(o, *a, *b))
                return true;
    return false;
}

static bool differ(const struct own *o, size_t column, size_t a, size_t b)
{
    return strcmp(frame_field(o->points, a, column), frame_field(o->points, b, column)) != 0;
}

/* Columns that may distinguish series, the simplest first; then those that identify points, in the
 * record's order; then the rest. */
static const char *const plainest[] = {"method", "space", "operator", "network", "task", "size"};
static const char *const last[] = {"kind", "label"};
enum { PLAINEST = sizeof plainest / sizeof *plainest, LAST = sizeof last / sizeof *last };

/* The i-th of these columns; NULL after the last. */
static const char *plain_column(size_t i)
{
    const size_t points = point_column_count();
    if (i < PLAINEST)
        return plainest[i];
    if (i < PLAINEST + points)
        return point_column(i - PLAINEST)->column.name;
    return i < PLAINEST + points + LAST ? last[i - PLAINEST - points] : NULL;
}

/* Adds a column that distinguishes a pair; false if there is none. */
static bool add_distinguishing_column(struct own *o, size_t a, size_t b)
{
    for (size_t i = 0; plain_column(i); i++) {
        const ptrdiff_t at = frame_find(o->points, plain_column(i));
        if (at < 0 || (size_t)at == o->x || !differ(o, (size_t)at, a, b) ||
            o->distinguishing_count == sizeof o->distinguishing / sizeof *o->distinguishing)
            continue;
        o->distinguishing[o->distinguishing_count++] = (size_t)at;
        return true;
    }
    return false;
}

/* Distinguishes series by method or, in a file of the user's own, by its column `series`; then by
 * further columns until no series has two points at one x. */
static enum status distinguish(struct own *o, struct failure *f)
{
    size_t a, b;
    ptrdiff_t at = frame_find(o->points, "series");
    at = at >= 0 ? at : frame_find(o->points, "method");
    if (at >= 0)
        o->distinguishing[o->distinguishing_count++] = (size_t)at;
    while (find_collision(o, &a, &b))
        if (!add_distinguishing_column(o, a, b))
            return fail(f, STATUS_USAGE,
                        "two points have %s %s and differ in nothing that names a line: choose "
                        "another --x, or rows by --data",
                        frame_name(o->points, o->x), frame_field(o->points, a, o->x));
    return STATUS_OK;
}

/* True if another drawn row of the same series has another x: the series has a line. */
static bool has_line(const struct own *o, size_t row)
{
    char name[SERIES_TEXT], other[SERIES_TEXT];
    name_series(o, row, name);
    for (size_t i = 0; i < o->points->rows; i++) {
        if (!is_drawn(o, i) ||
            frame_number(o->points, i, o->x) == frame_number(o->points, row, o->x))
            continue;
        name_series(o, i, other);
        if (strcmp(name, other) == 0)
            return true;
    }
    return false;
}

/* Keeps the drawn rows of series that have a line; false, and all rows kept, if none has or all
 * have. */
static bool keep_lines(struct own *o, struct frame *points)
{
    size_t lines = 0, drawn = 0, kept = 0;
    bool *keep = calloc(points->rows + 1, sizeof *keep);
    if (!keep)
        return false;
    for (size_t i = 0; i < points->rows; i++) {
        drawn += is_drawn(o, i);
        keep[i] = is_drawn(o, i) && has_line(o, i);
        lines += keep[i];
    }
    const bool some = lines > 0 && lines < drawn;
    for (size_t i = 0; some && i < points->rows; i++)
        if (keep[i])
            keep_row(points, i, kept++);
    points->rows = some ? kept : points->rows;
    free(keep);
    if (some)
        wording_warn("study", "%zu points are not drawn: no other one is on their line",
                     drawn - lines);
    return some;
}

/* As distinguish, after leaving out series of a single x if others have several: their names are
 * those of no line. */
static enum status distinguish_lines(struct own *o, struct frame *points, struct failure *f)
{
    enum status status = distinguish(o, f);
    if (status != STATUS_OK || !keep_lines(o, points))
        return status;
    o->distinguishing_count = 0;
    return distinguish(o, f);
}

/* True if two series that are drawn have one colour, such as one method with two strides. */
static bool share_a_colour(const struct own *o)
{
    const ptrdiff_t colour = frame_find(o->points, "colour");
    char one[SERIES_TEXT], other[SERIES_TEXT];
    for (size_t i = 0; colour >= 0 && i < o->points->rows; i++) {
        name_series(o, i, one);
        for (size_t j = 0; j < i; j++) {
            name_series(o, j, other);
            if (is_drawn(o, i) && is_drawn(o, j) && !differ(o, (size_t)colour, i, j) &&
                strcmp(one, other) != 0)
                return true;
        }
    }
    return false;
}

/* ---- trust words ----------------------------------------------------------------------------- */

/* NULL: it is none. */
static const enum trust *trust_of_word(const char *word)
{
    static const enum trust all[TRUSTS] = {TRUST_PRECISE, TRUST_ROUGH, TRUST_SIMULATED,
                                           TRUST_SUSPECT, TRUST_INVALID};
    for (size_t i = 0; i < TRUSTS; i++)
        if (strcmp(word, trust_names[all[i]]) == 0)
            return &all[i];
    return NULL;
}

enum status own_chart_check_trust(const struct frame *points, const char *file, struct failure *f)
{
    const ptrdiff_t column = frame_find(points, "status");
    char words[80] = "";
    for (size_t i = 0; i < TRUSTS; i++)
        word_list_add(words, sizeof words, ", ", trust_names[i]);
    for (size_t i = 0; column >= 0 && i < points->rows; i++) {
        const char *word = frame_field(points, i, (size_t)column);
        if (*word && !trust_of_word(word))
            return fail(f, STATUS_USAGE,
                        "%s: status '%s' in row %zu is none of %s; give a column of another "
                        "meaning another name",
                        file, text_brief(word, 80).text, i + 1, words);
    }
    return STATUS_OK;
}

/* ---- the rows -------------------------------------------------------------------------------- */

/* The field in the column of that name; `otherwise` if the column is missing or the field empty. */
static const char *text_of(const struct own *o, size_t row, const char *column,
                           const char *otherwise)
{
    const ptrdiff_t at = frame_find(o->points, column);
    const char *field = at < 0 ? "" : frame_field(o->points, row, (size_t)at);
    return *field ? field : otherwise;
}

static double end_of(const struct own *o, size_t row, ptrdiff_t column, double otherwise)
{
    const double end = column < 0 ? (double)NAN : frame_number(o->points, row, (size_t)column);
    return isnan(end) ? otherwise : end;
}

/* Draws a row of a series; returns the number of the series. */
static size_t draw_row(const struct own *o, size_t row, const char *series, struct selection *out)
{
    const ptrdiff_t colour = o->recoloured ? -1 : frame_find(o->points, "colour");
    const double y = frame_number(o->points, row, o->y);
    struct selection_row *r = selection_mark(out, NULL, 1, series);
    r->colour =
        (unsigned)end_of(o, row, colour, palette_colours[(r->place - 1) % palette_colour_count]);
    r->trust = trust_of_word(text_of(o, row, "status", ""));
    r->x = frame_number(o->points, row, o->x);
    r->y = y;
    r->ends = (struct interval){end_of(o, row, o->ends.lower, y), end_of(o, row, o->ends.upper, y)};
    return r->place;
}

/* True if a field that is drawn has text that is no number. */
static bool is_no_number(const struct own *o, size_t row, size_t column)
{
    return *frame_field(o->points, row, column) && isnan(frame_number(o->points, row, column));
}

static enum status draw_rows(const struct own *o, struct selection *out, struct failure *f)
{
    size_t no_numbers = 0;
    for (size_t i = 0; i < o->points->rows; i++) {
        char name[SERIES_TEXT], series[sizeof out->rows->series];
        no_numbers += is_no_number(o, i, o->x) || is_no_number(o, i, o->y);
        if (!is_drawn(o, i))
            continue;
        name_series(o, i, name);
        text_distinct(series, sizeof series, name);
        if (draw_row(o, i, series, out) > SERIES_MOST)
            return fail(f, STATUS_USAGE, "more than %d lines: choose some with --methods",
                        SERIES_MOST);
    }
    if (no_numbers > 0)
        wording_warn("study", "%zu rows are not drawn: %s or %s is no number there", no_numbers,
                     frame_name(o->points, o->x), frame_name(o->points, o->y));
    return out->lacks_memory ? fail(f, STATUS_RESOURCE, "not enough memory to draw %s",
                                    frame_name(o->points, o->y))
                             : STATUS_OK;
}

/* ---- the chart ------------------------------------------------------------------------------- */

/* The words of both axes. */
struct titles {
    char x[80], y[80];
};

/* Sets the title, a default one if the user gave none; and what y is, where that is in words
 * rather than in names of columns. */
static void find_words(const struct drawing *d, const struct own *o, const char *name,
                       const struct titles *t, struct chart_words *words)
{
    const struct derived_column *row = dictionary_find("points", frame_name(o->points, o->y));
    if (d->look.title)
        snprintf(words->finding, sizeof words->finding, "%s", d->look.title);
    else
        message_format(words->finding, sizeof words->finding, d->language,
                       "%{name}: %{y} against %{x}",
                       WITH({"name", name}, {"y", t->y}, {"x", t->x}));
    if (row && !strchr(row->meaning, '_') && d->language == &language_english)
        snprintf(words->quantity, sizeof words->quantity, "%s", row->meaning);
}

/* Where the values along an axis differ by at least `times`, it is logarithmic. */
static enum axis axis_of(double least, double most, double times)
{
    return least > 0.0 && most / least >= times ? AXIS_LOG : AXIS_LINEAR;
}

/* Seconds have their unit at the numbers, and lose it in the title. */
static const char *format_of(char title[80], double most, enum axis axis)
{
    static const char unit[] = " (s)";
    const size_t length = strlen(title), end = strlen(unit);
    if (length > end && strcmp(title + length - end, unit) == 0) {
        title[length - end] = '\0';
        return "%.0s %cs";
    }
    return axis == AXIS_LOG || fabs(most) < 1e-2 || fabs(most) >= 1e5 ? "%.0s%c" : "%g";
}

static struct form form_of(const struct selection *s, struct titles *t)
{
    double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};
    for (size_t i = 0; i < s->count; i++) {
        const double values[2] = {s->rows[i].x, s->rows[i].y};
        for (size_t j = 0; j < 2; j++) {
            least[j] = fmin(least[j], values[j]);
            most[j] = fmax(most[j], values[j]);
        }
    }
    const enum axis x = axis_of(least[0], most[0], 8.0), y = axis_of(least[1], most[1], 50.0);
    const char *format = format_of(t->y, most[1], y);
    return (struct form){.name = "lines",
                         .panels = {{NULL, t->x, t->y, format, x, y, .level = 0.0}},
                         .joins_two = true};
}

static enum status draw_formats(struct drawing *d, const char *folder, const char *chart,
                                const struct chart_words *words, struct failure *f)
{
    for (size_t i = 0; i < PLOT_FORMATS; i++) {
        if (!drawing_wants(d, i))
            continue;
        const enum plot_end end =
            plot_draw(folder, chart, plot_custom_chart, words, plot_formats[i], d->language, f);
        if (end != PLOT_DRAWN)
            return f->status;
        puts(plot_path_of(folder, chart, plot_custom_chart, plot_formats[i], &d->look).text);
    }
    return STATUS_OK;
}

/* Draws the rows, with the file R/analysis/NAME-Y-over-X.points.csv. */
static enum status draw_chart(struct drawing *d, const char *folder, const char *name,
                              const struct own *o, const struct selection *s, struct failure *f)
{
    const char *x = frame_name(o->points, o->x), *y = frame_name(o->points, o->y);
    struct chart_words words = {.look = &d->look, .selection = s};
    struct titles t;
    char of[101], x_part[61], y_part[61], chart[300], table[400];
    text_distinct(x_part, sizeof x_part, x);
    text_distinct(y_part, sizeof y_part, y);
    text_distinct(of, sizeof of, name);
    snprintf(chart, sizeof chart, "%s-%s-over-%s", of, y_part, x_part);
    snprintf(table, sizeof table, "analysis/%s.points.csv", chart);
    const struct results_path rows = results_file(folder, table);
    if (selection_write(s, rows.text, f) != STATUS_OK)
        return f->status;
    custom_words(d->language, x, t.x, sizeof t.x);
    custom_words(d->language, y, t.y, sizeof t.y);
    find_words(d, o, name, &t, &words);
    const struct form form = form_of(s, &t);
    words.form = &form;
    words.rows = rows.text;
    return draw_formats(d, folder, chart, &words, f);
}

enum status own_chart_draw(struct drawing *d, const char *folder, const char *name,
                           struct frame *points, const char *x, const char *y, struct failure *f)
{
    struct own o = {.points = points};
    struct selection s = {.count = 0};
    if (find_column(&o.x, points, "x", x, f) != STATUS_OK ||
        find_column(&o.y, points, "y", y, f) != STATUS_OK)
        return f->status;
    o.ends = find_ends(points, o.y);
    enum status status = distinguish_lines(&o, points, f);
    o.recoloured = status == STATUS_OK && share_a_colour(&o);
    if (status == STATUS_OK)
        status = draw_rows(&o, &s, f);
    if (status == STATUS_OK)
        status = draw_chart(d, folder, name, &o, &s, f);
    selection_release(&s);
    return status;
}
