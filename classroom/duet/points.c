#include "classroom/duet/points.h"

#include "classroom/duet/call/arguments.h"
#include "experiments/common/lists.h"
#include "experiments/plan/programs.h"
#include "experiments/plan/work.h"
#include "experiments/samples/point.h"
#include "harness/base/text/fit.h"
#include "harness/space/parameters.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = DUET_LINE };

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

/* What a point becomes for the worker (classroom/duet/call/arguments.h). */
struct point_words {
    struct operation operation;
    char largest[RECORD_TEXT], operands[LINE], words[LINE];
    bool is_cut;
};

static bool is_default(const struct record_column *c, const struct operator_row *o,
                       const char *value)
{
    char usual[RECORD_TEXT];
    return strcmp(value, c->usual ? c->usual : point_column_default(c, o, usual)) == 0;
}

/* Adds an operand for the worker, of which `value` says what its values are; false if they are in a
 * file. Random points are like those of the image. */
static bool add_operand(struct point_words *to, const struct operand_row *row, const char *value)
{
    const int64_t elements = shape_elements(row->shape(&to->operation));
    char random[RECORD_TEXT + 8] = "-9..9";
    if (strcmp(value, "none") == 0)
        return true;
    if (to->operation.kind->points)
        text_fit_format(random, sizeof random, "0..%s", to->largest);
    const char *from = strcmp(value, "random") == 0   ? random
                       : strcmp(value, "itself") == 0 ? "input"
                                                      : value;
    to->is_cut |=
        !text_fit_append(to->operands, LINE, "%s:%" PRId64 ":%s ", row->column, elements, from);
    return strcmp(value, "random") == 0 || strcmp(value, "itself") == 0 ||
           strcmp(value, "identity") == 0;
}

/* Adds a value of the point to the words for the library, or its operand before them; false if the
 * library has no such value. */
static bool add_value(struct point_words *to, const struct record_column *c, const char *value)
{
    const struct operator_row *o = to->operation.kind;
    const char *name = c->column.name;
    const struct operand_row *operand = operator_operand_of_column(o, name);
    if (!operation_has_column(o, name))
        return strcmp(name, "max_value") == 0 || is_default(c, o, value);
    to->is_cut |= !text_fit_append(to->words, LINE, " %s=%s", name, value);
    return !operand || add_operand(to, operand, value);
}

/* Describes a point for the worker; false, with the reason, if the library cannot compute it. */
static bool describe(const struct record *r, struct point_kind kind, char line[LINE], char why[256])
{
    struct point_words to = {.largest = ""};
    const struct refusal refusal = work_operation(r, &to.operation);
    if (!operator_find(kind.operator_row->name) || refusal.kind != REFUSAL_NONE) {
        snprintf(why, 256, "libmaxpool has no operation %s", kind.operator_row->name);
        return false;
    }
    value_of(record_column_find("max_value"), r, kind.operator_row, to.largest);
    text_fit_format(to.words, LINE, "operator=%s", kind.operator_row->name);
    for (size_t i = 0; i < point_column_count(); i++) {
        const struct record_column *c = point_column(i);
        char value[RECORD_TEXT];
        if (is_of_the_session(c) || !point_column_applies(c, kind))
            continue;
        value_of(c, r, kind.operator_row, value);
        if (value[0] && !add_value(&to, c, value)) {
            text_fit_format(why, 256, "libmaxpool has no %s=%s", c->column.name, value);
            return false;
        }
    }
    line[0] = '\0';
    to.is_cut |= !text_fit_append(line, LINE, "%s %s%s", to.largest, to.operands, to.words);
    if (to.is_cut)
        text_fit_format(why, 256, "a point is described in at most %d bytes", LINE - 1);
    return !to.is_cut;
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
