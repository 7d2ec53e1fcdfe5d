/* Options of all programs: a row declares an option; reader, help and messages use these rows. The
 * point programs have one table (harness/point/options/option_table.h); each command of study has
 * its own (experiments/common/arguments.h). */
#ifndef MAXPOOL_OPTION_ROW_H
#define MAXPOOL_OPTION_ROW_H

#include "harness/base/failure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum value_kind {
    VALUE_FLAG,     /* bool: set to true */
    VALUE_INT,      /* int64_t, from least to most */
    VALUE_REAL,     /* double, finite; from least to most if least < most */
    VALUE_TEXT,     /* const char *: the argument itself */
    VALUE_LIST,     /* const char *: items between commas, none of them empty */
    VALUE_TEXTS,    /* struct text_list: each use adds one */
    VALUE_OPTIONAL, /* const char *: the argument after a =, or "" */
    VALUE_CHOICE,   /* int64_t: index of the word */
    VALUE_DURATION, /* double, seconds above 0: 90, 90s, 10m, 1h30m */
    VALUE_PART      /* struct numbered_part: I/N */
};

enum { TEXT_LIST = 64, OPTION_ROWS_MOST = 128 };

/* The arguments of an option that may be given several times, in their order. */
struct text_list {
    const char *items[TEXT_LIST];
    size_t count;
};

/* The index-th of `count` parts, 1 <= index <= count. */
struct numbered_part {
    int64_t index, count;
};

static const double option_int_most = 9223372036854774784.0; /* largest double below 2^63 */

struct option_row {
    const char *name; /* without the dashes */
    enum value_kind kind;
    const char *argument; /* as the help shows it; for a choice its words, separated by | */
    const char *help;     /* an id of the catalogue, in the context "help" */
    void *target;         /* where the value goes; NULL: `offset` bytes after the reader's base */
    size_t offset;
    char letter;          /* 0: none */
    double least, most;   /* bounds of a number; most 0: what its type can hold */
    const char *fallback; /* the value if it is not given; NULL: what its field holds */
    unsigned programs;    /* programs that have it (option_table.h) */
    const char *group;    /* heading of the help, on the first row of each group */
    const char *feature;  /* of some operators only: what the others lack; NULL: of all operators */
    const char *brief;    /* its line on the first screen of --help; "": its help; NULL: none */
    const char *formerly; /* its earlier name, which is still accepted; NULL: none */
};

/* How to read a command line. */
struct option_reader {
    const struct option_row *rows;
    size_t count;      /* at most OPTION_ROWS_MOST */
    void *base;        /* base address of the rows that have no target */
    const char *help;  /* how a user can see all options: "try --help" */
    bool *given;       /* one per row: set if it is on the command line; NULL: not wanted */
    const bool *ended; /* reading stops once this is true, as after --help; NULL: at the end */
    const void *context;
    /* Rows to skip, since another row has the name; NULL: none. */
    bool (*hidden)(const void *context, size_t row);
    /* Status 0 if the row applies, or why it does not; NULL: all apply. */
    enum status (*refuse)(const void *context, size_t row, struct failure *f);
};

/* Reads argv[1..argc). Options are --name VALUE, --name=VALUE or their letters; a name may be
 * shortened if that is unambiguous. They may come before, between or after operands; after -- there
 * are only operands. Moves operands to argv[*operands..argc). Status 2 names the error. */
enum status option_rows_read(const struct option_reader *reader, int argc, char **argv,
                             int *operands, struct failure *f);

/* Sets the row's field from a word (NULL for a flag). Status 2 names the option. */
enum status option_set(const struct option_row *row, void *base, const char *text,
                       struct failure *f);

/* Seconds of "90", "90s", "10m", "1h30m"; false if the text has another form or the sum is not
 * above 0. */
bool duration_parse(const char *text, double *seconds);

/* Prints a row of the help, in the language of the screen. */
void option_print(FILE *out, const struct option_row *row, const char *help);

/* Prints text wrapped at words, beginning at this column, with further lines indented. */
void help_print_wrapped(FILE *out, const char *text, int column, int indent);

#endif
