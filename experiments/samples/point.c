#include "experiments/samples/point.h"

#include "harness/point/options/options.h"
#include "harness/space/parameters.h"
#include "networks/point/record_subject.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

enum { ANY = 0 };

const struct point_column point_columns[] = {
    {"program", NULL, ANY, 0, false},
    {"operator", NULL, ANY, 0, false},
    {"space", NULL, ANY, 0, false},
    {"method", "method", ANY, 0, true},
    {"offload", "offload", POINT_WINDOWS | POINT_DEVICE, 0, true},
    {"filter_memory", "filter-memory", POINT_OPERATOR | POINT_DEVICE, 0, true},
    {"distribution", "distribute", POINT_RANKS, 0, true},
    {"planes", "planes", POINT_PLANES | POINT_OPERATOR, 1, true},
    {"rows", "rows", ANY, 1, true},
    {"cols", "cols", ANY, 1, true}, /* of a network: --image-size sets both */
    {"kernel", "kernel-size", POINT_PARAMETER, 1, true},
    {"stride", "stride", POINT_PARAMETER, 1, true},
    {"padding", "padding", POINT_PARAMETER, 0, true},
    {"pad_mode", "pad-mode", POINT_PARAMETER, 0, true},
    {"filter", "filter", POINT_SECOND, 0, true},
    {"seed", "seed", ANY, 0, true},
    {"max_value", "max-value", ANY, 0, true},
    {"input", "input", ANY, 0, true},
    {"ranks", NULL, POINT_RANKS, 1, true},
    {"threads", "threads", POINT_THREADS, 1, true},
    {"nodes", NULL, POINT_RANKS, 1, true},
    {"block", "block", POINT_DEVICE, 1, true},
    {"host_memory", "host-memory", POINT_OPERATOR | POINT_DEVICE, 0, true},
    {"streams", "streams", POINT_OPERATOR | POINT_DEVICE, 1, true},
    {"platform", "platform", POINT_RANKS, 0, true},
    {"bind", "bind", POINT_HOST, 0, true},
    {"isa_limit", "isa", POINT_HOST, 0, true},
    {"pages_asked", "pages", POINT_HOST, 0, true},
    {"batch", "batch", POINT_PARAMETER, 1, true},
    {"channels", "channels", POINT_PARAMETER, 1, true},
    {"filters", "filters", POINT_PARAMETER, 1, true},
    {"groups", "groups", POINT_PARAMETER, 1, true},
    {"bias", "bias", POINT_THIRD, 0, true},
    {"activation", "activation", POINT_PARAMETER, 0, true},
    {"epilogue", "epilogue", POINT_PARAMETER, 0, true},
    {"residual", "residual", POINT_FOURTH, 0, true},
    {"factor", "factor", POINT_FIFTH, 0, true},
    {"gradient", "gradient", POINT_PARAMETER, 0, true},
    {"slopes", "slopes", POINT_SIXTH, 0, true},
    {"network", "network", POINT_NETWORK, 0, true},
    {"weights_file", "weights", POINT_NETWORK, 0, true},
    {"images", "batch", POINT_NETWORK, 1, true},
    {"task", "task", POINT_NETWORK, 0, true},
    {"data", "data", POINT_NETWORK, 0, true},
    {"optimizer", "optimizer", POINT_NETWORK, 0, true},
    {"strategy", "strategy", POINT_NETWORK | POINT_RANKS, 0, true},
    {"shards", "shards", POINT_NETWORK | POINT_HOST, 1, true},
};

const size_t point_column_count = sizeof point_columns / sizeof *point_columns;

struct point_kind point_program_kind(const char *program)
{
    char name[RECORD_TEXT];
    const size_t length = strcspn(program, "_");
    snprintf(name, sizeof name, "%.*s", (int)length, program);
    return (struct point_kind){recorded_row(name),
                               space_find(program[length] ? program + length + 1 : "")};
}

struct point_kind point_record_kind(const struct record *r)
{
    return (struct point_kind){recorded_row(r->operator_name), space_find(r->space)};
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

/* The operand of the operator that the column names, or NULL where it names none. */
static const struct operand_row *operand_of(const struct point_column *column,
                                            const struct operator_row *o)
{
    return (column->where & POINT_SECOND)   ? &o->second
           : (column->where & POINT_THIRD)  ? &o->third
           : (column->where & POINT_FOURTH) ? &o->fourth
           : (column->where & POINT_FIFTH)  ? &o->fifth
           : (column->where & POINT_SIXTH)  ? &o->sixth
                                            : NULL;
}

static bool operator_has(const struct operator_row *o, const struct point_column *column)
{
    if ((column->where & POINT_PLANES) && !o->many_planes)
        return false;
    if ((column->where & POINT_NETWORK) && !recorded_is_network(o))
        return false;
    if ((column->where & POINT_OPERATOR) && recorded_is_network(o))
        return false;
    if ((column->where & POINT_PARAMETER) && !operator_parameter_of_column(o, column->name))
        return false;
    const struct operand_row *operand = operand_of(column, o);
    if (operand && !operand->option)
        return false;
    return !(column->where & POINT_WINDOWS) || o->device == DEVICE_POOL;
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

bool point_column_applies(const struct point_column *column, struct point_kind kind)
{
    return (!kind.operator_row || operator_has(kind.operator_row, column)) &&
           (!kind.space || space_has(kind.space, column->where));
}

const char *point_column_option(const struct point_column *column, const struct operator_row *o)
{
    const char *own;
    if (recorded_option(o, column->name, &own))
        return own;
    return (column->where & POINT_SECOND) && o ? o->second.option : column->option;
}

/* Of the operator, or where it is not known of the first that has it. */
static const struct parameter *parameter_of(const struct point_column *column,
                                            const struct operator_row *o)
{
    if (o)
        return operator_parameter_of_column(o, column->name);
    for (size_t i = 0; parameter_at(i); i++)
        if (strcmp(parameter_at(i)->column, column->name) == 0)
            return parameter_at(i);
    return NULL;
}

/* Parameters without a file, which are not trained. Images are filled in with the sizes that follow
 * from the network, and so is what only a training has. */
static const char *network_fallback(const struct point_column *column)
{
    return strcmp(column->name, "weights_file") == 0 ? "seeded"
           : strcmp(column->name, "task") == 0       ? "infer"
                                                     : "";
}

const char *point_column_default(const struct point_column *column, const struct operator_row *o,
                                 char text[RECORD_TEXT])
{
    const struct operator_row *known = o ? o : operators[0];
    const struct parameter *p = parameter_of(column, o);
    const struct operand_row *operand = operand_of(column, known);
    const char *fallback = operand                         ? operand->fallback
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

const char *point_training_default(const struct point_column *column)
{
    static const char *const of_training[] = {"optimizer", "strategy", "shards"};
    for (size_t i = 0; i < sizeof of_training / sizeof *of_training; i++)
        if (strcmp(of_training[i], column->name) == 0)
            return option_fallback(column->option);
    return strcmp(column->name, "data") == 0 ? "random" : "";
}

bool point_trains(const struct record *r)
{
    return recorded_trains(r);
}

double point_parameter_bytes(const struct record *r)
{
    return recorded_parameter_bytes(r);
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

/* What is not worth telling. What only trainings have has no default where nothing is trained. */
static const char *usual_value(const struct point_column *column, const struct operator_row *o,
                               char text[RECORD_TEXT])
{
    const char *word = point_training_default(column);
    return *word ? word : point_column_default(column, o, text);
}

void point_label(const struct record *r, char *label, size_t size)
{
    const struct operator_row *o = recorded_row(r->operator_name);
    label[0] = '\0';
    add(label, size, "%s %s", r->program, r->method);
    if (r->network[0])
        add(label, size, " %s", r->network);
    if (r->rows != RECORD_NO_INT && r->cols != RECORD_NO_INT)
        add(label, size, " %" PRId64 "x%" PRId64, r->rows, r->cols);
    for (size_t i = 0; i < point_column_count; i++) {
        static const char *const told[] = {"program", "operator", "space",     "method", "rows",
                                           "cols",    "seed",     "max_value", "bind",   "network"};
        static const char *const usual[] = {
            "planes",      "padding",   "pad_mode", "filter",   "filter_memory", "block",
            "host_memory", "streams",   "batch",    "groups",   "bias",          "activation",
            "epilogue",    "residual",  "factor",   "gradient", "slopes",        "weights_file",
            "task",        "optimizer", "shards"};
        char usually[RECORD_TEXT];
        char number[NUMBER];
        const char *value = value_text(r, point_record_column(i), number);
        bool shown = *value != '\0';
        for (size_t j = 0; j < sizeof told / sizeof *told; j++)
            shown = shown && strcmp(told[j], point_columns[i].name) != 0;
        for (size_t j = 0; j < sizeof usual / sizeof *usual; j++)
            shown = shown && (strcmp(usual[j], point_columns[i].name) != 0 ||
                              strcmp(usual_value(&point_columns[i], o, usually), value) != 0);
        if (strcmp(point_columns[i].name, "input") == 0)
            shown = shown && strcmp(value, "random") != 0;
        if (strcmp(point_columns[i].name, "nodes") == 0)
            shown = shown && strcmp(value, "1") != 0;
        if (strcmp(point_columns[i].name, "threads") == 0)
            shown = shown && !point_is_alone(r);
        if (shown && point_record_column(i)->offset == offsetof(struct record, platform))
            add(label, size, " simulated on %s", base_name(value));
        else if (shown)
            add(label, size, " %s=%s", point_columns[i].name, base_name(value));
    }
}

bool point_same_channels(const struct record *a, const struct record *b)
{
    return a->batch == b->batch && a->channels == b->channels && a->filters == b->filters &&
           a->groups == b->groups && strcmp(a->bias, b->bias) == 0 &&
           strcmp(a->activation, b->activation) == 0 && strcmp(a->residual, b->residual) == 0 &&
           strcmp(a->factor, b->factor) == 0 && strcmp(a->gradient, b->gradient) == 0;
}

bool point_same_network(const struct record *a, const struct record *b)
{
    return a->images == b->images && point_trains(a) == point_trains(b) &&
           strcmp(a->network, b->network) == 0 && strcmp(a->weights_file, b->weights_file) == 0 &&
           strcmp(a->optimizer, b->optimizer) == 0;
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
