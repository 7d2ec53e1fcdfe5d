#include "experiments/common/arguments.h"

#include "harness/base/text/screen.h"

#include <string.h>

/* ---- examples -------------------------------------------------------------------------------- */

enum { EXAMPLES = 3 };

/* Three command lines of each command, for its --help and its manual page. Commands whose
 * description ends with examples of its own are not here. */
static const struct {
    const char *command, *lines[EXAMPLES + 1];
} examples[] = {
    {"run",
     {"study run threads", "study run --all --quick --budget 5m",
      "study run threads --standard --results results/night"}},
    {"report",
     {"study report", "study report --lang es",
      "study report --results A --results B --label laptop --label cluster"}},
    {"list", {"study list", "study list --standard", "study list --thesis"}},
    {"status",
     {"study status", "study status threads --standard", "study status threads --left-out"}},
    {"plan", {"study plan threads", "study plan --all --standard", "study plan threads --shell"}},
    {"compare",
     {"study compare results/before results/after",
      "study compare before/threads.csv after/threads.csv",
      "study compare results/before results/after --margin 0.05"}},
    {"analyze", {"study analyze", "study analyze threads", "study analyze threads --points"}},
    {"roofline",
     {"study roofline", "study roofline --max-seconds 60",
      "study roofline --results results/night"}},
    {"amdahl",
     {"study amdahl --fraction 0.95", "study amdahl --fraction 0.95 --workers 2,4,8",
      "study amdahl --fraction 1"}},
    {"predict",
     {"study predict scale --ranks 64", "study predict scale --ranks 1024 --platform ethernet_10g",
      "study predict scale --ranks 1024 --platform infiniband --efficiency 0.5"}},
    {"calibrate",
     {"study calibrate scale", "study calibrate scale --standard",
      "study calibrate scale --results results/night"}},
    {"pack",
     {"study pack maxpool.c --student 'Ana Torres'", "study pack maxpool.c --output ana.zip",
      "study pack maxpool.c --results results/lab"}},
    {"audit",
     {"study audit ana.zip", "study audit handed_in/*.zip --seed 7122",
      "study audit handed_in/*.zip --share 0.5"}},
    {"cite", {"study cite", "study cite --format text", "study cite >> thesis.bib"}},
    {"import",
     {"study import samples.tar", "study import samples.tar --results results/cluster",
      "study import threads.csv --experiment threads"}},
    {"env", {"study env", "study env > machine.json", "study env --results results/night"}},
};

/* Lines without a newline, ended by NULL; NULL if the command has none. */
static const char *const *command_examples(const char *command)
{
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        if (strcmp(examples[i].command, command) == 0)
            return examples[i].lines;
    return NULL;
}

/* ---- options and operands -------------------------------------------------------------------- */

/* The rows that every command has: --lang, unless it has one of its own, and --help. */
struct common_rows {
    struct option_row lang, help;
};

static bool has_lang(const struct usage *usage)
{
    for (size_t i = 0; i < usage->count; i++)
        if (strcmp(usage->options[i].name, "lang") == 0)
            return true;
    return false;
}

static void print_help(const struct usage *usage, const struct common_rows *common,
                       const char *command)
{
    const char *const *example = command_examples(command);
    printf("%s: study %s%s%s [%s]...\n%s\n\n%s:\n", screen_help("Usage"), command,
           *usage->operands ? " " : "", usage->operands, screen_help("OPTION"),
           screen_help(usage->about), screen_help("Options"));
    for (size_t i = 0; i < usage->count; i++) {
        if (usage->options[i].group)
            printf("\n%s\n", screen_help(usage->options[i].group));
        option_print(stdout, &usage->options[i], usage->options[i].help);
    }
    if (!has_lang(usage))
        option_print(stdout, &common->lang, common->lang.help);
    option_print(stdout, &common->help, common->help.help);
    if (example)
        printf("\n%s\n", screen_help("Examples"));
    for (; example && *example; example++)
        printf("  %s\n", *example);
}

static enum status check_operands(const struct usage *usage, const char *command, int count,
                                  char **operands, struct failure *f)
{
    if (count < usage->least)
        return fail(f, STATUS_USAGE, "%s: something is missing, the usage is: study %s %s", command,
                    command, usage->operands);
    if (usage->most >= 0 && count > usage->most)
        return fail(f, STATUS_USAGE,
                    "%s: '%s' is one argument too many ('study %s --help' shows the usage)",
                    command, operands[usage->most], command);
    return STATUS_OK;
}

/* Reads the options of the command and those of all; --help ends the reading. */
static enum status read_rows(const struct usage *usage, const struct common_rows *common, int argc,
                             char **argv, bool *given, int *first, struct failure *f)
{
    struct option_row rows[OPTION_ROWS_MOST];
    bool all_given[OPTION_ROWS_MOST] = {false};
    struct failure why = {0};
    char help[64];
    struct option_reader reader = {.rows = rows,
                                   .count = usage->count,
                                   .help = help,
                                   .given = all_given,
                                   .ended = common->help.target};
    snprintf(help, sizeof help, "'study %s --help' lists them", argv[0]);
    memcpy(rows, usage->options, usage->count * sizeof *rows);
    if (!has_lang(usage))
        rows[reader.count++] = common->lang;
    rows[reader.count++] = common->help;
    const enum status status = option_rows_read(&reader, argc, argv, first, &why);
    memcpy(given, all_given, usage->count * sizeof *given);
    return status == STATUS_OK ? status : fail(f, status, "%s: %s", argv[0], why.message);
}

enum status arguments_parse_given(const struct usage *usage, int argc, char **argv, bool *given,
                                  int *operands, bool *help, struct failure *f)
{
    const char *lang = NULL;
    const struct common_rows common = {
        {"lang", VALUE_TEXT, "en|es", "language of the screen, also of this text",
         .target = (void *)&lang},
        {"help", VALUE_FLAG, NULL, "this text", .target = help, .letter = 'h'}};
    int first = argc;
    *help = false;
    *operands = 0;
    enum status status = read_rows(usage, &common, argc, argv, given, &first, f);
    if (status == STATUS_OK && lang)
        status = screen_choose(lang, f);
    if (status != STATUS_OK)
        return status;
    if (*help) {
        print_help(usage, &common, argv[0]);
        return STATUS_OK;
    }
    *operands = argc - first;
    memmove(argv + 1, argv + first, (size_t)*operands * sizeof *argv);
    return check_operands(usage, argv[0], *operands, argv + 1, f);
}

enum status arguments_parse(const struct usage *usage, int argc, char **argv, int *operands,
                            bool *help, struct failure *f)
{
    bool given[OPTION_ROWS_MOST];
    return arguments_parse_given(usage, argc, argv, given, operands, help, f);
}

bool arguments_taken(const struct usage *usage, int argc, char **argv, int *operands,
                     struct failure *f)
{
    bool help = false;
    return arguments_parse(usage, argc, argv, operands, &help, f) == STATUS_OK && !help;
}
