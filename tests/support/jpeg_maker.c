#include "tests/support/jpeg_maker.h"

#if defined(MAXPOOL_HAVE_JPEG)
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

static const struct {
    J_COLOR_SPACE in, out;
    int channels;
} spaces[] = {[JPEG_GRAY] = {JCS_GRAYSCALE, JCS_GRAYSCALE, 1},
              [JPEG_YCC] = {JCS_RGB, JCS_YCbCr, 3},
              [JPEG_RGB] = {JCS_RGB, JCS_RGB, 3},
              [JPEG_CMYK] = {JCS_CMYK, JCS_CMYK, 4}};

int jpeg_channels(const struct jpeg_picture *picture)
{
    return spaces[picture->colours].channels;
}

static void choose_scans(struct jpeg_compress_struct *jpeg, enum jpeg_scans scans)
{
    static const jpeg_scan_info apart[] = {
        {1, {0}, 0, 63, 0, 0}, {1, {1}, 0, 63, 0, 0}, {1, {2}, 0, 63, 0, 0}};
    if (scans == JPEG_PROGRESSIVE)
        jpeg_simple_progression(jpeg);
    if (scans == JPEG_SCAN_A_COMPONENT) {
        jpeg->scan_info = apart;
        jpeg->num_scans = 3;
    }
}

void jpeg_make(const char *path, const struct jpeg_picture *picture)
{
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    const int channels = jpeg_channels(picture);
    FILE *stream = fopen(path, "wb");
    JSAMPROW row = malloc((size_t)(picture->cols * channels));
    if (!stream || !row)
        abort();
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_stdio_dest(&jpeg, stream);
    jpeg.image_height = (JDIMENSION)picture->rows;
    jpeg.image_width = (JDIMENSION)picture->cols;
    jpeg.input_components = channels;
    jpeg.in_color_space = spaces[picture->colours].in;
    jpeg_set_defaults(&jpeg);
    jpeg_set_colorspace(&jpeg, spaces[picture->colours].out);
    jpeg_set_quality(&jpeg, 100, TRUE);
    choose_scans(&jpeg, picture->scans);
    jpeg_start_compress(&jpeg, TRUE);
    for (int r = 0; r < picture->rows; r++) {
        for (int i = 0; i < picture->cols * channels; i++)
            row[i] = picture->sample(r, i / channels, i % channels);
        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    free(row);
    if (fclose(stream) != 0)
        abort();
}
#else
typedef int no_jpeg; /* a file must not be empty */
#endif
