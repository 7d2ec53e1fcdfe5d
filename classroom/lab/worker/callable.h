/* What a worker program calls: a function from a file (foreign.c), or a method of ours (own.c). */
#ifndef MAXPOOL_LAB_CALLABLE_H
#define MAXPOOL_LAB_CALLABLE_H

#include "classroom/lab/call/protocol.h"

#include <stdbool.h>

/* True for a method of ours. A function from a file is not trusted: it runs in the sandbox, which
 * forbids starting programs and opening sockets. */
extern const bool callable_is_trusted;

/* Finds the function. `argv` is described in call/protocol.h. Returns 0, or an exit status after a
 * message on standard error. */
int callable_find(char **argv);

/* Calls the function once. */
void callable_call(const struct lab_order *order, float *const arrays[LAB_ARRAYS]);

/* Copies all arrays to the device (LAB_GIVE), or the map back (LAB_TAKE); does nothing if there is
 * no device. */
void callable_move(int32_t ask, void *const arrays[LAB_ARRAYS]);

/* Returns the most threads that ran at once so far; 0: not counted. */
int32_t callable_threads(void);

/* Returns address and size of its code. */
struct lab_code callable_code(void);

/* Returns the seconds that the last call spent in products; 0: not timed. */
double callable_product_s(void);

#endif
