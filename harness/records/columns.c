#include "harness/records/columns.h"

#include <string.h>

const struct record_column record_columns[RECORD_COLUMNS] = {
#define COLUMN(field, name, number, type, size, meaning, ...)                                      \
    {{name, type, offsetof(struct record, field), size, meaning}, number, __VA_ARGS__},
#define TEXT(field, name, number, meaning, ...)                                                    \
    COLUMN(field, name, number, COLUMN_TEXT, RECORD_TEXT, meaning, .unit = "text", __VA_ARGS__)
#define INTEGER(field, name, number, meaning, ...)                                                 \
    COLUMN(field, name, number, COLUMN_INT, sizeof(int64_t), meaning, __VA_ARGS__)
#define REAL(field, name, number, meaning, ...)                                                    \
    COLUMN(field, name, number, COLUMN_REAL, sizeof(double), meaning, __VA_ARGS__)
#define PHASE(constant, field, name, number, meaning, ...)                                         \
    COLUMN(field, name, number, COLUMN_REAL, sizeof(double), meaning, .unit = "s", __VA_ARGS__)
#define LAUNCH_PHASE PHASE
#include "harness/records/columns.inc"
#undef COLUMN
};

static const struct {
    const char *before, *now;
} aliases[] = {
#define ALIAS(before, now) {before, now},
#include "harness/records/columns.inc"
};

static const struct column_move moves[] = {
#define MOVED(operator_name, before, now) {operator_name, before, now},
#include "harness/records/columns.inc"
};

_Static_assert(sizeof moves / sizeof *moves <= COLUMN_MOVES_MAX, "a reader must hold them");

const struct column_move *column_move_at(size_t i)
{
    return i < sizeof moves / sizeof *moves ? &moves[i] : NULL;
}

const char *column_name_now(const char *name)
{
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (strcmp(aliases[i].before, name) == 0)
            return aliases[i].now;
    return name;
}

const struct record_column *record_column_find(const char *name)
{
    const char *now = column_name_now(name);
    for (size_t i = 0; i < RECORD_COLUMNS; i++)
        if (strcmp(record_columns[i].column.name, now) == 0)
            return &record_columns[i];
    return NULL;
}

const char *record_column_unit(const struct record_column *c)
{
    return c->unit ? c->unit : "1";
}

bool record_column_is_phase(const struct record_column *c)
{
    return c->word;
}

bool record_column_is(const struct record_column *c, unsigned flags)
{
    return (c->flags & flags) == flags;
}

const void *record_field(const struct record *r, const struct record_column *c)
{
    return (const char *)r + c->column.offset;
}

/* A row without a value has the one that this means, if it is known. */
static const char *text_of(const struct record *r, const struct record_column *c)
{
    const char *text = record_field(r, c);
    return *text || !c->absent ? text : c->absent;
}

bool record_column_same(const struct record_column *c, const struct record *a,
                        const struct record *b)
{
    if (c->column.type == COLUMN_TEXT)
        return strcmp(text_of(a, c), text_of(b, c)) == 0;
    return memcmp(record_field(a, c), record_field(b, c), c->column.size) == 0;
}

bool record_same(const struct record *a, const struct record *b, unsigned flags)
{
    for (size_t i = 0; i < RECORD_COLUMNS; i++)
        if (record_column_is(&record_columns[i], flags) &&
            !record_column_same(&record_columns[i], a, b))
            return false;
    return true;
}
