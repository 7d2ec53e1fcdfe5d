/* Colour images as three planes, and JPEGs; how bad ones are refused; and the time limit of
 * unpacking. */
#include "tests/support/files.h"
#include "tests/support/image_check.h"
#include "tests/support/jpeg_maker.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(MAXPOOL_HAVE_PNG)
#include <png.h>
#endif

#define DATA MAXPOOL_SOURCE_DIR "/tests/data/"

#if defined(MAXPOOL_HAVE_PNG) || defined(MAXPOOL_HAVE_JPEG)
enum { ROWS = 21, COLS = 70, CHANNELS = 3 };
#endif

#if defined(MAXPOOL_HAVE_PNG)
/* ---- PNG ------------------------------------------------------------------------------------ */

/* A sample as stored; each channel has its own values. */
static unsigned sample_at(int row, int col, int channel, int depth)
{
    return ((unsigned)(row * COLS + col) * 977U + (unsigned)channel * 12345U) & ((1U << depth) - 1);
}

struct png_kind {
    int type, depth, interlace;
    bool transparent; /* with a tRNS chunk */
    int colours;      /* of the palette; 0: all that it can have, up to COLOURS */
};

enum { COLOURS = 16 }; /* in a palette, 1 << depth of them at most */

static png_color palette_at(int index)
{
    return (png_color){(png_byte)(17 * index), (png_byte)(255 - 3 * index), (png_byte)(7 * index)};
}

/* Fills one row in libpng's layout. */
static void fill_row(unsigned char *bytes, int row, const struct png_kind *kind)
{
    const bool palette = kind->type == PNG_COLOR_TYPE_PALETTE;
    const int channels = palette || kind->type == PNG_COLOR_TYPE_GRAY ? 1
                         : kind->type & PNG_COLOR_MASK_ALPHA          ? 4
                                                                      : 3;
    for (int i = 0; i < COLS * channels; i++) {
        unsigned value = sample_at(row, i / channels, i % channels, kind->depth);
        if (palette)
            value %= COLOURS;
        for (int bit = 0; bit < kind->depth; bit++) {
            const int to = i * kind->depth + bit;
            bytes[to / 8] |=
                (unsigned char)((value >> (kind->depth - 1 - bit) & 1) << (7 - to % 8));
        }
    }
}

static int colours_of(const struct png_kind *kind)
{
    return kind->colours > 0 ? kind->colours : kind->depth < 4 ? 1 << kind->depth : COLOURS;
}

static const char *write_png(const struct png_kind *kind)
{
    const char *path = files_path("colour.png");
    FILE *stream = fopen(path, "wb");
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    assert_true(stream && png && info);
    png_init_io(png, stream);
    png_set_IHDR(png, info, COLS, ROWS, kind->depth, kind->type, kind->interlace,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_color palette[COLOURS];
    for (int i = 0; i < COLOURS; i++)
        palette[i] = palette_at(i);
    if (kind->type == PNG_COLOR_TYPE_PALETTE)
        png_set_PLTE(png, info, palette, colours_of(kind));
    png_set_check_for_invalid_index(png, 0); /* some of these files are wrong on purpose */
    png_byte alpha[1] = {9};
    png_color_16 key = {.red = 1};
    if (kind->transparent)
        png_set_tRNS(png, info, alpha, 1, &key);
    png_write_info(png, info);
    unsigned char rows[ROWS][COLS * 8] = {{0}}, *pointers[ROWS];
    for (int r = 0; r < ROWS; r++) {
        pointers[r] = rows[r];
        fill_row(rows[r], r, kind);
    }
    png_write_image(png, pointers);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    assert_int_equal(fclose(stream), 0);
    return path;
}

/* Gray values of fewer than 8 bits are scaled to 0 .. 255; others are unchanged. */
static float expected_png(int row, int col, int channel, const struct png_kind *kind)
{
    const unsigned scale =
        kind->type == PNG_COLOR_TYPE_GRAY && kind->depth < 8 ? 255 / ((1U << kind->depth) - 1) : 1;
    if (kind->type != PNG_COLOR_TYPE_PALETTE)
        return (float)(scale * sample_at(row, col, channel, kind->depth));
    const int index = (int)sample_at(row, col, 0, kind->depth) % COLOURS;
    if (index >= colours_of(kind))
        return 0.0f;
    const png_color colour = palette_at(index);
    return channel == 0 ? colour.red : channel == 1 ? colour.green : colour.blue;
}

static void check_png(const struct png_kind *kind)
{
    const struct image_shape shape = {kind->type == PNG_COLOR_TYPE_GRAY ? 1 : CHANNELS, ROWS, COLS};
    static float expected[CHANNELS * ROWS * COLS];
    for (int c = 0; c < shape.planes; c++)
        for (int i = 0; i < ROWS * COLS; i++)
            expected[c * ROWS * COLS + i] = expected_png(i / COLS, i % COLS, c, kind);
    const char *path = write_png(kind);
    struct source *s = image_open(path);
    assert_int_equal(source_batch(s), 1);
    source_close(s);
    image_holds(path, shape, expected);
}

TEST(png_levels_and_colours)
{
    for (int interlace = 0; interlace < 2; interlace++) {
        for (int depth = 1; depth <= 16; depth *= 2)
            check_png(&(struct png_kind){PNG_COLOR_TYPE_GRAY, depth, interlace, false, 0});
        check_png(&(struct png_kind){PNG_COLOR_TYPE_RGB, 8, interlace, false, 0});
        check_png(&(struct png_kind){PNG_COLOR_TYPE_RGB, 16, interlace, false, 0});
        for (int depth = 1; depth <= 8; depth *= 2)
            check_png(&(struct png_kind){PNG_COLOR_TYPE_PALETTE, depth, interlace, false, 0});
    }
}

/* The colours are as without transparency, and the file says that something was dropped. */
TEST(png_transparency_is_dropped)
{
    static const struct png_kind kinds[] = {
        {PNG_COLOR_TYPE_RGB_ALPHA, 8, 0, false, 0}, {PNG_COLOR_TYPE_RGB_ALPHA, 16, 1, false, 0},
        {PNG_COLOR_TYPE_RGB_ALPHA, 8, 1, false, 0}, {PNG_COLOR_TYPE_RGB, 8, 0, true, 0},
        {PNG_COLOR_TYPE_RGB, 16, 1, true, 0},       {PNG_COLOR_TYPE_PALETTE, 8, 0, true, 0},
        {PNG_COLOR_TYPE_PALETTE, 4, 1, true, 0},    {PNG_COLOR_TYPE_PALETTE, 1, 0, true, 0}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        check_png(&kinds[i]);
        struct source *s = image_open(write_png(&kinds[i]));
        assert_non_null(source_note(s));
        assert_non_null(strstr(source_note(s), "transparency is dropped"));
        source_close(s);
    }
    struct source *s =
        image_open(write_png(&(struct png_kind){PNG_COLOR_TYPE_RGB, 8, 0, false, 0}));
    assert_null(source_note(s));
    source_close(s);
}

/* A colour beyond the palette is black, as in other readers, and the first one's place is noted. */
TEST(png_colours_beyond_the_palette)
{
    for (int interlace = 0; interlace < 2; interlace++)
        for (int depth = 2; depth <= 8; depth *= 2)
            for (int transparent = 0; transparent < 2; transparent++) {
                const struct png_kind kind = {PNG_COLOR_TYPE_PALETTE, depth, interlace, transparent,
                                              depth == 2 ? 3 : 5};
                check_png(&kind);
                int at = 0;
                while ((int)sample_at(at / COLS, at % COLS, 0, depth) % COLOURS < kind.colours)
                    at++;
                char place[100];
                snprintf(place, sizeof place, "row %d, column %d has colour %d of a palette of %d",
                         at / COLS, at % COLS,
                         (int)sample_at(at / COLS, at % COLS, 0, depth) % COLOURS, kind.colours);
                struct source *s = image_open(write_png(&kind));
                struct image_facts facts;
                free(image_whole(s, &facts));
                assert_non_null(source_note(s));
                assert_non_null(strstr(source_note(s), place));
                source_close(s);
            }
}

/* The luma of Rec. ITU-R BT.601, rounded to whole levels; of 16 bits and interlaced files too. A
 * gray picture stays as it is, and what is no picture is refused. */
TEST(colours_become_gray)
{
    for (int interlace = 0; interlace < 2; interlace++)
        for (int depth = 8; depth <= 16; depth += 8) {
            const struct png_kind kind = {PNG_COLOR_TYPE_RGB, depth, interlace, false, 0};
            struct failure f = {STATUS_OK, ""};
            struct source *s = image_open(write_png(&kind));
            assert_int_equal(source_gray(&s, &f), STATUS_OK);
            const struct image_shape h = source_shape(s);
            assert_true(h.planes == 1 && h.rows == ROWS && h.cols == COLS);
            struct image_facts facts;
            float *gray = image_whole(s, &facts);
            assert_true(facts.integers);
            for (int i = 0; i < ROWS * COLS; i++) {
                const int row = i / COLS, col = i % COLS;
                const double red = (double)expected_png(row, col, 0, &kind);
                const double green = (double)expected_png(row, col, 1, &kind);
                const double blue = (double)expected_png(row, col, 2, &kind);
                assert_true((double)gray[i] ==
                            rint((299 * red + 587 * green + 114 * blue) / 1000.0));
            }
            image_parts_match(s, gray);
            const struct source *same = s;
            assert_int_equal(source_gray(&s, &f), STATUS_OK);
            assert_ptr_equal(s, same);
            free(gray);
            source_close(s);
        }
    struct failure f = {STATUS_OK, ""};
    struct source *s;
    float *values = calloc(12, sizeof *values);
    assert_int_equal(source_open_memory(&s, (struct image_shape){3, 2, 2}, values, "typed", &f),
                     STATUS_OK);
    assert_int_equal(source_gray(&s, &f), STATUS_USAGE);
    assert_non_null(strstr(f.message, "typed is no picture"));
    source_close(s);
}

/* A picture is read by its first bytes if its name promises the other format. */
TEST(pictures_with_the_wrong_name)
{
    size_t size;
    unsigned char *bytes =
        files_read(write_png(&(struct png_kind){PNG_COLOR_TYPE_RGB, 8, 0, false, 0}), &size);
    static const char *const names[] = {"a.jpg", "a.JPEG"};
    for (size_t i = 0; i < 2; i++) {
        struct source *s = image_open(files_write(names[i], bytes, size));
        struct image_facts facts;
        float *elements = image_whole(s, &facts);
        assert_true(elements[1] == (float)sample_at(0, 1, 0, 8));
        free(elements);
        source_close(s);
    }
    free(bytes);
}

TEST(png_cut_or_damaged)
{
    size_t size;
    unsigned char *bytes =
        files_read(write_png(&(struct png_kind){PNG_COLOR_TYPE_RGB, 16, 0, false, 0}), &size);
    const size_t end = size - 12; /* of the pixels: then comes the chunk IEND */
    struct failure f;
    for (size_t cut = 0; cut < end; cut += cut < 64 || cut > end - 64 - 97 ? 1 : 97)
        image_refused(files_write("bad.png", bytes, cut), "", "");
    for (size_t cut = end; cut < size; cut++)
        assert_int_equal(files_try(files_write("bad.png", bytes, cut), &f), STATUS_OK);
    bytes[size - 1] ^= 1; /* the check sum of IEND */
    assert_int_equal(files_try(files_write("bad.png", bytes, size), &f), STATUS_OK);
    bytes[end - 1] ^= 1; /* and of the pixels */
    image_refused(files_write("bad.png", bytes, size), "bad PNG", "");
    bytes[end - 1] ^= 1;
    bytes[size / 2] ^= 0x10;
    image_refused(files_write("bad.png", bytes, size), "bad PNG", "");
    free(bytes);
}
#endif

#if defined(MAXPOOL_HAVE_JPEG)
/* ---- JPEG ----------------------------------------------------------------------------------- */

/* Blocks of 8 x 8 with one value each: at quality 100 the only coefficient is stored exactly. */
static uint8_t flat_blocks(int row, int col, int channel)
{
    return (uint8_t)(31 * (row / 8) + 17 * (col / 8) + 101 * channel);
}

/* Values that change slowly in two directions, as in a photograph. */
static uint8_t smooth(int row, int col, int channel)
{
    const double turn = 0.11 * row + 0.07 * col * (channel + 1);
    return (uint8_t)lrint(128 + 90 * sin(turn));
}

static const char *write_jpeg(const struct jpeg_picture *picture)
{
    const char *path = files_path("made.jpg");
    jpeg_make(path, picture);
    return path;
}

/* Reads the file and compares every element with the picture; differences may be at most `most`. */
static void check_jpeg(const struct jpeg_picture *picture, float most)
{
    struct source *s = image_open(write_jpeg(picture));
    struct image_shape h = source_shape(s);
    assert_true(h.planes == jpeg_channels(picture) && h.rows == picture->rows &&
                h.cols == picture->cols && !source_concurrent(s));
    struct image_facts facts;
    float *elements = image_whole(s, &facts);
    for (int64_t p = 0, i = 0; p < h.planes; p++)
        for (int r = 0; r < picture->rows; r++)
            for (int c = 0; c < picture->cols; c++, i++)
                assert_true(fabsf(elements[i] - (float)picture->sample(r, c, (int)p)) <= most);
    image_parts_match(s, elements);
    free(elements);
    source_close(s);
}

TEST(jpeg_known_answers)
{
    static const enum jpeg_scans scans[] = {JPEG_ONE_SCAN, JPEG_PROGRESSIVE};
    for (size_t i = 0; i < 2; i++) {
        check_jpeg(&(struct jpeg_picture){24, 72, JPEG_GRAY, scans[i], flat_blocks}, 0);
        check_jpeg(&(struct jpeg_picture){24, 72, JPEG_RGB, scans[i], flat_blocks}, 0);
        check_jpeg(&(struct jpeg_picture){21, 70, JPEG_GRAY, scans[i], smooth}, 1);
        check_jpeg(&(struct jpeg_picture){21, 70, JPEG_RGB, scans[i], smooth}, 1);
        check_jpeg(&(struct jpeg_picture){1, 1, JPEG_YCC, scans[i], flat_blocks}, 2);
    }
    check_jpeg(&(struct jpeg_picture){24, 72, JPEG_RGB, JPEG_SCAN_A_COMPONENT, flat_blocks}, 0);
}

/* Colour is stored at half the resolution, so that only constant parts are preserved: here, the
 * whole picture. */
static uint8_t flat(int row, int col, int channel)
{
    (void)row;
    (void)col;
    static const uint8_t colour[] = {200, 40, 90};
    return colour[channel];
}

TEST(jpeg_in_colour)
{
    check_jpeg(&(struct jpeg_picture){33, 50, JPEG_YCC, JPEG_ONE_SCAN, flat}, 1);
    check_jpeg(&(struct jpeg_picture){33, 50, JPEG_YCC, JPEG_PROGRESSIVE, flat}, 1);
}

static const struct jpeg_picture photo = {48, 64, JPEG_YCC, JPEG_ONE_SCAN, smooth};

TEST(jpeg_cut_anywhere)
{
    for (int progressive = 0; progressive < 2; progressive++) {
        struct jpeg_picture picture = photo;
        picture.scans = progressive ? JPEG_PROGRESSIVE : JPEG_ONE_SCAN;
        size_t size;
        unsigned char *bytes = files_read(write_jpeg(&picture), &size);
        struct failure f;
        assert_int_equal(files_try(files_write("cut.jpg", bytes, size), &f), STATUS_OK);
        for (size_t cut = 0; cut < size - 2; cut += cut < 700 ? 1 : 13)
            image_refused(files_write("cut.jpg", bytes, cut), "JPEG", "");
        image_refused(files_write("cut.jpg", bytes, size - 3), "JPEG", "");
        for (size_t cut = size - 2; cut < size; cut++) { /* all but the end marker is there */
            struct source *s = image_open(files_write("cut.jpg", bytes, cut));
            struct image_facts facts;
            free(image_whole(s, &facts));
            assert_non_null(strstr(source_note(s), "its end is missing, after its last pixel"));
            source_close(s);
        }
        free(bytes);
    }
}

/* Returns the offset of the frame header, SOF0. */
static size_t frame_of(const unsigned char *bytes, size_t size)
{
    size_t at = 0;
    while (at + 1 < size && !(bytes[at] == 0xff && bytes[at + 1] == 0xc0))
        at++;
    return at;
}

TEST(jpegs_that_are_refused)
{
    image_refused(files_write("bad.jpg", "GIF89a..", 8), "holds a GIF", "");
    image_refused(files_write("bad.jpg", "\1\2\3\4\5\6\7\10", 8), "bad JPEG: Not a JPEG", "");
    size_t size;
    unsigned char *bytes = files_read(write_jpeg(&photo), &size);
    const size_t frame = frame_of(bytes, size);
    bytes[frame + 5] = bytes[frame + 7] = 0xf0; /* 61,488 x 61,504 elements */
    image_refused(files_write("bad.jpeg", bytes, size), "cannot hold", "");
    bytes[frame + 5] = bytes[frame + 6] = 0;
    image_refused(files_write("bad.jpeg", bytes, size), "bad JPEG", "");
    free(bytes);
}

/* Bytes between the parts of a file are skipped; those before a part of the header are noted. (The
 * decoder has read those before the end of the image together with the last values.) */
TEST(jpeg_with_extraneous_bytes)
{
    size_t size;
    unsigned char *bytes = files_read(write_jpeg(&photo), &size), *longer = malloc(size + 3);
    assert_non_null(longer);
    struct image_facts facts;
    struct source *plain = image_open(files_write("plain.jpg", bytes, size));
    assert_null(source_note(plain));
    float *expected = image_whole(plain, &facts);
    source_close(plain);
    const size_t places[] = {frame_of(bytes, size), size - 2};
    for (size_t i = 0; i < 2; i++) {
        memcpy(longer, bytes, places[i]);
        memcpy(longer + places[i], "\x01\x02\x03", 3);
        memcpy(longer + places[i] + 3, bytes + places[i], size - places[i]);
        struct source *s = image_open(files_write("longer.jpg", longer, size + 3));
        float *elements = image_whole(s, &facts);
        assert_memory_equal(elements, expected, sizeof *elements * 3 * 48 * 64);
        if (i == 0)
            assert_non_null(strstr(source_note(s), "belong to no part of a JPEG"));
        free(elements);
        source_close(s);
    }
    free(expected);
    free(longer);
    free(bytes);
}

/* Without JFIF, Adobe's marker says whether colours are RGB (0) or YCbCr (1); another number would
 * make libjpeg guess all pixels. */
TEST(jpeg_of_unknown_colours)
{
    enum { NAME = 6, TRANSFORM = 17 }; /* places in the file */
    struct jpeg_picture picture = photo;
    picture.colours = JPEG_RGB;
    size_t size;
    unsigned char *bytes = files_read(write_jpeg(&picture), &size);
    assert_memory_equal(bytes + NAME, "Adobe", 5);
    for (unsigned char transform = 0; transform < 2; transform++) {
        bytes[TRANSFORM] = transform;
        struct source *s = image_open(files_write("adobe.jpg", bytes, size));
        assert_null(source_note(s));
        source_close(s);
    }
    bytes[TRANSFORM] = 3;
    image_refused(files_write("adobe.jpg", bytes, size), "bad JPEG", "color transform");
    free(bytes);
}

/* Four inks: an element is what its ink and black leave of the light. */
TEST(jpeg_of_inks)
{
    struct jpeg_picture picture = photo;
    picture.colours = JPEG_CMYK;
    struct source *s = image_open(write_jpeg(&picture));
    const struct image_shape shape = source_shape(s);
    assert_true(shape.planes == 3 && shape.rows == 48 && shape.cols == 64);
    struct image_facts facts;
    float *elements = image_whole(s, &facts);
    assert_true(facts.integers && facts.max_abs <= 255.0 && facts.max_abs > 0.0);
    image_parts_match(s, elements);
    assert_non_null(strstr(source_note(s), "CMYK is converted to RGB"));
    free(elements);
    source_close(s);
}

/* A camera's rotation is noted, in either byte order; broken Exif is not followed. */
TEST(jpeg_that_was_rotated)
{
    static const unsigned char little[] = "\xff\xe1\x00\x22"
                                          "Exif\0\0II*\0\x08\0\0\0\x01\0"
                                          "\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0",
                               big[] = "\xff\xe1\x00\x22"
                                       "Exif\0\0MM\0*\0\0\0\x08\0\x01"
                                       "\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0",
                               broken[] = "\xff\xe1\x00\x22"
                                          "Exif\0\0MM\0*\xff\xff\xff\xff\0\x01"
                                          "\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
    static const unsigned char *const segments[] = {little, big, broken};
    enum { SEGMENT = 36 };
    size_t size;
    unsigned char *bytes = files_read(write_jpeg(&photo), &size), *turned = malloc(size + SEGMENT);
    assert_non_null(turned);
    for (size_t i = 0; i < 3; i++) {
        memcpy(turned, bytes, 2);
        memcpy(turned + 2, segments[i], SEGMENT);
        memcpy(turned + 2 + SEGMENT, bytes + 2, size - 2);
        struct source *s = image_open(files_write("turned.jpg", turned, size + SEGMENT));
        if (i < 2)
            assert_non_null(strstr(source_note(s), "orientation 6) is not applied"));
        else
            assert_null(source_note(s));
        source_close(s);
    }
    free(turned);
    free(bytes);
}

/* The scan of the last component, repeated: each scan costs as much as an image. */
TEST(jpeg_of_many_scans)
{
    enum { COPIES = 600 };
    const struct jpeg_picture picture = {24, 72, JPEG_RGB, JPEG_SCAN_A_COMPONENT, flat_blocks};
    size_t size;
    unsigned char *bytes = files_read(write_jpeg(&picture), &size);
    size_t scan = size - 2; /* the end of the image is marked by two bytes */
    while (!(bytes[scan] == 0xff && bytes[scan + 1] == 0xda))
        scan--;
    const size_t length = size - 2 - scan;
    unsigned char *long_one = malloc(size + COPIES * length);
    assert_non_null(long_one);
    memcpy(long_one, bytes, scan);
    for (size_t i = 0; i <= COPIES; i++)
        memcpy(long_one + scan + i * length, bytes + scan, length);
    memcpy(long_one + scan + (COPIES + 1) * length, "\xff\xd9", 2);
    image_refused(files_write("scans.jpg", long_one, size + COPIES * length), "more than 500 scans",
                  "");
    memcpy(long_one + scan + 2 * length, "\xff\xd9", 2);
    struct failure f;
    assert_int_equal(files_try(files_write("scans.jpg", long_one, size + length), &f), STATUS_OK);
    free(long_one);
    free(bytes);
}
#endif

/* ---- the time that unpacking takes ----------------------------------------------------------- */

/* Reading ends with status 4 when the time limit is exceeded, and succeeds once the limit is
 * removed. */
static void check_limit(const char *path)
{
    struct source *s = image_open(path);
    struct image_shape h = source_shape(s);
    struct image_range all = {0, 0, h.rows, 0, h.cols};
    struct failure f = {STATUS_OK, ""};
    float *elements = malloc((size_t)(h.rows * h.cols) * sizeof *elements);
    assert_non_null(elements);
    assert_true(source_packed_bytes(s) > 0);
    source_limit(s, 1e-9);
    assert_int_equal(source_read(s, &all, elements, h.cols, NULL, &f), STATUS_RESOURCE);
    assert_non_null(strstr(f.message, "could not be unpacked within 1e-09 s"));
    source_limit(s, 0);
    assert_int_equal(source_read(s, &all, elements, h.cols, NULL, NULL), STATUS_OK);
    free(elements);
    source_close(s);
}

TEST(unpacking_takes_its_time_at_most)
{
    struct source *s = image_open(files_write("plain.txt", "1 2\n", 4));
    assert_int_equal(source_packed_bytes(s), 0);
    source_close(s);
    if (!files_lacking("any.nii.gz"))
        check_limit(DATA "brain_24_slices.nii.gz");
    if (!files_lacking("any.png"))
        check_limit(DATA "brain_axial.png");
#if defined(MAXPOOL_HAVE_PNG)
    check_limit(write_png(&(struct png_kind){PNG_COLOR_TYPE_RGB, 8, 1, false, 0}));
#endif
#if defined(MAXPOOL_HAVE_JPEG)
    check_limit(write_jpeg(&photo));
    check_limit(write_jpeg(&(struct jpeg_picture){48, 64, JPEG_YCC, JPEG_PROGRESSIVE, smooth}));
#endif
}

/* Without the library, files of its format are refused, with the reason (files_lacking holds
 * it). */
TEST(libraries_that_lack)
{
    files_lacking("any.jpg");
    files_lacking("any.jpeg");
    files_lacking("any.png");
}

const struct tests_group tests_group = {command_setup, command_teardown};
