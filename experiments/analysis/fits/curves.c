#include "experiments/analysis/analysis.h"

#include "experiments/samples/point.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The columns that vary along a curve of each kind: they are not part of its label. */
static const unsigned runs_through[CURVE_KINDS] = {
    [CURVE_WORKERS] = ALONG_WORKERS,
    [CURVE_WEAK] = ALONG_WORKERS | ALONG_SIDES | ALONG_PLANES,
    [CURVE_GROWTH] = ALONG_SIDES,
    [CURVE_KERNEL] = ALONG_KERNEL,
    [CURVE_SHAPE] = ALONG_KERNEL | ALONG_STRIDE | ALONG_PADDING,
    [CURVE_STRIDE] = ALONG_STRIDE,
    [CURVE_PADDING] = ALONG_PADDING,
};

/* A stride that equals the kernel size counts as following it. */
static bool follows_kernel(const struct point *p)
{
    return p->samples->identity.stride == p->samples->identity.kernel;
}

static bool is_run_through(enum curve_kind kind, const struct point *p,
                           const struct record_column *c)
{
    const unsigned strides = kind == CURVE_KERNEL && follows_kernel(p) ? ALONG_STRIDE : 0;
    return c->curves & (runs_through[kind] | strides);
}

/* True if x may be 0: such a curve is drawn on a linear axis and has no fits. */
static bool curve_has_zero(enum curve_kind kind)
{
    return kind == CURVE_PADDING;
}

double curve_x(const struct point *p, enum curve_kind kind)
{
    const struct record *r = &p->samples->identity;
    switch (kind) {
    case CURVE_WORKERS:
    case CURVE_WEAK:
        return p->workers;
    case CURVE_GROWTH:
        return p->size;
    case CURVE_STRIDE:
        return record_number(r->stride);
    case CURVE_PADDING:
        return record_number(r->padding);
    default:
        return record_number(r->kernel);
    }
}

/* The text of one column of a row; "" if not available. */
static void column_text(const struct record *r, const struct column *c, char *text, size_t size)
{
    const char *field = (const char *)r + c->offset;
    text[0] = '\0';
    if (c->type == COLUMN_TEXT) {
        snprintf(text, size, "%s", field);
    } else if (c->type == COLUMN_INT) {
        int64_t value;
        memcpy(&value, field, sizeof value);
        if (value != RECORD_NO_INT)
            snprintf(text, size, "%lld", (long long)value);
    }
}

/* The data that labels are made from: for each operator and point column, whether its points differ
 * there. A column that an operator or a space lacks does not distinguish its points. */
struct labelling {
    struct numbering operators;
    const struct record **seen; /* [operators][point_column_count()]: first with the column */
    bool *varies;               /* same shape: whether values differ */
    struct numbering known;     /* "kind label" of each curve, numbered like the curves */
};

static size_t columns_of(const struct labelling *l, const struct record *r)
{
    return (size_t)numbering_find(&l->operators, r->operator_name) * point_column_count();
}

/* Compares the columns of a point with those of the first of its operator that has them. */
static void compare_columns(struct labelling *l, const struct record *r)
{
    const struct record **seen = l->seen + columns_of(l, r);
    bool *varies = l->varies + columns_of(l, r);
    for (size_t i = 0; i < point_column_count(); i++) {
        const struct record_column *c = point_column(i);
        char value[RECORD_TEXT];
        column_text(r, &c->column, value, sizeof value);
        if (!value[0])
            continue;
        seen[i] = seen[i] ? seen[i] : r;
        varies[i] |= !record_column_same(c, seen[i], r);
    }
}

static bool labelling_open(struct labelling *l, const struct analysis *a)
{
    l->seen = calloc((a->point_count + 1) * point_column_count(), sizeof *l->seen);
    l->varies = calloc((a->point_count + 1) * point_column_count(), sizeof *l->varies);
    bool good = l->seen && l->varies;
    for (size_t i = 0; good && i < a->point_count; i++) {
        const struct record *r = &a->points[i].samples->identity;
        good = numbering_put(&l->operators, r->operator_name) >= 0;
        if (good)
            compare_columns(l, r);
    }
    int column = point_column_find("operator");
    for (size_t i = 0; good && column >= 0 && i < l->operators.count; i++)
        l->varies[i * point_column_count() + (size_t)column] = l->operators.count > 1;
    return good;
}

static void labelling_close(struct labelling *l)
{
    numbering_release(&l->operators);
    numbering_release(&l->known);
    free(l->seen);
    free(l->varies);
}

static void append(char *label, size_t size, const char *name, const char *value)
{
    size_t length = strlen(label);
    if (length < size)
        snprintf(label + length, size - length, "%s%s%s", length ? " " : "", name, value);
}

/* True if the column adds nothing to another one in the label. */
static bool is_redundant(const struct point *p, const struct record_column *c)
{
    return (c->curves & SERIES_NEVER) || ((c->curves & SERIES_NOT_SQUARE) && isfinite(p->size));
}

static void curve_label(const struct labelling *l, const struct point *p, enum curve_kind kind,
                        char *label, size_t size)
{
    const struct record *r = &p->samples->identity;
    label[0] = '\0';
    for (size_t i = 0; i < point_column_count(); i++) {
        const struct record_column *c = point_column(i);
        const bool labelled = (c->curves & SERIES_ALWAYS) || l->varies[columns_of(l, r) + i];
        if (is_run_through(kind, p, c) || is_redundant(p, c) || !labelled)
            continue;
        char value[RECORD_TEXT], name[64];
        column_text(r, &c->column, value, sizeof value);
        snprintf(name, sizeof name, "%s%s", c->brief ? c->brief : c->column.name,
                 c->brief ? "" : "=");
        if (value[0])
            append(label, size, name, value);
    }
    if (kind == CURVE_KERNEL && follows_kernel(p))
        append(label, size, "s=k", "");
}

/* Returns the curve of this kind and label; creates it if it does not exist. */
static struct curve *find_curve(struct analysis *a, struct labelling *l, enum curve_kind kind,
                                const char *label)
{
    char name[sizeof a->curves->label + 16];
    snprintf(name, sizeof name, "%d %s", (int)kind, label);
    ptrdiff_t at = numbering_put(&l->known, name);
    if (at < 0)
        return NULL;
    if ((size_t)at < a->curve_count)
        return &a->curves[at];
    struct curve *grown = realloc(a->curves, (a->curve_count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    a->curves = grown;
    grown[at] = (struct curve){.kind = kind};
    snprintf(grown[at].label, sizeof grown[at].label, "%s", label);
    a->curve_count++;
    return &grown[at];
}

/* The capacity doubles, so that a curve with many points is rarely copied. */
static bool reserve_one(struct curve *c)
{
    if (c->count && (c->count & (c->count - 1)))
        return true;
    size_t *grown = realloc(c->points, (c->count ? 2 * c->count : 1) * sizeof *grown);
    if (grown)
        c->points = grown;
    return grown != NULL;
}

static bool add_point(struct analysis *a, struct labelling *l, size_t index, enum curve_kind kind)
{
    const struct point *p = &a->points[index];
    double x = curve_x(p, kind);
    if (!(x > 0.0 || (x >= 0.0 && curve_has_zero(kind))))
        return true;
    char label[sizeof a->curves->label];
    curve_label(l, p, kind, label, sizeof label);
    struct curve *c = find_curve(a, l, kind, label);
    if (!c || !reserve_one(c))
        return false;
    size_t at = c->count++;
    while (at > 0 && curve_x(&a->points[c->points[at - 1]], kind) > x) {
        c->points[at] = c->points[at - 1];
        at--;
    }
    c->points[at] = index;
    return true;
}

/* True if the elements per worker are constant along the curve, up to the rounding of rows, while
 * the elements are not. */
static bool is_weak(const struct analysis *a, const struct curve *c)
{
    double least = INFINITY, most = 0.0, least_elements = INFINITY, most_elements = 0.0;
    for (size_t i = 0; i < c->count; i++) {
        const struct point *p = &a->points[c->points[i]];
        double share = p->elements / p->workers;
        least = fmin(least, share);
        most = fmax(most, share);
        least_elements = fmin(least_elements, p->elements);
        most_elements = fmax(most_elements, p->elements);
    }
    return most <= 1.05 * least && most_elements > 1.5 * least_elements;
}

/* Sharing cores is a separate reason; with one worker per core, binding makes little difference. */
static bool binding_matters(const struct point *p, const struct launch *l, double cores)
{
    if (!l->binding[0] || strcmp(l->binding, "shared") == 0)
        return false;
    return strcmp(l->binding, "none") != 0 || !(p->workers >= cores);
}

static void note_changes(const struct analysis *a, double cores, struct curve *c)
{
    const struct samples *s = &a->samples;
    const struct launch *first = NULL, *bound = NULL;
    for (size_t i = 0; i < c->count; i++) {
        const struct point *point = &a->points[c->points[i]];
        const struct point_samples *p = point->samples;
        for (size_t j = 0; j < p->count; j++) {
            const struct launch *l = &s->launches[p->first + j];
            first = first ? first : l;
            c->changed_commit |= l->commit != first->commit; /* equal texts are stored once */
            c->changed_host |= l->host != first->host;
            /* another library chooses its instructions itself, shape by shape */
            c->changed_isa |= l->isa != first->isa && !point->peer;
            c->changed_device |= l->device != first->device;
            if (!binding_matters(point, l, cores))
                continue;
            bound = bound ? bound : l;
            c->changed_binding |= l->binding != bound->binding;
        }
    }
}

/* Different x values that make a curve; with fewer, points are a comparison: experiments that set s
 * = 1 besides s = k do not ask how the time depends on the stride. */
static size_t least_distinct(enum curve_kind kind)
{
    return kind == CURVE_STRIDE || kind == CURVE_PADDING ? 3 : 2;
}

/* Drops curves with too few x, and weak ones whose work does not grow with the workers. */
static void drop_trivial(struct analysis *a, double cores)
{
    size_t kept = 0;
    for (size_t i = 0; i < a->curve_count; i++) {
        struct curve *c = &a->curves[i];
        c->distinct = 1;
        for (size_t j = 1; j < c->count; j++)
            c->distinct += curve_x(&a->points[c->points[j]], c->kind) !=
                           curve_x(&a->points[c->points[j - 1]], c->kind);
        if (c->distinct < least_distinct(c->kind) || (c->kind == CURVE_WEAK && !is_weak(a, c))) {
            free(c->points);
            continue;
        }
        note_changes(a, cores, c);
        a->curves[kept++] = *c;
    }
    a->curve_count = kept;
}

enum status analysis_curves(struct analysis *a, const struct analysis_request *request,
                            struct failure *f)
{
    struct labelling l = {0};
    bool good = labelling_open(&l, a);
    for (size_t i = 0; good && i < a->point_count; i++)
        for (enum curve_kind kind = 0; kind < CURVE_KINDS; kind++)
            good = good && add_point(a, &l, i, kind);
    labelling_close(&l);
    if (!good)
        return fail(f, STATUS_RESOURCE, "not enough memory for the curves of %s", a->name);
    drop_trivial(a, request->machine->cores);
    return STATUS_OK;
}
