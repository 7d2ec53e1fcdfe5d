/* The values of a definition's keys: texts, counts, lists and ranges. Only the parser of
 * definitions includes this. */
#ifndef MAXPOOL_STUDY_DEFINITION_VALUES_H
#define MAXPOOL_STUDY_DEFINITION_VALUES_H

#include "experiments/definition/definition_source.h"

/* A value during parsing: its place, for messages, and the number that `cores` stands for. */
struct value {
    const struct definition_source *source;
    const struct entry *entry;
    int64_t cores;
};

/* Status 2: "FILE:LINE: KEY: 'TOKEN' is not EXPECTED". */
enum status value_refuse(const struct value *v, const char *token, const char *expected);

/* Parses a list of integers of at least `least`; expands ranges and takes each integer once. */
enum status value_integers(const struct value *v, int64_t least, struct texts *out);
/* Blanks separate words; so do commas, except with WORDS_OF_LISTS, where a word may itself be a
 * list with commas. Names become parts of file names. */
enum words { WORDS, WORDS_OF_LISTS, WORDS_NAMES };
/* Parses a list of words that become values of options. */
enum status value_words(const struct value *v, enum words words, struct texts *out);
enum status value_text(const struct value *v, char **field);
/* Takes one of "|these|choices|". */
enum status value_choice(const struct value *v, const char *choices, char **field);
enum status value_ratio(const struct value *v, double *field); /* above 0 and below 1 */
enum status value_count(const struct value *v, int64_t least, int64_t *field);

#endif
