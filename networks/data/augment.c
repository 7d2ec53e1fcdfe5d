#include "networks/data/augment.h"

#include "harness/base/digest.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* ---- the option --------------------------------------------------------------------------------
 */

enum kind { ROTATE, FLIP, CROP, KINDS };

static const struct kind_row {
    const char *name;
    double fallback; /* default, from the tesina's appendix D */
    double most;
} kinds[KINDS] = {{"rotate", 5.0, 180.0}, {"flip", 0.5, 1.0}, {"crop", 2.0, 1e6}};

static int find(const char *word, size_t length)
{
    for (int i = 0; i < KINDS; i++)
        if (strlen(kinds[i].name) == length && strncmp(kinds[i].name, word, length) == 0)
            return i;
    return KINDS;
}

/* Reads one "NAME" or "NAME=VALUE" of `length` characters. */
static enum status read_word(const char *word, size_t length, double *values, struct failure *f)
{
    const char *equals = memchr(word, '=', length);
    const int kind = find(word, equals ? (size_t)(equals - word) : length);
    if (kind == KINDS)
        return fail(f, STATUS_USAGE, "--augment: '%.*s' is none of rotate, flip and crop",
                    (int)length, word);
    values[kind] = kinds[kind].fallback;
    if (!equals)
        return STATUS_OK;
    char *end;
    errno = 0;
    values[kind] = strtod(equals + 1, &end);
    if (errno != 0 || end != word + length || end == equals + 1 ||
        !(values[kind] >= 0.0 && values[kind] <= kinds[kind].most) ||
        (kind == CROP && values[kind] != floor(values[kind])))
        return fail(f, STATUS_USAGE, "--augment: '%.*s': %s takes %s from 0 to %g", (int)length,
                    word, kinds[kind].name, kind == CROP ? "a whole number" : "a number",
                    kinds[kind].most);
    return STATUS_OK;
}

enum status augmentation_parse(const char *text, struct tensor_shape shape, struct augmentation *a,
                               struct failure *f)
{
    double values[KINDS] = {0.0};
    *a = (struct augmentation){0};
    if (!text || strcmp(text, "none") == 0)
        return STATUS_OK;
    for (;;) {
        const size_t length = strcspn(text, ",");
        const enum status status = read_word(text, length, values, f);
        if (status != STATUS_OK)
            return status;
        if (!text[length])
            break;
        text += length + 1;
    }
    *a = (struct augmentation){values[ROTATE], values[FLIP], (int64_t)values[CROP]};
    if (a->crop > shape.rows || a->crop > shape.cols)
        return fail(f, STATUS_USAGE,
                    "--augment: a crop of %lld pixels is larger than images of %lld x %lld",
                    (long long)a->crop, (long long)shape.rows, (long long)shape.cols);
    return STATUS_OK;
}

uint64_t augmentation_hash(const struct augmentation *a)
{
    return augments(a) ? digest_value(0, (float)a->rotate) + digest_value(1, (float)a->flip) +
                             digest_value(2, (float)a->crop)
                       : 0;
}

/* ---- an image ----------------------------------------------------------------------------------
 */

/* Random number `number` of this image, in [0, 1). */
static double draw(struct augmented which, uint64_t number)
{
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = digest_mix(which.seed * golden + UINT64_C(0x6175676d656e74));
    z = digest_mix(z + (uint64_t)which.epoch * golden);
    z = digest_mix(z + (uint64_t)which.sample * golden);
    z = digest_mix(z + (number + 1) * golden);
    return (double)(z >> 11) * 0x1p-53;
}

/* The place in the image that output pixel (r, c) is read from: row = row_0 + r row_r + c row_c,
 * and col likewise. */
struct origin {
    double row_0, row_r, row_c;
    double col_0, col_r, col_c;
};

/* The inverse of the augmentation: rotation about the middle, mirror image, shift. */
static struct origin origin_of(const struct augmentation *a, struct tensor_shape shape,
                               struct augmented which)
{
    const double angle = a->rotate * (2.0 * draw(which, 0) - 1.0) * pi / 180.0;
    const double side = a->flip > draw(which, 1) ? -1.0 : 1.0;
    const double places = 2.0 * (double)a->crop + 1.0;
    const double down = floor(places * draw(which, 2)) - (double)a->crop;
    const double right = floor(places * draw(which, 3)) - (double)a->crop;
    const double middle_r = 0.5 * (double)(shape.rows - 1),
                 middle_c = 0.5 * (double)(shape.cols - 1);
    const double cosine = cos(angle), sine = sin(angle);
    /* Before the rotation, output (r, c) is (r + down - middle_r, side (c + right - middle_c)) away
     * from the middle. */
    const double r = down - middle_r, c = side * (right - middle_c);
    return (struct origin){.row_0 = middle_r + cosine * r - sine * c,
                           .row_r = cosine,
                           .row_c = -sine * side,
                           .col_0 = middle_c + sine * r + cosine * c,
                           .col_r = sine,
                           .col_c = cosine * side};
}

static double pixel(struct tensor_shape shape, const float *plane, int64_t row, int64_t col)
{
    return row >= 0 && row < shape.rows && col >= 0 && col < shape.cols
               ? plane[row * shape.cols + col]
               : 0.0;
}

static float interpolate(struct tensor_shape shape, const float *plane, double row, double col)
{
    const double top = floor(row), left = floor(col), v = row - top, u = col - left;
    const int64_t r = (int64_t)top, c = (int64_t)left;
    const double upper = (1.0 - u) * pixel(shape, plane, r, c) + u * pixel(shape, plane, r, c + 1);
    const double lower =
        (1.0 - u) * pixel(shape, plane, r + 1, c) + u * pixel(shape, plane, r + 1, c + 1);
    return (float)((1.0 - v) * upper + v * lower);
}

void augment_image(const struct augmentation *a, struct tensor_shape shape, struct augmented which,
                   const float *from, float *to)
{
    const struct origin o = origin_of(a, shape, which);
    const int64_t plane = shape.rows * shape.cols;
    for (int64_t p = 0; p < shape.channels; p++)
        for (int64_t r = 0; r < shape.rows; r++)
            for (int64_t c = 0; c < shape.cols; c++)
                to[p * plane + r * shape.cols + c] = interpolate(
                    shape, from + p * plane, o.row_0 + (double)r * o.row_r + (double)c * o.row_c,
                    o.col_0 + (double)r * o.col_r + (double)c * o.col_c);
}
