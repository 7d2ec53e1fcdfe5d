/* How many bytes of heap were asked for at once at most, by this program and every library in it.
 * What is asked for counts, and not what is touched. One thread. */
#ifndef MAXPOOL_TEST_HEAP_H
#define MAXPOOL_TEST_HEAP_H

#include <stddef.h>

void heap_start(void);
size_t heap_peak(void); /* bytes above what was held at heap_start() */

#endif
