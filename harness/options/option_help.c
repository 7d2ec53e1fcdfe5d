/* Prints an option's row for --help. */
#include "harness/base/text/screen.h"
#include "harness/options/option_row.h"

#include <string.h>

enum { HELP_COLUMN = 34, HELP_WIDTH = 96 };

void help_print_wrapped(FILE *out, const char *text, int column, int indent)
{
    for (const char *word = text; *word;) {
        const int length = (int)strcspn(word, " \n");
        if (column > indent && column + 1 + length > HELP_WIDTH) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        }
        column += fprintf(out, "%s%.*s", column > indent ? " " : "", length, word);
        word += length;
        word += *word == ' ' || *word == '\n';
    }
    fputc('\n', out);
}

void option_print(FILE *out, const struct option_row *row, const char *help)
{
    char left[80];
    const char *format = row->kind == VALUE_FLAG       ? "--%s%s"
                         : row->kind == VALUE_OPTIONAL ? "--%s[=%s]"
                                                       : "--%s %s";
    snprintf(left, sizeof left, format, row->name, row->argument ? row->argument : "");
    int used =
        row->letter ? fprintf(out, "  -%c, %s", row->letter, left) : fprintf(out, "      %s", left);
    if (used >= HELP_COLUMN) {
        fputc('\n', out);
        used = 0;
    }
    fprintf(out, "%*s", HELP_COLUMN - used, "");
    help_print_wrapped(out, screen_help(help), HELP_COLUMN, HELP_COLUMN);
}
