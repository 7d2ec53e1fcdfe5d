#include "experiments/samples/point.h"

#include "experiments/common/folder_files.h"
#include "harness/base/digest.h"
#include "harness/base/text/fit.h"
#include "harness/point/options/options.h"
#include "harness/space/parameters.h"
#include "networks/point/record_subject.h"

#include <inttypes.h>
#include <string.h>

static const struct record_column *columns[RECORD_COLUMNS + 1]; /* filled on first use */

size_t point_column_count(void)
{
    static size_t count;
    if (count == 0)
        for (size_t i = 0; i < RECORD_COLUMNS; i++)
            if (record_column_is(&record_columns[i], COLUMN_POINT))
                columns[count++] = &record_columns[i];
    return count;
}

const struct record_column *point_column(size_t i)
{
    return i < point_column_count() ? columns[i] : NULL;
}

int point_column_find(const char *name)
{
    const struct record_column *found = record_column_find(name);
    for (size_t i = 0; found && i < point_column_count(); i++)
        if (columns[i] == found)
            return (int)i;
    return -1;
}

struct point_kind point_program_kind(const char *program)
{
    char name[RECORD_TEXT];
    const size_t length = strcspn(program, "_");
    snprintf(name, sizeof name, "%.*s", (int)length, program);
    return (struct point_kind){recorded_row(name),
                               space_find(program[length] ? program + length + 1 : "")};
}

struct point_kind point_planned_kind(const struct record *p)
{
    struct point_kind kind = point_program_kind(p->program);
    if (kind.operator_row)
        kind.operator_row = record_selected(p, kind.operator_row);
    return kind;
}

struct point_kind point_record_kind(const struct record *r)
{
    return (struct point_kind){recorded_operator(r), space_find(r->space)};
}

const char own_operator[] = "program", own_verdict[] = "check";

bool point_is_own_program(const struct record *r)
{
    return strcmp(r->operator_name, own_operator) == 0;
}

bool point_is_alone(const struct record *r)
{
    const struct space_facts *space = space_find(r->space);
    return space && space->alone;
}

bool point_has_ranks(const struct record *r)
{
    const struct space_facts *space = space_find(r->space);
    return space && space->launcher;
}

bool point_is_on_device(const struct record *r)
{
    const struct space_facts *space = space_find(r->space);
    return space && space->kind == SPACE_CUDA;
}

/* The operand that the column describes: of operator o, or if it is NULL, of the first operator
 * that has one. NULL if it describes none. */
static const struct operand_row *operand_of(const struct record_column *column,
                                            const struct operator_row *o)
{
    const struct operand_row *row = o ? operator_operand_of_column(o, column->column.name) : NULL;
    for (size_t i = 0; !o && !row && i < operator_count; i++)
        row = operator_operand_of_column(operators[i], column->column.name);
    return row;
}

/* Whether the column applies: one of networks, or of an operator's parameters or operands, applies
 * only to those that have it; all others apply always. */
static bool is_owned(const struct record_column *column, const struct operator_row *o)
{
    const unsigned where = column->where;
    if (!(where & (POINT_NETWORK | POINT_PICTURES | POINT_PARAMETER | POINT_OPERAND)))
        return true;
    return ((where & POINT_NETWORK) && recorded_is_network(o)) ||
           ((where & POINT_PICTURES) && recorded_compares_pictures(o)) ||
           ((where & POINT_PARAMETER) && operator_parameter_of_column(o, column->column.name)) ||
           ((where & POINT_OPERAND) && operand_of(column, o));
}

static bool operator_has(const struct operator_row *o, const struct record_column *column)
{
    if ((column->where & POINT_PLANES) && !o->many_planes)
        return false;
    if ((column->where & POINT_OPERATOR) && recorded_is_network(o))
        return false;
    if ((column->where & POINT_WINDOWS) && !o->windows_go_alone)
        return false;
    return is_owned(column, o);
}

static bool space_has(const struct space_facts *s, unsigned where)
{
    if ((where & POINT_HOST) && s->kind != SPACE_HOST)
        return false;
    if ((where & POINT_DEVICE) && s->kind != SPACE_CUDA)
        return false;
    if ((where & POINT_THREADS) && !s->threads)
        return false;
    return !(where & POINT_RANKS) || s->launcher;
}

bool point_column_applies(const struct record_column *column, struct point_kind kind)
{
    return (!kind.operator_row || operator_has(kind.operator_row, column)) &&
           (!kind.space || space_has(kind.space, column->where));
}

const char *point_column_option(const struct record_column *column, const struct operator_row *o)
{
    const char *own;
    if (recorded_option(o, column->column.name, &own))
        return own;
    const struct operand_row *operand = o ? operand_of(column, o) : NULL;
    return operand ? operand->option : column->option;
}

bool point_column_may_apply(const struct record_column *column, struct point_kind kind)
{
    const struct operator_row *o = kind.operator_row;
    bool applies = !o && point_column_applies(column, kind);
    for (size_t i = 0; o && !applies && (kind.operator_row = operator_variant(o, i)); i++)
        applies = point_column_applies(column, kind);
    return applies;
}

void point_keep_own(struct record *r)
{
    const struct operator_row *o = recorded_operator(r);
    if (!o || !operator_variant(o, 1))
        return;
    for (size_t i = 0; i < point_column_count(); i++) {
        const struct column *c = &columns[i]->column;
        const bool blank = columns[i]->where && !is_owned(columns[i], o);
        const int64_t none = RECORD_NO_INT;
        if (blank && c->type == COLUMN_TEXT)
            *((char *)r + c->offset) = '\0';
        else if (blank)
            memcpy((char *)r + c->offset, &none, sizeof none);
    }
}

/* The parameter of operator o, or if it is NULL, of the first operator that has it. */
static const struct parameter *parameter_of(const struct record_column *column,
                                            const struct operator_row *o)
{
    if (o)
        return operator_parameter_of_column(o, column->column.name);
    for (size_t i = 0; parameter_at(i); i++)
        if (strcmp(parameter_at(i)->column, column->column.name) == 0)
            return parameter_at(i);
    return NULL;
}

/* The default of a network's column; "" for a column of trainings, because the point may not be
 * one. */
static const char *network_fallback(const struct record_column *column)
{
    const bool training = record_column_is(column, COLUMN_TRAINING);
    return column->fallback && !training ? column->fallback : "";
}

const char *point_column_default(const struct record_column *column, const struct operator_row *o,
                                 char text[RECORD_TEXT])
{
    const struct parameter *p = parameter_of(column, o);
    const struct operand_row *operand = operand_of(column, o);
    const char *fallback = operand                         ? operand->fallback
                           : p                             ? NULL
                           : column->where & POINT_NETWORK ? network_fallback(column)
                           : column->option                ? option_fallback(column->option)
                                                           : NULL;
    text[0] = '\0';
    if (fallback)
        return fallback;
    if (p)
        parameter_default(p, text, RECORD_TEXT);
    return text;
}

const char *point_training_default(const struct record_column *column)
{
    if (!record_column_is(column, COLUMN_TRAINING))
        return "";
    return column->fallback ? column->fallback : option_fallback(column->option);
}

bool point_trains(const struct record *r)
{
    return recorded_trains(r);
}

bool point_shares_product(const struct record *r)
{
    return strcmp(r->parallel, "product") == 0;
}

double point_parameter_bytes(const struct record *r)
{
    return recorded_parameter_bytes(r);
}

int point_hidden_layers(const struct record *r)
{
    return recorded_hidden_layers(r);
}

enum { NUMBER = 24 }; /* bytes of an integer as text */

/* As snprintf("%" PRId64), but fast: keys are made for millions of samples. */
static const char *integer_text(int64_t value, char number[NUMBER])
{
    char *at = number + NUMBER - 1;
    uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
    *at = '\0';
    do {
        *--at = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (value < 0)
        *--at = '-';
    return at;
}

/* A column's value as text; "" if not available. */
static const char *value_text(const struct record *r, const struct record_column *column,
                              char number[NUMBER])
{
    const void *field = record_field(r, column);
    if (column->column.type == COLUMN_TEXT)
        return field;
    int64_t value;
    memcpy(&value, field, sizeof value);
    return value == RECORD_NO_INT ? "" : integer_text(value, number);
}

/* Whether the value is the one that a row without a value means: both are the same point. */
static bool is_absent(const struct record_column *column, const char *value)
{
    return !*value || (column->absent && strcmp(value, column->absent) == 0);
}

/* Appends " name=value"; returns false, and appends nothing, if it does not fit `room`. */
static bool add_word(char *key, size_t *used, size_t room, const char *name, const char *value)
{
    size_t name_length = strlen(name), value_length = strlen(value);
    if (*used + name_length + value_length + 2 >= room)
        return false;
    char *at = key + *used;
    if (*used)
        *at++ = ' ';
    memcpy(at, name, name_length);
    at[name_length] = '=';
    memcpy(at + name_length + 1, value, value_length + 1);
    *used = (size_t)(at + name_length + 1 + value_length - key);
    return true;
}

void point_key(const struct record *r, char key[POINT_KEY])
{
    enum { TAIL = 32 }; /* bytes for the hash of the rest */
    size_t used = 0;
    uint64_t rest = 0;
    key[0] = '\0';
    for (size_t i = 0; i < point_column_count(); i++) {
        char number[NUMBER];
        const char *value = value_text(r, columns[i], number), *name = columns[i]->column.name;
        if (!is_absent(columns[i], value) &&
            (rest || !add_word(key, &used, POINT_KEY - TAIL, name, value)))
            rest = digest_text(digest_text(rest ? rest : DIGEST_TEXT, name), value);
    }
    if (rest)
        snprintf(key + used, TAIL, " +%016" PRIx64, rest);
}

/* The usual value, which labels omit. A column of trainings has no default without training. */
static const char *usual_value(const struct record_column *column, const struct operator_row *o,
                               char text[RECORD_TEXT])
{
    const char *word = column->usual    ? column->usual
                       : column->absent ? column->absent
                                        : point_training_default(column);
    return *word ? word : point_column_default(column, o, text);
}

/* True if a label shows the value. */
static bool is_shown(const struct record_column *column, const struct record *r, const char *value)
{
    char usual[RECORD_TEXT];
    switch (column->label) {
    case LABEL_UNUSUAL:
        return strcmp(usual_value(column, recorded_operator(r), usual), value) != 0;
    case LABEL_ALWAYS:
        return true;
    case LABEL_WORKERS:
        return !point_is_alone(r);
    case LABEL_HEAD:
        return false;
    }
    return false;
}

/* "simulated on " precedes a value in sentences too, "k=" only in labels of curves. */
static bool is_words(const char *brief)
{
    const size_t length = brief ? strlen(brief) : 0;
    return length > 0 && brief[length - 1] == ' ';
}

/* The label; `whole` shows paths whole, not the names of files alone. */
static void write_label(const struct record *r, bool whole, char *label, size_t size)
{
    label[0] = '\0';
    text_fit_append(label, size, "%s %s", r->program, r->method);
    if (r->network[0])
        text_fit_append(label, size, " %s", r->network);
    if (r->rows != RECORD_NO_INT && r->cols != RECORD_NO_INT)
        text_fit_append(label, size, " %" PRId64 "x%" PRId64, r->rows, r->cols);
    for (size_t i = 0; i < point_column_count(); i++) {
        char number[NUMBER];
        const struct record_column *c = columns[i];
        const char *value = value_text(r, c, number);
        if (!*value || !is_shown(c, r, value))
            continue;
        if (is_words(c->brief))
            text_fit_append(label, size, " %s%s", c->brief, whole ? value : file_name(value));
        else
            text_fit_append(label, size, " %s=%s", c->column.name,
                            whole ? value : file_name(value));
    }
}

void point_label(const struct record *r, char *label, size_t size)
{
    write_label(r, false, label, size);
}

void point_label_whole(const struct record *r, char *label, size_t size)
{
    write_label(r, true, label, size);
}

/* The value, or the default if an earlier version did not record the column. */
static const char *settled_text(const struct record *r, const struct record_column *column,
                                char text[RECORD_TEXT])
{
    char number[NUMBER];
    const char *value = value_text(r, column, number);
    if (!*value)
        return point_column_default(column, recorded_operator(r), text);
    snprintf(text, RECORD_TEXT, "%s", value);
    return text;
}

static bool same_value(const struct record_column *column, const struct record *a,
                       const struct record *b)
{
    char x[RECORD_TEXT], y[RECORD_TEXT];
    return record_column_same(column, a, b) ||
           strcmp(settled_text(a, column, x), settled_text(b, column, y)) == 0;
}

bool point_same_but(const struct record *a, const struct record *b, unsigned flags, size_t offset)
{
    for (size_t i = 0; i < point_column_count(); i++)
        if (record_column_is(columns[i], flags) && columns[i]->column.offset != offset &&
            !same_value(columns[i], a, b))
            return false;
    return true;
}

bool point_same(const struct record *a, const struct record *b, unsigned flags)
{
    return point_same_but(a, b, flags, SIZE_MAX); /* which no column has */
}

void point_difference(const struct record *r, const struct record *other, char *text, size_t size)
{
    text[0] = '\0';
    for (size_t i = 0; i < point_column_count(); i++) {
        char number[NUMBER];
        const struct record_column *c = columns[i];
        const char *value = value_text(r, c, number);
        if (*value && !same_value(c, r, other))
            text_fit_append(text, size, ", %s%s%s", c->brief ? c->brief : c->column.name,
                            c->brief ? "" : "=", file_name(value));
    }
}

bool point_same_network(const struct record *a, const struct record *b)
{
    for (size_t i = 0; i < point_column_count(); i++)
        if ((columns[i]->where & POINT_NETWORK) && record_column_is(columns[i], COLUMN_PARAMETER) &&
            !same_value(columns[i], a, b))
            return false;
    return true;
}

/* The value that the plan sets is the sample's, or the plan leaves the column open. */
static bool is_planned_value(const struct record_column *column, const char *planned,
                             const char *sample)
{
    const bool is_platform = column->column.offset == offsetof(struct record, platform);
    if (column->absent && (is_absent(column, planned) || is_absent(column, sample)))
        return is_absent(column, planned) && is_absent(column, sample);
    return (!*planned && !is_platform) || strcmp(file_name(planned), file_name(sample)) == 0;
}

bool point_may_share(const struct record *a, const struct record *b)
{
    return !point_is_own_program(a) || strcmp(a->experiment, b->experiment) == 0;
}

bool point_matches(const struct record *planned, const struct record *sample)
{
    if (planned->method[0] && strcmp(planned->method, sample->method) != 0)
        return false; /* most differ here, which is cheap to see */
    if (!point_may_share(planned, sample))
        return false;
    for (size_t i = 0; i < point_column_count(); i++) {
        char a[NUMBER], b[NUMBER];
        if (!is_planned_value(columns[i], value_text(planned, columns[i], a),
                              value_text(sample, columns[i], b)))
            return false;
    }
    return true;
}
