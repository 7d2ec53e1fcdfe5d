/* Images that a library unpacks row by row: PNG and JPEG. A row holds pixels, that is, the samples
 * of all planes interleaved. Only one row is in memory: returning to an earlier one restarts the
 * file, so that reading the planes of a colour image one after another takes a pass for each. */
#ifndef MAXPOOL_ROW_STREAM_H
#define MAXPOOL_ROW_STREAM_H

#include "harness/image/sources/source_kind.h"

struct row_stream;

struct row_operations {
    /* Begins a pass: the first row comes next. */
    enum status (*start)(struct row_stream *s, struct failure *f);
    /* Unpacks the next row into s->row. After the last row, also checks what follows, so that a
     * truncated file is detected. */
    enum status (*next)(struct row_stream *s, struct failure *f);
    /* Ends the current pass, if there is one. */
    void (*end)(struct row_stream *s);
};

struct row_stream {
    struct source base;
    const struct row_operations *operations;
    FILE *stream;
    int sample_bytes; /* 1, or 2 in big-endian order */
    int64_t next_row; /* that the pass delivers next; 0: there is no current pass */
    unsigned char *row;
};

/* Begins a stream of rows from the descriptor, which it takes over even if this fails. */
enum status row_stream_begin(struct row_stream *s, const struct row_operations *operations, int fd,
                             struct failure *f);

/* Sets the shape and the size of a sample, and allocates a row. */
enum status row_stream_set_shape(struct row_stream *s, struct image_shape shape, int sample_bytes,
                                 struct failure *f);

/* Bytes of a row of pixels. */
size_t row_stream_bytes(const struct row_stream *s);

/* The functions for source_operations. */
enum status row_stream_read(struct source *s, const struct image_range *range, float *dst,
                            int64_t dst_stride, struct image_facts *facts, struct failure *f);
void row_stream_close(struct source *s);

#endif
