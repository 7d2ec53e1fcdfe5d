/* Runs a program as a user would, and returns what it did. */
#ifndef MAXPOOL_TEST_RUN_PROGRAM_H
#define MAXPOOL_TEST_RUN_PROGRAM_H

#include <stddef.h>
#include <string.h>

struct outcome {
    int status;      /* exit status, or -signal if a signal ended it */
    char *out, *err; /* what it printed, each 0-terminated */
    long peak_kib;   /* largest resident set of the program, in KiB */
};

/* Runs the command line by /bin/sh in the build's bin folder, so that "./maxpool_serial -n 8 <
 * file" works. Begin the command with exec if peak_kib is to be the program's own. `input` goes to
 * its standard input (NULL: empty). The texts stay until the test program ends. */
struct outcome run_program(const char *command, const char *input);

/* Returns how often the words are in the text. */
static inline int count_of(const char *text, const char *words)
{
    int found = 0;
    for (const char *at = text; (at = strstr(at, words)); at += strlen(words))
        found++;
    return found;
}

#endif
