#include "experiments/plan/speedup_definition.h"

#include "experiments/common/output.h"
#include "experiments/common/text/distinct.h"
#include "experiments/definition/definition.h"
#include "experiments/definition/method_groups.h"
#include "experiments/plan/programs.h"
#include "experiments/samples/point.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/word_list.h"
#include "networks/point/record_subject.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES = 700 }; /* bytes for the names that exist, in a message */

/* First part of the programs' names. */
static const char *stem_of(const struct speedup_question *q)
{
    return q->network[0] ? "network" : q->operator_name;
}

void speedup_definition_name(const struct speedup_question *q, char name[SPEEDUP_NAME])
{
    char what[41], size[32] = "";
    text_distinct(what, sizeof what, q->network[0] ? q->network : q->operator_name);
    if (q->size > 0)
        snprintf(size, sizeof size, "_%" PRId64, q->size);
    snprintf(name, SPEEDUP_NAME, "speedup_%s%s%s%s%s", what, size, q->weak ? "_weak" : "",
             q->bind ? "_" : "", q->bind ? q->bind : "");
    for (char *at = name; *at; at++) /* "mlp:50-25" is no safe file name */
        if (!isalnum((unsigned char)*at) && *at != '_' && *at != '-')
            *at = '-';
}

static bool is_none(const char *list)
{
    return list[0] == '\0' || strcmp(list, "none") == 0;
}

/* Checks the lists as the definition will have them; the message names the option. */
static enum status check_lists(const struct speedup_question *q, int64_t cores, struct failure *f)
{
    const struct {
        const char *option, *list;
    } rows[] = {{"--threads", q->threads}, {"--ranks", q->ranks}, {"--simulate", q->simulated}};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sizeof rows / sizeof *rows && status == STATUS_OK; i++)
        if (!is_none(rows[i].list))
            status = definition_check_integers(rows[i].option, rows[i].list, 1, cores, f);
    return status;
}

static enum status refuse_operator(const char *name, struct failure *f)
{
    char known[NAMES] = "";
    for (size_t i = 0; i < operator_count; i++)
        word_list_add(known, sizeof known, ", ", operators[i]->name);
    return fail(f, STATUS_USAGE, "--operator: there is no operator '%s'; there are: %s",
                text_brief(name, 200).text, known);
}

static enum status refuse_network(const char *name, struct failure *f)
{
    char known[NAMES];
    recorded_list_networks(known, sizeof known);
    return fail(f, STATUS_USAGE, "--network: there is no '%s'; there are: %s",
                text_brief(name, 200).text, known);
}

static enum status check(const struct speedup_question *q, int64_t cores,
                         const struct operator_row **operator_row, struct failure *f)
{
    char program[RECORD_TEXT];
    text_fit_format(program, sizeof program, "%s_omp", stem_of(q));
    *operator_row = point_program_kind(program).operator_row;
    if (!*operator_row)
        return refuse_operator(q->operator_name, f);
    if (q->network[0] && !recorded_has_network(q->network))
        return refuse_network(q->network, f);
    if (q->weak && q->network[0])
        return fail(f, STATUS_USAGE, "--weak: a network has no rows that grow with the workers");
    if (is_none(q->threads) && is_none(q->ranks))
        return fail(f, STATUS_USAGE, "--threads and --ranks are both none: nothing to measure");
    return check_lists(q, cores, f);
}

/* Writes the methods of a sweep: those requested; otherwise the first of the table, those that time
 * their product, and the one that the operator's help suggests. */
static void put_methods(FILE *stream, const struct speedup_question *q,
                        const struct operator_row *o)
{
    const char *const suggested = o->words.example;
    fputs("method =", stream);
    if (q->methods[0])
        fprintf(stream, " %s", q->methods);
    else if (q->network[0])
        fprintf(stream, " %s", suggested);
    else
        for (size_t i = 0; o->method(i); i++) {
            const struct method *method = o->method(i);
            if (i == 0 || method->staged || strcmp(method->name, suggested) == 0)
                fprintf(stream, " %s", method->name);
        }
    fputc('\n', stream);
}

/* Writes the image sizes, and the binding of measured workers; with `grow` the rows are per
 * worker. */
static void put_sizes(FILE *stream, const struct speedup_question *q, bool grow, bool bound)
{
    if (q->bind && bound)
        fprintf(stream, "bind = %s\n", q->bind);
    if (q->network[0])
        fprintf(stream, "network = %s\n", q->network);
    if (q->size == 0)
        return;
    if (!q->weak) {
        fprintf(stream, "size = %" PRId64 "\n", q->size);
        return;
    }
    fprintf(stream, "rows = %" PRId64 "\ncols = %" PRId64 "\n%s", q->size, q->size,
            grow ? "per_worker = rows\n" : "");
}

/* Writes serial methods that time their product: its share is Amdahl's f. */
static void put_serial(FILE *stream, const struct speedup_question *q, const struct operator_row *o)
{
    bool any = false;
    for (size_t i = 0; !q->network[0] && o->method(i); i++) {
        if (!o->method(i)->staged)
            continue;
        if (!any)
            fprintf(stream, "\n[points serial]\nprograms = %s_serial\nmethod =", stem_of(q));
        fprintf(stream, " %s", o->method(i)->name);
        any = true;
    }
    if (!any)
        return;
    fputc('\n', stream);
    put_sizes(stream, q, false, true);
}

/* Writes the series of Amdahl's own model: all workers share the product, one does the rest. It is
 * left out where other methods were requested. */
static void put_product(FILE *stream, const struct speedup_question *q,
                        const struct operator_row *o)
{
    const char *staged = NULL;
    for (size_t i = 0; !staged && o->method(i); i++)
        staged = o->method(i)->staged ? o->method(i)->name : NULL;
    if (!staged || q->network[0] || q->weak ||
        (q->methods[0] && !word_list_has(q->methods, ", \t", staged)))
        return;
    if (!is_none(q->threads)) {
        fprintf(stream, "\n[points product, threads]\nprograms = %s_omp\nthreads = %s\n",
                stem_of(q), q->threads);
        fprintf(stream, "method = %s\nparallel = product\n", staged);
        put_sizes(stream, q, false, true);
    }
    if (!is_none(q->ranks)) {
        fprintf(stream,
                "\n[points product, ranks]\nprograms = %s_mpi\nranks = %s\nthreads = 1\n"
                "distribution = scatter\n",
                stem_of(q), q->ranks);
        fprintf(stream, "method = %s\nparallel = product\n", staged);
        put_sizes(stream, q, false, true);
    }
    if (!is_none(q->simulated)) {
        fprintf(stream,
                "\n[points product, simulated]\nprograms = %s_mpi\nranks = %s\nplatform = %s\n"
                "distribution = scatter\nmethod = %s\nparallel = product\n",
                stem_of(q), q->simulated, q->platform, staged);
        put_sizes(stream, q, false, false);
    }
}

static void put_workers(FILE *stream, const struct speedup_question *q,
                        const struct operator_row *o)
{
    if (!is_none(q->threads)) {
        fprintf(stream, "\n[points threads]\nprograms = %s_omp\nthreads = %s\n", stem_of(q),
                q->threads);
        put_methods(stream, q, o);
        put_sizes(stream, q, q->weak, true);
    }
    if (!is_none(q->ranks)) {
        fprintf(stream, "\n[points ranks]\nprograms = %s_mpi\nranks = %s\nthreads = 1\n",
                stem_of(q), q->ranks);
        put_methods(stream, q, o);
        put_sizes(stream, q, q->weak, true);
    }
    if (!is_none(q->simulated)) {
        fprintf(stream,
                "\n; Nothing is computed there: rows take the time that one row took here.\n"
                "[points simulated]\nprograms = %s_mpi\nranks = %s\nplatform = %s\n"
                "compute_limit = 0\n",
                stem_of(q), q->simulated, q->platform);
        put_methods(stream, q, o);
        put_sizes(stream, q, q->weak, false);
    }
}

static void put_experiment(FILE *stream, const struct speedup_question *q,
                           const struct operator_row *o)
{
    const char *what = q->network[0] ? q->network : q->operator_name;
    char title[200], question[100]; /* catalogues translate the formats of both */
    fprintf(stream, "; Written by study speedup: run it again to go on.\n[experiment]\n");
    if (q->weak)
        snprintf(title, sizeof title, "Scaled speedup of %s, n = %" PRId64, what, q->size);
    else
        snprintf(title, sizeof title, "Speedup of %s, n = %" PRId64, what, q->size);
    snprintf(question, sizeof question,
             "How much faster do more workers make it, and what limits that?");
    fprintf(stream, "title = %s\nquestion = %s\n", title, question);
    fprintf(stream,
            "section = workers\n"
            "baseline = %s\n"
            "charts = %s\n"
            "oversubscribe = 1000000\n"
            "headline = 1\n",
            o->method(0)->name, q->weak ? "weak_scaling" : "speedup efficiency");
    if (q->laws > 0)
        fprintf(stream, "laws = %" PRId64 "\n", q->laws);
}

enum status speedup_definition_write(const struct speedup_question *q, int64_t cores,
                                     const char *path, struct failure *f)
{
    struct output o;
    const struct operator_row *row;
    enum status status = check(q, cores, &row, f);
    if (status == STATUS_OK)
        status = output_open(&o, path, f);
    if (status != STATUS_OK)
        return status;
    put_experiment(o.stream, q, row);
    put_serial(o.stream, q, row);
    put_product(o.stream, q, row);
    put_workers(o.stream, q, row);
    return output_close(&o, f);
}

/* ---- the methods ----------------------------------------------------------------------------- */

static bool ask(struct programs *programs, const struct speedup_question *q, const char *space)
{
    char name[RECORD_TEXT];
    text_fit_format(name, sizeof name, "%s_%s", stem_of(q), space);
    return program_find(programs, name) != NULL;
}

/* True if a program has the method, or none could say which it has. */
static bool is_known(const struct programs *programs, const char *word)
{
    size_t answers = 0;
    for (size_t i = 0; i < programs->count; i++) {
        answers += programs->facts[i]->method_count > 0;
        if (program_method(programs->facts[i], word))
            return true;
    }
    return answers == 0 || method_group_find(word) != METHOD_GROUPS;
}

/* Each method once: the first program that has it counts. */
static bool is_repeated(const struct programs *programs, size_t program, const char *name)
{
    size_t i = 0;
    while (i < program && !program_method(programs->facts[i], name))
        i++;
    return i < program;
}

static enum status refuse_method(const struct programs *programs, const char *word,
                                 struct failure *f)
{
    char known[NAMES] = "";
    for (size_t i = 0; i < programs->count; i++)
        for (size_t j = 0; j < programs->facts[i]->method_count; j++) {
            const char *name = programs->facts[i]->methods[j].name;
            if (!is_repeated(programs, i, name))
                word_list_add(known, sizeof known, ", ", name);
        }
    return fail(f, STATUS_USAGE, "--method: there is no '%s'; there are: %s",
                text_brief(word, 200).text, known);
}

enum status speedup_check_methods(const struct speedup_question *q, const char *bin,
                                  struct failure *f)
{
    struct programs programs = {.bin = bin};
    enum status status = STATUS_OK;
    char *words = strdup(q->methods), *rest = NULL;
    const bool mpi = !is_none(q->ranks) || !is_none(q->simulated);
    if (!words || (q->methods[0] && !is_none(q->threads) && !ask(&programs, q, "omp")) ||
        (q->methods[0] && mpi && !ask(&programs, q, "mpi")))
        status = fail(f, STATUS_RESOURCE, "not enough memory for the methods");
    for (char *word = words ? strtok_r(words, ", \t", &rest) : NULL; word && status == STATUS_OK;
         word = strtok_r(NULL, ", \t", &rest))
        if (!is_known(&programs, word))
            status = refuse_method(&programs, word, f);
    programs_release(&programs);
    free(words);
    return status;
}
