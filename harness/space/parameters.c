#include "harness/space/parameters.h"

#include "harness/records/columns.h"

#include <string.h>

static const struct column *column_of(const struct parameter *p)
{
    return &record_column_find(p->column)->column;
}

/* Offset of the column that records an operand's name. */
static size_t name_offset(const struct operand_row *row)
{
    return record_column_find(row->column)->column.offset;
}

/* Copies the index-th of words separated by '|'. */
static void copy_word(char *field, size_t size, const char *words, int64_t index)
{
    for (; index > 0; index--)
        words += strcspn(words, "|") + 1;
    snprintf(field, size, "%.*s", (int)strcspn(words, "|"), words);
}

/* Returns the index of `word` among the words; -1 if it is none of them. */
static int64_t find_word(const char *word, const char *words)
{
    const size_t length = strlen(word);
    for (int64_t index = 0;; index++) {
        const size_t span = strcspn(words, "|");
        if (span == length && strncmp(word, words, span) == 0)
            return index;
        if (!words[span])
            return -1;
        words += span + 1;
    }
}

void record_parameters(struct record *r, const struct operator_row *o,
                       const struct parameters *values)
{
    for (const struct parameter *const *p = o->parameters; *p; p++) {
        const struct column *column = column_of(*p);
        const int64_t value = parameter_get(*p, values);
        char *field = (char *)r + column->offset;
        if ((*p)->choice)
            copy_word(field, column->size, (*p)->argument, value);
        else if (value >= (*p)->least)
            memcpy(field, &value, sizeof value);
    }
}

void record_operands(struct record *r, const struct operation *op)
{
    for (const struct operand_row *const *row = op->kind->operands; *row; row++) {
        const char *name = op->operands[(*row)->role].name;
        snprintf((char *)r + name_offset(*row), RECORD_TEXT, "%s", name ? name : "");
    }
}

/* Reads a parameter from a record; returns false if the record has no value. */
static bool read_parameter(const struct record *r, const struct parameter *p, int64_t *value)
{
    const struct column *column = column_of(p);
    const char *field = (const char *)r + column->offset;
    if (p->choice)
        *value = find_word(field, p->argument);
    else
        memcpy(value, field, sizeof *value);
    return p->choice ? *value >= 0 : *value != RECORD_NO_INT;
}

const struct operator_row *record_selected(const struct record *r, const struct operator_row *o)
{
    struct parameters values = {0};
    for (const struct parameter *const *p = o->parameters; *p; p++) {
        int64_t value;
        if ((*p)->selects && read_parameter(r, *p, &value))
            parameter_set(*p, &values, value);
    }
    return operator_selected(o, &values);
}

bool record_has_parameter(const struct record *r, const struct parameter *p)
{
    int64_t value;
    return read_parameter(r, p, &value);
}

static bool is_recorded(const struct parameter *p, const void *context)
{
    return record_has_parameter(context, p);
}

void parameter_default(const struct parameter *p, char *text, size_t size)
{
    text[0] = '\0';
    if (p->choice && !p->follows)
        copy_word(text, size, p->argument, p->fallback);
    else if (!p->follows && p->fallback >= p->least)
        snprintf(text, size, "%lld", (long long)p->fallback);
}

void record_settle(struct record *r, const struct operator_row *o)
{
    struct parameters values = {0};
    for (const struct parameter *const *p = o->parameters; *p; p++) {
        int64_t value;
        if (read_parameter(r, *p, &value))
            parameter_set(*p, &values, value);
    }
    operator_fill_defaults(o, &values, is_recorded, r);
    record_parameters(r, o, &values);
}

/* Sets each operand's name from the record, and whether it is the image itself. */
static void name_operands(struct operation *op, const struct record *r)
{
    for (const struct operand_row *const *row = op->kind->operands; *row; row++) {
        struct operand *operand = &op->operands[(*row)->role];
        operand->name = (const char *)r + name_offset(*row);
        operand->itself = (*row)->any_rows && strcmp(operand->name, "itself") == 0;
    }
}

struct refusal operation_of_record(struct operation *op, const struct operator_row *o,
                                   const struct record *r)
{
    *op = (struct operation){.kind = o};
    if (r->rows == RECORD_NO_INT || r->cols == RECORD_NO_INT)
        return refusal_make(REFUSAL_USAGE, "the size of the image is missing");
    const struct image_shape sizes = {r->planes == RECORD_NO_INT ? 1 : r->planes, r->rows, r->cols};
    for (const struct parameter *const *p = o->parameters; *p; p++) {
        int64_t value;
        const bool is_needed = !(*p)->choice && (*p)->fallback >= (*p)->least;
        const bool is_there = read_parameter(r, *p, &value);
        if (!is_there && is_needed)
            return refusal_make(REFUSAL_USAGE, "the %s is missing", (*p)->option);
        parameter_set(*p, &op->parameters, is_there ? value : (*p)->fallback);
    }
    op->image = o->random_shape ? o->random_shape(&op->parameters, sizes) : sizes;
    const bool countable = geometry_elements(op->image.planes, op->image.rows, op->image.cols) >= 0;
    if (o->image_channels && !countable)
        return refusal_make(REFUSAL_RESOURCE, "the image cannot be counted in bytes");
    if (o->image_channels)
        op->image = shape_of_lines(op->image, o->image_channels(op));
    name_operands(op, r);
    const struct refusal refusal = o->shape(op);
    const struct operand_row *right = operator_right(o);
    if (refusal.kind == REFUSAL_NONE && right)
        op->operands[right->role].shape = right->shape(op);
    return refusal;
}

bool operation_has_column(const struct operator_row *o, const char *column)
{
    static const char *const of_all[] = {"operator", "method", "planes", "rows", "cols"};
    for (size_t i = 0; i < sizeof of_all / sizeof *of_all; i++)
        if (strcmp(column, of_all[i]) == 0)
            return true;
    return operator_parameter_of_column(o, column) || operator_operand_of_column(o, column);
}
