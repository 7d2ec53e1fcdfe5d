/* Before a signal ends the worker, reports to the parent where in the kernel it arrived. */
#ifndef MAXPOOL_LAB_CRASH_H
#define MAXPOOL_LAB_CRASH_H

#include "experiments/lab/call/protocol.h"

/* Installs the handlers. The process still dies of the signal. */
void crash_watch(const struct lab_code *code);

#endif
