/* The glossary at the end of the page, and the links to it from the page's texts. */
#ifndef MAXPOOL_TERMS_H
#define MAXPOOL_TERMS_H

#include "harness/base/text/language.h"

#include <stddef.h>

/* `term` and `meaning` are message ids; docs/glossary.md has a row with the same words. */
struct term {
    const char *key; /* of the anchor: term-KEY */
    const char *term, *meaning;
};

extern const struct term terms[];
extern const size_t term_count;

/* Returns the term that begins at `at`, a position in `text`, as a whole word in the language, or
 * NULL. *length: its bytes, with a plural's s. If several match, the longest is returned. */
const struct term *term_at(const char *text, const char *at, const struct language *l,
                           size_t *length);

#endif
