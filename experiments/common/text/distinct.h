/* Texts that become names of files and labels, in a limited number of bytes. */
#ifndef MAXPOOL_DISTINCT_H
#define MAXPOOL_DISTINCT_H

#include <stddef.h>

/* Copies a text into `size` bytes, at least 16. One that does not fit is cut and ends in a hash of
 * the whole, so that different texts stay different. */
void text_distinct(char *to, size_t size, const char *from);

#endif
