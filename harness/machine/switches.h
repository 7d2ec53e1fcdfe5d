/* What took the core from a thread: the system, which gave it to another one (an involuntary
 * context switch), or a signal. */
#ifndef MAXPOOL_SWITCHES_H
#define MAXPOOL_SWITCHES_H

#include <stdint.h>

/* Number since the process began, over all its threads, by getrusage(2): RUSAGE_SELF includes
 * threads that have ended. */
int64_t switches_involuntary(void);

/* Number of times that a signal stopped this process and another one let it go on (SIGCONT), since
 * the first call, which begins to count. */
int64_t switches_stops(void);

#endif
