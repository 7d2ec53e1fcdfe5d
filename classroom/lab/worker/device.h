/* A kernel on a GPU: arrays on the device mirror those in shared memory. The functions are in the
 * kernel's library, which includes labs/device.cu. */
#ifndef MAXPOOL_LAB_DEVICE_H
#define MAXPOOL_LAB_DEVICE_H

#include "classroom/lab/call/protocol.h"

#include <stdbool.h>
#include <stddef.h>

/* Makes the arrays if the library is for a GPU. False if that fails, after a message on standard
 * error. */
bool device_begin(void *library, const size_t bytes[LAB_ARRAYS]);

/* Whether the library is for a GPU. */
bool device_is_used(void);

void *device_array(enum lab_array which);

/* Shows an emulated device where the operands of the next call are. */
void device_show(const struct lab_order *order);

/* Copy the arrays to the device, wait until all work is done, copy the map back. Each ends the
 * process if the device reports an error. */
void device_give(void *const host[LAB_ARRAYS]);
void device_wait(void);
void device_take(void *map);

#endif
