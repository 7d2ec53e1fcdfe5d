/* Text on lines of at most WRAP_COLUMNS columns. */
#ifndef MAXPOOL_WRAP_H
#define MAXPOOL_WRAP_H

#include <stdio.h>

enum { WRAP_COLUMNS = 100 };

/* Prints `text`, broken at blanks, and a newline. The first line begins with `first`, later lines
 * with `next`; `joint` ends every line except the last: "" or, for shell commands, " \\". A word
 * wider than a line is not broken. UTF-8. */
void wrap_print(const char *first, const char *next, const char *text, const char *joint);

/* The same to a stream. */
void wrap_write(FILE *stream, const char *first, const char *next, const char *text,
                const char *joint);

#endif
