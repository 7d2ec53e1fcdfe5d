/* A command in one text, as in a file or an argument: its words. */
#ifndef MAXPOOL_OWN_WORDS_H
#define MAXPOOL_OWN_WORDS_H

#include "harness/base/failure.h"

#include <stdbool.h>
#include <stddef.h>

/* Splits a command as hyperfine takes it: words between blanks; '...', "..." and \ quote. A text
 * with any other character that a shell reads, such as | or $, becomes /bin/sh -c TEXT. *words:
 * ends with NULL, freed by own_words_free in every case. Status 2 for a text without words, or with
 * a quote that is not closed. */
enum status own_words_split(const char *text, char ***words, struct failure *f);

void own_words_free(char **words);

/* True if the word names a shell: sh, /usr/bin/bash. */
bool own_word_is_shell(const char *word);

size_t own_words_number(char *const *words);

/* Returns the words as one line for a shell; the caller frees it. NULL if memory is lacking. */
char *own_words_line(char *const *words);

#endif
