/* Prepares texts from users, such as names of files, for output, whatever bytes they contain. */
#ifndef MAXPOOL_UTF8_H
#define MAXPOOL_UTF8_H

#include <stdbool.h>
#include <stddef.h>

enum { UTF8_GROWTH = 3 }; /* most bytes that one byte becomes */

/* Copies a text as valid UTF-8 into `size` bytes, including the final 0: a byte that belongs to no
 * character becomes U+FFFD. If `printable` is true, control characters and those that change
 * the direction of writing become '?', so that a terminal interprets none of them. Source: The
 * Unicode Standard 15.0, table 3-7 (well-formed byte sequences). */
void utf8_clean(const char *from, char *to, size_t size, bool printable);

/* True if the whole text is UTF-8. */
bool utf8_is_valid(const char *text);

/* Copies a text in Latin-1 (ISO 8859-1), which becomes at most twice as long; the bytes that are
 * control characters there, and signs on Windows, become '?'. */
void utf8_from_latin(const char *from, char *to);

/* Cleans a text of somebody else in place, which never grows: what is not UTF-8, and control and
 * direction characters, become '?'; line ends and tabulators become blanks, or line ends stay
 * (`lines`). */
void utf8_clean_foreign(char *text, bool lines);

#endif
