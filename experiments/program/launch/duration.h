/* A time as people and programs write it. */
#ifndef MAXPOOL_DURATION_H
#define MAXPOOL_DURATION_H

#include <stdbool.h>

/* Sets *seconds to those of one unit: "s", "ms", "us", "ns", "min", "h", and their names in English
 * and Spanish. False for any other text. */
bool duration_unit(const char *text, double *seconds);

/* Returns the seconds of the unit that stands at `text`, behind blanks, if it is one below a
 * second; otherwise 1 ("1.5 min 1.2" may tell the least of several). */
double duration_unit_at(const char *text);

/* Reads a time as a decimal number in `unit` seconds, or as the shell and the program time print
 * it: 1m2.5s, 1:02.5 and 1:01:02.5, or a number with its unit, 350 ms. `sign`: the decimal sign.
 * False for anything else, and for a time that is not above 0. */
bool duration_read(const char *text, char sign, double unit, double *seconds);

#endif
