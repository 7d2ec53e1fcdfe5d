#include "kernels/operators.h"

#include "kernels/precision/declared_math.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const struct operator_row *const operators[] = {
#define OPERATOR(name, ...) &name##_operator,
#include "kernels/operators.inc"
};
const size_t operator_count = sizeof operators / sizeof *operators;

const struct operator_row *operator_find(const char *name)
{
    for (size_t i = 0; i < operator_count; i++)
        if (strcmp(operators[i]->name, name) == 0)
            return operators[i];
    return NULL;
}

/* ---- operators that options select ------------------------------------------------------------
 */

static const struct parameter *selecting_parameter(const struct operator_row *o)
{
    for (const struct parameter *const *p = o->parameters; *p; p++)
        if ((*p)->selects)
            return *p;
    return NULL;
}

const struct operator_row *operator_selected(const struct operator_row *o,
                                             const struct parameters *values)
{
    const struct parameter *p = selecting_parameter(o);
    return p ? p->selects[parameter_get(p, values)] : o;
}

const struct operator_row *operator_variant(const struct operator_row *o, size_t i)
{
    const struct parameter *p = selecting_parameter(o);
    if (i == 0)
        return o;
    for (size_t word = 0; p && p->selects[word]; word++)
        if (p->selects[word] != o && --i == 0)
            return p->selects[word];
    return NULL;
}

/* ---- methods ----------------------------------------------------------------------------------
 */

size_t operator_method_count(const struct operator_row *o)
{
    size_t count = 0;
    while (o->method(count))
        count++;
    return count;
}

ptrdiff_t operator_rung(const struct operator_row *o, enum space_kind kind, const char *name)
{
    for (size_t i = 0; i < operator_method_count(o); i++)
        if (o->method(i)->kind == kind && strcmp(o->method(i)->name, name) == 0)
            return (ptrdiff_t)i;
    return -1;
}

const struct method *operator_method(const struct operator_row *o, enum space_kind kind,
                                     const char *name)
{
    const ptrdiff_t rung = operator_rung(o, kind, name);
    return rung < 0 ? NULL : o->method((size_t)rung);
}

const char *method_refuses(const struct method *method, const struct operation *op)
{
    if (method->tensor && !math_rounds(op))
        return "rounds its operands: it needs --math tf32 or bf16";
    if (!method->tensor && math_rounds(op))
        return "computes in float32 alone: --math tf32 and bf16 need --method tensor on a GPU";
    return method->refuses ? method->refuses(op) : NULL;
}

const char *method_lacks(const struct method *method, bool emulated)
{
    if (!emulated || method->kind != SPACE_CUDA)
        return method->unavailable;
    return method->needs_gpu
               ? "a library that computes on a GPU alone; an emulated device (--device "
                 "cpu) has the kernels of this suite"
               : NULL;
}

enum isa operator_isa(const struct operator_row *o, const struct method *m, enum isa limit)
{
    while (limit > ISA_BASELINE && !o->is_built(m, limit))
        limit--;
    return limit;
}

/* ---- parameters -------------------------------------------------------------------------------
 */

const struct parameter *operator_parameter(const struct operator_row *o, const char *option)
{
    for (const struct parameter *const *p = o->parameters; *p; p++)
        if (strcmp((*p)->option, option) == 0)
            return *p;
    return NULL;
}

const struct parameter *operator_parameter_of_column(const struct operator_row *o,
                                                     const char *column)
{
    for (const struct parameter *const *p = o->parameters; *p; p++)
        if (strcmp((*p)->column, column) == 0)
            return *p;
    return NULL;
}

const struct operand_row *operator_operand(const struct operator_row *o, const char *option)
{
    for (const struct operand_row *const *row = o->operands; *row; row++)
        if (strcmp((*row)->option, option) == 0)
            return *row;
    return NULL;
}

const struct parameter *operator_any_parameter(const struct operator_row *o, const char *option)
{
    const struct parameter *p = NULL;
    const struct operator_row *variant;
    for (size_t i = 0; !p && (variant = operator_variant(o, i)); i++)
        p = operator_parameter(variant, option);
    return p;
}

const struct operand_row *operator_any_operand(const struct operator_row *o, const char *option)
{
    const struct operand_row *row = NULL;
    const struct operator_row *variant;
    for (size_t i = 0; !row && (variant = operator_variant(o, i)); i++)
        row = operator_operand(variant, option);
    return row;
}

const struct operand_row *operator_operand_of_column(const struct operator_row *o,
                                                     const char *column)
{
    for (const struct operand_row *const *row = o->operands; *row; row++)
        if (strcmp((*row)->column, column) == 0)
            return *row;
    return NULL;
}

const struct operand_row *operator_right(const struct operator_row *o)
{
    for (const struct operand_row *const *row = o->operands; *row; row++)
        if ((*row)->role == o->right)
            return *row;
    return NULL;
}

bool operator_takes_panels(const struct operator_row *o)
{
    const struct operand_row *right = operator_right(o);
    return right && right->panels;
}

const struct operand *operation_right(const struct operation *op)
{
    return &op->operands[op->kind->right];
}

int64_t parameter_get(const struct parameter *p, const struct parameters *from)
{
    int64_t value;
    memcpy(&value, (const char *)from + p->offset, sizeof value);
    return value;
}

void parameter_set(const struct parameter *p, struct parameters *to, int64_t value)
{
    memcpy((char *)to + p->offset, &value, sizeof value);
}

/* Whether an operator before the o-th has the parameter too. */
static bool is_listed_before(size_t o, const struct parameter *p)
{
    for (size_t i = 0; i < o; i++)
        if (operator_parameter(operators[i], p->option))
            return true;
    return false;
}

const struct parameter *parameter_at(size_t i)
{
    for (size_t o = 0; o < operator_count; o++)
        for (const struct parameter *const *p = operators[o]->parameters; *p; p++)
            if (!is_listed_before(o, *p) && i-- == 0)
                return *p;
    return NULL;
}

void operator_fill_defaults(const struct operator_row *o, struct parameters *values,
                            parameter_given *is_given, const void *context)
{
    for (const struct parameter *const *p = o->parameters; *p; p++) {
        const struct parameter *followed =
            (*p)->follows ? operator_parameter(o, (*p)->follows) : NULL;
        if (!is_given(*p, context))
            parameter_set(*p, values, followed ? parameter_get(followed, values) : (*p)->fallback);
    }
}

/* ---- operations -------------------------------------------------------------------------------
 */

int64_t operation_terms(const struct operation *op)
{
    return op->kind->terms(op);
}

int64_t shape_elements(struct image_shape s)
{
    return s.planes * s.rows * s.cols;
}

static struct image_shape shape_of_planes(struct image_shape lines, int64_t channels)
{
    return (struct image_shape){lines.planes * channels, lines.rows, lines.cols / channels};
}

struct image_shape shape_of_lines(struct image_shape planes, int64_t channels)
{
    return (struct image_shape){planes.planes / channels, planes.rows, planes.cols * channels};
}

struct image_shape image_planes(const struct operation *op)
{
    return shape_of_planes(op->image, op->kind->image_channels ? op->kind->image_channels(op) : 1);
}

struct image_shape map_planes(const struct operation *op)
{
    return shape_of_planes(op->map, op->kind->map_channels ? op->kind->map_channels(op) : 1);
}

bool products_are_exact(const struct operation *op, bool integers, double max_abs)
{
    const struct operand *b = operation_right(op);
    return b->identity ||
           oracle_is_exact(integers && b->integers, operation_terms(op), max_abs, b->max_abs);
}

double products_largest(const struct operation *op, double max_abs)
{
    const struct operand *b = operation_right(op);
    return b->identity ? max_abs : (double)operation_terms(op) * max_abs * fmax(b->max_abs, 1.0);
}

void own_rows_needed(const struct operation *op, int64_t row, int64_t rows, int64_t *first,
                     int64_t *count)
{
    (void)op;
    *first = row;
    *count = rows;
}

struct region own_begin(const struct operation *op, int64_t plane, int64_t row, int64_t col)
{
    (void)op;
    return (struct region){.plane = plane, .row = row, .col = col};
}

struct refusal refusal_make(enum refusal_kind kind, const char *format, ...)
{
    struct refusal refusal = {.kind = kind};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(refusal.text, sizeof refusal.text, format, arguments);
    va_end(arguments);
    return refusal;
}
