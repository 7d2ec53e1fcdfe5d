#include "experiments/program/own_definition.h"

#include "experiments/common/output.h"
#include "experiments/common/text/distinct.h"
#include "experiments/program/launch/own_places.h"
#include "experiments/program/launch/own_words.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool is_none(const char *list)
{
    return !list || !list[0] || strcmp(list, "none") == 0;
}

/* ---- checks ---------------------------------------------------------------------------------- */

/* A command that is the same whatever the workers measures nothing. */
static enum status check_places(const struct own_question *q, struct failure *f)
{
    const struct own_command *c = &q->command;
    struct own_place wrong;
    const bool workers = own_command_has(c, "{workers}");
    if (own_place_misspelt(c, &wrong))
        return fail(f, STATUS_USAGE,
                    "the command has {%s}: did you mean {%s}? Braces that the program itself needs "
                    "stand in a script that it calls",
                    wrong.typed, wrong.meant);
    if (!is_none(q->ranks) && !workers && !own_command_has(c, "{ranks}"))
        return fail(f, STATUS_USAGE,
                    "--ranks: the command has neither {ranks} nor {workers}, so that every launch "
                    "would be the same");
    if (is_none(q->ranks) && own_command_has(c, "{ranks}"))
        return fail(f, STATUS_USAGE, "the command has {ranks}, and --ranks is none");
    if (is_none(q->threads) && own_command_has(c, "{threads}"))
        return fail(f, STATUS_USAGE, "the command has {threads}, and --threads is none");
    if (q->size > 0 && !own_command_has(c, "{size}"))
        return fail(f, STATUS_USAGE, "--size: the command has no {size}");
    if (q->size == 0 && own_command_has(c, "{size}"))
        return fail(f, STATUS_USAGE, "the command has {size}: give --size N");
    if (q->overhead && !own_command_has(&q->command, "{size}"))
        return fail(f, STATUS_USAGE,
                    "--overhead: the command has no {size}, which would be 0 for nothing to do");
    if (q->bytes > 0.0 && c->seconds.count > 1)
        return fail(f, STATUS_USAGE,
                    "--bytes are those of a launch, and --seconds has several phases of it");
    if (q->weak && q->size == 0)
        return fail(f, STATUS_USAGE,
                    "--weak: the command needs {size}, and --size the size for one worker");
    return STATUS_OK;
}

enum status own_question_check(struct own_question *q, const char *usual, int64_t cores,
                               struct failure *f)
{
    enum status status = own_command_check(&q->command, f);
    if (status != STATUS_OK)
        return status;
    if (!q->threads && !q->ranks)
        *(own_command_has(&q->command, "{ranks}") ? &q->ranks : &q->threads) = usual;
    if (is_none(q->threads) && is_none(q->ranks))
        return fail(f, STATUS_USAGE, "--threads and --ranks are both none: nothing to measure");
    if (!is_none(q->threads))
        status = definition_check_integers("--threads", q->threads, 1, cores, f);
    if (status == STATUS_OK && !is_none(q->ranks))
        status = definition_check_integers("--ranks", q->ranks, 1, cores, f);
    return status == STATUS_OK ? check_places(q, f) : status;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Names become parts of file names and of labels. */
static void make_plain(char *name)
{
    for (char *at = name; *at; at++)
        if (!isalnum((unsigned char)*at) && *at != '_' && *at != '-')
            *at = '-';
}

void own_question_title(const struct own_question *q, char title[OWN_TITLE])
{
    if (q->title)
        text_distinct(title, OWN_TITLE, q->title);
    else
        own_command_name(&q->command, title, OWN_TITLE);
    for (char *at = title; *at; at++) /* a title is one line of a definition */
        if ((unsigned char)*at < ' ' || *at == ';')
            *at = ' ';
}

void own_question_name(const struct own_question *q, char name[OWN_NAME])
{
    char title[OWN_TITLE], identity[SHA256_HEX], size[32] = "";
    own_question_title(q, title);
    make_plain(title);
    own_command_identity(&q->command, identity);
    if (q->size > 0)
        snprintf(size, sizeof size, "_%" PRId64, q->size);
    const enum binding bind = q->command.bind;
    snprintf(name, OWN_NAME, "speedup_%s_%.8s%s%s%s%s", title, identity, size,
             q->weak ? "_weak" : "", bind ? "_" : "", bind ? binding_options[bind] : "");
}

/* ---- the definition -------------------------------------------------------------------------- */

static void put_experiment(FILE *stream, const char *of, const struct own_question *q)
{
    char title[100]; /* catalogues translate its formats */
    if (q->weak)
        snprintf(title, sizeof title, "Scaled speedup of the program %s", of);
    else
        snprintf(title, sizeof title, "Speedup of the program %s", of);
    fprintf(stream,
            "[experiment]\n"
            "title = %s\n"
            "question = How much faster do more workers make it, and what limits that?\n"
            "section = workers\n"
            "charts = %s\n"
            "headline = 1\n",
            title, q->weak ? "weak_scaling" : "speedup efficiency");
    if (q->base > 1)
        fprintf(stream, "base = %" PRId64 "\n", q->base);
    if (q->fraction > 0.0)
        fprintf(stream, "fraction = %.9g\n", q->fraction);
}

enum status own_definition_write(const struct own_question *q, const char *path, struct failure *f)
{
    struct output o;
    char title[OWN_TITLE];
    const enum status status = output_open(&o, path, f);
    if (status != STATUS_OK)
        return status;
    char *line = own_words_line(q->command.words);
    own_question_title(q, title);
    fprintf(o.stream, "; Written by study speedup: the same command goes on.\n; %s\n",
            line && !strchr(line, '\n') ? line : title);
    free(line);
    put_experiment(o.stream, title, q);
    if (q->launches > 0)
        fprintf(o.stream, "launches = %" PRId64 "\n", q->launches);
    fprintf(o.stream, "\n[points]\nprograms = program_%s\n", is_none(q->ranks) ? "omp" : "mpi");
    if (!is_none(q->ranks))
        fprintf(o.stream, "ranks = %s\n", q->ranks);
    if (!is_none(q->threads))
        fprintf(o.stream, "threads = %s\n", q->threads);
    if (q->command.bind)
        fprintf(o.stream, "bind = %s\n", binding_options[q->command.bind]);
    if (q->size > 0)
        fprintf(o.stream, "rows = %" PRId64 "\ncols = 1\n%s", q->size,
                q->weak ? "per_worker = rows\n" : "");
    else
        fputs("size = 1\n", o.stream);
    return output_close(&o, f);
}

enum status own_definition_of_times(const struct own_question *q, const char *title,
                                    const char *threads, const char *path, struct failure *f)
{
    struct output o;
    const enum status status = output_open(&o, path, f);
    if (status != STATUS_OK)
        return status;
    fputs("; Written by study speedup --csv: times that were measured elsewhere.\n", o.stream);
    put_experiment(o.stream, title, q);
    fprintf(o.stream, "\n[points]\nprograms = program_omp\nthreads = %s\nsize = 1\n", threads);
    return output_close(&o, f);
}
