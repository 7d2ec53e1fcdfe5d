/* The only clock that is measured with: seconds since an arbitrary start, monotonic, never set or
 * adjusted. */
#ifndef MAXPOOL_CLOCK_H
#define MAXPOOL_CLOCK_H

#include <stddef.h>

double clock_now(void);

/* Writes date and time in UTC as records have it: 2026-11-29T21:30:00Z. */
void clock_utc(char *text, size_t size);

/* Returns the smallest nonzero step between two readings, in seconds, measured over some thousand
 * readings: the resolution of a single timing. */
double clock_resolution(void);

#endif
