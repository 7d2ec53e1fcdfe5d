/* Prints --help and --list-methods. */
#include "harness/base/text/screen.h"
#include "harness/point/options/option_table.h"

#include <stdarg.h>
#include <string.h>

/* Returns the help of the operator's own parameter or operand, even if others have an option of
 * that name. */
static const char *help_of(const struct option_row *row, const struct operator_row *o)
{
    const struct parameter *p = operator_any_parameter(o, row->name);
    const struct operand_row *operand = operator_any_operand(o, row->name);
    return p ? p->help : operand ? operand->help : row->help;
}

/* The line of the first screen, if the option has one: what a beginner needs. Of the operator's own
 * options these are the basic parameters. */
static const char *brief_of(const struct option_row *row, const struct operator_row *o)
{
    const struct parameter *p = operator_any_parameter(o, row->name);
    if (p)
        return p->basic ? p->help : NULL;
    return row->brief && !*row->brief ? row->help : row->brief;
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
            fprintf(out, "\n%s\n", screen_help(heading));
        heading = NULL;
        option_print(out, &rows[i], help_of(&rows[i], program->kind));
    }
}

static void print_brief_options(FILE *out, const struct program *program)
{
    int count;
    const struct option_row *rows = option_rows(&count);
    fputc('\n', out);
    for (int i = 0; i < count; i++) {
        const char *brief = brief_of(&rows[i], program->kind);
        if (brief && option_applies(&rows[i], program))
            option_print(out, &rows[i], brief);
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

/* The examples of a program. */
struct example_lines {
    char lines[12][160];
    int count;
};

__attribute__((format(printf, 2, 3))) static void add_example(struct example_lines *e,
                                                              const char *format, ...)
{
    va_list arguments;
    if (e->count == (int)(sizeof e->lines / sizeof *e->lines))
        return;
    va_start(arguments, format);
    vsnprintf(e->lines[e->count++], sizeof *e->lines, format, arguments);
    va_end(arguments);
}

static void find_examples(struct example_lines *e, const struct program *program)
{
    const struct operator_words *words = &program->kind->words;
    const struct operand_row *right = operator_right(program->kind);
    const bool device = program->space->kind == SPACE_CUDA;
    const char *name = program->name;
    if (program->space->processes && !program->subject) {
        add_example(e, "mpirun -np 4 %s -n 8192", name);
        add_example(e, "mpirun -np 16 --oversubscribe %s    (Open MPI; more ranks than cores)",
                    name);
    }
    if (!program->subject)
        add_example(e, "%s -n 4096 --method %s", name,
                    device ? words->device_example : words->example);
    for (const char *const *example = words->examples; *example; example++)
        if (example_applies(*example, program))
            add_example(e, "%s %s", name, *example);
    if (program->subject)
        return;
    if (program->space->has_threads)
        add_example(e, "%s -n 8192 -t 4 --bind core --record samples.csv", name);
    if (device && program->kind->windows_go_alone)
        add_example(e, "%s -n 512 --offload window --filter-memory constant", name);
    if (device)
        add_example(e, "%s -n 16384 --host-memory pinned --streams 4 --kernel-facts", name);
    add_example(e, "%s -n 512%s%s%s --format csv > samples.csv", name, right ? " --" : "",
                right ? right->option : "", right ? " random" : "");
}

static void print_examples(FILE *out, const struct program *program, int most)
{
    struct example_lines e = {.count = 0};
    find_examples(&e, program);
    fprintf(out, "\n%s\n", screen_help("Examples"));
    for (int i = 0; i < e.count && i < most; i++)
        fprintf(out, "  %s\n", e.lines[i]);
}

static void print_about(FILE *out, const struct program *program)
{
    char text[1024];
    message_fill(
        text, sizeof text,
        screen_help("Measures %{what} Every execution is verified and becomes one sample."),
        WITH({"what", screen_help(program->kind->words.measures)}));
    fprintf(out, "%s: %s [%s]...\n", screen_help("Usage"), program->name, screen_help("OPTION"));
    help_print_wrapped(out, text, 0, 0);
}

static void print_all(FILE *out, const struct program *program)
{
    enum { EXAMPLES_MOST = 99 };
    print_options(out, program);
    fprintf(out, "\n%s\n", screen_help("Methods (default: the first)"));
    options_list_methods(out, program, false);
    print_examples(out, program, EXAMPLES_MOST);
    fputc('\n', out);
    help_print_wrapped(
        out,
        screen_help("Exit status: 0 done and verified, 1 a result was wrong, 2 bad option or "
                    "input, 3 not available here, 4 not enough memory or another resource, 5 "
                    "output could not be written."),
        0, 0);
}

void options_help(FILE *out, const struct program *program, bool all)
{
    enum { BRIEF_EXAMPLES = 3 };
    char text[256];
    print_about(out, program);
    if (all) {
        print_all(out, program);
        return;
    }
    print_brief_options(out, program);
    print_examples(out, program, BRIEF_EXAMPLES);
    message_fill(text, sizeof text,
                 screen_help("All options, methods and exit statuses: %{command}"),
                 WITH({"command", "--help all"}));
    fprintf(out, "\n%s\n", text);
}

/* Marks a peer, so that a reader or the study can distinguish it from our methods. */
static void print_method(FILE *out, const struct method *m, const char *mark,
                         const char *unavailable)
{
    fprintf(out, "%-16s  %s%s", m->name, mark, message_in(screen_language(), "method", m->idea));
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
