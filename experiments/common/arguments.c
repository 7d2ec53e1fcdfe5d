#include "experiments/common/arguments.h"

#include <string.h>

static void print_help(const struct usage *usage, const struct option_row *help_row,
                       const char *command)
{
    printf("Usage: study %s%s%s [OPTION]...\n%s\n\nOptions:\n", command,
           *usage->operands ? " " : "", usage->operands, usage->about);
    for (size_t i = 0; i < usage->count; i++) {
        if (usage->options[i].group)
            printf("\n%s\n", usage->options[i].group);
        option_print(stdout, &usage->options[i], usage->options[i].help);
    }
    option_print(stdout, help_row, help_row->help);
}

static enum status check_operands(const struct usage *usage, const char *command, int count,
                                  char **operands, struct failure *f)
{
    if (count < usage->least)
        return fail(f, STATUS_USAGE, "%s: something is missing, the usage is: study %s %s", command,
                    command, usage->operands);
    if (usage->most >= 0 && count > usage->most)
        return fail(f, STATUS_USAGE, "%s: '%s' is one argument too many", command,
                    operands[usage->most]);
    return STATUS_OK;
}

/* Reads the options of the command and --help; --help ends the reading. */
static enum status read_rows(const struct usage *usage, const struct option_row *help_row, int argc,
                             char **argv, int *first, struct failure *f)
{
    struct option_row rows[OPTION_ROWS_MOST];
    struct failure why = {0};
    char help[64];
    const struct option_reader reader = {
        .rows = rows, .count = usage->count + 1, .help = help, .ended = help_row->target};
    snprintf(help, sizeof help, "'study %s --help' lists them", argv[0]);
    memcpy(rows, usage->options, usage->count * sizeof *rows);
    rows[usage->count] = *help_row;
    const enum status status = option_rows_read(&reader, argc, argv, first, &why);
    return status == STATUS_OK ? status : fail(f, status, "%s: %s", argv[0], why.message);
}

enum status arguments_parse(const struct usage *usage, int argc, char **argv, int *operands,
                            bool *help, struct failure *f)
{
    const struct option_row help_row = {"help",      VALUE_FLAG,     NULL,
                                        "this text", .target = help, .letter = 'h'};
    int first = argc;
    *help = false;
    *operands = 0;
    const enum status status = read_rows(usage, &help_row, argc, argv, &first, f);
    if (status != STATUS_OK)
        return status;
    if (*help) {
        print_help(usage, &help_row, argv[0]);
        return STATUS_OK;
    }
    *operands = argc - first;
    memmove(argv + 1, argv + first, (size_t)*operands * sizeof *argv);
    return check_operands(usage, argv[0], *operands, argv + 1, f);
}
