/* Reads a command line with getopt, from rows. */
#include "harness/base/nearest_word.h"
#include "harness/base/text/word_list.h"
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

static bool is_hidden(const struct option_reader *r, size_t row)
{
    return r->hidden && r->hidden(r->context, row);
}

/* True if the row is an option of other programs. */
static bool is_refused(const struct option_reader *r, size_t row)
{
    struct failure ignored = {STATUS_OK, ""};
    return r->refuse && r->refuse(r->context, row, &ignored) != STATUS_OK;
}

/* Writes the rows that apply in getopt's two forms, so that a short form means one of these. Codes
 * of long options are FIRST_CODE + row. */
static void build_getopt(const struct option_reader *r, struct option *longs, char *shorts)
{
    *shorts++ = ':';
    for (size_t i = 0; i < r->count; i++) {
        const struct option_row *row = &r->rows[i];
        if (is_hidden(r, i) || is_refused(r, i))
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
    while (i < r->count && (r->rows[i].letter != code || is_hidden(r, i) || is_refused(r, i)))
        i++;
    return i;
}

/* A word of the command line that names no option: where it is and its letters without dashes, up
 * to a =. */
struct unknown {
    const char *word, *name;
    size_t length;
};

static struct unknown unknown_of(const char *word)
{
    const char *name = word + strspn(word, "-");
    return (struct unknown){word, name, strcspn(name, "=")};
}

static bool is_named(const struct unknown *u, const char *name)
{
    return name && strlen(name) == u->length && strncmp(name, u->name, u->length) == 0;
}

/* The row of other programs that has the letter, or the name if that is 0; `count` without one. */
static size_t refused_row(const struct option_reader *r, char letter, const struct unknown *u)
{
    size_t i = 0;
    while (i < r->count &&
           (is_hidden(r, i) || !is_refused(r, i) ||
            !(letter ? r->rows[i].letter == letter
                     : is_named(u, r->rows[i].name) || is_named(u, r->rows[i].formerly))))
        i++;
    return i;
}

static bool begins(const struct unknown *u, const char *name)
{
    return name && strncmp(name, u->name, u->length) == 0;
}

/* Lists the options that begin with an unknown one, as getopt does; returns how many. */
static size_t list_candidates(const struct option_reader *r, const struct unknown *u, char *list,
                              size_t size)
{
    size_t count = 0;
    list[0] = '\0';
    for (size_t i = 0; i < r->count; i++) {
        const struct option_row *row = &r->rows[i];
        const bool now = begins(u, row->name);
        char option[NEAREST_WORD_LONGEST + 3];
        if (is_hidden(r, i) || is_refused(r, i) || !(now || begins(u, row->formerly)))
            continue;
        snprintf(option, sizeof option, "--%s", now ? row->name : row->formerly);
        word_list_add(list, size, ", ", option);
        count++;
    }
    return count;
}

/* Which option an unknown one may have meant. */
static struct suggestion suggest(const struct option_reader *r, const struct unknown *u)
{
    char name[NEAREST_WORD_LONGEST + 1];
    snprintf(name, sizeof name, "%.*s", (int)u->length, u->name);
    struct nearest_word n = nearest_word_of(name);
    for (size_t i = 0; i < r->count; i++)
        if (!is_hidden(r, i) && !is_refused(r, i))
            nearest_word_offer(&n, r->rows[i].name);
    return nearest_word_suggest(&n, "--");
}

static enum status complain_of_unknown(const struct option_reader *r, char letter, const char *word,
                                       struct failure *f)
{
    const struct unknown u = unknown_of(word);
    const size_t refused = refused_row(r, letter, &u);
    char candidates[600];
    if (refused < r->count)
        return r->refuse(r->context, refused, f);
    if (letter)
        return fail(f, STATUS_USAGE, "unknown option '-%c' (%s)", letter, r->help);
    if (list_candidates(r, &u, candidates, sizeof candidates) > 1)
        return fail(f, STATUS_USAGE, "option '%s' is ambiguous: %s (%s)", word, candidates,
                    r->help);
    return fail(f, STATUS_USAGE, "unknown option '%s'%s (%s)", word, suggest(r, &u).text, r->help);
}

static enum status complain(const struct option_reader *r, int code, char **argv, struct failure *f)
{
    if (code == ':')
        return fail(f, STATUS_USAGE, "option '%s' needs a value: %s (%s)", argv[optind - 1],
                    r->rows[row_of(r, optopt)].argument, r->help);
    if (optopt >= FIRST_CODE)
        return fail(f, STATUS_USAGE, "option '--%s' takes no value",
                    r->rows[row_of(r, optopt)].name);
    return complain_of_unknown(r, (char)optopt, argv[optind - 1], f);
}

/* Sets the option that getopt found last. A shortened name may be the whole name of an option of
 * other programs; the message about a bad value of one says what it is short for. */
static enum status take(const struct option_reader *r, size_t row, char **argv, struct failure *f)
{
    struct failure why = {STATUS_OK, ""};
    const struct unknown u = unknown_of(argv[optind - (optarg == argv[optind - 1] ? 2 : 1)]);
    const char *name = r->rows[row].name;
    const bool is_short =
        strncmp(u.word, "--", 2) == 0 && u.length < strlen(name) && begins(&u, name);
    const size_t refused = is_short ? refused_row(r, 0, &u) : r->count;
    if (refused < r->count)
        return r->refuse(r->context, refused, f);
    if (option_set(&r->rows[row], r->base, optarg, &why) == STATUS_OK)
        return STATUS_OK;
    return is_short ? fail(f, why.status, "--%.*s is short for --%s; %s", (int)u.length, u.name,
                           name, why.message)
                    : fail(f, why.status, "%s", why.message);
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
        status = take(r, i, argv, f);
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
