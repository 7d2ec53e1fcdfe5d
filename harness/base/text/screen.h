/* The language of the screen: of progress, prompts, summaries, errors and --help. It is --lang, or
 * else the first of the environment's MAXPOOL_LANG, LC_ALL, LC_MESSAGES and LANG that is not empty
 * (the last three: POSIX, Base Definitions, section 8.2); English if no catalogue has that
 * language. What machines read, CSV and JSON, is English in every language. */
#ifndef MAXPOOL_SCREEN_H
#define MAXPOOL_SCREEN_H

#include "harness/base/text/messages.h"

#include <stdio.h>

const struct language *screen_language(void);

/* The language that a command line names: the word after --lang, wherever it stands before "--".
 * A wrong one is left for the reader of the options to report. */
void screen_choose_early(int argc, char **argv);

/* As language_find(): status 2 for an unknown language, 3 if this build has no catalogue of it. */
enum status screen_choose(const char *code, struct failure *f);

/* Lets the programs that this one starts speak English: their messages are recorded. */
void screen_children_speak_english(void);

/* A text in that language; and one of --help, whose catalogue entries have the context "help". */
const char *screen_text(const char *id);
const char *screen_help(const char *id);

/* Prints a text with its values (NULL: none) in that language; and the form that a count takes,
 * whose place is %{n}. */
void screen_say(FILE *out, const char *id, const struct argument *values);
void screen_say_plural(FILE *out, const char *one, const char *many, size_t count,
                       const struct argument *values);

/* The columns of a text in UTF-8: its characters. */
int screen_columns(const char *text);

/* Prints a text and blanks up to `width` columns, at least one blank unless width is 0; and blanks,
 * at least one, and the text that ends at that column. */
void screen_left(FILE *out, const char *text, int width);
void screen_right(FILE *out, const char *text, int width);

#endif
