/* Lists of texts, and arrays that grow. */
#ifndef MAXPOOL_LISTS_H
#define MAXPOOL_LISTS_H

#include <stdbool.h>
#include <stddef.h>

/* The texts of a list; owned. */
struct texts {
    char **items;
    size_t count;
};

/* Appends a copy; false, and the list as it was, where memory is short. */
bool texts_add(struct texts *t, const char *item);
bool texts_have(const struct texts *t, const char *item);
void texts_release(struct texts *t);

/* Copies a text into `size` bytes; one that does not fit ends in "..." there. */
void text_fit(char *to, size_t size, const char *from);

/* Room for one more item of a growing array; NULL, and the array kept, where memory is short. */
void *array_grow(void *items, size_t count, size_t size);

#endif
