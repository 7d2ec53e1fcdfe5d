/* A set of texts, numbered from 0 in the order in which they are added. Millions of rows repeat a
 * few texts: each text is stored once, and rows are compared by its number. */
#ifndef MAXPOOL_NUMBERING_H
#define MAXPOOL_NUMBERING_H

#include <stddef.h>

struct numbering {
    char **texts; /* text of each number; the addresses of the texts never change */
    size_t count, capacity;
    size_t *slots; /* number + 1, by hash; 0 if free */
    size_t slot_count;
};

enum { NUMBERING_FULL = -1 };

/* Returns the number of `text`, adding it if it is new; NUMBERING_FULL if memory is lacking. Start
 * with {0}. */
ptrdiff_t numbering_put(struct numbering *n, const char *text);

/* Returns the number of `text`, or -1 if it is not in the set. */
ptrdiff_t numbering_find(const struct numbering *n, const char *text);

void numbering_release(struct numbering *n);

#endif
