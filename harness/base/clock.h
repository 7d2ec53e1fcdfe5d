/* The one clock. Seconds since an arbitrary start, monotonic, not adjusted by anybody. */
#ifndef MAXPOOL_CLOCK_H
#define MAXPOOL_CLOCK_H

double clock_now(void);

/* The smallest step between two readings that differ, in seconds, as measured over some thousand
 * readings: what a single timing can resolve. */
double clock_resolution(void);

#endif
