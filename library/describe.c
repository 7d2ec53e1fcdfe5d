/* An operation of any operator, in the words of its records. */
#include "harness/base/text/csv_field.h"
#include "harness/records/columns.h"
#include "harness/space/parameters.h"
#include "library/operation.h"

#include <string.h>

enum { WORDS = 1024 }; /* bytes of a description */

static bool take_value(struct record *r, const struct record_column *c, const char *value)
{
    char *field = (char *)r + c->column.offset;
    int64_t number = 0;
    if (c->column.type == COLUMN_TEXT)
        return (size_t)snprintf(field, c->column.size, "%s", value) < c->column.size;
    const bool is_number = csv_read_integer(value, &number);
    memcpy(field, &number, sizeof number);
    return c->column.type == COLUMN_INT && is_number && number >= c->least;
}

/* Whether the operator, or one that its options select, has the column. */
static bool has_column(const struct operator_row *o, const char *name)
{
    const struct operator_row *variant;
    for (size_t i = 0; (variant = operator_variant(o, i)); i++)
        if (operation_has_column(variant, name))
            return true;
    return false;
}

/* Takes "NAME=VALUE". */
static enum status take_word(struct record *r, const struct operator_row *o, char *word,
                             struct failure *f)
{
    char *value = strchr(word, '=');
    const struct record_column *c = NULL;
    if (value) {
        *value++ = '\0';
        c = has_column(o, word) ? record_column_find(word) : NULL;
    }
    const struct parameter *p = c ? operator_parameter_of_column(o, word) : NULL;
    if (c && take_value(r, c, value) && (!p || record_has_parameter(r, p)))
        return STATUS_OK;
    return fail(f, STATUS_USAGE, "%s has no %.200s%s%.200s", o->words.subject, word,
                value ? "=" : "", value ? value : "");
}

/* The operator that the description names with its first word; NULL: none. */
static const struct operator_row *operator_of(const char *word)
{
    static const char first[] = "operator=";
    return word && strncmp(word, first, strlen(first)) == 0 ? operator_find(word + strlen(first))
                                                            : NULL;
}

static enum status read_words(struct record *r, const struct operator_row **o, const char *words,
                              struct failure *f)
{
    char text[WORDS], *rest = NULL;
    if (!words || strlen(words) >= sizeof text)
        return fail(f, STATUS_USAGE, "the description is %s", words ? "too long" : "NULL");
    memcpy(text, words, strlen(words) + 1);
    char *word = strtok_r(text, " \n", &rest);
    *o = operator_of(word);
    if (!*o)
        return fail(f, STATUS_USAGE, "'%.200s' names no operator", word ? word : "");
    while (f->status == STATUS_OK && (word = strtok_r(NULL, " \n", &rest)))
        take_word(r, *o, word, f);
    *o = record_selected(r, *o);
    return f->status;
}

static enum status take_operands(struct operand_values *values, const struct operator_row *o,
                                 const struct maxpool_operand *given, struct failure *f)
{
    for (; given && given->name; given++) {
        const struct operand_row *row = operator_operand_of_column(o, given->name);
        if (!row)
            return fail(f, STATUS_USAGE, "%s has no operand %.200s", o->words.subject, given->name);
        values->of[row->role] = given->values;
    }
    return STATUS_OK;
}

static enum status set_shapes(struct maxpool_operation *op, const struct operator_row *o,
                              struct record *r, struct failure *f)
{
    const struct image_shape sizes = {r->planes == RECORD_NO_INT ? 1 : r->planes, r->rows, r->cols};
    if (operation_check_shape(sizes, "input", f) != STATUS_OK)
        return f->status;
    record_settle(r, o);
    const struct refusal refusal = operation_of_record(&op->operation, o, r);
    if (refusal.kind == REFUSAL_NONE &&
        operation_check_shape(op->operation.image, "input", f) != STATUS_OK)
        return f->status;
    return operation_adopt(op, &refusal, f);
}

static enum status make(struct maxpool_operation *op, const void *request, struct failure *f)
{
    const struct maxpool_described *what = request;
    const struct operator_row *o = NULL;
    struct operand_values values = {{NULL}};
    struct record r = record_empty();
    if (read_words(&r, &o, what->words, f) != STATUS_OK ||
        take_operands(&values, o, what->operands, f) != STATUS_OK ||
        set_shapes(op, o, &r, f) != STATUS_OK)
        return f->status;
    return operation_complete(op, &values, r.method[0] ? r.method : NULL, f);
}

enum maxpool_status maxpool_make_described(struct maxpool_operation **out,
                                           const struct maxpool_described *what,
                                           struct maxpool_failure *failure)
{
    return operation_make(make, what, out, failure);
}
