#include "experiments/definition/sweep_program.h"

#include "experiments/program/launch/own_places.h"
#include "experiments/program/launch/own_words.h"
#include "experiments/samples/point.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const char sweep_program_keys[] = "program, title, seconds, seconds.PHASE, check, expect_hash, "
                                  "same_output, prepare, cleanup, bytes";

struct own_command sweep_command(const struct sweep *s)
{
    return (struct own_command){
        .words = s->own.words,
        .count = own_words_number(s->own.words),
        .prepare = s->own.prepare,
        .cleanup = s->own.cleanup,
        .check = s->own.check,
        .expect_hash = s->own.expect_hash,
        .same_output = s->own.same_output && strcmp(s->own.same_output, "1") == 0,
        .seconds = {(const char *const *)s->own.seconds.items, s->own.seconds.count}};
}

/* The keys whose value is a text that is taken as it stands. */
static const struct {
    const char *key;
    size_t offset; /* in struct sweep_program */
} text_keys[] = {{"title", offsetof(struct sweep_program, title)},
                 {"prepare", offsetof(struct sweep_program, prepare)},
                 {"cleanup", offsetof(struct sweep_program, cleanup)},
                 {"check", offsetof(struct sweep_program, check)},
                 {"expect_hash", offsetof(struct sweep_program, expect_hash)},
                 {"same_output", offsetof(struct sweep_program, same_output)},
                 {"bytes", offsetof(struct sweep_program, bytes)}};

enum { TEXT_KEYS = sizeof text_keys / sizeof *text_keys };

static char *text_at(const struct sweep_program *own, size_t i)
{
    char *text;
    memcpy(&text, (const char *)own + text_keys[i].offset, sizeof text);
    return text;
}

bool sweep_program_is_set(const struct sweep_program *own)
{
    bool set = own->words || own->seconds.count > 0;
    for (size_t i = 0; i < TEXT_KEYS; i++)
        set = set || text_at(own, i);
    return set;
}

void sweep_program_release(struct sweep_program *own)
{
    own_words_free(own->words);
    for (size_t i = 0; i < TEXT_KEYS; i++)
        free(text_at(own, i));
    texts_release(&own->seconds);
}

/* ---- keys ------------------------------------------------------------------------------------ */

static enum status set_program(const struct value *v, struct sweep_program *own)
{
    struct failure why = {0};
    own_words_free(own->words);
    own->words = NULL;
    const enum status status = own_words_split(v->entry->value, &own->words, &why);
    return status == STATUS_OK ? status
                               : fail(v->source->failure, status, "%s:%d: program: %s",
                                      v->source->path, v->entry->line, why.message);
}

static enum status set_text(const struct value *v, struct sweep_program *own, bool *known)
{
    static const struct own_workers one = {.ranks = 1, .threads = 1, .size = 1};
    const char *key = v->entry->key, *text = v->entry->value;
    size_t i = 0;
    while (i < TEXT_KEYS && strcmp(key, text_keys[i].key) != 0)
        i++;
    *known = i < TEXT_KEYS;
    if (!*known)
        return STATUS_OK;
    if (strcmp(key, "title") == 0 && strlen(text) >= OWN_TITLE)
        return value_refuse(v, text, "a title of at most 40 bytes");
    if (strcmp(key, "same_output") == 0 && strcmp(text, "0") != 0 && strcmp(text, "1") != 0)
        return value_refuse(v, text, "0 or 1");
    if (strcmp(key, "bytes") == 0 && isnan(own_text_product(text, &one)))
        return value_refuse(v, text, "a number of bytes above 0, such as 3.8e9 or 24 * {size}");
    return value_text(v, (char **)((char *)own + text_keys[i].offset));
}

static const char phase_prefix[] = "seconds.";

static enum status one_or_many(const struct value *v)
{
    return fail(v->source->failure, STATUS_USAGE,
                "%s:%d: %s: a section has either seconds or seconds.PHASE", v->source->path,
                v->entry->line, v->entry->key);
}

/* Adds the expression of a phase, "NAME=EXPRESSION", or replaces that of its name. */
static enum status set_phase(const struct value *v, struct sweep_program *own)
{
    const char *name = v->entry->key + sizeof phase_prefix - 1;
    const size_t length = strlen(name);
    char *text = NULL;
    if (own->seconds.count > 0 && !own->phases)
        return one_or_many(v);
    own->phases = true;
    if (length == 0 || strchr(name, '=') || asprintf(&text, "%s=%s", name, v->entry->value) < 0)
        return value_refuse(v, name, "the name of a phase");
    for (size_t i = 0; i < own->seconds.count; i++)
        if (strncmp(own->seconds.items[i], text, length + 1) == 0) {
            free(own->seconds.items[i]);
            own->seconds.items[i] = text;
            return STATUS_OK;
        }
    const bool good = texts_add(&own->seconds, text);
    free(text);
    return good ? STATUS_OK : definition_out_of_memory(v->source);
}

static enum status set_seconds(const struct value *v, struct sweep_program *own)
{
    if (own->phases)
        return one_or_many(v);
    texts_release(&own->seconds);
    return texts_add(&own->seconds, v->entry->value) ? STATUS_OK
                                                     : definition_out_of_memory(v->source);
}

/* Checks what is set so far, so that a message names the line of the key. */
static enum status check_key(const struct value *v, const struct sweep *sweep)
{
    char where[PATH_MAX + 24];
    struct own_command command = sweep_command(sweep);
    snprintf(where, sizeof where, "%s:%d: ", v->source->path, v->entry->line);
    command.where = where;
    return own_command_check_options(&command, v->source->failure);
}

enum status sweep_program_set(const struct value *v, struct sweep *sweep, bool *known)
{
    struct sweep_program *own = &sweep->own;
    const char *key = v->entry->key;
    enum status status = STATUS_OK;
    *known = true;
    if (strcmp(key, "program") == 0)
        status = set_program(v, own);
    else if (strcmp(key, "seconds") == 0)
        status = set_seconds(v, own);
    else if (strncmp(key, phase_prefix, sizeof phase_prefix - 1) == 0)
        status = set_phase(v, own);
    else
        status = set_text(v, own, known);
    return status == STATUS_OK && *known ? check_key(v, sweep) : status;
}

/* ---- the whole sweep ------------------------------------------------------------------------- */

/* The axes of such a program, and the place of each in its command. */
static const struct {
    const char *name, *place;
    bool by_environment; /* OMP_NUM_THREADS has it too */
} own_axes[] = {{"threads", "{threads}", true},
                {"ranks", "{ranks}", false},
                {"size", "{size}", false},
                {"method", "{method}", false},
                {"input", "{input}", false}};

static int column_of(const char *name)
{
    return strcmp(name, "size") == 0 ? AXIS_SIZE : point_column_find(name);
}

/* Returns the values of an axis by its row; NULL: the sweep does not have it. */
static const struct texts *axis_of(const struct sweep *sweep, const char *name)
{
    for (size_t i = 0; i < sweep->axis_count; i++)
        if (sweep->axes[i].column == column_of(name))
            return &sweep->axes[i].values;
    return NULL;
}

static enum status check_known_axes(const struct definition_source *in, const struct sweep *sweep)
{
    for (size_t i = 0; i < sweep->axis_count; i++) {
        const int column = sweep->axes[i].column;
        bool known = false;
        for (size_t j = 0; j < sizeof own_axes / sizeof *own_axes; j++)
            known = known || column == column_of(own_axes[j].name);
        if (!known)
            return fail(in->failure, STATUS_USAGE,
                        "%s:%d: a program of yours has no %s; its axes are threads, ranks, size, "
                        "method and input",
                        in->path, sweep->line,
                        column < 0 ? "shapes" : point_column((size_t)column)->column.name);
    }
    return STATUS_OK;
}

/* A place without values would be launched as it stands, and an axis without a place would launch
 * the same command several times. */
static enum status check_places(const struct definition_source *in, const struct sweep *sweep)
{
    const struct own_command c = sweep_command(sweep);
    struct own_place wrong;
    const bool workers = own_command_has(&c, "{workers}");
    if (own_place_misspelt(&c, &wrong))
        return fail(
            in->failure, STATUS_USAGE,
            "%s:%d: the program has {%s}: did you mean {%s}? Braces that the program itself "
            "needs stand in a script that it calls",
            in->path, sweep->line, wrong.typed, wrong.meant);
    for (size_t i = 0; i < sizeof own_axes / sizeof *own_axes; i++) {
        const struct texts *values = axis_of(sweep, own_axes[i].name);
        const bool has = own_command_has(&c, own_axes[i].place);
        const bool by_workers = workers && (column_of(own_axes[i].name) == column_of("threads") ||
                                            column_of(own_axes[i].name) == column_of("ranks"));
        if (has && !values)
            return fail(in->failure, STATUS_USAGE,
                        "%s:%d: the program has %s, and this section has no %s", in->path,
                        sweep->line, own_axes[i].place, own_axes[i].name);
        if (!has && values && values->count > 1 && !own_axes[i].by_environment && !by_workers)
            return fail(in->failure, STATUS_USAGE,
                        "%s:%d: %s has several values, and the program has no %s, so that every "
                        "launch would be the same",
                        in->path, sweep->line, own_axes[i].name, own_axes[i].place);
    }
    return STATUS_OK;
}

static enum status check_phases(const struct definition_source *in, const struct sweep *sweep)
{
    const struct sweep_program *own = &sweep->own;
    if (own->phases && own->seconds.count == 1)
        return fail(in->failure, STATUS_USAGE,
                    "%s:%d: one phase alone is the time of the launch: seconds", in->path,
                    sweep->line);
    if (own->phases && axis_of(sweep, "method"))
        return fail(in->failure, STATUS_USAGE,
                    "%s:%d: phases are recorded as methods: without the axis method", in->path,
                    sweep->line);
    return STATUS_OK;
}

/* Bytes that do not depend on the size would be wrong for all sizes but one. */
static enum status check_bytes(const struct definition_source *in, const struct sweep *sweep)
{
    const char *bytes = sweep->own.bytes;
    const struct texts *sizes = axis_of(sweep, "size");
    if (!bytes)
        return STATUS_OK;
    if (sweep->own.phases)
        return fail(in->failure, STATUS_USAGE,
                    "%s:%d: bytes are those of a launch, and this section has several phases of it",
                    in->path, sweep->line);
    if (strstr(bytes, "{size}") && !sizes)
        return fail(in->failure, STATUS_USAGE,
                    "%s:%d: bytes has {size}, and this section has no size", in->path, sweep->line);
    if (!strstr(bytes, "{size}") && sizes && (sizes->count > 1 || sweep->per_worker))
        return fail(in->failure, STATUS_USAGE,
                    "%s:%d: bytes = %s would be the same for every size; write it with {size}, "
                    "such as 24 * {size}",
                    in->path, sweep->line, bytes);
    return STATUS_OK;
}

/* Weak scaling: the size is that of one worker. It is recorded as rows of one column. */
static enum status check_growth(const struct definition_source *in, struct sweep *sweep)
{
    if (!sweep->per_worker)
        return STATUS_OK;
    if (strcmp(sweep->per_worker, "size") != 0 || !axis_of(sweep, "size"))
        return fail(in->failure, STATUS_USAGE,
                    "%s:%d: per_worker = %s: of a program of yours only the size grows with the "
                    "workers, and it needs that axis",
                    in->path, sweep->line, sweep->per_worker);
    free(sweep->per_worker);
    sweep->per_worker = strdup("rows");
    return sweep->per_worker ? STATUS_OK : definition_out_of_memory(in);
}

enum status sweep_program_check(const struct definition_source *in, const char *experiment,
                                struct sweep *sweep)
{
    if (sweep->programs.count > 0)
        return fail(in->failure, STATUS_USAGE,
                    "%s:%d: this section has both programs, which are ours, and program, which is "
                    "yours",
                    in->path, sweep->line);
    enum status status = check_known_axes(in, sweep);
    if (status == STATUS_OK)
        status = check_places(in, sweep);
    if (status == STATUS_OK)
        status = check_phases(in, sweep);
    if (status == STATUS_OK)
        status = check_bytes(in, sweep);
    if (status == STATUS_OK)
        status = check_growth(in, sweep);
    if (status == STATUS_OK && !sweep->own.title &&
        !(sweep->own.title = strndup(experiment, OWN_TITLE - 1)))
        status = definition_out_of_memory(in);
    return status;
}

static bool is_same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool is_same_list(char *const *a, size_t count, char *const *b, size_t count_b)
{
    bool same = count == count_b;
    for (size_t i = 0; same && i < count; i++)
        same = strcmp(a[i], b[i]) == 0;
    return same;
}

static bool is_same_program(const struct sweep_program *a, const struct sweep_program *b)
{
    bool same =
        is_same_list(a->words, own_words_number(a->words), b->words, own_words_number(b->words)) &&
        is_same_list(a->seconds.items, a->seconds.count, b->seconds.items, b->seconds.count);
    for (size_t i = 0; i < TEXT_KEYS; i++)
        same = same && is_same_text(text_at(a, i), text_at(b, i));
    return same;
}

enum status sweep_program_check_titles(const struct definition_source *in,
                                       const struct definition *d)
{
    for (size_t i = 0; i < d->sweep_count; i++)
        for (size_t j = 0; j < i; j++) {
            const struct sweep *a = &d->sweeps[j], *b = &d->sweeps[i];
            if (a->own.words && b->own.words && strcmp(a->own.title, b->own.title) == 0 &&
                !is_same_program(&a->own, &b->own))
                return fail(in->failure, STATUS_USAGE,
                            "%s:%d: this program and that of line %d are both called '%s'; give "
                            "each a title",
                            in->path, b->line, a->line, b->own.title);
        }
    return STATUS_OK;
}
