#include "classroom/duet/benchmarks.h"

#include "experiments/common/file_bytes.h"
#include "experiments/common/lists.h"
#include "experiments/program/launch/own_words.h"
#include "harness/base/text/fit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MOST = 1 << 20 };

/* ---- words ----------------------------------------------------------------------------------- */

static char **copy_words(char *const *words)
{
    const size_t count = own_words_number(words);
    char **copy = calloc(count + 1, sizeof *copy);
    for (size_t i = 0; copy && i < count; i++)
        copy[i] = strdup(words[i]);
    return copy;
}

/* ---- benchmarks ------------------------------------------------------------------------------ */

static struct benchmark *add_blank(struct benchmarks *b)
{
    struct benchmark *grown = array_grow(b->all, b->count, sizeof *grown);
    if (!grown)
        return NULL;
    b->all = grown;
    grown[b->count] = (struct benchmark){.name = ""};
    return &grown[b->count++];
}

/* Gives the commands their words and the options; the program of A, and of B if it is another one,
 * name a benchmark without a name. */
static enum status complete(struct benchmark *one, const char *name,
                            const struct own_command *options, struct failure *f)
{
    char names[SIDES][BENCHMARK_NAME / 2 - 1]; /* both fit, with what is between them */
    enum status status = STATUS_OK;
    for (int i = 0; i < SIDES && status == STATUS_OK; i++) {
        struct own_command *c = &one->commands[i];
        *c = *options;
        c->words = one->words[i];
        c->count = own_words_number(c->words);
        status = own_command_check(c, f);
        if (status == STATUS_OK)
            own_command_name(c, names[i], sizeof names[i]);
    }
    if (status != STATUS_OK)
        return status;
    if (name)
        text_fit(one->name, sizeof one->name, name);
    else
        snprintf(one->name, sizeof one->name, "%s%s%s", names[0],
                 strcmp(names[0], names[1]) ? ", " : "",
                 strcmp(names[0], names[1]) ? names[1] : "");
    return STATUS_OK;
}

enum status benchmarks_add_texts(struct benchmarks *b, const char *name,
                                 const char *const texts[SIDES], const struct own_command *options,
                                 struct failure *f)
{
    struct benchmark *one = add_blank(b);
    enum status status =
        one ? STATUS_OK : fail(f, STATUS_RESOURCE, "not enough memory for the benchmarks");
    for (int i = 0; i < SIDES && status == STATUS_OK; i++)
        status = own_words_split(texts[i], &one->words[i], f);
    return status == STATUS_OK ? complete(one, name, options, f) : status;
}

enum status benchmarks_add_words(struct benchmarks *b, const char *name,
                                 char *const *const words[SIDES], const struct own_command *options,
                                 struct failure *f)
{
    struct benchmark *one = add_blank(b);
    for (int i = 0; i < SIDES && one; i++) {
        one->words[i] = copy_words(words[i]);
        if (!one->words[i])
            one = NULL;
    }
    return one ? complete(one, name, options, f)
               : fail(f, STATUS_RESOURCE, "not enough memory for the benchmarks");
}

/* ---- a file of them -------------------------------------------------------------------------- */

/* The command of a line with the side's text for each {}; owned by the caller. */
static char *put_side(const char *command, const char *side)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    for (const char *at = command; stream && *at;) {
        const bool place = strncmp(at, "{}", 2) == 0;
        if (place)
            fputs(side, stream);
        else
            putc(*at, stream);
        at += place ? 2 : 1;
    }
    if (stream)
        fclose(stream);
    return text;
}

static bool has_name(const struct benchmarks *b, const char *name)
{
    bool has = false;
    for (size_t i = 0; i < b->count; i++)
        has = has || strcmp(b->all[i].name, name) == 0;
    return has;
}

static enum status add_line(struct benchmarks *b, char *line, const char *const sides[SIDES],
                            const struct own_command *options, struct failure *f)
{
    char *colon = strchr(line, ':');
    if (!colon || colon == line || strspn(colon + 1, " \t\r") == strlen(colon + 1))
        return fail(f, STATUS_USAGE, "'%s' is not NAME: COMMAND", text_brief(line, 100).text);
    *colon = '\0';
    if (strlen(line) >= BENCHMARK_NAME || has_name(b, line))
        return fail(f, STATUS_USAGE, "the name %s is %s", text_brief(line, 100).text,
                    has_name(b, line) ? "there twice" : "too long");
    char *texts[SIDES] = {put_side(colon + 1, sides[0]), put_side(colon + 1, sides[1])};
    const enum status status =
        texts[0] && texts[1] ? benchmarks_add_texts(b, line, (const char *const *)texts, options, f)
                             : fail(f, STATUS_RESOURCE, "not enough memory for the benchmarks");
    free(texts[0]);
    free(texts[1]);
    return status;
}

enum status benchmarks_add_file(struct benchmarks *b, const char *path,
                                const char *const sides[SIDES], const struct own_command *options,
                                struct failure *f)
{
    char *bytes = NULL, *rest = NULL;
    size_t size = 0, number = 0;
    enum status status = file_bytes(path, FILE_MOST, &bytes, &size, f);
    for (rest = bytes; status == STATUS_OK && rest && *rest;) {
        struct failure why = {0};
        char *line = strsep(&rest, "\n");
        number++;
        line[strcspn(line, "\r")] = '\0';
        line += strspn(line, " \t");
        if (*line && *line != '#' && add_line(b, line, sides, options, &why) != STATUS_OK)
            status =
                fail(f, why.status, "%s:%zu: %s", text_brief(path, 500).text, number, why.message);
    }
    free(bytes);
    if (status == STATUS_OK && b->count == 0)
        return fail(f, STATUS_USAGE, "%s has no benchmark: lines of it are NAME: COMMAND",
                    text_brief(path, 500).text);
    return status;
}

void benchmarks_release(struct benchmarks *b)
{
    for (size_t i = 0; i < b->count; i++)
        for (int side = 0; side < SIDES; side++)
            own_words_free(b->all[i].words[side]);
    free(b->all);
    *b = (struct benchmarks){.all = NULL};
}
