/* A set of texts, numbered from 0 in the order in which they were added. Millions of rows repeat a
 * few texts: each is stored once and compared by its number. */
#ifndef MAXPOOL_NUMBERING_H
#define MAXPOOL_NUMBERING_H

#include <stddef.h>

struct numbering {
    char **texts; /* of the numbers; their addresses never change */
    size_t count, room;
    size_t *slots; /* number + 1 by hash; 0 where free */
    size_t slot_count;
};

enum { NUMBERING_FULL = -1 };

/* The number of `text`, new or old; NUMBERING_FULL where memory lacks. Start from {0}. */
ptrdiff_t numbering_put(struct numbering *n, const char *text);

/* The number of `text`, or -1 where it is not there. */
ptrdiff_t numbering_find(const struct numbering *n, const char *text);

void numbering_release(struct numbering *n);

#endif
