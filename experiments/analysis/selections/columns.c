#include "experiments/analysis/selections/columns.h"

#include "experiments/analysis/derived/derived.h"
#include "experiments/analysis/derived/derived_table.h"

#include "harness/base/text/fit.h"
#include "harness/base/text/messages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct text {
    char text[DERIVED_TEXT];
};

static struct text column_of(const struct analysis *a, const struct point *p, const char *name,
                             size_t length)
{
    char column[64];
    struct text t;
    snprintf(column, sizeof column, "%.*s", (int)length, name);
    derived_point_text(a, p, column, t.text);
    return t;
}

static double number_of(const struct analysis *a, const struct point *p, const char *name,
                        size_t length)
{
    char column[64];
    snprintf(column, sizeof column, "%.*s", (int)length, name);
    return derived_point_number(a, p, column);
}

/* ---- conditions ------------------------------------------------------------------------------ */

static const char end_of_condition[] = " |?", extremes[] = "^<~";

static size_t length_of_name(const char *condition)
{
    return strcspn(condition, "=>:^<~ |?");
}

/* True if a condition holds, which ends at one of end_of_condition; `wanted` is the number of
 * `name^`, `name<` and `name~`. */
static bool holds(const struct analysis *a, const struct point *p, const char *condition,
                  double wanted)
{
    const bool opposite = *condition == '!';
    const char *name = condition + opposite, *mark = name + length_of_name(name);
    const size_t length = (size_t)(mark - name), rest = strcspn(mark, end_of_condition);
    const struct text own = column_of(a, p, name, length);
    bool is = own.text[0] != '\0';
    if (*mark && strchr(extremes, *mark))
        is = number_of(a, p, name, length) == wanted;
    else if (*mark == '>')
        is = number_of(a, p, name, length) > strtod(mark + 1, NULL);
    else if (*mark == ':')
        is = memmem(own.text, strlen(own.text), mark + 1, rest - 1);
    else if (*mark == '=') {
        const struct text other = column_of(a, p, mark + 1, rest - 1);
        is = other.text[0]
                 ? strcmp(own.text, other.text) == 0
                 : strlen(own.text) == rest - 1 && strncmp(own.text, mark + 1, rest - 1) == 0;
    }
    return is != opposite;
}

/* True if one condition of a word holds. */
static bool holds_any(const struct analysis *a, const struct point *p, const char *word,
                      double wanted)
{
    for (;;) {
        if (holds(a, p, word, wanted))
            return true;
        word += strcspn(word, end_of_condition);
        if (*word++ != '|')
            return false;
    }
}

/* True if all words of a text without extremes hold, which ends at a question mark or the end.
 */
static bool meets(const struct analysis *a, const struct point *p, const char *words)
{
    for (;; words += strcspn(words, " ?") + 1) {
        if (!holds_any(a, p, words, NAN))
            return false;
        if (words[strcspn(words, " ?")] != ' ')
            return true;
    }
}

/* ---- the points of a panel ------------------------------------------------------------------- */

struct chosen_point {
    const struct point *point;
    struct words group; /* drawn together */
    size_t group_place; /* of its first point */
    double order;       /* in the group */
    size_t place;       /* among all points */
};

struct chosen {
    struct chosen_point *points; /* owned; NULL: no memory */
    size_t count;
};

static size_t count_of(const struct analysis *a, const struct chosen *of, const char *name,
                       size_t length, double value)
{
    size_t count = 0;
    for (size_t i = 0; i < of->count; i++)
        count += number_of(a, of->points[i].point, name, length) == value;
    return count;
}

/* The number of an extreme in a word: `name^`, the largest of the points, `name<`, the smallest, or
 * `name~`, that of most; NaN: none. */
static double wanted_number(const struct analysis *a, const struct chosen *of, const char *word)
{
    const char *name = word, *end = word + strcspn(word, " ");
    double wanted = NAN;
    size_t most = 0;
    while (name < end && !strchr(extremes, name[length_of_name(name)]))
        name += length_of_name(name) + 1;
    for (size_t i = 0; name < end && i < of->count; i++) {
        const size_t length = length_of_name(name);
        const double here = number_of(a, of->points[i].point, name, length);
        const size_t count = name[length] == '~' ? count_of(a, of, name, length, here) : 0;
        const bool further = name[length] == '<' ? !(here >= wanted) : !(here <= wanted);
        if (!isnan(here) && (count > most || (count == most && further))) {
            wanted = here;
            most = count;
        }
    }
    return wanted;
}

/* The points that meet all words; the caller frees them. */
static struct chosen choose(const struct analysis *a, const char *where)
{
    struct chosen all = {malloc((a->point_count + 1) * sizeof *all.points), 0};
    for (size_t i = 0; all.points && i < a->point_count; i++)
        all.points[all.count++] = (struct chosen_point){.point = &a->points[i], .place = i};
    for (; *where; where += strcspn(where, " "), where += *where == ' ') {
        const double wanted = wanted_number(a, &all, where);
        size_t kept = 0;
        for (size_t i = 0; i < all.count; i++)
            if (holds_any(a, all.points[i].point, where, wanted))
                all.points[kept++] = all.points[i];
        all.count = kept;
    }
    return all;
}

/* ---- names of series ------------------------------------------------------------------------- */

/* True if the points differ in a column. */
static bool differ_in(const struct analysis *a, const struct chosen *of, const char *name)
{
    const size_t length = length_of_name(name);
    for (size_t i = 1; i < of->count; i++)
        if (strcmp(column_of(a, of->points[i].point, name, length).text,
                   column_of(a, of->points[0].point, name, length).text) != 0)
            return true;
    return false;
}

/* Replaces each "[*column?text]" of a pattern by its text, if the points differ in the column, or
 * by nothing. */
static struct words resolve(const struct analysis *a, const struct chosen *of, const char *pattern)
{
    struct words w = {""};
    bool inside = false; /* a text that is said */
    for (size_t used = 0; *pattern && used + 1 < sizeof w.text; pattern++) {
        if (strncmp(pattern, "[*", 2) == 0) {
            inside = differ_in(a, of, pattern + 2);
            pattern += inside ? strcspn(pattern, "?") : strcspn(pattern, "]");
        } else if (inside && *pattern == ']')
            inside = false;
        else
            w.text[used++] = *pattern;
    }
    return w;
}

/* Fills the columns of a pattern: "literal k=3". */
static struct words fill(const struct analysis *a, const struct point *p, const char *pattern)
{
    struct words w = {""};
    for (; *pattern && strlen(w.text) + 1 < sizeof w.text; pattern++) {
        const size_t used = strlen(w.text), length = strcspn(pattern, "}");
        if (*pattern == '[')
            pattern += strcspn(pattern, meets(a, p, pattern + 1) ? "?" : "]");
        else if (strncmp(pattern, "%{", 2) == 0) {
            snprintf(w.text + used, sizeof w.text - used, "%s",
                     column_of(a, p, pattern + 2, length - 2).text);
            pattern += length;
        } else if (*pattern != ']')
            snprintf(w.text + used, sizeof w.text - used, "%c", *pattern);
    }
    return w;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static int by_group(const void *x, const void *y)
{
    const struct chosen_point *p = x, *q = y;
    if (p->group_place != q->group_place)
        return p->group_place < q->group_place ? -1 : 1;
    if (p->order != q->order)
        return p->order < q->order ? -1 : 1;
    return (p->place > q->place) - (p->place < q->place);
}

/* Gives all points of a row of the first panel the least order among them. */
static void order_rows(const struct analysis *a, const struct columns *of, struct chosen *shown,
                       const struct language *l)
{
    const struct words series = resolve(a, shown, message(l, of->panels[0].series));
    for (size_t i = 0; i < shown->count; i++)
        shown->points[i].group = fill(a, shown->points[i].point, series.text);
    for (size_t i = 0; i < shown->count; i++)
        for (size_t j = 0; j < shown->count; j++) {
            struct chosen_point *p = &shown->points[i], *q = &shown->points[j];
            if (strcmp(p->group.text, q->group.text) == 0)
                p->order = q->order = fmin(p->order, q->order);
        }
}

/* Puts the points of a group together, in the order of a column. */
static void sort(const struct analysis *a, const struct columns *of, struct chosen *shown,
                 const struct language *l)
{
    for (size_t i = 0; i < shown->count; i++) {
        struct chosen_point *p = &shown->points[i];
        p->group = of->group ? fill(a, p->point, of->group) : (struct words){""};
        p->group_place = i;
        for (size_t j = 0; j < i && p->group_place == i; j++)
            if (strcmp(shown->points[j].group.text, p->group.text) == 0)
                p->group_place = shown->points[j].group_place;
        p->order = of->order ? number_of(a, p->point, of->order, strlen(of->order)) : 0.0;
    }
    if (of->by_row)
        order_rows(a, of, shown, l);
    qsort(shown->points, shown->count, sizeof *shown->points, by_group);
}

/* The number of the panel with that title, from 1: a row with the role `panel`, a new one if
 * needed.
 */
static size_t panel_titled(struct selection *out, const char *title)
{
    size_t panel = 1;
    for (size_t i = 0; i < out->count; i++) {
        if (!selection_row_is(&out->rows[i], "panel"))
            continue;
        if (strcmp(out->rows[i].label, title) == 0)
            return panel;
        panel++;
    }
    selection_label(out, "panel", title);
    return panel;
}

static void draw_panel(const struct analysis *a, const struct columns *of, size_t panel,
                       const struct chosen *shown, const struct language *l, struct selection *out)
{
    const struct columns_panel *own = &of->panels[panel];
    const struct words series = resolve(a, shown, message(l, own->series));
    for (size_t i = 0; i < shown->count; i++) {
        const struct point *p = shown->points[i].point;
        const size_t number =
            of->panel ? panel_titled(out, fill(a, p, message(l, of->panel)).text) : panel + 1;
        struct selection_row *row =
            selection_draw(out, a, p, number, own->x, own->y, fill(a, p, series.text).text);
        if (!row)
            continue;
        row->dash = of->dashed && meets(a, p, of->dashed) ? 2 : 1;
        row->colour = of->colour             ? of->colour(p)
                      : of->colour_by_series ? selection_colour(row->place)
                                             : row->colour;
        row->of = own->counted ? (struct choice){NULL, {NULL, NULL}} : row->of;
        if (of->mark)
            text_fit(row->label, sizeof row->label, fill(a, p, message(l, of->mark)).text);
        if (of->convert)
            of->convert(row);
    }
}

void columns_draw_bar(const struct analysis *a, const struct point *p,
                      const struct columns_bar *bar, const struct language *l,
                      struct selection *out)
{
    const struct words label = fill(a, p, message(l, bar->label));
    double rest = derived_point_number(a, p, "total_s");
    const double unit = bar->shares ? rest / 100.0 : 1.0;
    for (size_t i = 0; i < COLUMNS_PARTS && bar->parts[i].name; i++) {
        const char *column = bar->parts[i].column;
        const double part = column ? derived_point_number(a, p, column) : rest;
        if (!(part > 0.0))
            continue;
        rest -= part;
        selection_part(out, p, i, message(l, bar->parts[i].name), bar->parts[i].colour, label.text,
                       part / unit);
    }
}

/* A bar, in a panel with a title at x. */
static void draw_bar(const struct analysis *a, const struct columns *of, const struct point *p,
                     const struct language *l, struct selection *out)
{
    const size_t panel = of->panel ? panel_titled(out, fill(a, p, message(l, of->panel)).text) : 0,
                 first = out->count;
    columns_draw_bar(a, p, of->bar, l, out);
    for (size_t i = first; panel && i < out->count; i++) {
        out->rows[i].panel = panel;
        out->rows[i].x = derived_point_number(a, p, of->panels[0].x);
    }
}

void columns_name_ends(const struct experiment *e, const struct language *l, struct selection *out)
{
    size_t least = out->count, most = out->count;
    (void)e;
    (void)l;
    for (size_t i = 0; i < out->count; i++) {
        const struct selection_row *row = &out->rows[i];
        if (row->panel != 1 || !row->of.point || !evidence_usable(row->of.point))
            continue;
        least = least == out->count || row->y < out->rows[least].y ? i : least;
        most = most == out->count || row->y > out->rows[most].y ? i : most;
    }
    if (least == out->count) {
        out->lack = N_("nothing was measured");
        return;
    }
    const struct selection_row ends[] = {out->rows[least], out->rows[most]};
    for (size_t i = 0; i < 2; i++) {
        selection_number(out, i == 0 ? "least" : "most", ends[i].of.point, ends[i].y, ends[i].ends)
            ->x = ends[i].x;
        selection_list(out, ends[i].of.point);
    }
}

void select_columns(const struct experiment *e, const void *parameters, const struct language *l,
                    struct selection *out)
{
    const struct columns *of = parameters;
    for (size_t i = 0; i < COLUMNS_PANELS && of->panels[i].x; i++) {
        struct chosen shown = choose(&e->analysis, of->panels[i].where);
        if (shown.points) {
            sort(&e->analysis, of, &shown, l);
            for (size_t j = 0; of->bar && j < shown.count; j++)
                draw_bar(&e->analysis, of, shown.points[j].point, l, out);
            if (!of->bar)
                draw_panel(&e->analysis, of, i, &shown, l, out);
        }
        out->lacks_memory = out->lacks_memory || !shown.points;
        free(shown.points);
    }
    of->name_roles(e, l, out);
}
