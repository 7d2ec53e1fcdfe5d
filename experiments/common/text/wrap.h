/* Text on lines of at most WRAP_COLUMNS columns. */
#ifndef MAXPOOL_WRAP_H
#define MAXPOOL_WRAP_H

#include <stdio.h>

enum { WRAP_COLUMNS = 100 };

/* Prints `text`, broken at blanks, and a newline. The first line begins with `first`, the others
 * with `next`; `joint` ends each line but the last: "" or, for what a shell is to take, " \\". A
 * word that is wider than a line stays whole. UTF-8. */
void wrap_print(const char *first, const char *next, const char *text, const char *joint);

/* The same to a stream. */
void wrap_write(FILE *stream, const char *first, const char *next, const char *text,
                const char *joint);

#endif
