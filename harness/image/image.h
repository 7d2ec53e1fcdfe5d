/* Images: read from a source, and maps: written to a sink.
 *
 * This layer never holds a whole source in memory. It reads a source by ranges, so that each worker
 * fills the part that it will compute (first touch), and the oracle reads it again by itself. */
#ifndef MAXPOOL_IMAGE_H
#define MAXPOOL_IMAGE_H

#include "harness/base/failure.h"
#include "kernels/geometry.h" /* struct image_shape */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Elements [row, row + rows) x [col, col + cols) of one plane. */
struct image_range {
    int64_t plane;
    int64_t row, rows;
    int64_t col, cols;
};

/* What reading found; merged over all ranges. Start from IMAGE_FACTS_NONE. */
struct image_facts {
    double max_abs;  /* largest magnitude, after rounding to float32 */
    bool integers;   /* every value is an integer */
    int64_t rounded; /* values that float32 cannot represent exactly and that were rounded */
    int64_t nans;    /* NaNs that became 0: source_take_nans() */
};

#define IMAGE_FACTS_NONE                                                                           \
    ((struct image_facts){.max_abs = 0.0, .integers = true, .rounded = 0, .nans = 0})

void image_facts_merge(struct image_facts *into, const struct image_facts *from);

/* A source: a file, a random image, or values in memory (typed in, or from a text file). */
struct source;

/* Opens a file by its first bytes, under any name: PNG (1 to 16 bits; gray, or in colour as three
 * planes, red, green and blue; transparency is dropped), JPEG (8 bits, likewise; CMYK becomes RGB,
 * and the rotation that a camera noted is not applied), npy (1 to 4 dimensions: the last two are
 * rows and columns, those before them planes), NIfTI; otherwise by the ending of its name: .nii.gz,
 * .txt, .csv, .tsv; "-" reads a text matrix from standard input. Regular files only. The header is
 * compared with the file's size before anything is allocated. Status 2, with a message naming the
 * file and the place, if anything is malformed; 3 if this build lacks the library; 4 if memory is
 * short. */
enum status source_open_file(struct source **out, const char *path, struct failure *f);

/* The same of an input that is not in the working folder and belongs to the suite (suite_input()):
 * its name is the given one, wherever the file is. */
enum status source_open_input(struct source **out, const char *name, struct failure *f);

/* True if source_open_file() would read the file as a picture: PNG or JPEG. */
bool source_is_picture(const char *path);

/* The random image: a pure function of (seed, element index), integers 0 .. max_value, with
 * 0 <= max_value <= 2^24. */
enum status source_open_random(struct source **out, struct image_shape shape, uint64_t seed,
                               int64_t max_value, struct failure *f);

/* A random image that is never generated: reading returns its facts and does not write elements. */
enum status source_open_folded(struct source **out, struct image_shape shape, int64_t max_value,
                               struct failure *f);

/* Takes ownership of `values` (allocated by malloc, C order); `name` describes it. */
enum status source_open_memory(struct source **out, struct image_shape shape, float *values,
                               const char *name, struct failure *f);

/* Replaces *s by a source in which each image (`channels` planes) is a single plane: its row r is
 * the concatenation of row r of all channels. The new source owns the old one; if this fails, the
 * caller still closes *s. A source that must be read in order is first read into memory. */
enum status source_interleave(struct source **s, int64_t channels, struct failure *f);

/* Replaces *s, a colour picture, by one plane of its luma (harness/image/luma.h), rounded to whole
 * gray levels as picture files hold them, so that sums of its elements are exact. A gray picture
 * stays as it is. The new source owns the old one; if this fails, the caller still closes *s.
 * Status 2 for a source that is no picture (.png, .jpg). */
enum status source_gray(struct source **s, struct failure *f);

/* Replaces *s by slice `slice`, from 0, of the volume across an axis, or by all of them as planes
 * (-1), in memory. Planes x rows x columns of the file are z, y and x; a slice across x is z by y,
 * one across y is z by x. The order of elements is the file's: its orientation is not applied.
 * Status 2 if there is no such slice; then the caller still closes *s. */
enum image_axis { AXIS_X, AXIS_Y, AXIS_Z };
enum status source_slice(struct source **s, enum image_axis axis, int64_t slice, struct failure *f);

void source_close(struct source *s); /* NULL is fine */

/* From now on NaNs of the file (.npy, .nii) become 0 and are counted; without this call they are
 * refused. */
void source_take_nans(struct source *s);

/* What was ignored in the file, as a sentence ("its transparency is dropped"), after it was read;
 * NULL: nothing. */
const char *source_note(const struct source *s);

struct image_shape source_shape(const struct source *s);

/* Returns the number of images that the planes belong to, each with shape.planes / batch channels:
 * N for an .npy of N x C x rows x columns, otherwise 1. */
int64_t source_batch(const struct source *s);

/* Returns the bytes of a file that reading unpacks (.png, .jpg, .nii.gz), otherwise 0. */
int64_t source_packed_bytes(const struct source *s);

/* What reading such a file must process. This may be more than the shape: pictures count before
 * they are resized. */
int64_t source_unpacked_elements(const struct source *s);
int64_t source_unpacked_bytes(const struct source *s);

/* Bytes that must be in memory at once to read a row: for an interlaced image all of them,
 * otherwise 0. */
int64_t source_whole_bytes(const struct source *s);

/* The value of white if the samples of a file have one: 255 or 65535. Otherwise 0. */
double source_white(const struct source *s);

/* From now on unpacking fails with status 4 after this many seconds; 0: no limit. */
void source_limit(struct source *s, double seconds);

/* The path, or "random", or the given name. Valid until the source is closed. */
const char *source_name(const struct source *s);

/* True if several threads may read at once. Otherwise reads must come one at a time and, to be
 * fast, in ascending order of plane and row. */
bool source_concurrent(const struct source *s);

/* Reads a range as float32 into dst, whose rows are dst_stride floats apart. Merges facts into
 * *facts (may be NULL). Status 2 for a value that is NaN, infinite or too large for float32, with
 * its plane, row and column, and for a range outside the image. */
enum status source_read(struct source *s, const struct image_range *range, float *dst,
                        int64_t dst_stride, struct image_facts *facts, struct failure *f);

/* The same of the whole image, plane by plane, in ascending order, which is the fastest. */
enum status source_read_all(struct source *s, float *values, struct image_facts *facts,
                            struct failure *f);

/* Writes elements [first, first + count) of the random image, counted in C order over all planes:
 * the function that source_open_random uses. */
void random_elements(uint64_t seed, int64_t max_value, int64_t first, int64_t count, float *dst);

/* Writes a map completely or not at all (into a temporary file in the same folder, which is then
 * renamed; a target that is not a regular file, such as /dev/full or a pipe, is written directly).
 * .npy: <f4, C order, 2-D for one plane, 3-D for more. .txt: the fewest digits that read back as
 * the same float, planes separated by an empty line. .png: 8 bits, one plane as gray, three as
 * red, green and blue, all scaled alike. A name with %d, or %03d, and .png: each plane is a file of
 * its own, numbered from 0, and all have one scale. If values were scaled, *note says how;
 * otherwise it is empty. Status 5 if it cannot be written. */
enum status sink_write(const char *path, struct image_shape shape, const float *map, char *note,
                       size_t note_size, struct failure *f);

/* The same for a map whose planes belong to `batch` images: a .npy has them as images x planes x
 * rows x columns, and a .png holds one image. 0: no batch, as sink_write. */
struct sink_map {
    struct image_shape shape;
    int64_t batch;
    const float *elements; /* sink_check() does not read them */
};

/* True if writing the map to `path` would replace this file, or a file of the series would. */
bool sink_replaces(const char *path, const struct sink_map *m, const char *file);

/* Checks whether `path` could be written, before any time is spent: a known ending (.npy, .txt,
 * .png), planes that a .png can hold unless its name has %d, a directory in which a file can be
 * created. */
enum status sink_check(const char *path, const struct sink_map *m, struct failure *f);

enum status sink_write_batch(const char *path, const struct sink_map *m, char *note,
                             size_t note_size, struct failure *f);

#endif
