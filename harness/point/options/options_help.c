/* Prints --help and --list-methods. */
#include "harness/point/options/option_table.h"

#include <string.h>

/* Returns the help of the operator's own parameter or operand, even if others have an option of
 * that name. */
static const char *help_of(const struct option_row *row, const struct operator_row *o)
{
    const struct parameter *p = operator_any_parameter(o, row->name);
    const struct operand_row *operand = operator_any_operand(o, row->name);
    return p ? p->help : operand ? operand->help : row->help;
}

/* Prints the options that apply, with a heading for each group. */
static void print_options(FILE *out, const struct program *program)
{
    int count;
    const struct option_row *rows = option_rows(&count);
    const char *heading = NULL;
    for (int i = 0; i < count; i++) {
        heading = rows[i].group ? rows[i].group : heading;
        if (!option_applies(&rows[i], program))
            continue;
        if (heading)
            fprintf(out, "\n%s\n", heading);
        heading = NULL;
        option_print(out, &rows[i], help_of(&rows[i], program->kind));
    }
}

/* True if the option whose name begins the text, such as batch, applies to the program. */
static bool word_applies(const char *word, const struct program *program)
{
    int count;
    const struct option_row *rows = option_rows(&count);
    const size_t length = strcspn(word, " ");
    for (int i = 0; i < count; i++)
        if (strlen(rows[i].name) == length && strncmp(word, rows[i].name, length) == 0 &&
            option_applies(&rows[i], program))
            return true;
    return false;
}

/* True if the program has all methods of a list such as tiled,winograd. */
static bool has_methods(const char *list, const struct program *program)
{
    char name[32];
    for (size_t length; (length = strcspn(list, ", ")) > 0;
         list += length + (list[length] == ',')) {
        bool found = length == 3 && strncmp(list, "all", 3) == 0;
        snprintf(name, sizeof name, "%.*s", (int)length, list);
        for (size_t i = 0; !found && operator_variant(program->kind, i); i++)
            found = operator_method(operator_variant(program->kind, i), program->space->kind, name);
        if (!found)
            return false;
    }
    return true;
}

/* Examples are written once for all programs of an operator; those that this program would refuse
 * are not shown. */
static bool example_applies(const char *example, const struct program *program)
{
    static const char methods[] = "method ";
    for (const char *at = strstr(example, "--"); at; at = strstr(at + 2, "--"))
        if (!word_applies(at + 2, program) || (strncmp(at + 2, methods, sizeof methods - 1) == 0 &&
                                               !has_methods(at + 2 + sizeof methods - 1, program)))
            return false;
    return true;
}

static void print_examples(FILE *out, const struct program *program)
{
    const struct operator_words *words = &program->kind->words;
    const struct operand_row *right = operator_right(program->kind);
    const bool device = program->space->kind == SPACE_CUDA;
    const char *name = program->name;
    fprintf(out, "\nExamples\n");
    if (!program->subject)
        fprintf(out, "  %s -n 4096 --method %s\n", name,
                device ? words->device_example : words->example);
    for (const char *const *example = words->examples; *example; example++)
        if (example_applies(*example, program))
            fprintf(out, "  %s %s\n", name, *example);
    if (program->subject)
        return;
    if (program->space->has_threads)
        fprintf(out, "  %s -n 8192 -t 4 --bind core --record samples.csv\n", name);
    if (device && program->kind->windows_go_alone)
        fprintf(out, "  %s -n 512 --offload window --filter-memory constant\n", name);
    if (device)
        fprintf(out, "  %s -n 16384 --host-memory pinned --streams 4 --kernel-facts\n", name);
    if (program->space->processes)
        fprintf(out,
                "  mpirun -np 4 %s -n 8192\n"
                "  mpirun -np 16 --oversubscribe %s    (Open MPI; more ranks than cores)\n",
                name, name);
    fprintf(out, "  %s -n 512%s%s%s --format csv > samples.csv\n", name, right ? " --" : "",
            right ? right->option : "", right ? " random" : "");
}

void options_help(FILE *out, const struct program *program)
{
    char text[512];
    fprintf(out, "Usage: %s [OPTION]...\n", program->name);
    snprintf(text, sizeof text, "Measures %s Every execution is verified and becomes one sample.",
             program->kind->words.measures);
    help_print_wrapped(out, text, 0, 0);
    print_options(out, program);
    fprintf(out, "\nMethods (default: the first)\n");
    options_list_methods(out, program, false);
    print_examples(out, program);
    fprintf(out,
            "\nExit status: 0 done and verified, 1 a result was wrong, 2 bad option or input, "
            "3 not available\nhere, 4 not enough memory or another resource, 5 output could not "
            "be written.\n");
}

/* Marks a peer, so that a reader or the study can distinguish it from our methods. */
static void print_method(FILE *out, const struct method *m, const char *mark,
                         const char *unavailable)
{
    fprintf(out, "%-16s  %s%s", m->name, mark, m->idea);
    if (unavailable)
        fprintf(out, " [not available: %s]", unavailable);
    fputc('\n', out);
}

/* True if an operator before number `variant` of the program has a method of that name. */
static bool is_listed(const struct program *program, size_t variant, const char *name)
{
    for (size_t i = 0; i < variant; i++) {
        const struct operator_row *o = operator_variant(program->kind, i);
        if (operator_method(o, program->space->kind, name) || peers_find(program->peers, o, name))
            return true;
    }
    return false;
}

/* Lists the methods of one operator of the program; each name is listed once. */
static void list_variant(FILE *out, const struct program *program, size_t variant, bool all)
{
    const struct operator_row *o = operator_variant(program->kind, variant);
    for (size_t i = 0; i < operator_method_count(o); i++) {
        const struct method *m = o->method(i);
        if (m->kind == program->space->kind && (all || !method_lacks(m, program->emulated)) &&
            !is_listed(program, variant, m->name))
            print_method(out, m, "", method_lacks(m, program->emulated));
    }
    const size_t peers = all && program->peers ? program->peers->count : 0;
    for (size_t i = 0; i < peers; i++) {
        const struct peer_row *row = &program->peers->rows[i];
        if (row->kind == o && !is_listed(program, variant, row->method.name))
            print_method(out, &row->method, "[peer] ",
                         program->emulated ? method_lacks(&row->method, true)
                                           : peer_unavailable(row));
    }
}

void options_list_methods(FILE *out, const struct program *program, bool all)
{
    for (size_t i = 0; operator_variant(program->kind, i); i++)
        list_variant(out, program, i, all);
}
