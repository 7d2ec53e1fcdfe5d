/* The measuring loops of `study roofline`, each built once per instruction set (kernels/isa.h). */
#ifndef MAXPOOL_LOOPS_H
#define MAXPOOL_LOOPS_H

#include "kernels/isa.h"

#include <stddef.h>
#include <stdint.h>

/* One pass in order over `floats` floats of an image and over the map that belongs to them: as many
 * floats (copy), a quarter (pool), none (read). Both addresses are multiples of 64 bytes, and
 * LOOP_STEP divides `floats`. The only arithmetic is the maxima without which a compiler would omit
 * loads. The result depends on every part of the image that is not written to the map. */
typedef float stream_loop(const float *image, float *map, int64_t floats);
enum { LOOP_STEP = 256 };

ISA_DECLARE(stream_loop, loop_read);
ISA_DECLARE(stream_loop, loop_copy);
ISA_DECLARE(stream_loop, loop_copy_streaming);
ISA_DECLARE(stream_loop, loop_pool);
ISA_DECLARE(stream_loop, loop_pool_streaming);

/* Executes one operation `steps` times on each of as many independent chains as the registers hold.
 * `values` holds LOOP_VALUES floats, at first between 0 and 1; values[0] receives a result that
 * depends on every operation. Returns the number of operations on single floats: a multiply-add
 * counts 2 and a maximum 1. */
typedef double peak_loop(int64_t steps, float *values);
enum { LOOP_VALUES = 32 };

ISA_DECLARE(peak_loop, loop_multiply_add);
ISA_DECLARE(peak_loop, loop_maximum);
/* Two multiply-adds for each maximum, as in a product of 2 x 2 windows. */
ISA_DECLARE(peak_loop, loop_product);

#endif
