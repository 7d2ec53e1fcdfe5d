#include "experiments/plan/programs.h"

#include "experiments/common/lists.h"
#include "experiments/common/process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Parses a line of a list: "NAME  [peer] IDEA [not available: WHY]", both brackets optional. False
 * if the line names no method, or if memory is lacking. Messages of libraries among the lines do
 * not have two blanks after their first word. */
static bool take_method(struct method_facts *m, const char *line)
{
    static const char without[] = " [not available: ";
    const size_t length = strcspn(line, " \t");
    const size_t blanks = strspn(line + length, " \t");
    const char *idea = line + length + blanks, *why = strstr(idea, without);
    if (length == 0 || blanks < 2)
        return false;
    *m = (struct method_facts){.peer = strncmp(idea, "[peer]", 6) == 0};
    m->name = strndup(line, length);
    if (why) {
        why += sizeof without - 1;
        m->missing = strndup(why, strcspn(why, "]"));
    }
    return m->name && (!why || m->missing);
}

static void take_methods(struct program_facts *facts, char *output)
{
    char *rest = NULL;
    for (char *line = strtok_r(output, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        struct method_facts *grown = array_grow(facts->methods, facts->method_count, sizeof *grown);
        if (!grown)
            return;
        facts->methods = grown;
        facts->method_count += take_method(&facts->methods[facts->method_count], line);
    }
}

/* Sets facts->missing to the program's own message, if it has one: the last line, because warnings
 * come before it. */
static int take_output(struct program_facts *facts, const struct process_limits *limits,
                       struct process_result *result)
{
    size_t length = strlen(result->output);
    while (length > 0 && strchr(" \n\r\t", result->output[length - 1]))
        result->output[--length] = '\0';
    const char *newline = strrchr(result->output, '\n');
    const char *line = newline ? newline + 1 : result->output;
    if (result->end == PROCESS_TIMED_OUT)
        return asprintf(&facts->missing, "%s cannot run here: no answer within %g s", facts->name,
                        limits->seconds);
    if (result->end == PROCESS_KILLED)
        return asprintf(&facts->missing, "%s cannot run here: ended by signal %d", facts->name,
                        result->signal);
    if (length == 0)
        return asprintf(&facts->missing, "%s cannot run here: exit status %d, no message",
                        facts->name, result->exit_status);
    return asprintf(&facts->missing, "%s cannot run here: %s", facts->name, line);
}

/* Whether a program that the system did not start may be started at another time: the reason is at
 * the end of what process_run() says of it. */
static bool lacks_resource(const char *said)
{
    static const int reasons[] = {EMFILE, ENFILE, EAGAIN, ENOMEM};
    bool lacks = false;
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        lacks = lacks || strstr(said, strerror(reasons[i]));
    return lacks;
}

/* Runs the program with one option. False, with the reason in `missing`, if it cannot run here. */
static bool answers(struct program_facts *facts, const char *bin, const char *option,
                    struct process_result *result)
{
    char *path = NULL, *word = strdup(option);
    int made = asprintf(&path, "%s%s%s", bin, *bin ? "/" : "", facts->name);
    char *argv[] = {path, word, NULL};
    const struct process_limits limits = {.seconds = 60, .grace_seconds = 1, .death_signal = 9};
    struct failure f = {0};
    facts->unasked = made < 0 || !word || process_run(argv, &limits, result, &f) != STATUS_OK;
    if (made < 0 || !word)
        made = asprintf(&facts->missing, "not enough memory to ask %s", facts->name);
    else if (facts->unasked)
        made = asprintf(&facts->missing, "%s", f.message);
    else if (result->end == PROCESS_NOT_STARTED && *bin && access(path, F_OK) == 0) {
        facts->unasked = lacks_resource(result->output);
        made = asprintf(&facts->missing, "the system does not start %s", result->output);
    } else if (result->end == PROCESS_NOT_STARTED)
        made = asprintf(&facts->missing, "no program %s here", facts->name);
    else if (!process_succeeded(result))
        made = take_output(facts, &limits, result);
    free(path);
    free(word);
    return made >= 0 && !facts->missing;
}

/* Asks a program for its methods. One that cannot run here, such as one for GPUs without a GPU,
 * fails to list them; one that can run also lists its peers. */
static void ask(struct program_facts *facts, const char *bin)
{
    struct process_result result;
    if (answers(facts, bin, "--list-methods", &result) &&
        answers(facts, bin, "--list-methods=all", &result))
        take_methods(facts, result.output);
}

const struct program_facts *program_find(struct programs *programs, const char *name)
{
    for (size_t i = 0; i < programs->count; i++)
        if (strcmp(programs->facts[i]->name, name) == 0)
            return programs->facts[i];
    struct program_facts **grown = array_grow(programs->facts, programs->count, sizeof *grown);
    struct program_facts *facts = grown ? calloc(1, sizeof *facts) : NULL;
    programs->facts = grown ? grown : programs->facts;
    if (facts)
        facts->name = strdup(name);
    if (!facts || !facts->name) {
        free(facts);
        return NULL;
    }
    programs->facts[programs->count++] = facts;
    ask(facts, programs->bin);
    return facts;
}

void programs_release(struct programs *programs)
{
    for (size_t i = 0; i < programs->count; i++) {
        struct program_facts *facts = programs->facts[i];
        for (size_t j = 0; j < facts->method_count; j++) {
            free(facts->methods[j].name);
            free(facts->methods[j].missing);
        }
        free(facts->methods);
        free(facts->missing);
        free(facts->name);
        free(facts);
    }
    free(programs->facts);
    *programs = (struct programs){0};
}

const struct method_facts *program_method(const struct program_facts *facts, const char *name)
{
    for (size_t i = 0; i < facts->method_count; i++)
        if (strcmp(facts->methods[i].name, name) == 0)
            return &facts->methods[i];
    return NULL;
}

bool method_is_among_all(const struct method_facts *m)
{
    return !m->peer && !m->missing;
}
