#include "experiments/analysis/selections/columns.h"

#include "experiments/analysis/derived/derived.h"
#include "experiments/analysis/derived/derived_table.h"

#include "experiments/common/text/messages.h"

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

/* ---- conditions ------------------------------------------------------------------------------ */

/* True if one word of `length` letters holds. */
static bool holds(const struct analysis *a, const struct point *p, const char *word, size_t length)
{
    const bool opposite = *word == '!';
    const char *name = word + opposite, *end = word + length;
    const char *equal = memchr(name, '=', (size_t)(end - name));
    const struct text value = column_of(a, p, name, (size_t)((equal ? equal : end) - name));
    if (!equal)
        return (value.text[0] != '\0') != opposite;
    const size_t wanted = (size_t)(end - equal - 1);
    const struct text other = column_of(a, p, equal + 1, wanted);
    const bool same =
        other.text[0] ? strcmp(value.text, other.text) == 0
                      : strlen(value.text) == wanted && strncmp(value.text, equal + 1, wanted) == 0;
    return same != opposite;
}

static bool meets(const struct analysis *a, const struct point *p, const char *where)
{
    for (size_t length; *where; where += length + (where[length] == ' ')) {
        length = strcspn(where, " ");
        if (!holds(a, p, where, length))
            return false;
    }
    return true;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Fills the columns of a pattern: "literal k=3". */
static struct words series_of(const struct analysis *a, const struct point *p, const char *pattern)
{
    struct words w = {""};
    for (size_t used = 0; *pattern && used + 1 < sizeof w.text; used = strlen(w.text)) {
        const char *end = strncmp(pattern, "%{", 2) == 0 ? strchr(pattern, '}') : NULL;
        const struct text value =
            end ? column_of(a, p, pattern + 2, (size_t)(end - pattern - 2)) : (struct text){""};
        snprintf(w.text + used, sizeof w.text - used, "%.*s", end ? DERIVED_TEXT : 1,
                 end ? value.text : pattern);
        pattern = end ? end + 1 : pattern + 1;
    }
    return w;
}

static void draw_panel(const struct analysis *a, const struct columns *of, size_t panel,
                       struct selection *out)
{
    const struct columns_panel *shown = &of->panels[panel];
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        if (!meets(a, p, shown->where))
            continue;
        struct selection_row *row = selection_draw(out, a, p, panel + 1, shown->x, shown->y,
                                                   series_of(a, p, shown->series).text);
        if (!row)
            continue;
        row->dash = of->dashed && meets(a, p, of->dashed) ? 2 : 1;
        row->colour = of->colour ? of->colour(p) : row->colour;
        row->of = shown->counted ? (struct choice){NULL, {NULL, NULL}} : row->of;
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
        selection_value(out, i == 0 ? "least" : "most", ends[i].y, ends[i].ends, QUANTITY_NUMBER);
        out->rows[out->count - 1].x = ends[i].x;
        out->rows[out->count - 1].of = ends[i].of;
        selection_list(out, ends[i].of.point);
    }
}

void select_columns(const struct experiment *e, const void *parameters, const struct language *l,
                    struct selection *out)
{
    const struct columns *of = parameters;
    for (size_t i = 0; i < COLUMNS_PANELS && of->panels[i].x; i++)
        draw_panel(&e->analysis, of, i, out);
    of->name_roles(e, l, out);
}
