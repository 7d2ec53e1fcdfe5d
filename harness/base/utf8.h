/* Texts of users, as names of files, on their way out: whatever bytes they hold. */
#ifndef MAXPOOL_UTF8_H
#define MAXPOOL_UTF8_H

#include <stdbool.h>
#include <stddef.h>

enum { UTF8_GROWTH = 3 }; /* bytes that one byte becomes at the most */

/* Copies a text as valid UTF-8 into `size` bytes, the final 0 included: a byte that belongs to no
 * character becomes U+FFFD. With `printable` control characters become '?', so that a terminal
 * obeys nothing. Source: The Unicode Standard 15.0, table 3-7 (well-formed byte sequences). */
void utf8_clean(const char *from, char *to, size_t size, bool printable);

#endif
