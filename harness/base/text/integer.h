/* The one reader of integers in words, options and files: digits, and nothing before them but a
 * minus sign. Blanks, a plus sign and hexadecimals are no integer. */
#ifndef MAXPOOL_INTEGER_H
#define MAXPOOL_INTEGER_H

#include <stdbool.h>
#include <stdint.h>

/* Takes the integer at the beginning of *text if it is from `least` to `most`, and moves *text
 * behind it. False, with *text and *value unchanged, if there is none; also if it needs more than
 * 63 bits. */
bool integer_take(const char **text, int64_t least, int64_t most, int64_t *value);

/* The same of a whole text. */
bool integer_read(const char *text, int64_t least, int64_t most, int64_t *value);

/* The same of a whole text with 64 bits and no sign, such as a hash or a seed in decimals. */
bool integer_read_natural(const char *text, uint64_t *value);

#endif
