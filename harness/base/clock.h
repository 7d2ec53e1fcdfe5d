/* The only clock: seconds since an arbitrary start, monotonic, never set or adjusted. */
#ifndef MAXPOOL_CLOCK_H
#define MAXPOOL_CLOCK_H

double clock_now(void);

/* Returns the smallest nonzero step between two readings, in seconds, measured over some thousand
 * readings: the resolution of a single timing. */
double clock_resolution(void);

#endif
