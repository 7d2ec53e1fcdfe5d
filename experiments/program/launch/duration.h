/* A time as people and programs write it. */
#ifndef MAXPOOL_DURATION_H
#define MAXPOOL_DURATION_H

#include <stdbool.h>

/* Sets *seconds to those of one unit: "s", "ms", "us", "ns", "min", "h", and their names in English
 * and Spanish, in capitals or not. False for any other text. */
bool duration_unit(const char *text, double *seconds);

/* Sets *seconds to those of the unit that stands at `text`, behind blanks, also in brackets. False
 * where none does; "min" before a number is none ("1.5 min 1.2" tells the least of several). */
bool duration_unit_at(const char *text, double *seconds);

/* Takes the unit off the end of a name: "(ms)", "[ms]", or "ms" behind a blank or a sign. False,
 * and the name as it was, if none is there; "min" is a unit in brackets only (time_min: the least).
 */
bool duration_take_unit(char *name, double *seconds);

/* True if what stands at `text` goes on with a number whose digits so far are `number`: 12 with .5,
 * :30, m2.5s or min 20 s, and 1.5 with e-3. */
bool duration_goes_on(const char *number, const char *text);

/* Reads a time as a decimal number in `unit` seconds, or as the shell and the program time print
 * it: 1m2.5s, 1:02.5, 1:01:02.5, 2-01:01:02 and 2-01:01 (days, hours, minutes), or a number with
 * its unit, 350 ms. `sign`: the decimal sign. False for anything else, and for a time that is not
 * above 0. */
bool duration_read(const char *text, char sign, double unit, double *seconds);

#endif
