/* Detects sources that are equal except for comments, white space and names. */
#ifndef MAXPOOL_CLASS_SAME_SOURCE_H
#define MAXPOOL_CLASS_SAME_SOURCE_H

#include "harness/base/sha256.h"

/* Writes the hash of a source without comments and white space, each name replaced by its number in
 * the order of first appearance (the first 1024 names). The suffix of `file` selects the
 * language: comments begin with '!' in .f90 and .f, with '#' in .py; all others have those of C,
 * C++ and CUDA. Quoted texts remain unchanged. Writes "" if memory is lacking. */
void same_source_hash(const char *file, const char *text, size_t count, char hex[SHA256_HEX]);

#endif
