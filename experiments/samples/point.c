#include "experiments/samples/point.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

enum { ANY = POINT_ANY_OPERATOR | POINT_ANY_SPACE, POOLING = POINT_MAXPOOL | POINT_ANY_SPACE };

const struct point_column point_columns[] = {
    {"program", NULL, ANY, 0, false},
    {"operator", NULL, ANY, 0, false},
    {"space", NULL, ANY, 0, false},
    {"method", "method", ANY, 0, true},
    {"offload", "offload", POINT_MAXPOOL | POINT_CUDA, 0, true},
    {"filter_memory", "filter-memory", POINT_ANY_OPERATOR | POINT_CUDA, 0, true},
    {"distribution", "distribute", POINT_ANY_OPERATOR | POINT_MPI, 0, true},
    {"planes", "planes", POOLING, 1, true},
    {"rows", "rows", ANY, 1, true},
    {"cols", "cols", ANY, 1, true},
    {"kernel", "kernel-size", POOLING, 1, true},
    {"stride", "stride", POOLING, 1, true},
    {"padding", "padding", POOLING, 0, true},
    {"pad_mode", "pad-mode", POOLING, 0, true},
    {"filter", "filter", ANY, 0, true},
    {"seed", "seed", ANY, 0, true},
    {"max_value", "max-value", ANY, 0, true},
    {"input", "input", ANY, 0, true},
    {"ranks", NULL, POINT_ANY_OPERATOR | POINT_MPI, 1, true},
    {"threads", "threads", POINT_ANY_OPERATOR | POINT_OMP | POINT_MPI, 1, true},
    {"nodes", NULL, POINT_ANY_OPERATOR | POINT_MPI, 1, true},
    {"block", "block", POINT_ANY_OPERATOR | POINT_CUDA, 1, true},
    {"host_memory", "host-memory", POINT_ANY_OPERATOR | POINT_CUDA, 0, true},
    {"streams", "streams", POINT_ANY_OPERATOR | POINT_CUDA, 1, true},
    {"platform", "platform", POINT_ANY_OPERATOR | POINT_MPI, 0, true},
    {"bind", "bind", POINT_ANY_OPERATOR | POINT_SERIAL | POINT_OMP | POINT_MPI, 0, true},
    {"isa_limit", "isa", POINT_ANY_OPERATOR | POINT_SERIAL | POINT_OMP | POINT_MPI, 0, true},
    {"pages_asked", "pages", POINT_ANY_OPERATOR | POINT_SERIAL | POINT_OMP | POINT_MPI, 0, true},
};

const size_t point_column_count = sizeof point_columns / sizeof *point_columns;

unsigned point_program_kind(const char *program)
{
    static const struct {
        const char *word;
        unsigned flag;
    } operators[] = {{"maxpool", POINT_MAXPOOL}, {"matmul", POINT_MATMUL}},
      spaces[] = {
          {"serial", POINT_SERIAL}, {"omp", POINT_OMP}, {"mpi", POINT_MPI}, {"cuda", POINT_CUDA}};
    size_t length = strcspn(program, "_");
    const char *space = program[length] ? program + length + 1 : "";
    unsigned operator_flag = POINT_ANY_OPERATOR, space_flag = POINT_ANY_SPACE;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (strlen(operators[i].word) == length && strncmp(program, operators[i].word, length) == 0)
            operator_flag = operators[i].flag;
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (strcmp(space, spaces[i].word) == 0)
            space_flag = spaces[i].flag;
    return operator_flag | space_flag;
}

bool point_column_applies(const struct point_column *column, unsigned kind)
{
    return (column->where & kind & POINT_ANY_OPERATOR) && (column->where & kind & POINT_ANY_SPACE);
}

int point_column_find(const char *name)
{
    for (size_t i = 0; i < point_column_count; i++)
        if (strcmp(point_columns[i].name, name) == 0)
            return (int)i;
    return -1;
}

const struct column *point_record_column(size_t index)
{
    static const struct column *columns[sizeof point_columns / sizeof *point_columns];
    if (!columns[index])
        columns[index] = &record_columns[record_column_find(point_columns[index].name)];
    return columns[index];
}

enum { NUMBER = 24 }; /* bytes of an integer as text */

/* As snprintf("%" PRId64) would; keys are made for millions of samples. */
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

/* A column's value as text; "" where it is not available. */
static const char *value_text(const struct record *r, const struct column *column,
                              char number[NUMBER])
{
    const char *field = (const char *)r + column->offset;
    if (column->type == COLUMN_TEXT)
        return field;
    int64_t value;
    memcpy(&value, field, sizeof value);
    return value == RECORD_NO_INT ? "" : integer_text(value, number);
}

/* FNV-1a, 64 bits. Source: Fowler, Noll & Vo, draft-eastlake-fnv. */
static uint64_t hash(uint64_t sum, const char *text)
{
    for (; *text; text++)
        sum = (sum ^ (unsigned char)*text) * 0x100000001b3u;
    return sum;
}

/* Appends " name=value"; false, and nothing appended, where that would not fit `room`. */
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
    enum { TAIL = 32 }; /* room for the hash of what does not fit */
    size_t used = 0;
    uint64_t rest = 0;
    key[0] = '\0';
    for (size_t i = 0; i < point_column_count; i++) {
        char number[NUMBER];
        const char *value = value_text(r, point_record_column(i), number);
        if (*value &&
            (rest || !add_word(key, &used, POINT_KEY - TAIL, point_columns[i].name, value)))
            rest = hash(hash(rest ? rest : 0xcbf29ce484222325u, point_columns[i].name), value);
    }
    if (rest)
        snprintf(key + used, TAIL, " +%016" PRIx64, rest);
}

static void add(char *label, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Appends; a label that does not fit ends in "...". */
static void add(char *label, size_t size, const char *format, ...)
{
    size_t used = strlen(label);
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(label + used, size - used, format, arguments);
    va_end(arguments);
    if (length >= 0 && (size_t)length >= size - used && size > 4)
        memcpy(label + size - 4, "...", 4);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void point_label(const struct record *r, char *label, size_t size)
{
    label[0] = '\0';
    add(label, size, "%s %s", r->program, r->method);
    if (r->rows != RECORD_NO_INT && r->cols != RECORD_NO_INT)
        add(label, size, " %" PRId64 "x%" PRId64, r->rows, r->cols);
    for (size_t i = 0; i < point_column_count; i++) {
        static const char *const told[] = {"program", "operator", "space",     "method", "rows",
                                           "cols",    "seed",     "max_value", "bind"};
        static const struct {
            const char *name, *value;
        } usual[] = {{"planes", "1"},
                     {"padding", "0"},
                     {"pad_mode", "zero"},
                     {"filter", "identity"},
                     {"input", "random"},
                     {"nodes", "1"},
                     {"filter_memory", "transferred"},
                     {"block", "16"},
                     {"host_memory", "pageable"},
                     {"streams", "1"}};
        char number[NUMBER];
        const char *value = value_text(r, point_record_column(i), number);
        bool shown = *value != '\0';
        for (size_t j = 0; j < sizeof told / sizeof *told; j++)
            shown = shown && strcmp(told[j], point_columns[i].name) != 0;
        for (size_t j = 0; j < sizeof usual / sizeof *usual; j++)
            shown = shown && (strcmp(usual[j].name, point_columns[i].name) != 0 ||
                              strcmp(usual[j].value, value) != 0);
        if (strcmp(point_columns[i].name, "threads") == 0)
            shown = shown && strcmp(r->space, "serial") != 0;
        if (shown && point_record_column(i)->offset == offsetof(struct record, platform))
            add(label, size, " simulated on %s", base_name(value));
        else if (shown)
            add(label, size, " %s=%s", point_columns[i].name, base_name(value));
    }
}

bool point_matches(const struct record *planned, const struct record *sample)
{
    for (size_t i = 0; i < point_column_count; i++) {
        const struct column *column = point_record_column(i);
        char planned_number[NUMBER], sample_number[NUMBER];
        const char *a = value_text(planned, column, planned_number);
        const char *b = value_text(sample, column, sample_number);
        bool left_open = !*a && column->offset != offsetof(struct record, platform);
        if (!left_open && strcmp(base_name(a), base_name(b)) != 0)
            return false;
    }
    return true;
}
