/* Sources that are one and the same but for comments and white space. */
#ifndef MAXPOOL_CLASS_SAME_SOURCE_H
#define MAXPOOL_CLASS_SAME_SOURCE_H

#include "harness/base/sha256.h"

/* The hash of a source without comments (of C, C++ and CUDA; for .f90 and .f from '!', for .py from
 * '#') and without white space. Texts in quotes stay as they are. The file's suffix names the
 * language. Writes "" where memory is short. */
void same_source_hash(const char *file, const char *text, size_t count, char hex[SHA256_HEX]);

#endif
