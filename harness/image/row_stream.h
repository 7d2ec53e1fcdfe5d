/* Images that a library unpacks row after row, PNG and JPEG. A row is one of pixels: the samples of
 * all planes side by side. Nothing but one row is held: going back to an earlier one starts the
 * file afresh, and so the planes of a colour image, read one after another, are a pass each. */
#ifndef MAXPOOL_ROW_STREAM_H
#define MAXPOOL_ROW_STREAM_H

#include "harness/image/sources/source_kind.h"

struct row_stream;

struct row_operations {
    /* Begins a pass: the first row comes next. */
    enum status (*start)(struct row_stream *s, struct failure *f);
    /* Unpacks the next row into s->row; with the last one looks at what follows, so that a file cut
     * short is noticed. */
    enum status (*next)(struct row_stream *s, struct failure *f);
    /* Ends the pass under way, if there is one. */
    void (*end)(struct row_stream *s);
};

struct row_stream {
    struct source base;
    const struct row_operations *operations;
    FILE *stream;
    int sample_bytes; /* 1, or 2 with the larger byte first */
    int64_t next_row; /* that the pass delivers next; 0 where none is under way */
    unsigned char *row;
};

/* Makes it a stream of rows from the descriptor, which it takes over whatever comes of it. */
enum status row_stream_begin(struct row_stream *s, const struct row_operations *operations, int fd,
                             struct failure *f);

/* Sets shape and size of a sample, and makes room for a row. */
enum status row_stream_set_shape(struct row_stream *s, struct image_shape shape, int sample_bytes,
                                 struct failure *f);

/* Bytes of a row of pixels. */
size_t row_stream_bytes(const struct row_stream *s);

/* As source_operations has them. */
enum status row_stream_read(struct source *s, const struct image_range *range, float *dst,
                            int64_t dst_stride, struct image_facts *facts, struct failure *f);
void row_stream_close(struct source *s);

#endif
