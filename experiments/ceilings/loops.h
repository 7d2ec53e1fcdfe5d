/* The measuring loops of `study roofline`, each built once per instruction set (kernels/isa.h). */
#ifndef MAXPOOL_LOOPS_H
#define MAXPOOL_LOOPS_H

#include "kernels/isa.h"

#include <stddef.h>
#include <stdint.h>

/* One pass over `floats` floats of an image, in order, and over the part of a map that belongs to
 * it: all of it (copy), a quarter (pool), nothing (read). Both lie on multiples of 64 bytes, and
 * LOOP_STEP divides `floats`. No arithmetic but the maxima without which a compiler would leave
 * loads out; what it returns depends on all of the image that the map does not show. */
typedef float stream_loop(const float *image, float *map, int64_t floats);
enum { LOOP_STEP = 256 };

ISA_DECLARE(stream_loop, loop_read);
ISA_DECLARE(stream_loop, loop_copy);
ISA_DECLARE(stream_loop, loop_copy_streaming);
ISA_DECLARE(stream_loop, loop_pool);
ISA_DECLARE(stream_loop, loop_pool_streaming);

/* `steps` times one operation on each of as many independent chains as the registers hold. `values`
 * are LOOP_VALUES floats between 0 and 1 to begin with; what becomes of them depends on all that
 * was done. Returns the operations on single floats, a multiply-add counting 2 and a maximum 1. */
typedef double peak_loop(int64_t steps, float *values);
enum { LOOP_VALUES = 32 };

ISA_DECLARE(peak_loop, loop_multiply_add);
ISA_DECLARE(peak_loop, loop_maximum);
/* Two multiply-adds for each maximum, as in a product of 2 x 2 windows. */
ISA_DECLARE(peak_loop, loop_product);

#endif
