/* Which sources become the same program: the instructions and data that a compiler made of them,
 * without the names that it kept. */
#ifndef MAXPOOL_LAB_CODE_HASH_H
#define MAXPOOL_LAB_CODE_HASH_H

#include "harness/base/sha256.h"

/* Writes the SHA-256 of an assembler text (GNU syntax) without debug information, comments and
 * directives that generate nothing. A label is replaced by its number in the order of first use, so
 * names of functions, variables and lines do not matter. "" if the file cannot be read. */
void lab_code_hash(const char *path, char hex[SHA256_HEX]);

#endif
