/* The peak number of heap bytes requested by this program and every library in it. Counts requested
 * bytes, touched or not. For one thread. */
#ifndef MAXPOOL_TEST_HEAP_H
#define MAXPOOL_TEST_HEAP_H

#include <stddef.h>

void heap_start(void);
size_t heap_peak(void); /* bytes above what was held at heap_start() */

#endif
