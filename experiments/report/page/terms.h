/* The glossary at the end of the page, and the links to it from the page's texts. */
#ifndef MAXPOOL_TERMS_H
#define MAXPOOL_TERMS_H

#include "experiments/common/text/language.h"

#include <stddef.h>

/* `term` and `meaning` are ids of messages; docs/glossary.md has a row of the same words. */
struct term {
    const char *key; /* of the anchor: term-KEY */
    const char *term, *meaning;
};

extern const struct term terms[];
extern const size_t term_count;

/* The term that begins at `at`, a place within `text`, as a whole word, in the language, with its
 * length in bytes (a plural's s among them); NULL: none does. Of several the longest. */
const struct term *term_at(const char *text, const char *at, const struct language *l,
                           size_t *length);

#endif
