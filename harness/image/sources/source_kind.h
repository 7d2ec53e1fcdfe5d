/* The parts of a kind of source. A kind embeds `struct source` as its first member, has a table of
 * operations, and is opened by one function of the table in source_files.c. */
#ifndef MAXPOOL_SOURCE_KIND_H
#define MAXPOOL_SOURCE_KIND_H

#include "harness/image/image.h"

#include <stdio.h>

struct source_operations {
    /* As source_read; the range has been checked. */
    enum status (*read)(struct source *s, const struct image_range *range, float *dst,
                        int64_t dst_stride, struct image_facts *facts, struct failure *f);
    /* Releases what the kind holds in addition to `struct source`. */
    void (*close)(struct source *s);
};

struct source {
    const struct source_operations *operations;
    struct image_shape shape;
    bool concurrent;
    int64_t batch;        /* number of images, each with equally many planes; 0 stands for 1 */
    int64_t packed_bytes; /* size of a file that reading unpacks; otherwise 0 */
    /* For such a file: the elements that reading processes, and their bytes as stored; 0 stands for
     * those of the shape, as float32. */
    int64_t unpacked_elements, unpacked_bytes;
    int64_t whole_bytes; /* that must be in memory to read a row; 0: one row is enough */
    double white;        /* largest value of a sample; 0: none */
    double limit_s;      /* seconds that reading may take, beginning at limit_from; 0: no limit */
    double limit_from;   /* clock_now() */
    bool nan_is_zero;    /* source_take_nans() */
    char note[200];      /* source_note() */
    char *name, *shown;  /* the path; what source_name() returns, NULL: the path */
};

/* Allocates a kind's struct of `size` bytes: zeroed, except for the operations and a copy of the
 * name. */
enum status source_new(struct source **out, size_t size, const struct source_operations *operations,
                       const char *name, struct failure *f);

/* Checks and sets the shape. Status 2 unless every length is at least 1, 4 unless 63 bits can count
 * the bytes of its float32 elements. */
enum status source_set_shape(struct source *s, struct image_shape shape, struct failure *f);

/* Status 4 if the time of source_limit() is over; called between the rows or blocks of a packed
 * file. */
enum status source_in_time(const struct source *s, struct failure *f);

/* Reports a value that float32 cannot represent: NaN, infinite, or too large. Status 2. */
enum status source_bad_value(const struct source *s, int64_t plane, int64_t row, int64_t col,
                             double value, struct failure *f);

/* What opening a kind of file needs. */
struct source_file {
    size_t size; /* of the kind's struct */
    const struct source_operations *operations;
    /* Reads the header and sets the shape. Takes over the descriptor: the kind's close() must close
     * it, even if this fails. */
    enum status (*prepare)(struct source *s, int fd, int64_t file_bytes, struct failure *f);
};

/* Opens a regular file as a source of that kind. Status 2 if it is not regular; otherwise as
 * prepare(). */
enum status source_open_regular(struct source **out, const struct source_file *kind,
                                const char *path, struct failure *f);

/* True if `bytes` are more than zlib can unpack from a file of `file_bytes`. Its best ratio is
 * 1032:1 (zlib's technical notes, "Maximum Compression Factor"). */
bool source_beyond_zlib(int64_t bytes, int64_t file_bytes);

/* ---- the kinds of files --------------------------------------------------------------------- */

enum status source_open_npy(struct source **out, const char *path, struct failure *f);
enum status source_open_png(struct source **out, const char *path, struct failure *f);
enum status source_open_jpeg(struct source **out, const char *path, struct failure *f);
enum status source_open_nifti(struct source **out, const char *path, struct failure *f);
enum status source_open_text(struct source **out, const char *path, struct failure *f);
enum status source_open_csv(struct source **out, const char *path, struct failure *f);
enum status source_open_tsv(struct source **out, const char *path, struct failure *f);

/* Reads a text matrix from a stream up to its end; leaves the stream open. */
enum status source_open_text_stream(struct source **out, FILE *stream, const char *name,
                                    struct failure *f);

/* As source_open_memory. `rounded` (may be NULL, else allocated by malloc and taken over too) has
 * one bit per element, beginning with the lowest bit of each byte: set if the value was rounded to
 * float32. */
enum status source_open_values(struct source **out, struct image_shape shape, float *values,
                               unsigned char *rounded, const char *name, struct failure *f);

/* Replaces a source by values in memory, which have its name and its note. Takes the values over,
 * also if it fails. */
enum status source_replace(struct source **s, struct image_shape shape, float *values,
                           struct failure *f);

#endif
