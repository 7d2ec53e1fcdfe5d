/* Maps as PNG of 8 bits: one plane as gray, three as red, green and blue. Values are written
 * unchanged if all are integers 0 .. 255; otherwise all planes are scaled alike, the smallest value
 * to 0 and the largest to 255. */
#include "harness/image/sinks/sink_kind.h"

#include <errno.h>
#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>

/* level = round((value - smallest) * factor) */
struct scale {
    double smallest, factor;
};

static void on_error(png_structp png, png_const_charp message)
{
    (void)message; /* libpng only knows that a write failed; errno has the reason */
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static struct scale choose_scale(const float *map, int64_t elements, char *note, size_t note_size)
{
    double smallest = (double)INFINITY, largest = (double)-INFINITY;
    bool levels = true;
    int64_t infinite = 0;
    for (int64_t i = 0; i < elements; i++) {
        double value = (double)map[i];
        levels = levels && value >= 0.0 && value <= 255.0 && floor(value) == value;
        infinite += !isfinite(value);
        smallest = isfinite(value) && value < smallest ? value : smallest;
        largest = isfinite(value) && value > largest ? value : largest;
    }
    if (levels)
        return (struct scale){0.0, 1.0};
    if (infinite == elements)
        smallest = largest = 0.0;
    snprintf(note, note_size, "values %.9g .. %.9g scaled to 0 .. 255%s", smallest, largest,
             infinite ? "; values that are not finite are drawn as the nearest of them, or 0" : "");
    return (struct scale){smallest, largest > smallest ? 255.0 / (largest - smallest) : 0.0};
}

static unsigned char level_of(float value, const struct scale *scale)
{
    double level = ((double)value - scale->smallest) * scale->factor;
    if (!(level > 0.0)) /* NaN too */
        return 0;
    return (unsigned char)(level < 255.0 ? lrint(level) : 255);
}

/* Interleaves the planes of a row: a pixel is one level, or red, green and blue. */
static void make_row(unsigned char *row, struct image_shape shape, const float *map,
                     const struct scale *scale)
{
    for (int64_t j = 0; j < shape.cols; j++)
        for (int64_t plane = 0; plane < shape.planes; plane++)
            *row++ = level_of(map[plane * shape.rows * shape.cols + j], scale);
}

static bool write_rows(png_structp png, png_infop info, FILE *stream, struct image_shape shape,
                       const float *map, const struct scale *scale, unsigned char *row)
{
    if (setjmp(png_jmpbuf(png)))
        return false;
    png_init_io(png, stream);
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_IHDR(png, info, (png_uint_32)shape.cols, (png_uint_32)shape.rows, 8,
                 shape.planes == 1 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (int64_t i = 0; i < shape.rows; i++) {
        make_row(row, shape, map + i * shape.cols, scale);
        png_write_row(png, row);
    }
    png_write_end(png, info);
    return true;
}

/* Writes the planes of `shape` as one picture. */
static bool write_picture(FILE *stream, struct image_shape shape, const float *map,
                          const struct scale *scale)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, on_error, on_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    unsigned char *row = malloc((size_t)(shape.planes * shape.cols));
    bool written = false;
    if (info && row)
        written = write_rows(png, info, stream, shape, map, scale, row);
    else
        errno = ENOMEM;
    int why = errno;
    png_destroy_write_struct(&png, &info);
    free(row);
    errno = why;
    return written;
}

bool sink_write_png(FILE *stream, struct image_shape shape, int64_t batch, const float *map,
                    char *note, size_t note_size)
{
    const int64_t elements = shape.planes * shape.rows * shape.cols;
    const struct scale scale = choose_scale(map, elements, note, note_size);
    (void)batch;
    return write_picture(stream, shape, map, &scale);
}

bool sink_write_png_plane(FILE *stream, struct image_shape shape, const float *map, int64_t plane,
                          char *note, size_t note_size)
{
    const int64_t elements = shape.rows * shape.cols;
    const struct scale scale = choose_scale(map, shape.planes * elements, note, note_size);
    shape.planes = 1;
    return write_picture(stream, shape, map + plane * elements, &scale);
}
