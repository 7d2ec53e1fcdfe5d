/* The images of another source with concatenated channels: row r of image n is row r of each of its
 * planes, one after the other. */
#include "harness/image/sources/source_kind.h"

#include "harness/machine/memory.h"
#include "kernels/min_max.h"

#include <stdlib.h>

#include <string.h>

struct source_interleaved {
    struct source base;
    struct source *planes; /* in the order of the file */
    int64_t channels;
};

/* The columns of a range may span several channels: reads each part as a range of one plane. */
static enum status read_interleaved(struct source *s, const struct image_range *range, float *dst,
                                    int64_t dst_stride, struct image_facts *facts,
                                    struct failure *f)
{
    const struct source_interleaved *in = (const struct source_interleaved *)s;
    const int64_t cols = source_shape(in->planes).cols, end = range->col + range->cols;
    enum status status = STATUS_OK;
    for (int64_t col = range->col; status == STATUS_OK && col < end;) {
        const int64_t channel = col / cols;
        struct image_range part = *range;
        part.plane = range->plane * in->channels + channel;
        part.col = col % cols;
        part.cols = smaller(cols - part.col, end - col);
        status = source_read(in->planes, &part, dst + (col - range->col), dst_stride, facts, f);
        col += part.cols;
    }
    return status;
}

static void close_interleaved(struct source *s)
{
    source_close(((struct source_interleaved *)s)->planes);
}

static const struct source_operations interleaved_operations = {read_interleaved,
                                                                close_interleaved};

/* Replaces a source by its values in memory: channels are requested row by row, and every return to
 * an earlier row would unpack the file again. */
static enum status load_whole(struct source **s, struct failure *f)
{
    const struct image_shape shape = source_shape(*s);
    const size_t elements = (size_t)(shape.planes * shape.rows * shape.cols);
    float *values = NULL;
    enum status status = memory_allocate(
        (void **)&values, memory_multiply(elements, sizeof *values), "the image's channels", f);
    if (status == STATUS_OK)
        status = source_read_all(*s, values, NULL, f);
    if (status != STATUS_OK) {
        free(values);
        return status;
    }
    return source_replace(s, shape, values, f);
}

enum status source_interleave(struct source **s, int64_t channels, struct failure *f)
{
    struct source *lines = NULL;
    enum status status = source_concurrent(*s) ? STATUS_OK : load_whole(s, f);
    if (status == STATUS_OK)
        status = source_new(&lines, sizeof(struct source_interleaved), &interleaved_operations,
                            source_name(*s), f);
    if (status != STATUS_OK)
        return status;
    const struct image_shape planes = source_shape(*s);
    struct source_interleaved *in = (struct source_interleaved *)lines;
    in->planes = *s;
    in->channels = channels;
    *s = lines;
    memcpy(lines->note, in->planes->note, sizeof lines->note);
    lines->concurrent = true;
    lines->batch = planes.planes / channels;
    return source_set_shape(
        lines, (struct image_shape){planes.planes / channels, planes.rows, planes.cols * channels},
        f);
}
