/* What the tests of sources share: opening, reading, and comparing parts with the whole. */
#ifndef MAXPOOL_TEST_IMAGE_CHECK_H
#define MAXPOOL_TEST_IMAGE_CHECK_H

#include "harness/image/image.h"

/* Opens a file that can be opened. */
struct source *image_open(const char *path);

/* Returns all elements, malloc'ed, in C order, each plane read at once. */
float *image_whole(struct source *s, struct image_facts *facts);

/* Reads ranges of many sizes at many places, last rows first, into a wider buffer, and compares
 * every element with the whole. Elements between the rows must stay unchanged. */
void image_parts_match(struct source *s, const float *whole);

#endif
