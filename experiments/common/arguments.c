#include "experiments/common/arguments.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool duration_parse(const char *text, double *seconds)
{
    double sum = 0;
    const char *at = text;
    do {
        char *end;
        if (!isdigit((unsigned char)*at))
            return false;
        double part = strtod(at, &end);
        double unit = *end == 'h' ? 3600 : *end == 'm' ? 60 : 1;
        bool bare = *end == '\0';
        if (!bare && !strchr("hms", *end))
            return false;
        sum += part * unit;
        at = bare ? end : end + 1;
    } while (*at);
    *seconds = sum;
    return sum > 0 && isfinite(sum);
}

static bool parse_integer(const char *text, int64_t least, int64_t *value)
{
    char *end;
    errno = 0;
    long long parsed = strtoll(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || isspace((unsigned char)*text))
        return false;
    *value = parsed;
    return parsed >= least;
}

static bool parse_chunk(const char *text, struct chunk *chunk)
{
    char *slash = strchr(text, '/');
    char index[24];
    if (!slash || (size_t)(slash - text) >= sizeof index)
        return false;
    memcpy(index, text, (size_t)(slash - text));
    index[slash - text] = '\0';
    return parse_integer(index, 1, &chunk->index) && parse_integer(slash + 1, 1, &chunk->count) &&
           chunk->index <= chunk->count;
}

static bool parse_real(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*value);
}

static bool add_text(struct text_list *list, const char *value)
{
    if (list->count == TEXT_LIST)
        return false;
    list->items[list->count++] = value;
    return true;
}

static const char *expected(enum option_type type)
{
    switch (type) {
    case OPTION_COUNT:
        return "an integer of at least 1";
    case OPTION_NUMBER:
        return "an integer of at least 0";
    case OPTION_REAL:
        return "a number";
    case OPTION_DURATION:
        return "a duration such as 90s, 10m or 1h30m";
    case OPTION_CHUNK:
        return "I/N with 1 <= I <= N";
    case OPTION_TEXTS:
        return "given at most 64 times";
    case OPTION_FLAG:
    case OPTION_TEXT:
        break;
    }
    return "a text";
}

static bool set_option(const struct option_row *option, const char *value)
{
    switch (option->type) {
    case OPTION_FLAG:
        *(bool *)option->target = true;
        return true;
    case OPTION_TEXT:
        *(const char **)option->target = value;
        return true;
    case OPTION_TEXTS:
        return add_text(option->target, value);
    case OPTION_COUNT:
        return parse_integer(value, 1, option->target);
    case OPTION_NUMBER:
        return parse_integer(value, 0, option->target);
    case OPTION_REAL:
        return parse_real(value, option->target);
    case OPTION_DURATION:
        return duration_parse(value, option->target);
    case OPTION_CHUNK:
        return parse_chunk(value, option->target);
    }
    return false;
}

static void print_help(const struct usage *usage, const char *command)
{
    printf("Usage: study %s%s%s [OPTION]...\n%s\n\nOptions:\n", command,
           *usage->operands ? " " : "", usage->operands, usage->about);
    for (size_t i = 0; i < usage->count; i++) {
        const struct option_row *option = &usage->options[i];
        char shown[64];
        snprintf(shown, sizeof shown, "--%s%s%s", option->name, option->value ? " " : "",
                 option->value ? option->value : "");
        printf("  %-24s %s\n", shown, option->help);
    }
    printf("  %-24s %s\n", "--help", "this text");
}

static const struct option_row *find(const struct usage *usage, const char *name, size_t length)
{
    for (size_t i = 0; i < usage->count; i++)
        if (strlen(usage->options[i].name) == length &&
            strncmp(usage->options[i].name, name, length) == 0)
            return &usage->options[i];
    return NULL;
}

/* The long name of an option as it is given: -o stands for --output, as in the point programs. */
static const char *long_name(const char *given)
{
    return strcmp(given, "-o") == 0 ? "output" : given + 2;
}

/* Takes the option at argv[*at], and its value where that is the next argument. */
static enum status take_option(const struct usage *usage, int argc, char **argv, int *at,
                               struct failure *f)
{
    const char *name = long_name(argv[*at]);
    size_t length = strcspn(name, "=");
    const struct option_row *option = find(usage, name, length);
    if (!option)
        return fail(f, STATUS_USAGE, "%s: unknown option '%s'; 'study %s --help' lists them",
                    argv[0], argv[*at], argv[0]);
    const char *value = name[length] == '=' ? name + length + 1 : NULL;
    if (option->type == OPTION_FLAG && value)
        return fail(f, STATUS_USAGE, "%s: --%s takes no value", argv[0], option->name);
    if (option->type != OPTION_FLAG && !value) {
        if (*at + 1 >= argc)
            return fail(f, STATUS_USAGE, "%s: --%s needs a value: %s", argv[0], option->name,
                        expected(option->type));
        value = argv[++*at];
    }
    if (!set_option(option, value))
        return fail(f, STATUS_USAGE, "%s: --%s must be %s, not '%s'", argv[0], option->name,
                    expected(option->type), value);
    return STATUS_OK;
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

enum status arguments_parse(const struct usage *usage, int argc, char **argv, int *operands,
                            bool *help, struct failure *f)
{
    bool only_operands = false;
    *operands = 0;
    *help = false;
    for (int i = 1; i < argc; i++) {
        if (!only_operands && strcmp(argv[i], "--") == 0) {
            only_operands = true;
        } else if (!only_operands &&
                   (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)) {
            print_help(usage, argv[0]);
            *help = true;
            return STATUS_OK;
        } else if (!only_operands &&
                   (strncmp(argv[i], "--", 2) == 0 || strcmp(argv[i], "-o") == 0)) {
            enum status status = take_option(usage, argc, argv, &i, f);
            if (status != STATUS_OK)
                return status;
        } else if (!only_operands && argv[i][0] == '-' && argv[i][1]) {
            return fail(f, STATUS_USAGE, "%s: unknown option '%s'; 'study %s --help' lists them",
                        argv[0], argv[i], argv[0]);
        } else {
            argv[++*operands] = argv[i];
        }
    }
    return check_operands(usage, argv[0], *operands, argv + 1, f);
}
