/* Involuntary context switches: the system gave the core of a thread to another one. */
#ifndef MAXPOOL_SWITCHES_H
#define MAXPOOL_SWITCHES_H

#include <stdint.h>

/* Of all threads of this process since it began, by getrusage(2): RUSAGE_SELF counts threads that
 * have ended, too. */
int64_t switches_involuntary(void);

#endif
