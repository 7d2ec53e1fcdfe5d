/* Partial loads and stores for sets without masks, through an array with a copy of the lanes.
 * Included by these sets once they have vec_load and vec_store. */
#ifndef MAXPOOL_VECTOR_UNMASKED_H
#define MAXPOOL_VECTOR_UNMASKED_H

VECTOR_INLINE vec vec_load_part(const float *p, int64_t n, vec other)
{
    float lanes[LANES];
    vec_store(lanes, other);
    for (int64_t i = 0; i < n; i++)
        lanes[i] = p[i];
    return vec_load(lanes);
}

VECTOR_INLINE void vec_store_part(float *p, vec v, int64_t n)
{
    float lanes[LANES];
    vec_store(lanes, v);
    for (int64_t i = 0; i < n; i++)
        p[i] = lanes[i];
}

VECTOR_INLINE vec vec_load_lanes(const float *p, int64_t first, int64_t end, vec other)
{
    float lanes[LANES];
    vec_store(lanes, other);
    for (int64_t i = first; i < end; i++)
        lanes[i] = p[i];
    return vec_load(lanes);
}

VECTOR_INLINE void vec_store_lanes(float *p, vec v, int64_t first, int64_t end)
{
    float lanes[LANES];
    vec_store(lanes, v);
    for (int64_t i = first; i < end; i++)
        p[i] = lanes[i];
}

VECTOR_INLINE vec vec_load_every(const float *p, int64_t stride)
{
    float lanes[LANES];
    for (int64_t i = 0; i < LANES; i++)
        lanes[i] = p[i * stride];
    return vec_load(lanes);
}

#endif
