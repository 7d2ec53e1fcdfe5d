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

/* Opens a file, compares its shape and all its elements, bit by bit, and parts of it. */
void image_holds(const char *path, struct image_shape shape, const float *expected);

/* Opening or reading ends with status 2, and the message holds the path and both texts. */
void image_refused(const char *path, const char *says, const char *and);

#endif
