/* Compiled once per instruction set; see experiments/limits/loops.h. */
#include "experiments/limits/loops.h"

#include "kernels/vector.h"

/* ---- streams -------------------------------------------------------------------------------- */

static float all_lanes(vec v)
{
    float lanes[LANES], most;
    vec_store(lanes, v);
    most = lanes[0];
    for (int i = 1; i < LANES; i++)
        most = lanes[i] > most ? lanes[i] : most;
    return most;
}

float ISA_FUNCTION(loop_read)(const float *image, float *map, int64_t floats)
{
    enum { CHAINS = 8 }; /* so that no load waits for the maximum of another */
    (void)map;
    vec most[CHAINS];
    VECTOR_UNROLLED
    for (int c = 0; c < CHAINS; c++)
        most[c] = vec_load(image + c * LANES);
    for (int64_t i = 0; i < floats; i += CHAINS * LANES) {
        VECTOR_UNROLLED
        for (int c = 0; c < CHAINS; c++)
            most[c] = vec_max(most[c], vec_load(image + i + c * LANES));
    }
    VECTOR_UNROLLED
    for (int c = 1; c < CHAINS; c++)
        most[0] = vec_max(most[0], most[c]);
    return all_lanes(most[0]);
}

VECTOR_INLINE void put(float *p, vec v, int streaming)
{
    if (streaming)
        vec_stream(p, v);
    else
        vec_store(p, v);
}

VECTOR_INLINE float copy(const float *image, float *map, int64_t floats, int streaming)
{
    enum { VECTORS = 8 };
    for (int64_t i = 0; i < floats; i += VECTORS * LANES) {
        VECTOR_UNROLLED
        for (int v = 0; v < VECTORS; v++)
            put(map + i + v * LANES, vec_load(image + i + v * LANES), streaming);
    }
    if (streaming)
        vec_fence();
    return map[0];
}

/* Four vectors of the image become one of the map. */
VECTOR_INLINE float pool(const float *image, float *map, int64_t floats, int streaming)
{
    enum { VECTORS = 4 };
    for (int64_t i = 0; i < floats; i += 4 * VECTORS * LANES) {
        VECTOR_UNROLLED
        for (int v = 0; v < VECTORS; v++) {
            const float *from = image + i + 4 * v * LANES;
            const vec one = vec_max(vec_load(from), vec_load(from + LANES));
            const vec other = vec_max(vec_load(from + 2 * LANES), vec_load(from + 3 * LANES));
            put(map + i / 4 + v * LANES, vec_max(one, other), streaming);
        }
    }
    if (streaming)
        vec_fence();
    return map[0];
}

float ISA_FUNCTION(loop_copy)(const float *image, float *map, int64_t floats)
{
    return copy(image, map, floats, 0);
}

float ISA_FUNCTION(loop_copy_streaming)(const float *image, float *map, int64_t floats)
{
    return copy(image, map, floats, 1);
}

float ISA_FUNCTION(loop_pool)(const float *image, float *map, int64_t floats)
{
    return pool(image, map, floats, 0);
}

float ISA_FUNCTION(loop_pool_streaming)(const float *image, float *map, int64_t floats)
{
    return pool(image, map, floats, 1);
}

/* ---- peaks ---------------------------------------------------------------------------------- */

/* Each chain waits only for itself. There are more chains than any processor's latency times its
 * units, and as many as its registers hold besides the operands. */
enum { CHAINS = VECTOR_REGISTERS >= 32 ? 24 : 12 };

_Static_assert((int)CHAINS + 4 <= (int)LOOP_VALUES, "each chain begins with a value of its own");

/* The first `maxima` chains take maxima, the others multiply and add. The caller supplies the
 * values, so that a compiler knows neither whether two chains are equal nor what they compute. */
VECTOR_INLINE double run_chains(int64_t steps, float *values, int maxima)
{
    const vec factor = vec_all(values[CHAINS]), addend = vec_all(values[CHAINS + 1]);
    vec now = vec_all(values[CHAINS + 2]), next = vec_all(values[CHAINS + 3]);
    vec x[CHAINS];
    VECTOR_UNROLLED
    for (int i = 0; i < CHAINS; i++)
        x[i] = vec_all(values[i]);
    for (int64_t s = 0; s < steps; s++) {
        const vec before = now;
        VECTOR_UNROLLED
        for (int i = 0; i < CHAINS; i++)
            x[i] = i < maxima ? vec_max(x[i], now) : vec_multiply_add(x[i], factor, addend);
        now = next;
        next = before;
    }
    VECTOR_UNROLLED
    for (int i = 1; i < CHAINS; i++)
        x[0] = vec_max(x[0], x[i]);
    values[0] = all_lanes(x[0]);
    return (double)steps * LANES * (2 * (CHAINS - maxima) + maxima);
}

double ISA_FUNCTION(loop_multiply_add)(int64_t steps, float *values)
{
    return run_chains(steps, values, 0);
}

double ISA_FUNCTION(loop_maximum)(int64_t steps, float *values)
{
    return run_chains(steps, values, CHAINS);
}

double ISA_FUNCTION(loop_product)(int64_t steps, float *values)
{
    return run_chains(steps, values, CHAINS / 3);
}
