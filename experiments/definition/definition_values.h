/* The values of a definition's keys: texts, counts, lists and ranges. Only the parser of
 * definitions includes this. */
#ifndef MAXPOOL_STUDY_DEFINITION_VALUES_H
#define MAXPOOL_STUDY_DEFINITION_VALUES_H

#include "experiments/definition/definition_source.h"

/* One value being understood: where it stands, for messages, and what `cores` means. */
struct value {
    const struct definition_source *source;
    const struct entry *entry;
    int64_t cores;
};

/* Status 2: "FILE:LINE: KEY: 'TOKEN' is not EXPECTED". */
enum status value_refuse(const struct value *v, const char *token, const char *expected);

/* A list of integers of at least `least`, ranges multiplied out, each once. */
enum status value_integers(const struct value *v, int64_t least, struct texts *out);
/* Blanks separate words, and so do commas unless a word may itself be a list with commas. Names
 * become parts of file names. */
enum words { WORDS, WORDS_OF_LISTS, WORDS_NAMES };
/* A list of words that become values of options. */
enum status value_words(const struct value *v, enum words words, struct texts *out);
enum status value_text(const struct value *v, char **field);
/* One of "|these|choices|". */
enum status value_choice(const struct value *v, const char *choices, char **field);
enum status value_ratio(const struct value *v, double *field); /* above 0 and below 1 */
enum status value_count(const struct value *v, int64_t least, int64_t *field);

#endif
