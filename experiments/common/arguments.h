/* The command line of a command of study: its options (rows of harness/options/option_row.h) and
 * its operands. */
#ifndef MAXPOOL_ARGUMENTS_H
#define MAXPOOL_ARGUMENTS_H

#include "harness/options/option_row.h"

/* How a command is called: its usage line ("NAME... [OPTION]...") and what it does. */
struct usage {
    const char *operands; /* operands that --help shows after the command's name, "" if there are
                           * none */
    const char *about;    /* sentences, already broken into lines; an id of the catalogue, in the
                           * context "help" */
    const struct option_row *options;
    size_t count;    /* at most OPTION_ROWS_MOST - 2 */
    int least, most; /* number of operands; most -1: any number */
};

/* Parses argv[1..argc), with the options --lang (of the screen; a command may have its own) and
 * --help, which every command has, and moves the operands to argv[1..*operands]. Sets *help if
 * --help was given; its text is then printed, and the caller has nothing more to do. The message of
 * status 2 names the error. */
enum status arguments_parse(const struct usage *usage, int argc, char **argv, int *operands,
                            bool *help, struct failure *f);

/* The same for a command that does nothing else before. False if it has nothing more to do: f then
 * has the error, or status 0 after --help. */
bool arguments_taken(const struct usage *usage, int argc, char **argv, int *operands,
                     struct failure *f);

/* As arguments_parse(); also sets given[i] to whether option i of the usage is on the command line.
 */
enum status arguments_parse_given(const struct usage *usage, int argc, char **argv, bool *given,
                                  int *operands, bool *help, struct failure *f);

#endif
