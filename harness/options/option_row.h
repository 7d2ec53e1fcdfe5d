/* Options of all programs: a row declares an option, and reader, help and messages walk the rows.
 * The point programs have one table (harness/point/options/option_table.h), each command of study
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
    VALUE_REAL,     /* double, finite; from least to most where they differ */
    VALUE_TEXT,     /* const char *: the argument itself */
    VALUE_TEXTS,    /* struct text_list: one more each time it is given */
    VALUE_OPTIONAL, /* const char *: the argument behind a =, or "" */
    VALUE_CHOICE,   /* int64_t: number of the word */
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
    const char *argument; /* as the help shows it; for a choice the words, separated by | */
    const char *help;
    void *target; /* of the value; NULL: it is `offset` bytes behind the reader's base */
    size_t offset;
    char letter;          /* 0: none */
    double least, most;   /* of a number; most 0: as large as its type has it */
    const char *fallback; /* the value where it is not given; NULL: what its field holds */
    unsigned only;        /* programs that have it (option_table.h) */
    const char *group;    /* heading of the help, on the first row of each group */
    const char *of; /* of an operator's own: what operators without it do not have; NULL: of all */
    const char *formerly; /* its name in earlier versions, which is still read; NULL: the same */
};

/* How a command line is read. */
struct option_reader {
    const struct option_row *rows;
    size_t count;      /* at most OPTION_ROWS_MOST */
    void *base;        /* of the rows that have no target */
    const char *help;  /* how all options are shown: "try --help" */
    bool *given;       /* by row: set where it is on the command line; NULL: not wanted */
    const bool *ended; /* reading ends where this is true, as after --help; NULL: at the end */
    const void *context;
    /* Rows that are not read, since another row has the name; NULL: none. */
    bool (*hidden)(const void *context, size_t row);
    /* Status 0 where the row applies, or why it does not; NULL: all do. */
    enum status (*refuse)(const void *context, size_t row, struct failure *f);
};

/* Reads argv[1..argc): options as --name VALUE, --name=VALUE or their letters, a name also by its
 * first letters where they are no other's, before, between or after operands; behind -- are only
 * operands. Operands are moved to argv[*operands..argc). Status 2 names what is wrong. */
enum status option_rows_read(const struct option_reader *reader, int argc, char **argv,
                             int *operands, struct failure *f);

/* Sets the row's field from a word; NULL is that of a flag. Status 2 names the option. */
enum status option_set(const struct option_row *row, void *base, const char *text,
                       struct failure *f);

/* Seconds of "90", "90s", "10m", "1h30m"; false where it is no such thing or not above 0. */
bool duration_parse(const char *text, double *seconds);

/* A row of the help. */
void option_print(FILE *out, const struct option_row *row, const char *help);

/* Text wrapped at words, from this column on, further lines indented. */
void help_print_wrapped(FILE *out, const char *text, int column, int indent);

#endif
