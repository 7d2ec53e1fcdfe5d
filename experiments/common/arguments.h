/* Options of the study's commands: one table per command declares them, and parser and --help read
 * it. Long options, as --name VALUE or --name=VALUE, before, between or after the operands; -o
 * stands for
 * --output. */
#ifndef MAXPOOL_ARGUMENTS_H
#define MAXPOOL_ARGUMENTS_H

#include "harness/base/failure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum option_type {
    OPTION_FLAG,     /* bool: set to true */
    OPTION_TEXT,     /* const char *: the argument itself */
    OPTION_TEXTS,    /* struct text_list: one more each time it is given */
    OPTION_COUNT,    /* int64_t of at least 1 */
    OPTION_NUMBER,   /* int64_t of at least 0 */
    OPTION_REAL,     /* double, finite */
    OPTION_DURATION, /* double, seconds above 0: 90, 90s, 10m, 1h30m */
    OPTION_CHUNK     /* struct chunk: I/N */
};

enum { TEXT_LIST = 64 };

/* The arguments of an option that may be given several times, in their order. */
struct text_list {
    const char *items[TEXT_LIST];
    size_t count;
};

struct chunk {
    int64_t index, count; /* 1 <= index <= count */
};

struct option_row {
    const char *name; /* without the dashes */
    enum option_type type;
    const char *value; /* what --help calls the value; NULL for a flag */
    const char *help;  /* one line */
    void *target;      /* holds the default beforehand */
};

/* How a command is called: its usage line ("NAME... [OPTION]...") and what it does. */
struct usage {
    const char *operands; /* what --help shows after the command's name, "" where none */
    const char *about;    /* sentences, broken into lines */
    const struct option_row *options;
    size_t count;
    int least, most; /* operands; most -1: any number */
};

/* Parses argv[1..argc). Operands are moved to argv[1..*operands]. Sets *help where --help was given
 * and printed, and then the command is done. Status 2 names what is wrong. */
enum status arguments_parse(const struct usage *usage, int argc, char **argv, int *operands,
                            bool *help, struct failure *f);

/* Seconds of "90", "90s", "10m", "1h30m"; false where it is no such thing or not above 0. */
bool duration_parse(const char *text, double *seconds);

#endif
