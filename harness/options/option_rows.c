/* Reads a command line with getopt, from rows. */
#include "harness/base/nearest_word.h"
#include "harness/options/option_row.h"

#include <getopt.h>
#include <string.h>

enum { FIRST_CODE = 256 };

static int argument_of(const struct option_row *row)
{
    return row->kind == VALUE_FLAG       ? no_argument
           : row->kind == VALUE_OPTIONAL ? optional_argument
                                         : required_argument;
}

/* Writes the rows in getopt's two forms. Codes of long options are FIRST_CODE + row. */
static void build_getopt(const struct option_reader *r, struct option *longs, char *shorts)
{
    *shorts++ = ':';
    for (size_t i = 0; i < r->count; i++) {
        const struct option_row *row = &r->rows[i];
        if (r->hidden && r->hidden(r->context, i))
            continue;
        *longs++ = (struct option){row->name, argument_of(row), NULL, FIRST_CODE + (int)i};
        if (row->formerly)
            *longs++ = (struct option){row->formerly, argument_of(row), NULL, FIRST_CODE + (int)i};
        if (row->letter) {
            *shorts++ = row->letter;
            if (argument_of(row) == required_argument)
                *shorts++ = ':';
        }
    }
    *longs = (struct option){NULL, 0, NULL, 0};
    *shorts = 0;
}

static size_t row_of(const struct option_reader *r, int code)
{
    size_t i = 0;
    if (code >= FIRST_CODE)
        return (size_t)(code - FIRST_CODE);
    while (i < r->count && r->rows[i].letter != code)
        i++;
    return i;
}

/* Which option an unknown one may have meant; `word` has its dashes, and perhaps =VALUE. */
static struct suggestion suggest(const struct option_reader *r, const char *word)
{
    char name[NEAREST_WORD_LONGEST + 1];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    struct nearest_word n = nearest_word_of(name);
    for (size_t i = 0; i < r->count; i++)
        if (!r->hidden || !r->hidden(r->context, i))
            nearest_word_offer(&n, r->rows[i].name);
    return nearest_word_suggest(&n, "--");
}

static enum status complain(const struct option_reader *r, int code, char **argv, struct failure *f)
{
    if (code == ':')
        return fail(f, STATUS_USAGE, "option '%s' needs a value: %s (%s)", argv[optind - 1],
                    r->rows[row_of(r, optopt)].argument, r->help);
    if (optopt > 0 && optopt < FIRST_CODE)
        return fail(f, STATUS_USAGE, "unknown option '-%c' (%s)", optopt, r->help);
    if (optopt >= FIRST_CODE)
        return fail(f, STATUS_USAGE, "option '--%s' takes no value",
                    r->rows[row_of(r, optopt)].name);
    return fail(f, STATUS_USAGE, "unknown or ambiguous option '%s'%s (%s)", argv[optind - 1],
                suggest(r, argv[optind - 1]).text, r->help);
}

enum status option_rows_read(const struct option_reader *r, int argc, char **argv, int *operands,
                             struct failure *f)
{
    struct option longs[2 * OPTION_ROWS_MOST + 1];
    char shorts[2 * OPTION_ROWS_MOST + 2];
    enum status status = STATUS_OK;
    build_getopt(r, longs, shorts);
    opterr = 0;
    optind = 0; /* glibc and musl then forget the previous command line */
    for (int code; (code = getopt_long(argc, argv, shorts, longs, NULL)) != -1;) {
        if (code == '?' || code == ':')
            return complain(r, code, argv, f);
        const size_t i = row_of(r, code);
        if (r->refuse)
            status = r->refuse(r->context, i, f);
        if (status == STATUS_OK)
            status = option_set(&r->rows[i], r->base, optarg, f);
        if (status != STATUS_OK)
            return status;
        if (r->given)
            r->given[i] = true;
        if (r->ended && *r->ended)
            break;
    }
    *operands = optind;
    return STATUS_OK;
}
