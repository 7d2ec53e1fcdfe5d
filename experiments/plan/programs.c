#include "experiments/plan/programs.h"

#include "experiments/common/process.h"

#include <limits.h>
#include <string.h>

/* One line of a list: "NAME  [peer] IDEA [not available: WHY]", both brackets optional. */
static bool take_method(struct method_facts *m, const char *line)
{
    static const char without[] = " [not available: ";
    const size_t length = strcspn(line, " \t");
    if (length == 0 || length >= sizeof m->name)
        return false;
    const char *idea = line + length + strspn(line + length, " \t");
    const char *why = strstr(idea, without);
    *m = (struct method_facts){.peer = strncmp(idea, "[peer]", 6) == 0};
    snprintf(m->name, sizeof m->name, "%.*s", (int)length, line);
    if (why)
        snprintf(m->missing, sizeof m->missing, "%.*s", (int)strcspn(why + sizeof without - 1, "]"),
                 why + sizeof without - 1);
    return true;
}

static void take_methods(struct program_facts *facts, char *output)
{
    char *rest = NULL;
    for (char *line = strtok_r(output, "\n", &rest); line && facts->method_count < METHODS_MAX;
         line = strtok_r(NULL, "\n", &rest))
        facts->method_count += take_method(&facts->methods[facts->method_count], line);
}

/* Runs the program with one option. False, and `missing` says why, where it cannot run here. */
static bool answers(struct program_facts *facts, const char *bin, const char *option,
                    struct process_result *result)
{
    char path[PATH_MAX], word[32];
    char *argv[] = {path, word, NULL};
    const struct process_limits limits = {.seconds = 10, .grace_seconds = 1, .death_signal = 9};
    struct failure f = {0};
    snprintf(path, sizeof path, "%s%s%s", bin, *bin ? "/" : "", facts->name);
    snprintf(word, sizeof word, "%s", option);
    if (process_run(argv, &limits, result, &f) != STATUS_OK) {
        snprintf(facts->missing, sizeof facts->missing, "%.200s", f.message);
    } else if (result->end == PROCESS_NOT_STARTED) {
        snprintf(facts->missing, sizeof facts->missing, "no program %.150s here", facts->name);
    } else if (result->end != PROCESS_EXITED || result->exit_status != 0) {
        result->output[strcspn(result->output, "\n")] = '\0';
        snprintf(facts->missing, sizeof facts->missing, "%.80s cannot run here: %.150s",
                 facts->name, result->output);
    }
    return !facts->missing[0];
}

/* A program that cannot run here refuses to list what it runs, as one for GPUs where there is none;
 * one that can tells of its peers too. */
static void ask(struct program_facts *facts, const char *bin)
{
    struct process_result result;
    if (answers(facts, bin, "--list-methods", &result) &&
        answers(facts, bin, "--list-methods=all", &result))
        take_methods(facts, result.output);
}

const struct program_facts *program_find(struct programs *programs, const char *name)
{
    static const struct program_facts too_many = {.missing = "too many programs in one study"};
    for (size_t i = 0; i < programs->count; i++)
        if (strcmp(programs->facts[i].name, name) == 0)
            return &programs->facts[i];
    if (programs->count == PROGRAMS_MAX)
        return &too_many;
    struct program_facts *facts = &programs->facts[programs->count++];
    memset(facts, 0, sizeof *facts);
    snprintf(facts->name, sizeof facts->name, "%s", name);
    ask(facts, programs->bin);
    return facts;
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
    return !m->peer && !m->missing[0];
}
