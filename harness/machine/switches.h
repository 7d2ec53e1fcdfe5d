/* Involuntary context switches: the system took the core from a thread and gave it to another
 * one. */
#ifndef MAXPOOL_SWITCHES_H
#define MAXPOOL_SWITCHES_H

#include <stdint.h>

/* Number since the process began, over all its threads, by getrusage(2): RUSAGE_SELF includes
 * threads that have ended. */
int64_t switches_involuntary(void);

#endif
