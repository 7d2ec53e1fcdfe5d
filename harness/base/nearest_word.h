/* The word that somebody probably meant, for "did you mean": the one that takes the fewest edits.
 */
#ifndef MAXPOOL_NEAREST_WORD_H
#define MAXPOOL_NEAREST_WORD_H

#include <stddef.h>

enum { NEAREST_WORD_LONGEST = 64 }; /* longer words are never suggested */

struct nearest_word {
    const char *typed;
    const char *word; /* the nearest of those that were offered; NULL: none is near */
    size_t edits;     /* that it takes; with no word, the most that are allowed, plus one */
};

/* At most one edit for each three letters, and at least one, is allowed. */
struct nearest_word nearest_word_of(const char *typed);

/* Offers a word, which must outlive `n`; among equally near ones the first is kept. */
void nearest_word_offer(struct nearest_word *n, const char *word);

/* Returns ", did you mean 'WORD'?" with `dashes` before the word, or "" if none is near. */
struct suggestion {
    char text[NEAREST_WORD_LONGEST + 32];
};
struct suggestion nearest_word_suggest(const struct nearest_word *n, const char *dashes);

/* Edits that turn one word into the other: a letter added, removed or replaced, or two neighbours
 * exchanged; no part is edited twice. Words have at most NEAREST_WORD_LONGEST letters. Source: the
 * restricted distance of Damerau (1964), Communications of the ACM 7, 171-176. */
size_t word_edits(const char *a, const char *b);

#endif
