#include "harness/image/row_stream.h"

#include "harness/image/numbers.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum status row_stream_begin(struct row_stream *s, const struct row_operations *operations, int fd,
                             struct failure *f)
{
    s->operations = operations;
    s->stream = fdopen(fd, "rb");
    if (s->stream)
        return STATUS_OK;
    close(fd);
    return fail(f, STATUS_RESOURCE, "%s: no memory to open it", s->base.name);
}

enum status row_stream_set_shape(struct row_stream *s, struct image_shape shape, int sample_bytes,
                                 struct failure *f)
{
    enum status status = source_set_shape(&s->base, shape, f);
    if (status != STATUS_OK)
        return status;
    s->sample_bytes = sample_bytes;
    s->base.white = sample_bytes == 2 ? 65535.0 : 255.0;
    s->row = malloc(row_stream_bytes(s));
    return s->row ? STATUS_OK
                  : fail(f, STATUS_RESOURCE, "%s: no memory for a row of it", s->base.name);
}

size_t row_stream_bytes(const struct row_stream *s)
{
    return (size_t)s->base.shape.cols * (size_t)s->base.shape.planes * (size_t)s->sample_bytes;
}

static void end_pass(struct row_stream *s)
{
    s->operations->end(s);
    s->next_row = 0;
}

/* Unpacks the row of that number into s->row. */
static enum status seek_row(struct row_stream *s, int64_t row, struct failure *f)
{
    enum status status = STATUS_OK;
    if (row + 1 == s->next_row)
        return STATUS_OK;
    if (s->next_row == 0 || row < s->next_row) {
        end_pass(s);
        status = s->operations->start(s, f);
    }
    while (status == STATUS_OK && s->next_row <= row) {
        status = source_in_time(&s->base, f);
        if (status == STATUS_OK)
            status = s->operations->next(s, f);
        s->next_row++;
    }
    if (status != STATUS_OK)
        end_pass(s);
    return status;
}

/* Copies `count` samples of a plane, from column `first` on, to adjacent positions. */
static void gather(const struct row_stream *s, int64_t plane, int64_t first, int64_t count,
                   unsigned char *to)
{
    const int64_t size = s->sample_bytes, pixel = size * s->base.shape.planes;
    const unsigned char *from = s->row + first * pixel + plane * size;
    for (int64_t i = 0; i < count; i++)
        memcpy(to + i * size, from + i * pixel, (size_t)size);
}

static void convert_row(const struct row_stream *s, const struct image_range *range, float *dst,
                        struct image_facts *facts)
{
    const struct number_format format = {
        .type = s->sample_bytes == 2 ? NUMBER_U16 : NUMBER_U8,
        .swapped = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
    };
    for (int64_t done = 0; done < range->cols; done += NUMBER_CHUNK) {
        union number_chunk raw;
        const int64_t left = range->cols - done;
        const int64_t count = left < NUMBER_CHUNK ? left : NUMBER_CHUNK;
        double bad = 0.0; /* never set: 16-bit integers are all valid */
        gather(s, range->plane, range->col + done, count, raw.bytes);
        numbers_convert(&format, &raw, count, dst + done, 1, facts, &bad);
    }
}

enum status row_stream_read(struct source *source, const struct image_range *range, float *dst,
                            int64_t dst_stride, struct image_facts *facts, struct failure *f)
{
    struct row_stream *s = (struct row_stream *)source;
    for (int64_t i = 0; i < range->rows; i++) {
        enum status status = seek_row(s, range->row + i, f);
        if (status != STATUS_OK)
            return status;
        convert_row(s, range, dst + i * dst_stride, facts);
    }
    return STATUS_OK;
}

void row_stream_close(struct source *source)
{
    struct row_stream *s = (struct row_stream *)source;
    if (s->stream) {
        end_pass(s);
        fclose(s->stream);
    }
    free(s->row);
}
