/* JPEG files for the tests, written by libjpeg. */
#ifndef MAXPOOL_TEST_JPEG_MAKER_H
#define MAXPOOL_TEST_JPEG_MAKER_H

#include <stdbool.h>
#include <stdint.h>

enum jpeg_colours { JPEG_GRAY, JPEG_YCC, JPEG_RGB, JPEG_CMYK };
enum jpeg_scans { JPEG_ONE_SCAN, JPEG_PROGRESSIVE, JPEG_SCAN_A_COMPONENT };

struct jpeg_picture {
    int rows, cols;
    enum jpeg_colours colours;
    enum jpeg_scans scans;
    /* Returns the sample at a pixel; channel 0 .. 2 of R, G, B, or 0 .. 3 of C, M, Y, K. */
    uint8_t (*sample)(int row, int col, int channel);
};

/* Returns the samples per pixel: 1, 3 or 4. */
int jpeg_channels(const struct jpeg_picture *picture);

/* Writes the file at quality 100. */
void jpeg_make(const char *path, const struct jpeg_picture *picture);

#endif
