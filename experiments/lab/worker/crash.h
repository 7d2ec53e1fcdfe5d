/* A signal that ends the worker is reported to the parent first: where in the kernel it came. */
#ifndef MAXPOOL_LAB_CRASH_H
#define MAXPOOL_LAB_CRASH_H

#include "experiments/lab/call/protocol.h"

/* From here on. The process still dies of the signal. */
void crash_watch(const struct lab_code *code);

#endif
