/* Lists of texts, and arrays that grow. */
#ifndef MAXPOOL_LISTS_H
#define MAXPOOL_LISTS_H

#include "harness/base/failure.h"

#include <stdbool.h>
#include <stddef.h>

/* The texts of a list; owned. */
struct texts {
    char **items;
    size_t count;
};

/* Appends a copy. Returns false and leaves the list unchanged if memory is lacking. */
bool texts_add(struct texts *t, const char *item);
bool texts_have(const struct texts *t, const char *item);
void texts_release(struct texts *t);

/* Writes a text by its format into `size` bytes, whole. Status 2, with the beginning of the text in
 * the message, if it does not fit: for paths, names and options, which must not be cut. */
enum status text_compose(char *to, size_t size, struct failure *f, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Makes room for one more item of a growing array. Returns the array, or NULL if memory is lacking;
 * the old array then remains valid. */
void *array_grow(void *items, size_t count, size_t size);

#endif
