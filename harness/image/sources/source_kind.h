/* What a kind of source is made of. A kind embeds `struct source` as its first member, fills a
 * table of operations, and is opened by one function of the table in source_files.c. */
#ifndef MAXPOOL_SOURCE_KIND_H
#define MAXPOOL_SOURCE_KIND_H

#include "harness/image/image.h"

#include <stdio.h>

struct source_operations {
    /* As source_read; the range has been checked. */
    enum status (*read)(struct source *s, const struct image_range *range, float *dst,
                        int64_t dst_stride, struct image_facts *facts, struct failure *f);
    /* Releases what the kind holds beside `struct source`. */
    void (*close)(struct source *s);
};

struct source {
    const struct source_operations *operations;
    struct image_shape shape;
    bool concurrent;
    int64_t batch; /* images that the planes belong to, as many planes each; 0 stands for 1 */
    int64_t packed_bytes; /* of the file, where reading it means unpacking; otherwise 0 */
    /* Of a file that is: elements that reading it goes through, and bytes of them as stored; 0
     * stands for those of the shape, as float32. */
    int64_t unpacked_elements, unpacked_bytes;
    int64_t whole_bytes; /* that must be held at once to read a row; 0: a row is enough */
    double white;        /* the largest value of a sample; 0: there is none */
    double limit_s;      /* seconds that reading may take from limit_from on; 0: no limit */
    double limit_from;   /* clock_now() */
    char *name;
};

/* A kind's struct of `size` bytes, zeroed but for the operations and a copy of the name. */
enum status source_new(struct source **out, size_t size, const struct source_operations *operations,
                       const char *name, struct failure *f);

/* Sets the shape after checking it: every length at least 1, and float32 elements that 63 bits can
 * count the bytes of. Status 2. */
enum status source_set_shape(struct source *s, struct image_shape shape, struct failure *f);

/* Status 4 where the time that source_limit() gave is up: asked between the rows or blocks of a
 * packed file. */
enum status source_in_time(const struct source *s, struct failure *f);

/* The failure of a value that float32 cannot take: NaN, infinite, or too large. Status 2. */
enum status source_bad_value(const struct source *s, int64_t plane, int64_t row, int64_t col,
                             double value, struct failure *f);

/* What opening a kind of file takes. */
struct source_file {
    size_t size; /* of the kind's struct */
    const struct source_operations *operations;
    /* Takes the descriptor over, so that the kind's close() is to close it even where this fails;
     * reads the header, and sets the shape. */
    enum status (*prepare)(struct source *s, int fd, int64_t file_bytes, struct failure *f);
};

/* Opens a regular file as a source of that kind. Status 2 where it is none, and as prepare(). */
enum status source_open_regular(struct source **out, const struct source_file *kind,
                                const char *path, struct failure *f);

/* Are `bytes` more than zlib can unpack from a file of `file_bytes`? Its best ratio is 1032:1
 * (zlib's technical notes, "Maximum Compression Factor"). */
bool source_beyond_zlib(int64_t bytes, int64_t file_bytes);

/* ---- the kinds of files --------------------------------------------------------------------- */

enum status source_open_npy(struct source **out, const char *path, struct failure *f);
enum status source_open_png(struct source **out, const char *path, struct failure *f);
enum status source_open_jpeg(struct source **out, const char *path, struct failure *f);
enum status source_open_nifti(struct source **out, const char *path, struct failure *f);
enum status source_open_text(struct source **out, const char *path, struct failure *f);

/* A text matrix from a stream, which is read to its end and left open. */
enum status source_open_text_stream(struct source **out, FILE *stream, const char *name,
                                    struct failure *f);

/* As source_open_memory, where `rounded` (may be NULL, else malloc'ed and taken over too) holds one
 * bit per element, from the lowest of each byte: set where the value was rounded to float32. */
enum status source_open_values(struct source **out, struct image_shape shape, float *values,
                               unsigned char *rounded, const char *name, struct failure *f);

#endif
