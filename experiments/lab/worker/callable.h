/* What a worker program calls: a function from a file (foreign.c), or a method of ours (own.c). */
#ifndef MAXPOOL_LAB_CALLABLE_H
#define MAXPOOL_LAB_CALLABLE_H

#include "experiments/lab/call/protocol.h"

#include <stdbool.h>

/* Whether a foreign kernel may do what only trusted code may: start programs, open sockets. */
extern const bool callable_is_trusted;

/* Finds it. `argv` as struct lab_order's file describes. Returns 0, or an exit status after a
 * message on standard error. */
int callable_find(char **argv);

/* Calls it once. */
void callable_call(const struct lab_order *order, float *const arrays[LAB_ARRAYS]);

/* Copies the whole arrays to the device (LAB_GIVE), or the map back (LAB_TAKE); nothing where there
 * is none. */
void callable_move(int32_t ask, void *const arrays[LAB_ARRAYS]);

/* The most threads that ran at once so far; 0: not counted. */
int32_t callable_threads(void);

/* Where its code lies. */
struct lab_code callable_code(void);

/* The counts of its blocks, where its library has any; NULL: it has none. */
const void *callable_blocks(void);

/* Seconds of the last call that went into products, as far as it clocks them; 0: not clocked. */
double callable_product_s(void);

#endif
