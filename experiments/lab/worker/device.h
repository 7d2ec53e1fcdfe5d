/* A kernel of a GPU: its arrays on the device mirror those in shared memory. The functions are the
 * library's own, labs/device.cu. */
#ifndef MAXPOOL_LAB_DEVICE_H
#define MAXPOOL_LAB_DEVICE_H

#include "experiments/lab/call/protocol.h"

#include <stdbool.h>
#include <stddef.h>

/* Makes the arrays where the library is of a GPU. False where that fails, after a message on
 * standard error. */
bool device_begin(void *library, const size_t bytes[LAB_ARRAYS]);

/* Whether it is. */
bool device_is_used(void);

void *device_array(enum lab_array which);

/* Each ends the process where the device refuses: to the device, until all is done, and back. */
void device_give(void *const host[LAB_ARRAYS]);
void device_wait(void);
void device_take(void *map);

#endif
