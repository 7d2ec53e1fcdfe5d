/* Values in memory: typed in, or read from a text file. */
#include "harness/image/numbers.h"
#include "harness/image/sources/source_kind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct source_memory {
    struct source base;
    float *values;
    unsigned char *rounded; /* one bit per element, or NULL */
};

static int64_t count_bits(const unsigned char *bits, int64_t first, int64_t count)
{
    int64_t set = 0;
    for (int64_t i = first; i < first + count; i++)
        set += (bits[i / 8] >> (i % 8)) & 1;
    return set;
}

/* Copies values up to the first that is not finite, and returns its index, or count; a NaN becomes
 * 0 if the user wants it so. */
static int64_t copy_values(const struct source *s, const float *from, int64_t count, float *dst,
                           struct image_facts *facts)
{
    for (int64_t i = 0; i < count; i++) {
        const bool zero = s->nan_is_zero && isnan(from[i]);
        if (!zero && !isfinite(from[i]))
            return i;
        dst[i] = zero ? 0.0F : from[i];
        facts->nans += zero;
    }
    return count;
}

static enum status read_memory(struct source *s, const struct image_range *range, float *dst,
                               int64_t dst_stride, struct image_facts *facts, struct failure *f)
{
    const struct source_memory *m = (const struct source_memory *)s;
    for (int64_t i = 0; i < range->rows; i++) {
        int64_t row = range->row + i;
        int64_t element = (range->plane * s->shape.rows + row) * s->shape.cols + range->col;
        const float *from = m->values + element;
        float *to = dst + i * dst_stride;
        const int64_t unfit = copy_values(s, from, range->cols, to, facts);
        if (unfit < range->cols)
            return source_bad_value(s, range->plane, row, range->col + unfit, (double)from[unfit],
                                    f);
        numbers_see(to, range->cols, facts);
        if (m->rounded)
            facts->rounded += count_bits(m->rounded, element, range->cols);
    }
    return STATUS_OK;
}

static void close_memory(struct source *s)
{
    struct source_memory *m = (struct source_memory *)s;
    free(m->values);
    free(m->rounded);
}

static const struct source_operations memory_operations = {read_memory, close_memory};

enum status source_open_values(struct source **out, struct image_shape shape, float *values,
                               unsigned char *rounded, const char *name, struct failure *f)
{
    *out = NULL;
    struct source *s = NULL;
    enum status status = source_new(&s, sizeof(struct source_memory), &memory_operations, name, f);
    if (status != STATUS_OK) {
        free(values);
        free(rounded);
        return status;
    }
    struct source_memory *m = (struct source_memory *)s;
    m->values = values;
    m->rounded = rounded;
    s->concurrent = true;
    status = source_set_shape(s, shape, f);
    if (status != STATUS_OK)
        source_close(s);
    else
        *out = s;
    return status;
}

enum status source_open_memory(struct source **out, struct image_shape shape, float *values,
                               const char *name, struct failure *f)
{
    return source_open_values(out, shape, values, NULL, name, f);
}

enum status source_replace(struct source **s, struct image_shape shape, float *values,
                           struct failure *f)
{
    struct source *loaded = NULL;
    const enum status status = source_open_memory(&loaded, shape, values, source_name(*s), f);
    if (status != STATUS_OK)
        return status;
    memcpy(loaded->note, (*s)->note, sizeof loaded->note);
    source_close(*s);
    *s = loaded;
    return STATUS_OK;
}
