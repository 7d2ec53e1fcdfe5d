/* The command line of a command of study: its options, rows of harness/options/option_row.h, and
 * its operands. */
#ifndef MAXPOOL_ARGUMENTS_H
#define MAXPOOL_ARGUMENTS_H

#include "harness/options/option_row.h"

/* How a command is called: its usage line ("NAME... [OPTION]...") and what it does. */
struct usage {
    const char *operands; /* what --help shows after the command's name, "" where none */
    const char *about;    /* sentences, broken into lines */
    const struct option_row *options;
    size_t count;    /* fewer than OPTION_ROWS_MOST */
    int least, most; /* operands; most -1: any number */
};

/* Parses argv[1..argc). Operands are moved to argv[1..*operands]. Sets *help where --help was given
 * and printed, and then the command is done. Status 2 names what is wrong. */
enum status arguments_parse(const struct usage *usage, int argc, char **argv, int *operands,
                            bool *help, struct failure *f);

#endif
