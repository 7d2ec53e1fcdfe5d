/* What `study duet` launches of each side: one command, or those of a file. */
#ifndef MAXPOOL_DUET_BENCHMARKS_H
#define MAXPOOL_DUET_BENCHMARKS_H

#include "experiments/program/launch/own_command.h"

enum { BENCHMARK_NAME = 64, SIDES = 2 };

struct benchmark {
    char name[BENCHMARK_NAME];
    struct own_command commands[SIDES];
    char **words[SIDES]; /* of the commands; owned */
};

struct benchmarks {
    struct benchmark *all;
    size_t count;
};

/* Adds a benchmark of two commands, each in one text as hyperfine takes it: words between blanks;
 * '...', "..." and \ quote. A text with any other character that a shell reads, such as | or $, is
 * run by /bin/sh. The options (checks, --seconds, ...) are those of `options`. `name` NULL: those
 * of the programs. Status 2 for a text without words, or with a quote that is not closed. */
enum status benchmarks_add_texts(struct benchmarks *b, const char *name,
                                 const char *const texts[SIDES], const struct own_command *options,
                                 struct failure *f);

/* The same of words that the shell has split already. */
enum status benchmarks_add_words(struct benchmarks *b, const char *name,
                                 char *const *const words[SIDES], const struct own_command *options,
                                 struct failure *f);

/* Adds each line "NAME: COMMAND" of a file; {} in a command is the side's text. Empty lines, and
 * those that begin with #, are left out. Status 2, "FILE:LINE: ...". */
enum status benchmarks_add_file(struct benchmarks *b, const char *path,
                                const char *const sides[SIDES], const struct own_command *options,
                                struct failure *f);

void benchmarks_release(struct benchmarks *b);

#endif
