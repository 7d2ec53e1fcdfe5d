/* Images: where they come from (a source) and where maps go (a sink).
 *
 * A source is never held in memory as a whole by this layer: it is read per range, so that each
 * worker fills what it will compute (first touch), and the oracle reads it once more on its own. */
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

/* What was seen while reading; merged over all ranges read. Start from IMAGE_FACTS_NONE. */
struct image_facts {
    double max_abs;  /* largest magnitude, after rounding to float32 */
    bool integers;   /* every value is an integer */
    int64_t rounded; /* values that float32 does not hold exactly and that were rounded */
};

#define IMAGE_FACTS_NONE ((struct image_facts){.max_abs = 0.0, .integers = true, .rounded = 0})

void image_facts_merge(struct image_facts *into, const struct image_facts *from);

/* A source: one of a file, a random image, or values held in memory (typed in, or a text file). */
struct source;

/* Opens by the name's ending: .png (1 to 16 bits; gray, or in colour as three planes, red, green
 * and blue), .jpg or .jpeg (8 bits, likewise), .npy (of 1 to 4 dimensions, the last ones rows and
 * columns, those before them planes), .nii, .nii.gz, .txt; "-" reads a text matrix from standard
 * input. Regular files only. The header is compared with the file's size before anything is
 * allocated. Status 2 with a message naming the file and the place on anything malformed, 3 for a
 * kind this build has no library for, 4 where memory lacks. */
enum status source_open_file(struct source **out, const char *path, struct failure *f);

/* The random image: a pure function of (seed, element index), integers 0 .. max_value, with
 * 0 <= max_value <= 2^24. */
enum status source_open_random(struct source **out, struct image_shape shape, uint64_t seed,
                               int64_t max_value, struct failure *f);

/* A random image that is never made: reading gives its facts and leaves the elements as they are.
 */
enum status source_open_folded(struct source **out, struct image_shape shape, int64_t max_value,
                               struct failure *f);

/* Takes ownership of `values` (malloc'ed, C order); `name` is what describes it. */
enum status source_open_memory(struct source **out, struct image_shape shape, float *values,
                               const char *name, struct failure *f);

/* Replaces *s by a source and takes it over; where that fails *s is to be closed as
 * before. Its images of so many planes each, channels, as images of one plane whose rows hold the
 * rows of one number of all channels, one after the other. Sources that read in order are held in
 * memory from then on. */
enum status source_interleave(struct source **s, int64_t channels, struct failure *f);

void source_close(struct source *s); /* NULL is fine */

struct image_shape source_shape(const struct source *s);

/* Images that the planes belong to, each with shape.planes / batch channels: N of an .npy of N x C
 * x rows x columns, and 1 of everything else. */
int64_t source_batch(const struct source *s);

/* Bytes of a file that reading unpacks: .png, .jpg, .nii.gz. Otherwise 0. */
int64_t source_packed_bytes(const struct source *s);

/* What reading such a file goes through, though fewer elements may come of it: those of pictures
 * before they are resized. */
int64_t source_unpacked_elements(const struct source *s);
int64_t source_unpacked_bytes(const struct source *s);

/* Bytes that must be held at once to read a row of it: of an interlaced image all. Otherwise 0. */
int64_t source_whole_bytes(const struct source *s);

/* The value that is white, where samples of a file have one: 255 or 65535. Otherwise 0. */
double source_white(const struct source *s);

/* From now on unpacking ends with status 4 after so many seconds; 0: it may take its time. */
void source_limit(struct source *s, double seconds);

/* The path, or "random", or the name given. Lives as long as the source. */
const char *source_name(const struct source *s);

/* True where several threads may read at once; otherwise reads should come one at a time and, to be
 * fast, in ascending order of plane and row. */
bool source_concurrent(const struct source *s);

/* Reads a range as float32 into dst, whose rows are dst_stride floats apart. Facts are merged into
 * *facts (may be NULL). A value that is NaN, infinite or too large
 * for float32 is status 2, with its plane, row and column; so is a range outside the image. */
enum status source_read(struct source *s, const struct image_range *range, float *dst,
                        int64_t dst_stride, struct image_facts *facts, struct failure *f);

/* Elements [first, first + count) of the random image, counted in C order over all planes: the
 * function behind source_open_random. */
void random_elements(uint64_t seed, int64_t max_value, int64_t first, int64_t count, float *dst);

/* Says before any time is spent whether `path` could be written: a known ending (.npy, .txt, .png),
 * one plane for .png, a directory that takes a file. */
enum status sink_check(const char *path, struct image_shape shape, struct failure *f);

/* Writes a map whole or not at all (a temporary file beside it, renamed; a target that is no
 * regular file, as /dev/full or a pipe, is written directly): .npy (<f4, C order; 2-D for one
 * plane, 3-D for more), .txt (shortest digits that read back to the same float, planes separated by
 * an empty line), .png (8-bit gray, scaled). Where values were scaled, *note says how; it is empty
 * otherwise. Status 5 where it cannot be written. */
enum status sink_write(const char *path, struct image_shape shape, const float *map, char *note,
                       size_t note_size, struct failure *f);

/* The same of a map whose planes belong to so many images: a .npy has them as images x planes x
 * rows x columns. 0: no batch, as sink_write. */
struct sink_map {
    struct image_shape shape;
    int64_t batch;
    const float *elements;
};
enum status sink_write_batch(const char *path, const struct sink_map *m, char *note,
                             size_t note_size, struct failure *f);

#endif
