/* Windows of an image as the columns of a matrix: term (c, i, j) of output pixel q becomes element
 * (row (c k + i) k + j, column q). Included once per instruction set by the methods that multiply
 * such columns. */
#ifndef MAXPOOL_CONV_WINDOWS_H
#define MAXPOOL_CONV_WINDOWS_H

#include "kernels/conv/conv.h"
#include "kernels/min_max.h"
#include "kernels/vector.h"

#define WINDOWS_INLINE VECTOR_TEMPLATE

WINDOWS_INLINE int64_t windows_clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

/* Lanes [0, count) are the elements from row[first] on; those outside [0, cols) are `other`'s. */
WINDOWS_INLINE vec elements_or(const float *row, int64_t first, int64_t count, int64_t cols,
                               vec other)
{
    const int64_t low = windows_clamp(-first, 0, count);
    return vec_load_lanes(row + first, low, windows_clamp(cols - first, low, count), other);
}

/* The same; those outside are 0. */
WINDOWS_INLINE vec adjacent_elements(const float *row, int64_t first, int64_t count, int64_t cols)
{
    return elements_or(row, first, count, cols, vec_zero());
}

/* The same for elements that are `stride` apart. */
WINDOWS_INLINE vec apart_elements(const float *row, int64_t first, int64_t count, int64_t stride,
                                  int64_t cols)
{
    float lanes[LANES] = {0.0f};
    if (stride == 2 && first >= 0 && first + 2 * LANES <= cols)
        return vec_even(vec_load(row + first), vec_load(row + first + LANES));
    if (stride == 2)
        return vec_even(adjacent_elements(row, first, LANES, cols),
                        adjacent_elements(row, first + LANES, LANES, cols));
    if (first >= 0 && first + LANES * stride <= cols)
        return vec_load_every(row + first, stride);
    for (int64_t q = 0; q < count; q++) {
        const int64_t element = first + q * stride;
        lanes[q] = element >= 0 && element < cols ? row[element] : 0.0f;
    }
    return vec_load(lanes);
}

WINDOWS_INLINE void store_elements(float *to, vec elements, int64_t count)
{
    if (count >= LANES)
        vec_store(to, elements);
    else
        vec_store_part(to, elements, count);
}

WINDOWS_INLINE void clear_elements(float *to, int64_t count)
{
    for (int64_t q = 0; q < count; q += LANES)
        store_elements(to + q, vec_zero(), count - q);
}

/* Copies adjacent elements: zeros, the elements inside the image, zeros. */
WINDOWS_INLINE void copy_neighbours(const float *row, int64_t first, int64_t count, int64_t cols,
                                    float *to)
{
    const int64_t low = windows_clamp(-first, 0, count);
    const int64_t high = windows_clamp(cols - first, low, count);
    int64_t q = low;
    clear_elements(to, low);
    for (; q + LANES <= high; q += LANES)
        vec_store(to + q, vec_load(row + first + q));
    if (q < high)
        vec_store_part(to + q, vec_load_part(row + first + q, high - q, vec_zero()), high - q);
    clear_elements(to + high, count - high);
}

/* to[q] = row[first + q stride], q < count; elements outside [0, cols) are 0, and all are if row is
 * NULL. */
WINDOWS_INLINE void copy_elements(const float *row, int64_t first, int64_t count, int64_t stride,
                                  int64_t cols, float *to)
{
    if (!row)
        clear_elements(to, count);
    else if (stride == 1)
        copy_neighbours(row, first, count, cols, to);
    else
        for (int64_t q = 0; q < count; q += LANES)
            store_elements(
                to + q,
                apart_elements(row, first + q * stride, smaller(LANES, count - q), stride, cols),
                count - q);
}

/* Separates even and odd elements: even[q] = row[first + 2 q] and odd[q] = row[first + 2 q + 1] for
 * all q < count. Loads each element once. */
WINDOWS_INLINE void part_elements(const float *row, int64_t first, int64_t count, int64_t cols,
                                  float *even, float *odd)
{
    for (int64_t q = 0; q < count; q += LANES, first += 2 * LANES) {
        const bool inside = first >= 0 && first + 2 * LANES <= cols;
        const vec a = inside ? vec_load(row + first) : adjacent_elements(row, first, LANES, cols);
        const vec b = inside ? vec_load(row + first + LANES)
                             : adjacent_elements(row, first + LANES, LANES, cols);
        store_elements(even + q, vec_even(a, b), count - q);
        store_elements(odd + q, vec_odd(a, b), count - q);
    }
}

/* Row `row` of channel c, or NULL if it is in the padding. */
WINDOWS_INLINE const float *channel_row(const struct conv_call *call, int64_t c, int64_t row)
{
    if (row < 0 || row >= call->shape->rows)
        return NULL;
    return view_row(&call->image, row) + c * call->image.plane_stride;
}

/* Packs the k k terms of channel c for the pixels [first, first + count), which number the outputs
 * of the call's rows, row by row. The pixels of a term are contiguous; terms are `step` floats
 * apart. */
WINDOWS_INLINE void pack_channel(const struct conv_call *call, int64_t c, int64_t first,
                                 int64_t count, float *to, int64_t step)
{
    const struct conv_shape *s = call->shape;
    for (int64_t done = 0; done < count;) {
        const int64_t y = (first + done) / s->out_cols, x = (first + done) % s->out_cols;
        const int64_t run = smaller(s->out_cols - x, count - done);
        const int64_t top = (call->row + y) * s->stride - s->padding;
        for (int64_t i = 0; i < s->kernel; i++) {
            const float *row = channel_row(call, c, top + i);
            for (int64_t j = 0; j < s->kernel; j++)
                copy_elements(row, x * s->stride + j - s->padding, run, s->stride, s->cols,
                              to + (i * s->kernel + j) * step + done);
        }
        done += run;
    }
}

#endif
