#include "experiments/duet/points.h"

#include "experiments/common/lists.h"
#include "experiments/duet/call/description.h"
#include "experiments/plan/programs.h"
#include "experiments/samples/point.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 1024 };

/* Columns that the session itself decides: program, operator, space, seed, workers and their
 * binding. */
static bool is_of_the_session(const struct record_column *c)
{
    static const char *const names[] = {"program", "operator", "space", "seed", "threads", "bind"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(c->column.name, names[i]) == 0)
            return true;
    return false;
}

/* Writes a column's value as text: that of the point, or the default if the point has none. */
static void value_of(const struct record_column *c, const struct record *r,
                     const struct operator_row *o, char text[RECORD_TEXT])
{
    const void *field = record_field(r, c);
    char usual[RECORD_TEXT];
    const char *fallback = point_column_default(c, o, usual);
    int64_t number = RECORD_NO_INT;
    if (c->column.type == COLUMN_INT)
        memcpy(&number, field, sizeof number);
    if (number != RECORD_NO_INT)
        snprintf(text, RECORD_TEXT, "%" PRId64, number);
    else if (c->column.type == COLUMN_TEXT && *(const char *)field)
        snprintf(text, RECORD_TEXT, "%s", (const char *)field);
    else
        snprintf(text, RECORD_TEXT, "%s", fallback);
}

static bool is_default(const struct record_column *c, const struct operator_row *o,
                       const char *value)
{
    char usual[RECORD_TEXT];
    return strcmp(value, c->usual ? c->usual : point_column_default(c, o, usual)) == 0;
}

static void add_words(char line[LINE], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add_words(char line[LINE], const char *format, ...)
{
    const size_t used = strlen(line);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + used, LINE - used, format, arguments);
    va_end(arguments);
}

/* Describes a point for the worker; false, with the reason, if the library cannot compute it. */
static bool describe(const struct record *r, struct point_kind kind, char line[LINE], char why[256])
{
    struct description d = description_blank();
    line[0] = '\0';
    add_words(line, "operator=%s", kind.operator_row->name);
    if (!description_take(&d, "operator", kind.operator_row->name)) {
        snprintf(why, 256, "libmaxpool has no operation %s", kind.operator_row->name);
        return false;
    }
    for (size_t i = 0; i < point_column_count(); i++) {
        const struct record_column *c = point_column(i);
        char value[RECORD_TEXT];
        if (is_of_the_session(c) || !point_column_applies(c, kind))
            continue;
        value_of(c, r, kind.operator_row, value);
        if (!value[0])
            continue;
        if (description_take(&d, c->column.name, value))
            add_words(line, " %s=%s", c->column.name, value);
        else if (!is_default(c, kind.operator_row, value)) {
            snprintf(why, 256, "libmaxpool has no %s=%.200s", c->column.name, value);
            return false;
        }
    }
    if (d.of != MAXPOOL_POOL && d.planes != 1)
        snprintf(why, 256, "libmaxpool has no batches of %s", kind.operator_row->name);
    return !why[0];
}

/* Whether a point has one worker and a method of this suite; peers are no part of a build. */
static bool is_serial(const struct plan *plan, const struct planned *p)
{
    const struct point_kind kind = point_planned_kind(&p->point);
    if (!kind.operator_row || !kind.space || p->skip || p->simulated)
        return false;
    const struct program_facts *facts = program_find(plan->programs, p->point.program);
    const struct method_facts *m = facts ? program_method(facts, p->point.method) : NULL;
    return kind.space->alone && (!m || !m->peer);
}

static bool is_known(const struct duet_points *points, const char *line)
{
    for (size_t i = 0; i < points->count; i++)
        if (strcmp(points->points[i].line, line) == 0)
            return true;
    return false;
}

static bool add_point(struct duet_points *points, const struct record *r, const char *line)
{
    struct duet_point *grown = array_grow(points->points, points->count, sizeof *grown);
    if (!grown)
        return false;
    points->points = grown;
    struct duet_point *p = &grown[points->count];
    point_label(r, p->label, sizeof p->label);
    p->line = strdup(line);
    points->count += p->line != NULL;
    return p->line != NULL;
}

enum status duet_points_take(struct duet_points *points, const struct plan *plan, struct failure *f)
{
    *points = (struct duet_points){.why = ""};
    for (size_t i = 0; i < plan->count; i++) {
        const struct planned *p = &plan->points[i];
        char line[LINE], why[256] = "";
        if (!is_serial(plan, p))
            continue;
        if (!describe(&p->point, point_planned_kind(&p->point), line, why)) {
            if (points->left_out++ == 0)
                memcpy(points->why, why, sizeof why);
        } else if (!is_known(points, line) && !add_point(points, &p->point, line))
            return fail(f, STATUS_RESOURCE, "not enough memory for the points");
    }
    return STATUS_OK;
}

void duet_points_release(struct duet_points *points)
{
    for (size_t i = 0; i < points->count; i++)
        free(points->points[i].line);
    free(points->points);
    *points = (struct duet_points){.points = NULL};
}
