#include "experiments/definition/definition.h"

#include "experiments/common/arguments.h"
#include "experiments/common/results.h"
#include "experiments/definition/definition_values.h"
#include "experiments/definition/method_groups.h"
#include "experiments/definition/shapes.h"
#include "experiments/definition/sweep_program.h"
#include "experiments/samples/point.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const double scale_targets[SCALES] = {0.10, 0.03, 0.02, 0.05};
const double scale_budgets_s[SCALES] = {165, 31 * 60, 11 * 3600, 90 * 60};

/* ---- the keys ------------------------------------------------------------------------------- */

enum key_type {
    KEY_TEXT,
    KEY_NAMES,  /* list of names that are safe in file names */
    KEY_CHOICE, /* one of key.choices */
    KEY_COUNT,  /* integer of at least key.least */
    KEY_RATIO,  /* real above 0 and below 1 */
    KEY_SECONDS /* duration */
};

struct key {
    const char *name;
    enum key_type type;
    size_t offset; /* offset in struct definition */
    int64_t least;
    const char *choices; /* "|plain|mpirun|" */
};

#define AT(field) offsetof(struct definition, field)

/* Every key of [experiment]; the keys of [points] are `programs`, `scales`, `size`,
 * `size_limit`, `shapes`, `per_worker`, `compute_limit` and the columns that are axes. */
static const struct key keys[] = {
    {"title", KEY_TEXT, AT(title), 0, NULL},
    {"question", KEY_TEXT, AT(question), 0, NULL},
    {"figures", KEY_TEXT, AT(figures), 0, NULL},
    {"section", KEY_CHOICE, AT(section), 0,
     "|problem|ideas|growth|workers|limits|libraries|networks|training|gpu|prediction|convolution|"
     "product|distances|"},
    {"baseline", KEY_TEXT, AT(baseline), 0, NULL},
    {"charts", KEY_NAMES, AT(charts), 0, NULL},
    {"launcher", KEY_CHOICE, AT(launcher), 0, "|plain|mpirun|srun|simgrid|"},
    {"launches", KEY_COUNT, AT(launches), 1, NULL},
    {"base", KEY_COUNT, AT(base), 1, NULL},
    {"laws", KEY_COUNT, AT(laws), 1, NULL},
    {"fraction", KEY_RATIO, AT(fraction), 0, NULL},
    {"time_limit", KEY_SECONDS, AT(time_limit_s), 0, NULL},
    {"oversubscribe", KEY_COUNT, AT(oversubscribe), 1, NULL},
    {"headline", KEY_COUNT, AT(headline), 0, NULL},
    {"layers", KEY_COUNT, AT(layers), 0, NULL},
    {"training", KEY_COUNT, AT(training), 0, NULL},
    {"epochs", KEY_COUNT, AT(sampling.epochs), 0, NULL},
    {"learning_rate", KEY_RATIO, AT(sampling.learning_rate), 0, NULL},
    {"find_learning_rate", KEY_COUNT, AT(sampling.find_rate), 0, NULL},
    {"timeline", KEY_COUNT, AT(timeline), 0, NULL},
    {"samples", KEY_COUNT, AT(sampling.samples), 1, NULL},
    {"warmup", KEY_COUNT, AT(sampling.warmup), 0, NULL},
    {"relative_ci", KEY_RATIO, AT(sampling.relative_ci), 0, NULL},
    {"max_seconds", KEY_SECONDS, AT(sampling.max_seconds), 0, NULL},
    {"verify", KEY_CHOICE, AT(sampling.verify), 0, "|full|sampled|none|"},
};

enum { KEYS = sizeof keys / sizeof *keys };

static enum status parse_key(const struct value *v, const struct key *key, struct definition *d)
{
    void *field = (char *)d + key->offset;
    switch (key->type) {
    case KEY_TEXT:
        return value_text(v, field);
    case KEY_CHOICE:
        return value_choice(v, key->choices, field);
    case KEY_COUNT:
        return value_count(v, key->least, field);
    case KEY_RATIO:
        return value_ratio(v, field);
    case KEY_SECONDS:
        return duration_parse(v->entry->value, field)
                   ? STATUS_OK
                   : value_refuse(v, v->entry->value, "a duration such as 90s, 10m or 1h30m");
    case KEY_NAMES:
        texts_release(field);
        return value_words(v, WORDS_NAMES, field);
    }
    return STATUS_OK;
}

/* ---- the definition at one scale ------------------------------------------------------------ */

enum { KNOWN = 900 }; /* bytes of a list of keys that fits into a message */

static enum status unknown_key(const struct value *v, const char *section, const char *known)
{
    return fail(v->source->failure, STATUS_USAGE, "%s:%d: unknown key '%s' in [%s]; known are %s",
                v->source->path, v->entry->line, v->entry->key, section, known);
}

static enum status set_experiment_key(const struct value *v, struct definition *d)
{
    char known[KNOWN] = "";
    for (size_t i = 0; i < KEYS; i++) {
        if (strcmp(keys[i].name, v->entry->key) == 0)
            return parse_key(v, &keys[i], d);
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", keys[i].name);
    }
    return unknown_key(v, "experiment", known);
}

/* Returns the axis of a sweep for a column; adds it if missing. NULL if memory is lacking. */
static struct axis_values *find_axis(struct sweep *sweep, int column)
{
    for (size_t i = 0; i < sweep->axis_count; i++)
        if (sweep->axes[i].column == column)
            return &sweep->axes[i];
    struct axis_values *grown = array_grow(sweep->axes, sweep->axis_count, sizeof *grown);
    if (!grown)
        return NULL;
    sweep->axes = grown;
    sweep->axes[sweep->axis_count] = (struct axis_values){column, {0}};
    return &sweep->axes[sweep->axis_count++];
}

/* Returns the empty list for the values of an axis; NULL if memory is lacking. */
static struct texts *take_axis(struct sweep *sweep, int column)
{
    struct axis_values *axis = find_axis(sweep, column);
    if (axis)
        texts_release(&axis->values);
    return axis ? &axis->values : NULL;
}

static enum status set_integers(const struct value *v, int column, int64_t least,
                                struct sweep *sweep)
{
    struct texts *values = take_axis(sweep, column);
    return values ? value_integers(v, least, values) : definition_out_of_memory(v->source);
}

static enum status set_words(const struct value *v, int column, enum words words,
                             struct sweep *sweep)
{
    struct texts *values = take_axis(sweep, column);
    return values ? value_words(v, words, values) : definition_out_of_memory(v->source);
}

static enum status set_column(const struct value *v, int column, const struct record_column *c,
                              struct sweep *sweep)
{
    if (c->column.type == COLUMN_INT)
        return set_integers(v, column, c->least, sweep);
    return set_words(v, column, record_column_is(c, COLUMN_LIST) ? WORDS_OF_LISTS : WORDS, sweep);
}

/* Refuses unknown groups, which programs would take for a method. */
static enum status check_groups(const struct value *v, const struct texts *methods)
{
    for (size_t i = 0; i < methods->count; i++)
        if (methods->items[i][0] == '@' && method_group_find(methods->items[i]) == METHOD_GROUPS)
            return value_refuse(v, methods->items[i], "@product, @maximum or @vector");
    return STATUS_OK;
}

static enum status set_shapes(const struct value *v, struct sweep *sweep)
{
    struct shape shape;
    enum status status = set_words(v, AXIS_SHAPES, WORDS, sweep);
    if (status != STATUS_OK)
        return status;
    const struct texts *values = &find_axis(sweep, AXIS_SHAPES)->values;
    for (size_t i = 0; i < values->count; i++)
        if (!shape_parse(values->items[i], &shape))
            return value_refuse(v, values->items[i], shape_form);
    return STATUS_OK;
}

static enum status unknown_axis(const struct value *v)
{
    char known[KNOWN] = "programs, scales, size, size_limit, shapes, per_worker, compute_limit, ";
    strcat(known, sweep_program_keys);
    for (size_t i = 0; i < point_column_count(); i++) {
        size_t used = strlen(known);
        if (record_column_is(point_column(i), COLUMN_AXIS))
            snprintf(known + used, sizeof known - used, ", %s", point_column(i)->column.name);
    }
    return unknown_key(v, "points", known);
}

/* Sets the scales that a sweep belongs to. */
static enum status set_scales(const struct value *v, struct sweep *sweep)
{
    struct texts words = {0};
    enum status status = value_words(v, WORDS_NAMES, &words);
    for (size_t i = 0; i < words.count && status == STATUS_OK; i++) {
        int scale = 0;
        while (scale < SCALES && strcmp(words.items[i], scale_names[scale]) != 0)
            scale++;
        if (scale == SCALES)
            status = value_refuse(v, words.items[i], "quick, standard, full or thesis");
        else
            sweep->scales |= 1u << scale;
    }
    texts_release(&words);
    return status;
}

static enum status set_sweep_key(const struct value *v, struct sweep *sweep)
{
    bool of_program;
    const enum status set = sweep_program_set(v, sweep, &of_program);
    if (of_program)
        return set;
    if (strcmp(v->entry->key, "programs") == 0) {
        texts_release(&sweep->programs);
        return value_words(v, WORDS_NAMES, &sweep->programs);
    }
    if (strcmp(v->entry->key, "scales") == 0)
        return set_scales(v, sweep);
    if (strcmp(v->entry->key, "size_limit") == 0)
        return value_count(v, 1, &sweep->size_limit);
    if (strcmp(v->entry->key, "per_worker") == 0)
        return value_choice(v, "|rows|cols|planes|size|", &sweep->per_worker);
    if (strcmp(v->entry->key, "compute_limit") == 0)
        return value_count(v, 0, &sweep->compute_limit);
    if (strcmp(v->entry->key, "size") == 0)
        return set_integers(v, AXIS_SIZE, 1, sweep);
    if (strcmp(v->entry->key, "shapes") == 0)
        return set_shapes(v, sweep);
    int column = point_column_find(v->entry->key);
    const struct record_column *c = column < 0 ? NULL : point_column((size_t)column);
    if (!c || !record_column_is(c, COLUMN_AXIS))
        return unknown_axis(v);
    enum status status = set_column(v, column, c, sweep);
    if (status == STATUS_OK && column == point_column_find("method"))
        status = check_groups(v, &find_axis(sweep, column)->values);
    return status;
}

/* Applies the keys of a section: first those for every scale, then those that override them. */
static enum status apply(const struct definition_source *in, size_t section, enum scale scale,
                         int64_t cores, struct definition *d, struct sweep *sweep)
{
    const int passes[] = {EVERY_SCALE, (int)scale};
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

/* Shapes set these columns themselves. */
static enum status check_shapes(const struct definition_source *in, const struct sweep *sweep)
{
    for (size_t i = 0; i < point_column_count(); i++)
        if (record_column_is(point_column(i), COLUMN_SHAPE) && has_axis(sweep, (int)i))
            return fail(in->failure, STATUS_USAGE, "%s:%d: shapes already set %s", in->path,
                        sweep->line, point_column(i)->column.name);
    return STATUS_OK;
}

/* A sweep of our programs. */
static enum status check_sweep(const struct definition_source *in, const struct sweep *sweep)
{
    if (sweep->programs.count == 0)
        return fail(in->failure, STATUS_USAGE, "%s:%d: this section names no programs", in->path,
                    sweep->line);
    if (sweep_program_is_set(&sweep->own))
        return fail(in->failure, STATUS_USAGE,
                    "%s:%d: %s are keys of a program of yours, and this section has no program",
                    in->path, sweep->line, strchr(sweep_program_keys, ' ') + 1);
    int rows = point_column_find("rows"), cols = point_column_find("cols");
    bool size = has_axis(sweep, AXIS_SIZE);
    bool sides = has_axis(sweep, rows) || has_axis(sweep, cols);
    bool input = has_axis(sweep, point_column_find("input"));
    bool shapes = has_axis(sweep, AXIS_SHAPES);
    bool network = has_axis(sweep, point_column_find("network")); /* has its own size */
    int sizes = size + sides + input + shapes;
    if (sizes > 1 || (sizes == 0 && !network) || has_axis(sweep, rows) != has_axis(sweep, cols))
        return fail(in->failure, STATUS_USAGE,
                    "%s:%d: this section needs exactly one of size, rows with cols, input, shapes",
                    in->path, sweep->line);
    if (sweep->per_worker && (strcmp(sweep->per_worker, "size") == 0 ||
                              !has_axis(sweep, point_column_find(sweep->per_worker))))
        return fail(in->failure, STATUS_USAGE, "%s:%d: per_worker = %s, and this section has no %s",
                    in->path, sweep->line, sweep->per_worker, sweep->per_worker);
    return shapes ? check_shapes(in, sweep) : STATUS_OK;
}

static enum status add_sweep(const struct definition_source *in, size_t section, const char *label,
                             enum scale scale, int64_t cores, struct definition *d)
{
    struct sweep *grown = array_grow(d->sweeps, d->sweep_count, sizeof *grown);
    if (!grown)
        return definition_out_of_memory(in);
    d->sweeps = grown;
    struct sweep *sweep = &d->sweeps[d->sweep_count++];
    *sweep = (struct sweep){
        .label = strdup(label), .line = in->sections[section].line, .compute_limit = -1};
    if (!sweep->label)
        return definition_out_of_memory(in);
    enum status status = apply(in, section, scale, cores, d, sweep);
    if (status != STATUS_OK)
        return status;
    return sweep->own.words ? sweep_program_check(in, d->name, sweep) : check_sweep(in, sweep);
}

static enum status add_section(const struct definition_source *in, size_t section, enum scale scale,
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

/* Sets a text that the file omits. */
static bool set_default(char **field, const char *value)
{
    if (!*field)
        *field = strdup(value);
    return *field != NULL;
}

static enum status fill_in(const struct definition_source *in, struct definition *d)
{
    if (!d->title || !d->question)
        return fail(in->failure, STATUS_USAGE, "%s: [experiment] has no %s", in->path,
                    d->title ? "question" : "title");
    if (d->sweep_count == 0)
        return fail(in->failure, STATUS_USAGE, "%s: has no [points] section", in->path);
    const enum status status = sweep_program_check_titles(in, d);
    if (status != STATUS_OK)
        return status;
    if (!set_default(&d->figures, "") || !set_default(&d->section, "") ||
        !set_default(&d->baseline, "literal") || !set_default(&d->launcher, "") ||
        !set_default(&d->sampling.verify, "full"))
        return definition_out_of_memory(in);
    return STATUS_OK;
}

/* Defaults of a definition, by scale. Nine launches give an exact interval that one bad launch
 * cannot spoil; a launch needs only enough samples for its own median. */
static const struct definition usual[SCALES] = {
    [SCALE_QUICK] =
        {
            .launches = 9,
            .time_limit_s = 60,
            .oversubscribe = 16,
            .sampling = {.samples = 10, .warmup = 1, .relative_ci = 0.1, .max_seconds = 0.02},
        },
    [SCALE_STANDARD] =
        {
            .launches = 9,
            .time_limit_s = 300,
            .oversubscribe = 16,
            .sampling = {.samples = 40, .warmup = 1, .relative_ci = 0.03, .max_seconds = 0.12},
        },
    [SCALE_FULL] =
        {
            .launches = 9,
            .time_limit_s = 1800,
            .oversubscribe = 16,
            .sampling = {.samples = 100, .warmup = 1, .relative_ci = 0.02, .max_seconds = 1},
        },
    [SCALE_THESIS] =
        {
            .launches = 6,
            .time_limit_s = 900,
            .oversubscribe = 16,
            .sampling = {.samples = 20, .warmup = 1, .relative_ci = 0.05, .max_seconds = 0.05},
        },
};

static enum status understand(const struct definition_source *in, enum scale scale, int64_t cores,
                              struct definition *d)
{
    *d = usual[scale];
    d->scale = scale;
    d->path = strdup(in->path);
    d->name = definition_name_of(in->path);
    if (!d->path || !d->name)
        return definition_out_of_memory(in);
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
    struct definition_source in = {.path = path, .failure = &own};
    enum status status = definition_source_read(&in);
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
    definition_source_release(&in);
    if (status != STATUS_OK) {
        definition_release(out);
        return fail(f, status, "%s", own.message);
    }
    return STATUS_OK;
}

static void release_sweep(struct sweep *sweep)
{
    free(sweep->label);
    free(sweep->per_worker);
    texts_release(&sweep->programs);
    sweep_program_release(&sweep->own);
    for (size_t i = 0; i < sweep->axis_count; i++)
        texts_release(&sweep->axes[i].values);
    free(sweep->axes);
}

void definition_release(struct definition *d)
{
    char *const texts[] = {d->name,    d->path,     d->title,    d->question,       d->figures,
                           d->section, d->baseline, d->launcher, d->sampling.verify};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
    texts_release(&d->charts);
    for (size_t i = 0; i < d->sweep_count; i++)
        release_sweep(&d->sweeps[i]);
    free(d->sweeps);
    *d = (struct definition){0};
}
