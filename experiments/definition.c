#include "experiments/definition.h"

#include "experiments/arguments.h"
#include "experiments/point.h"
#include "experiments/results.h"

#include <dirent.h>
#include <errno.h>
#include <ini.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const scale_names[SCALES] = {"quick", "full"};

enum {
    BOTH_SCALES = -1,
    VALUES_MAX = 1000 /* of one axis */
};

/* ---- the keys ------------------------------------------------------------------------------- */

enum key_type {
    KEY_TEXT,
    KEY_NAMES,  /* list of names that are safe in a file's name */
    KEY_CHOICE, /* one of key.choices */
    KEY_COUNT,  /* integer from 0; key.least */
    KEY_RATIO,  /* real above 0 and below 1 */
    KEY_SECONDS /* duration */
};

struct key {
    const char *name;
    enum key_type type;
    size_t offset; /* in struct definition */
    int64_t least;
    const char *choices; /* "|plain|mpirun|" */
};

#define AT(field) offsetof(struct definition, field)

/* Every key of [experiment]; the keys of [points] are `programs`, `size`, `size_limit`,
 * `compute_limit` and the axes of point_columns. */
static const struct key keys[] = {
    {"title", KEY_TEXT, AT(title), 0, NULL},
    {"title_es", KEY_TEXT, AT(title_es), 0, NULL},
    {"question", KEY_TEXT, AT(question), 0, NULL},
    {"question_es", KEY_TEXT, AT(question_es), 0, NULL},
    {"figures", KEY_TEXT, AT(figures), 0, NULL},
    {"baseline", KEY_TEXT, AT(baseline), 0, NULL},
    {"charts", KEY_NAMES, AT(charts), 0, NULL},
    {"launcher", KEY_CHOICE, AT(launcher), 0, "|plain|mpirun|srun|simgrid|"},
    {"launches", KEY_COUNT, AT(launches), 1, NULL},
    {"time_limit", KEY_SECONDS, AT(time_limit_s), 0, NULL},
    {"oversubscribe", KEY_COUNT, AT(oversubscribe), 1, NULL},
    {"samples", KEY_COUNT, AT(sampling.samples), 1, NULL},
    {"warmup", KEY_COUNT, AT(sampling.warmup), 0, NULL},
    {"relative_ci", KEY_RATIO, AT(sampling.relative_ci), 0, NULL},
    {"max_seconds", KEY_SECONDS, AT(sampling.max_seconds), 0, NULL},
    {"verify", KEY_CHOICE, AT(sampling.verify), 0, "|full|sampled|none|"},
};

enum { KEYS = sizeof keys / sizeof *keys };

/* ---- the file, read but not yet understood -------------------------------------------------- */

/* A "key = value" line; `scale` is what its prefix says. */
struct entry {
    size_t section;
    int scale;
    int line;
    char *key, *value;
};

struct section {
    char *name;
    int line;
};

/* The reading of one file; inih calls back into it. */
struct source {
    const char *path;
    FILE *file;
    int line;         /* of the last line handed to inih */
    bool indented;    /* that line begins with a blank */
    bool value_above; /* since the section began: an indented line goes on with it */
    int section_line; /* of the last section heading handed to inih */
    struct section *sections;
    size_t section_count;
    struct entry *entries;
    size_t entry_count;
    struct failure *failure;
};

static enum status out_of_memory(const struct source *in)
{
    return fail(in->failure, STATUS_RESOURCE, "%s: not enough memory", in->path);
}

/* Room for one more item of a growing array; the array is kept where memory is short. */
static void *grow(void *items, size_t count, size_t size)
{
    if (count % 16 != 0)
        return items;
    return realloc(items, (count + 16) * size);
}

/* fgets for inih, which itself would cut long lines and does not see zero bytes. */
static char *next_line(char *line, int size, void *stream)
{
    struct source *in = stream;
    int length = 0, c = EOF;
    while (length < size - 1 && (c = getc(in->file)) != EOF) {
        line[length++] = (char)c;
        if (c == '\n' || c == '\0')
            break;
    }
    line[length] = '\0';
    if (length == 0 || in->failure->message[0])
        return NULL;
    in->line++;
    in->indented = line[0] == ' ' || line[0] == '\t';
    if (line[strspn(line, " \t")] == '[') {
        in->section_line = in->line;
        in->value_above = false;
    }
    if (c == '\0' || (c != '\n' && c != EOF)) {
        fail(in->failure, STATUS_USAGE, "%s:%d: %s", in->path, in->line,
             c == '\0' ? "a zero byte in a text file"
                       : "the line is too long; go on in an indented line below");
        return NULL;
    }
    return line;
}

/* The scale that a key's prefix names; *key is moved behind it. */
static int take_scale(const char **key)
{
    for (int scale = 0; scale < SCALES; scale++) {
        size_t length = strlen(scale_names[scale]);
        if (strncmp(*key, scale_names[scale], length) == 0 && (*key)[length] == '.') {
            *key += length + 1;
            return scale;
        }
    }
    return BOTH_SCALES;
}

static bool enter_section(struct source *in, const char *name)
{
    if (in->section_count > 0 && in->sections[in->section_count - 1].line == in->section_line)
        return true;
    if (in->section_line == 0) {
        fail(in->failure, STATUS_USAGE, "%s:%d: a key before any section; [experiment] is missing",
             in->path, in->line);
        return false;
    }
    struct section *grown = grow(in->sections, in->section_count, sizeof *grown);
    char *copy = strdup(name);
    if (!grown || !copy) {
        in->sections = grown ? grown : in->sections;
        free(copy);
        out_of_memory(in);
        return false;
    }
    in->sections = grown;
    in->sections[in->section_count++] = (struct section){copy, in->section_line};
    return true;
}

/* A value goes on in the line below: joined with a blank. */
static bool extend(struct source *in, const char *more)
{
    struct entry *last = &in->entries[in->entry_count - 1];
    size_t length = strlen(last->value);
    char *longer = realloc(last->value, length + strlen(more) + 2);
    if (!longer) {
        out_of_memory(in);
        return false;
    }
    longer[length] = ' ';
    strcpy(longer + length + 1, more);
    last->value = longer;
    return true;
}

static bool add_entry(struct source *in, const char *key, const char *value)
{
    int scale = take_scale(&key);
    struct entry *grown = grow(in->entries, in->entry_count, sizeof *grown);
    char *key_copy = strdup(key), *value_copy = strdup(value);
    in->entries = grown ? grown : in->entries;
    if (!grown || !key_copy || !value_copy) {
        free(key_copy);
        free(value_copy);
        out_of_memory(in);
        return false;
    }
    in->entries[in->entry_count++] =
        (struct entry){in->section_count - 1, scale, in->line, key_copy, value_copy};
    return true;
}

static int take_line(void *user, const char *section, const char *key, const char *value)
{
    struct source *in = user;
    if (!enter_section(in, section))
        return 0;
    if (in->indented && in->value_above)
        return extend(in, value);
    in->value_above = true;
    return add_entry(in, key, value);
}

static enum status check_duplicates(const struct source *in)
{
    for (size_t i = 0; i < in->entry_count; i++)
        for (size_t j = 0; j < i; j++) {
            const struct entry *a = &in->entries[j], *b = &in->entries[i];
            if (a->section == b->section && a->scale == b->scale && strcmp(a->key, b->key) == 0)
                return fail(in->failure, STATUS_USAGE, "%s:%d: '%s' is already given in line %d",
                            in->path, b->line, b->key, a->line);
        }
    return STATUS_OK;
}

static enum status read_source(struct source *in)
{
    in->file = fopen(in->path, "r");
    if (!in->file)
        return fail(in->failure, STATUS_USAGE, "%s: cannot be read: %s", in->path, strerror(errno));
    int bad_line = ini_parse_stream(next_line, in, take_line, in);
    bool unreadable = ferror(in->file) != 0;
    fclose(in->file);
    if (unreadable)
        return fail(in->failure, STATUS_USAGE, "%s: cannot be read", in->path);
    if (in->failure->message[0])
        return in->failure->status;
    if (bad_line > 0)
        return fail(in->failure, STATUS_USAGE, "%s:%d: expected 'key = value' or '[section]'",
                    in->path, bad_line);
    if (bad_line < 0)
        return out_of_memory(in);
    return check_duplicates(in);
}

static void release_source(struct source *in)
{
    for (size_t i = 0; i < in->section_count; i++)
        free(in->sections[i].name);
    for (size_t i = 0; i < in->entry_count; i++) {
        free(in->entries[i].key);
        free(in->entries[i].value);
    }
    free(in->sections);
    free(in->entries);
}

/* ---- values --------------------------------------------------------------------------------- */

/* One value being understood: where it stands, for messages, and what `cores` means. */
struct value {
    const struct source *source;
    const struct entry *entry;
    int64_t cores;
};

static enum status bad_value(const struct value *v, const char *token, const char *expected)
{
    return fail(v->source->failure, STATUS_USAGE, "%s:%d: %s: '%s' is not %s", v->source->path,
                v->entry->line, v->entry->key, token, expected);
}

static bool texts_add(struct texts *t, const char *item)
{
    char **grown = grow(t->items, t->count, sizeof *grown);
    char *copy = strdup(item);
    if (grown)
        t->items = grown;
    if (!grown || !copy) {
        free(copy);
        return false;
    }
    t->items[t->count++] = copy;
    return true;
}

bool texts_have(const struct texts *t, const char *item)
{
    for (size_t i = 0; i < t->count; i++)
        if (strcmp(t->items[i], item) == 0)
            return true;
    return false;
}

void texts_release(struct texts *t)
{
    for (size_t i = 0; i < t->count; i++)
        free(t->items[i]);
    free(t->items);
    *t = (struct texts){0};
}

/* Splits at blanks and commas. An empty list is an error. */
static enum status split(const struct value *v, struct texts *out)
{
    char *copy = strdup(v->entry->value), *rest = NULL;
    bool good = copy != NULL;
    for (char *token = good ? strtok_r(copy, " \t,", &rest) : NULL; token && good;
         token = strtok_r(NULL, " \t,", &rest))
        good = texts_add(out, token);
    free(copy);
    if (!good)
        return out_of_memory(v->source);
    if (out->count == 0)
        return bad_value(v, "", "a list of at least one value");
    return STATUS_OK;
}

/* "123" or "cores", from *text on; *text is moved behind it. */
static bool take_integer(const char **text, int64_t cores, int64_t *value)
{
    static const char word[] = "cores";
    if (strncmp(*text, word, sizeof word - 1) == 0) {
        *text += sizeof word - 1;
        *value = cores;
        return true;
    }
    char *end;
    if (**text < '0' || **text > '9')
        return false;
    errno = 0;
    long long parsed = strtoll(*text, &end, 10);
    *text = end;
    *value = parsed;
    return errno == 0;
}

static bool is_integer(const char *text, int64_t cores, int64_t *value)
{
    return take_integer(&text, cores, value) && *text == '\0';
}

/* A range and its step: "2..16384" "x2". */
struct range {
    int64_t first, last;
    bool geometric;
    int64_t step;
};

static bool is_range(const char *text, int64_t cores, struct range *range)
{
    range->geometric = false;
    range->step = 1;
    if (!take_integer(&text, cores, &range->first) || strncmp(text, "..", 2) != 0)
        return false;
    return is_integer(text + 2, cores, &range->last);
}

/* The token after a range may be its step: "x2" or "+10". */
static bool is_step(const char *text, struct range *range)
{
    if (*text != 'x' && *text != '+')
        return false;
    range->geometric = *text == 'x';
    return is_integer(text + 1, 0, &range->step);
}

static enum status add_integer(const struct value *v, int64_t least, int64_t number,
                               struct texts *out)
{
    char text[32], expected[64];
    snprintf(text, sizeof text, "%" PRId64, number);
    snprintf(expected, sizeof expected, "an integer of at least %" PRId64, least);
    if (number < least)
        return bad_value(v, text, expected);
    if (out->count >= VALUES_MAX)
        return bad_value(v, v->entry->value, "a list of at most 1000 values");
    if (!texts_have(out, text) && !texts_add(out, text))
        return out_of_memory(v->source);
    return STATUS_OK;
}

static enum status add_range(const struct value *v, int64_t least, const char *token,
                             const struct range *range, struct texts *out)
{
    if (range->first > range->last)
        return bad_value(v, token, "a range with a value in it: its first exceeds its last");
    if (range->step < (range->geometric ? 2 : 1) || (range->geometric && range->first < 1))
        return bad_value(v, token, "a range that ends: steps are x2 or more, or +1 or more");
    int64_t number = range->first;
    bool within = true;
    while (within) {
        enum status status = add_integer(v, least, number, out);
        if (status != STATUS_OK)
            return status;
        within = !(range->geometric ? __builtin_mul_overflow(number, range->step, &number)
                                    : __builtin_add_overflow(number, range->step, &number)) &&
                 number <= range->last;
    }
    return STATUS_OK;
}

static enum status expand_integers(const struct value *v, int64_t least, const struct texts *tokens,
                                   struct texts *out)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < tokens->count && status == STATUS_OK; i++) {
        const char *token = tokens->items[i];
        struct range range;
        int64_t number;
        if (is_integer(token, v->cores, &number)) {
            status = add_integer(v, least, number, out);
        } else if (is_range(token, v->cores, &range)) {
            if (i + 1 < tokens->count && is_step(tokens->items[i + 1], &range))
                i++;
            status = add_range(v, least, token, &range, out);
        } else {
            status = bad_value(v, token, "an integer or a range such as 2..1024 x2 or 10..50 +10");
        }
    }
    return status;
}

static enum status parse_integers(const struct value *v, int64_t least, struct texts *out)
{
    struct texts tokens = {0};
    enum status status = split(v, &tokens);
    if (status == STATUS_OK)
        status = expand_integers(v, least, &tokens, out);
    texts_release(&tokens);
    return status;
}

/* Words that become values of options: none may look like an option itself. */
static enum status parse_words(const struct value *v, bool names, struct texts *out)
{
    enum status status = split(v, out);
    for (size_t i = 0; i < out->count && status == STATUS_OK; i++) {
        if (names && !results_name_is_safe(out->items[i]))
            status = bad_value(v, out->items[i], "a name of letters, digits, '_' and '-'");
        else if (out->items[i][0] == '-' || strlen(out->items[i]) >= RECORD_TEXT)
            status = bad_value(v, out->items[i], "a value of that option");
    }
    return status;
}

static enum status parse_text(const struct value *v, char **field)
{
    if (!*v->entry->value)
        return bad_value(v, "", "a text");
    free(*field);
    *field = strdup(v->entry->value);
    return *field ? STATUS_OK : out_of_memory(v->source);
}

static enum status parse_choice(const struct value *v, const char *choices, char **field)
{
    char wanted[64];
    int length = snprintf(wanted, sizeof wanted, "|%s|", v->entry->value);
    if ((size_t)length >= sizeof wanted || !strstr(choices, wanted) || strchr(v->entry->value, '|'))
        return bad_value(v, v->entry->value, choices);
    return parse_text(v, field);
}

static enum status parse_ratio(const struct value *v, double *field)
{
    char *end;
    *field = strtod(v->entry->value, &end);
    if (end == v->entry->value || *end || !(*field > 0 && *field < 1))
        return bad_value(v, v->entry->value, "a number between 0 and 1");
    return STATUS_OK;
}

static enum status parse_count(const struct value *v, int64_t least, int64_t *field)
{
    if (!is_integer(v->entry->value, v->cores, field) || *field < least)
        return bad_value(v, v->entry->value,
                         least > 0 ? "an integer of at least 1" : "an integer of at least 0");
    return STATUS_OK;
}

static enum status parse_key(const struct value *v, const struct key *key, struct definition *d)
{
    void *field = (char *)d + key->offset;
    switch (key->type) {
    case KEY_TEXT:
        return parse_text(v, field);
    case KEY_CHOICE:
        return parse_choice(v, key->choices, field);
    case KEY_COUNT:
        return parse_count(v, key->least, field);
    case KEY_RATIO:
        return parse_ratio(v, field);
    case KEY_SECONDS:
        return duration_parse(v->entry->value, field)
                   ? STATUS_OK
                   : bad_value(v, v->entry->value, "a duration such as 90s, 10m or 1h30m");
    case KEY_NAMES:
        texts_release(field);
        return parse_words(v, true, field);
    }
    return STATUS_OK;
}

/* ---- the definition at one scale ------------------------------------------------------------ */

static enum status unknown_key(const struct value *v, const char *section, const char *known)
{
    return fail(v->source->failure, STATUS_USAGE, "%s:%d: unknown key '%s' in [%s]; known are %s",
                v->source->path, v->entry->line, v->entry->key, section, known);
}

static enum status set_experiment_key(const struct value *v, struct definition *d)
{
    char known[512] = "";
    for (size_t i = 0; i < KEYS; i++) {
        if (strcmp(keys[i].name, v->entry->key) == 0)
            return parse_key(v, &keys[i], d);
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", keys[i].name);
    }
    return unknown_key(v, "experiment", known);
}

/* The axis of a sweep for a column, made where it is not there yet. NULL where memory is short. */
static struct axis_values *find_axis(struct sweep *sweep, int column)
{
    for (size_t i = 0; i < sweep->axis_count; i++)
        if (sweep->axes[i].column == column)
            return &sweep->axes[i];
    struct axis_values *grown = grow(sweep->axes, sweep->axis_count, sizeof *grown);
    if (!grown)
        return NULL;
    sweep->axes = grown;
    sweep->axes[sweep->axis_count] = (struct axis_values){column, {0}};
    return &sweep->axes[sweep->axis_count++];
}

static enum status set_axis(const struct value *v, int column, bool integers, int64_t least,
                            struct sweep *sweep)
{
    struct axis_values *axis = find_axis(sweep, column);
    if (!axis)
        return out_of_memory(v->source);
    texts_release(&axis->values);
    return integers ? parse_integers(v, least, &axis->values)
                    : parse_words(v, false, &axis->values);
}

static enum status unknown_axis(const struct value *v)
{
    char known[512] = "programs, size, size_limit, compute_limit";
    for (size_t i = 0; i < point_column_count; i++) {
        size_t used = strlen(known);
        if (point_columns[i].axis)
            snprintf(known + used, sizeof known - used, ", %s", point_columns[i].name);
    }
    return unknown_key(v, "points", known);
}

static enum status set_sweep_key(const struct value *v, struct sweep *sweep)
{
    if (strcmp(v->entry->key, "programs") == 0) {
        texts_release(&sweep->programs);
        return parse_words(v, true, &sweep->programs);
    }
    if (strcmp(v->entry->key, "size_limit") == 0)
        return parse_count(v, 1, &sweep->size_limit);
    if (strcmp(v->entry->key, "compute_limit") == 0)
        return parse_count(v, 0, &sweep->compute_limit);
    if (strcmp(v->entry->key, "size") == 0)
        return set_axis(v, AXIS_SIZE, true, 1, sweep);
    int column = point_column_find(v->entry->key);
    if (column < 0 || !point_columns[column].axis)
        return unknown_axis(v);
    return set_axis(v, column, point_record_column((size_t)column)->type == COLUMN_INT,
                    point_columns[column].least, sweep);
}

/* Applies the keys of a section: first what holds at both scales, then what overrides it. */
static enum status apply(const struct source *in, size_t section, enum scale scale, int64_t cores,
                         struct definition *d, struct sweep *sweep)
{
    const int passes[] = {BOTH_SCALES, (int)scale};
    for (size_t pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < in->entry_count; i++) {
            const struct entry *entry = &in->entries[i];
            struct value v = {in, entry, cores};
            if (entry->section != section || entry->scale != passes[pass])
                continue;
            enum status status = sweep ? set_sweep_key(&v, sweep) : set_experiment_key(&v, d);
            if (status != STATUS_OK)
                return status;
        }
    return STATUS_OK;
}

/* True for [points] and [points LABEL]; sets *label. */
static bool is_sweep(const char *section, const char **label)
{
    static const char word[] = "points";
    size_t length = sizeof word - 1;
    if (strncmp(section, word, length) != 0 || (section[length] && section[length] != ' '))
        return false;
    *label = section + length + strspn(section + length, " ");
    return true;
}

static bool has_axis(const struct sweep *sweep, int column)
{
    for (size_t i = 0; i < sweep->axis_count; i++)
        if (sweep->axes[i].column == column)
            return true;
    return false;
}

static enum status check_sweep(const struct source *in, const struct sweep *sweep)
{
    if (sweep->programs.count == 0)
        return fail(in->failure, STATUS_USAGE, "%s:%d: this section names no programs", in->path,
                    sweep->line);
    int rows = point_column_find("rows"), cols = point_column_find("cols");
    bool size = has_axis(sweep, AXIS_SIZE);
    bool sides = has_axis(sweep, rows) || has_axis(sweep, cols);
    bool input = has_axis(sweep, point_column_find("input"));
    if (size + sides + input != 1 || has_axis(sweep, rows) != has_axis(sweep, cols))
        return fail(in->failure, STATUS_USAGE,
                    "%s:%d: this section needs exactly one of size, rows with cols, input",
                    in->path, sweep->line);
    return STATUS_OK;
}

static enum status add_sweep(const struct source *in, size_t section, const char *label,
                             enum scale scale, int64_t cores, struct definition *d)
{
    struct sweep *grown = grow(d->sweeps, d->sweep_count, sizeof *grown);
    if (!grown)
        return out_of_memory(in);
    d->sweeps = grown;
    struct sweep *sweep = &d->sweeps[d->sweep_count++];
    *sweep = (struct sweep){
        .label = strdup(label), .line = in->sections[section].line, .compute_limit = -1};
    if (!sweep->label)
        return out_of_memory(in);
    enum status status = apply(in, section, scale, cores, d, sweep);
    return status == STATUS_OK ? check_sweep(in, sweep) : status;
}

static enum status add_section(const struct source *in, size_t section, enum scale scale,
                               int64_t cores, struct definition *d)
{
    const char *label;
    if (strcmp(in->sections[section].name, "experiment") == 0)
        return apply(in, section, scale, cores, d, NULL);
    if (is_sweep(in->sections[section].name, &label))
        return add_sweep(in, section, label, scale, cores, d);
    return fail(in->failure, STATUS_USAGE,
                "%s:%d: unknown section [%s]; known are [experiment] and [points LABEL]", in->path,
                in->sections[section].line, in->sections[section].name);
}

static char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *name = strdup(slash ? slash + 1 : path);
    char *suffix = name ? strstr(name, ".ini") : NULL;
    if (suffix && suffix[4] == '\0')
        *suffix = '\0';
    return name;
}

/* Sets a text that the file left out. */
static bool set_default(char **field, const char *value)
{
    if (!*field)
        *field = strdup(value);
    return *field != NULL;
}

static enum status fill_in(const struct source *in, struct definition *d)
{
    if (!d->title || !d->question)
        return fail(in->failure, STATUS_USAGE, "%s: [experiment] has no %s", in->path,
                    d->title ? "question" : "title");
    if (d->sweep_count == 0)
        return fail(in->failure, STATUS_USAGE, "%s: has no [points] section", in->path);
    if (!set_default(&d->title_es, d->title) || !set_default(&d->question_es, d->question) ||
        !set_default(&d->figures, "") || !set_default(&d->baseline, "literal") ||
        !set_default(&d->launcher, "") || !set_default(&d->sampling.verify, "full"))
        return out_of_memory(in);
    return STATUS_OK;
}

static enum status understand(const struct source *in, enum scale scale, int64_t cores,
                              struct definition *d)
{
    static const struct definition usual = {
        .launches = 6,
        .time_limit_s = 600,
        .oversubscribe = 16,
        .sampling = {.samples = 100, .warmup = 1, .relative_ci = 0.02, .max_seconds = 10},
    };
    *d = usual;
    d->scale = scale;
    d->path = strdup(in->path);
    d->name = name_of(in->path);
    if (!d->path || !d->name)
        return out_of_memory(in);
    if (!results_name_is_safe(d->name))
        return fail(in->failure, STATUS_USAGE,
                    "%s: an experiment's name has letters, digits, '_' and '-' only", in->path);
    for (size_t i = 0; i < in->section_count; i++) {
        enum status status = add_section(in, i, scale, cores, d);
        if (status != STATUS_OK)
            return status;
    }
    return fill_in(in, d);
}

enum status definition_read(struct definition *out, const char *path, enum scale scale,
                            int64_t cores, struct failure *f)
{
    struct failure own = {0};
    struct source in = {.path = path, .failure = &own};
    enum status status = read_source(&in);
    *out = (struct definition){0};
    for (int other = 0; other < SCALES && status == STATUS_OK; other++) {
        if (other == (int)scale)
            continue;
        struct definition checked;
        status = understand(&in, (enum scale)other, cores, &checked);
        definition_release(&checked);
    }
    if (status == STATUS_OK)
        status = understand(&in, scale, cores, out);
    release_source(&in);
    if (status != STATUS_OK) {
        definition_release(out);
        return fail(f, status, "%s", own.message);
    }
    return STATUS_OK;
}

static void release_sweep(struct sweep *sweep)
{
    free(sweep->label);
    texts_release(&sweep->programs);
    for (size_t i = 0; i < sweep->axis_count; i++)
        texts_release(&sweep->axes[i].values);
    free(sweep->axes);
}

void definition_release(struct definition *d)
{
    char *const texts[] = {d->name,     d->path,           d->title,   d->title_es,
                           d->question, d->question_es,    d->figures, d->baseline,
                           d->launcher, d->sampling.verify};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
    texts_release(&d->charts);
    for (size_t i = 0; i < d->sweep_count; i++)
        release_sweep(&d->sweeps[i]);
    free(d->sweeps);
    *d = (struct definition){0};
}

/* ---- the folder ----------------------------------------------------------------------------- */

const char *definitions_folder(void)
{
    return MAXPOOL_DEFINITIONS;
}

static int is_definition(const struct dirent *item)
{
    size_t length = strlen(item->d_name);
    return item->d_name[0] != '.' && length > 4 && strcmp(item->d_name + length - 4, ".ini") == 0;
}

enum status definition_names(struct texts *out, const char *folder, struct failure *f)
{
    struct dirent **items;
    int count = scandir(folder, &items, is_definition, alphasort);
    *out = (struct texts){0};
    if (count < 0)
        return fail(f, STATUS_USAGE, "%s: cannot be read: %s", folder, strerror(errno));
    bool good = true;
    for (int i = 0; i < count; i++) {
        char *name = name_of(items[i]->d_name);
        good = good && name && texts_add(out, name);
        free(name);
        free(items[i]);
    }
    free(items);
    if (good)
        return STATUS_OK;
    texts_release(out);
    return fail(f, STATUS_RESOURCE, "%s: not enough memory", folder);
}

static enum status no_such(const char *folder, const char *name, struct failure *f)
{
    struct texts names;
    char known[600] = "";
    if (definition_names(&names, folder, NULL) == STATUS_OK) {
        for (size_t i = 0; i < names.count; i++) {
            size_t used = strlen(known);
            snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", names.items[i]);
        }
        texts_release(&names);
    }
    return fail(f, STATUS_USAGE, "no experiment '%s' in %s; there are: %s", name, folder, known);
}

enum status definition_find(char **path, const char *folder, const char *name, struct failure *f)
{
    size_t length = strlen(name);
    bool is_path = strchr(name, '/') || (length > 4 && strcmp(name + length - 4, ".ini") == 0);
    int made = is_path ? asprintf(path, "%s", name) : asprintf(path, "%s/%s.ini", folder, name);
    if (made < 0) {
        *path = NULL;
        return fail(f, STATUS_RESOURCE, "%s: not enough memory", name);
    }
    if (is_path || access(*path, F_OK) == 0)
        return STATUS_OK;
    free(*path);
    *path = NULL;
    return no_such(folder, name, f);
}
