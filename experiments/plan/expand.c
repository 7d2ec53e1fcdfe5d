/* Expands definitions into points. */
#include "experiments/common/text/numbering.h"
#include "experiments/definition/method_groups.h"
#include "experiments/definition/shapes.h"
#include "experiments/plan/plan.h"
#include "experiments/plan/programs.h"
#include "experiments/plan/skip.h"
#include "experiments/plan/work.h"
#include "experiments/samples/point.h"
#include "harness/machine/memory.h"
#include "harness/space/parameters.h"
#include "networks/point/record_subject.h"

#include <stdlib.h>
#include <string.h>

enum { POINTS_MAX = 20000, COMBINATIONS_MAX = 1000000 };

/* State of expanding one definition. */
struct expansion {
    struct plan *plan;
    size_t definition;
    size_t index; /* of the sweep in the definition */
    const struct sweep *sweep;
    const struct program_facts *facts; /* of the program whose points are being made; one of another
                                          has none */
    struct numbering *keys;            /* keys of the definition's points so far */
    struct failure *failure;
};

static void set_column(struct record *p, int column, const char *text)
{
    const struct record_column *of = point_column((size_t)column);
    const struct column *c = &of->column;
    char *field = (char *)p + c->offset;
    if (record_column_is(of, COLUMN_LIST) && strcmp(text, "none") == 0)
        text = ""; /* as in records */
    if (c->type == COLUMN_TEXT) {
        snprintf(field, c->size, "%s", text);
    } else {
        int64_t number = strtoll(text, NULL, 10);
        memcpy(field, &number, sizeof number);
    }
}

static bool is_open(const struct record *p, int column)
{
    const struct column *c = &point_column((size_t)column)->column;
    const char *field = (const char *)p + c->offset;
    int64_t number;
    if (c->type == COLUMN_TEXT)
        return !*field;
    memcpy(&number, field, sizeof number);
    return number == RECORD_NO_INT;
}

static void default_int(int64_t *field, int64_t value)
{
    if (*field == RECORD_NO_INT)
        *field = value;
}

/* Sets the options' defaults, where the program is known to take the option. */
static void settle_options(struct record *p, struct point_kind kind)
{
    const bool random = strcmp(p->input, "random") == 0;
    for (size_t i = 0; i < point_column_count(); i++) {
        const struct record_column *c = point_column(i);
        char text[RECORD_TEXT];
        const char *word = point_column_default(c, kind.operator_row, text);
        const bool device = (c->where & POINT_DEVICE) && !kind.space;
        if (*word && is_open(p, (int)i) && point_column_applies(c, kind) && !device &&
            (random || !record_column_is(c, COLUMN_RANDOM_IMAGE)))
            set_column(p, (int)i, word);
    }
}

/* Sets the defaults of a training; its data are its input. Other libraries have no ranks and
 * shards. */
static void settle_training(struct record *p, struct point_kind kind)
{
    if (!point_trains(p))
        return;
    for (size_t i = 0; i < point_column_count(); i++) {
        const struct record_column *c = point_column(i);
        const char *word = point_training_default(c);
        const bool ours = (c->where & (POINT_RANKS | POINT_HOST)) && !kind.space;
        if (*word && is_open(p, (int)i) && point_column_applies(c, kind) && !ours)
            set_column(p, (int)i, word);
    }
    snprintf(p->input, sizeof p->input, "%s", p->data);
}

/* Sets explicitly what the programs would use by default, so that each point has only one name. */
static void settle(struct record *p, int64_t cores)
{
    const struct point_kind kind = point_planned_kind(p);
    if (!p->input[0])
        snprintf(p->input, sizeof p->input, "%s", recorded_input(kind.operator_row));
    point_keep_own(p);
    settle_training(p, kind);
    settle_options(p, kind);
    if (kind.operator_row && recorded_is_network(kind.operator_row))
        recorded_settle(p);
    for (size_t i = 0; i < operator_count; i++)
        if (!kind.operator_row || kind.operator_row == operators[i])
            record_settle(p, operators[i]);
    if (!kind.space)
        return;
    if (kind.space->launcher)
        default_int(&p->ranks, cores);
    if (kind.space->threads)
        default_int(&p->threads, kind.space->launcher ? 1 : cores);
}

/* Multiplies the size per worker by the number of workers. If that overflows, sets the largest
 * number, for which no memory is large enough. */
static void grow_with_workers(const struct sweep *sweep, struct record *p)
{
    if (!sweep->per_worker)
        return;
    const struct column *c = &record_column_find(sweep->per_worker)->column;
    int64_t each, all;
    memcpy(&each, (const char *)p + c->offset, sizeof each);
    if (each == RECORD_NO_INT)
        return;
    if (__builtin_mul_overflow(work_or_one(p->ranks), work_or_one(p->threads), &all) ||
        __builtin_mul_overflow(all, each, &all))
        all = INT64_MAX;
    memcpy((char *)p + c->offset, &all, sizeof all);
}

/* Notes the key of a point. Sweeps of one definition may produce the same point; it is then taken
 * once. */
static enum status note(const struct expansion *e, const struct record *point, bool *known)
{
    char key[POINT_KEY];
    size_t before = e->keys->count;
    point_key(point, key);
    ptrdiff_t at = numbering_put(e->keys, key);
    *known = at >= 0 && (size_t)at < before;
    return at >= 0 ? STATUS_OK
                   : fail(e->failure, STATUS_RESOURCE, "not enough memory for the plan");
}

static enum status reserve(struct plan *plan, struct failure *f)
{
    if (plan->count >= POINTS_MAX)
        return fail(f, STATUS_USAGE, "more than %d points", POINTS_MAX);
    if (plan->count % 64 != 0)
        return STATUS_OK;
    struct planned *grown = realloc(plan->points, (plan->count + 64) * sizeof *grown);
    if (!grown)
        return fail(f, STATUS_RESOURCE, "not enough memory for the plan");
    plan->points = grown;
    return STATUS_OK;
}

/* Whether the images of all ranks are folded: with a limit of the sweep, if they are larger than
 * it; otherwise if half of the free memory is too small for them. A training is always folded; what
 * shares its products alone never is, for its ranks compute. */
static bool must_fold(const struct sweep *sweep, const struct record *p)
{
    const int64_t size = p->rows > p->cols ? p->rows : p->cols;
    if (point_trains(p)) /* its seconds are given, or it computes */
        return true;
    if (point_shares_product(p))
        return false;
    if (sweep->compute_limit >= 0)
        return size > sweep->compute_limit;
    const size_t copies = strcmp(p->distribution, "scatter") == 0 ? 4 : 2;
    return memory_multiply(copies, work_bytes(p)) > memory_available();
}

static enum status set_up_simulated(const struct expansion *e, struct planned *p)
{
    if (!p->point.platform[0])
        return STATUS_OK;
    p->simulated = calloc(1, sizeof *p->simulated);
    if (!p->simulated)
        return fail(e->failure, STATUS_RESOURCE, "not enough memory for the plan");
    struct failure why = {0};
    p->simulated->folded = must_fold(e->sweep, &p->point);
    enum status status = platform_read(&p->simulated->platform, p->point.platform, &why);
    if (status == STATUS_UNAVAILABLE) { /* not available in this build; points without a platform
                                         * are not affected */
        p->skip = skip_reason("%s", why.message);
        return STATUS_OK;
    }
    return status == STATUS_OK ? status : fail(e->failure, status, "%s", why.message);
}

/* The operator and space of a point that is being made. */
static struct point_kind kind_of(const struct expansion *e, const struct record *point)
{
    if (e->sweep->own.words)
        return (struct point_kind){NULL, space_find(point->space)};
    return point_program_kind(point->program);
}

static enum status add_point(const struct expansion *e, struct record point)
{
    struct plan *plan = e->plan;
    if (!point.method[0] && e->facts->method_count > 0)
        snprintf(point.method, sizeof point.method, "%s", e->facts->methods[0].name);
    if (!e->sweep->own.words)
        settle(&point, plan->settings.cores);
    grow_with_workers(e->sweep, &point);
    bool known;
    enum status status = note(e, &point, &known);
    if (status != STATUS_OK || known)
        return status;
    status = reserve(plan, e->failure);
    if (status != STATUS_OK)
        return status;
    struct planned *p = &plan->points[plan->count++];
    *p = (struct planned){.point = point, .definition = e->definition, .sweep = e->index};
    status = set_up_simulated(e, p);
    if (status != STATUS_OK)
        return status;
    if (!p->skip)
        p->skip = skip_find(plan, p, e->sweep, e->facts);
    return STATUS_OK;
}

static enum status expand(const struct expansion *e, size_t axis, const struct record *point);

/* Returns the column that an axis sets. Definitions of earlier versions may use the name that the
 * column had for programs of this operator. */
static int column_now(int column, struct point_kind kind)
{
    const struct column_move *m;
    if (column < 0 || !kind.operator_row)
        return column;
    const char *name = point_column((size_t)column)->column.name;
    for (size_t i = 0; (m = column_move_at(i)); i++)
        if (strcmp(m->operator_name, kind.operator_row->name) == 0 && strcmp(m->before, name) == 0)
            return point_column_find(m->now);
    return column;
}

/* True if a method of the operator's table belongs to the group. */
static bool is_in_group(const struct method *m, enum method_group group)
{
    return group == GROUP_VECTOR ? m->vectors : m->product == (group == GROUP_PRODUCT);
}

/* True if the program lists the method and at least one of the operators that it can run has it in
 * the group. If the selected operator lacks it, the plan leaves it out. */
static bool is_among(const struct method_facts *m, enum method_group group, struct point_kind kind)
{
    const struct operator_row *o = kind.operator_row;
    bool found = group == GROUP_ALL;
    for (size_t i = 0; o && kind.space && operator_variant(o, i); i++) {
        const struct method *row =
            operator_method(operator_variant(o, i), kind.space->kind, m->name);
        if (row && row->tensor)
            return false; /* of another precision: only by its name */
        found = found || (row && is_in_group(row, group));
    }
    return found && method_is_among_all(m);
}

static enum status expand_method(const struct expansion *e, size_t axis, const struct record *point,
                                 const char *method)
{
    struct record next = *point;
    snprintf(next.method, sizeof next.method, "%s", method);
    return expand(e, axis + 1, &next);
}

/* Expands the methods of a group: those that the program lists. For a program that cannot run,
 * those of the table; the plan then leaves them out. */
static enum status expand_group(const struct expansion *e, size_t axis, const struct record *point,
                                enum method_group group)
{
    const struct point_kind kind = point_program_kind(point->program);
    const bool asked = e->facts->method_count > 0;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < e->facts->method_count && status == STATUS_OK; i++)
        if (is_among(&e->facts->methods[i], group, kind))
            status = expand_method(e, axis, point, e->facts->methods[i].name);
    for (size_t i = 0; !asked && kind.operator_row && kind.space && status == STATUS_OK; i++) {
        const struct method *m = kind.operator_row->method(i);
        if (!m)
            break;
        if (m->kind == kind.space->kind && is_in_group(m, group))
            status = expand_method(e, axis, point, m->name);
    }
    return status;
}

/* Expands one value of an axis. */
static enum status expand_value(const struct expansion *e, size_t axis, const struct record *point,
                                const char *value)
{
    const int column = column_now(e->sweep->axes[axis].column, kind_of(e, point));
    struct record next = *point;
    const enum method_group group =
        column == point_column_find("method") ? method_group_find(value) : METHOD_GROUPS;
    if (column == AXIS_SIZE) {
        next.rows = strtoll(value, NULL, 10);
        next.cols = e->sweep->own.words ? 1 : next.rows;
    } else if (column == AXIS_SHAPES) {
        struct shape shape;
        if (shape_parse(value, &shape)) /* always true, since the definition was checked */
            shape_apply(&shape, &next);
    } else if (group != METHOD_GROUPS && (group != GROUP_ALL || e->facts->method_count > 0)) {
        return expand_group(e, axis, point, group);
    } else {
        set_column(&next, column, value);
    }
    return expand(e, axis + 1, &next);
}

/* Expands the axes from `axis` on; skips axes that the program does not have. */
static enum status expand(const struct expansion *e, size_t axis, const struct record *point)
{
    if (axis == e->sweep->axis_count)
        return add_point(e, *point);
    const struct axis_values *values = &e->sweep->axes[axis];
    const struct point_kind kind = kind_of(e, point);
    const int column = column_now(values->column, kind);
    if (column >= 0 && !point_column_may_apply(point_column((size_t)column), kind))
        return expand(e, axis + 1, point);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < values->values.count && status == STATUS_OK; i++)
        status = expand_value(e, axis, point, values->values.items[i]);
    return status;
}

static void name_program(struct record *p, const char *program)
{
    const struct point_kind kind = point_program_kind(program);
    snprintf(p->program, sizeof p->program, "%s", program);
    if (kind.operator_row)
        snprintf(p->operator_name, sizeof p->operator_name, "%s", kind.operator_row->name);
    if (kind.space)
        snprintf(p->space, sizeof p->space, "%s", kind.space->name);
}

/* Checks the number of combinations of a sweep's axes before any is made: a definition of 10^9
 * would never end. The message shows the axes. */
static enum status check_combinations(const struct expansion *e)
{
    const struct definition *d = &e->plan->definitions[e->definition];
    size_t all = e->sweep->own.words ? 1 : e->sweep->programs.count;
    char axes[1024];
    int used = snprintf(axes, sizeof axes, "%zu programs", all);
    for (size_t i = 0; i < e->sweep->axis_count; i++) {
        const struct axis_values *axis = &e->sweep->axes[i];
        const char *name = axis->column == AXIS_SIZE ? "size"
                           : axis->column == AXIS_SHAPES
                               ? "shapes"
                               : point_column((size_t)axis->column)->column.name;
        all = memory_multiply(all, axis->values.count);
        if ((size_t)used < sizeof axes)
            used += snprintf(axes + used, sizeof axes - (size_t)used, " x %zu %s",
                             axis->values.count, name);
    }
    if (all <= COMBINATIONS_MAX)
        return STATUS_OK;
    return fail(e->failure, STATUS_USAGE,
                "%s:%d: this section multiplies out to %zu combinations, more than %d: %s", d->path,
                e->sweep->line, all, COMBINATIONS_MAX, axes);
}

static bool has_axis(const struct sweep *sweep, const char *name)
{
    for (size_t i = 0; i < sweep->axis_count; i++)
        if (sweep->axes[i].column == point_column_find(name))
            return true;
    return false;
}

/* Adds the points of a program of another; each of its phases is one, as if it were a method. */
static enum status add_own(struct expansion *e)
{
    static const struct program_facts none = {.name = NULL};
    const struct own_command command = sweep_command(e->sweep);
    const struct sweep_program *own = &e->sweep->own;
    struct record point = record_empty();
    enum status status = STATUS_OK;
    snprintf(point.experiment, sizeof point.experiment, "%s",
             e->plan->definitions[e->definition].name);
    snprintf(point.program, sizeof point.program, "%s", own->title);
    snprintf(point.operator_name, sizeof point.operator_name, "%s", own_operator);
    snprintf(point.space, sizeof point.space, "%s",
             has_axis(e->sweep, "ranks")     ? "mpi"
             : has_axis(e->sweep, "threads") ? "omp"
                                             : "serial");
    e->facts = &none;
    for (size_t i = 0; i < (own->phases ? own->seconds.count : 1) && status == STATUS_OK; i++) {
        snprintf(point.method, sizeof point.method, "%s", own->title);
        if (own->phases)
            own_phase_name(&command, i, point.method);
        status = expand(e, 0, &point);
    }
    return status;
}

/* Adds the points of one sweep, if it belongs to the definition's scale. */
static enum status add_sweep(struct expansion *e)
{
    const struct definition *d = &e->plan->definitions[e->definition];
    if (e->sweep->scales && !(e->sweep->scales >> d->scale & 1u))
        return STATUS_OK;
    enum status status = check_combinations(e);
    if (e->sweep->own.words)
        return status == STATUS_OK ? add_own(e) : status;
    for (size_t j = 0; j < e->sweep->programs.count && status == STATUS_OK; j++) {
        struct record point = record_empty();
        snprintf(point.experiment, sizeof point.experiment, "%s", d->name);
        name_program(&point, e->sweep->programs.items[j]);
        e->facts = program_find(e->plan->programs, point.program);
        if (!e->facts)
            status = fail(e->failure, STATUS_RESOURCE, "not enough memory for the plan");
        else if (e->facts->unasked && e->facts->missing)
            status = fail(e->failure, STATUS_RESOURCE, "%s", e->facts->missing);
        else
            status = expand(e, 0, &point);
    }
    return status;
}

static enum status add_sweeps(struct expansion *e)
{
    const struct definition *d = &e->plan->definitions[e->definition];
    enum status status = STATUS_OK;
    for (size_t i = 0; i < d->sweep_count && status == STATUS_OK; i++) {
        e->index = i;
        e->sweep = &d->sweeps[i];
        status = add_sweep(e);
    }
    return status;
}

enum status plan_add(struct plan *plan, struct definition *definition, struct failure *f)
{
    struct definition *grown =
        realloc(plan->definitions, (plan->definition_count + 1) * sizeof *grown);
    if (!plan->programs)
        plan->programs = calloc(1, sizeof *plan->programs);
    if (grown)
        plan->definitions = grown;
    if (!grown || !plan->programs) {
        definition_release(definition);
        return fail(f, STATUS_RESOURCE, "not enough memory for the plan");
    }
    plan->definitions[plan->definition_count] = *definition;
    *definition = (struct definition){0};
    plan->programs->bin = plan->settings.bin;
    struct numbering keys = {0};
    struct expansion e = {
        .plan = plan, .definition = plan->definition_count++, .keys = &keys, .failure = f};
    enum status status = add_sweeps(&e);
    numbering_release(&keys);
    return status;
}
