/* Pictures as networks take them: resizing compared with Pillow's and PyTorch's, colours and
 * scales, folders and broken files in them. */
#include "harness/image/folder.h"
#include "harness/image/pictures.h"
#include "harness/image/resize.h"
#include "tests/support/files.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define CASES MAXPOOL_SOURCE_DIR "/tests/cases/pictures/"
#define DATA  MAXPOOL_SOURCE_DIR "/tests/data/"

/* Returns all elements of a source and closes it; the caller frees them. */
static float *elements_of(struct source *s, struct image_shape *shape)
{
    struct failure f = {0};
    *shape = source_shape(s);
    const int64_t elements = shape->rows * shape->cols;
    float *values = malloc((size_t)(shape->planes * elements) * sizeof *values);
    assert_non_null(values);
    for (int64_t plane = 0; plane < shape->planes; plane++) {
        const struct image_range all = {.plane = plane, .rows = shape->rows, .cols = shape->cols};
        if (source_read(s, &all, values + plane * elements, shape->cols, NULL, &f) != STATUS_OK)
            fail_msg("%s", f.message);
    }
    source_close(s);
    return values;
}

static float *file_elements(const char *path, struct image_shape *shape)
{
    struct failure f = {0};
    struct source *s;
    if (source_open_file(&s, path, &f) != STATUS_OK)
        fail_msg("%s", f.message);
    return elements_of(s, shape);
}

static float *picture_elements(const char *path, struct picture_form form,
                               struct image_shape *shape)
{
    struct failure f = {0};
    struct source *s;
    if (pictures_open(&s, path, &form, false, &f) != STATUS_OK)
        fail_msg("%s", f.message);
    return elements_of(s, shape);
}

/* Bit for bit. */
TEST(planes_are_resized_as_pillow_does)
{
    static const char *const names[] = {"23x31_7x12", "5x4_11x13", "40x6_9x17", "16x15_15x14",
                                        "9x8_1x1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[512];
        struct image_shape in, out;
        struct resize_axis rows, cols;
        struct failure f = {0};
        snprintf(path, sizeof path, CASES "plane_%s.in.npy", names[i]);
        float *from = file_elements(path, &in);
        snprintf(path, sizeof path, CASES "plane_%s.out.npy", names[i]);
        float *expected = file_elements(path, &out);
        float *resized = malloc((size_t)out.cols * sizeof *resized);
        double *made = calloc((size_t)(out.rows * out.cols), sizeof *made);
        assert_int_equal(resize_axis_make(&rows, in.rows, out.rows, &f), STATUS_OK);
        assert_int_equal(resize_axis_make(&cols, in.cols, out.cols, &f), STATUS_OK);
        assert_true(resized && made);
        for (int64_t r = 0; r < in.rows; r++) {
            resize_row(&cols, from + r * in.cols, resized);
            resize_add_row(&rows, r, resized, out.cols, made);
        }
        for (int64_t c = 0; c < out.rows * out.cols; c++)
            if ((float)made[c] != expected[c])
                fail_msg("%s, element %lld: %.9g, not %.9g", names[i], (long long)c, made[c],
                         (double)expected[c]);
        resize_axis_release(&rows);
        resize_axis_release(&cols);
        free(from);
        free(expected);
        free(resized);
        free(made);
    }
}

/* A picture is read on demand, so that reading parts gives the same elements as reading all. */
TEST(pictures_are_what_torchvision_makes)
{
    static const char *const names[] = {"colour", "gray16"};
    const struct picture_form form = {3, 16, 18, false, false};
    if (files_lacking("x.png"))
        skip();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[512];
        struct image_shape shape, expected_shape;
        double largest = 0.0;
        snprintf(path, sizeof path, CASES "%s.out.npy", names[i]);
        float *expected = file_elements(path, &expected_shape);
        snprintf(path, sizeof path, CASES "%s.png", names[i]);
        float *made = picture_elements(path, form, &shape);
        assert_int_equal(shape.planes, 3);
        assert_int_equal(shape.rows, 16);
        assert_int_equal(shape.cols, 18);
        const int64_t elements = shape.planes * shape.rows * shape.cols;
        for (int64_t c = 0; c < elements; c++)
            largest = fmax(largest, fabs((double)expected[c]));
        for (int64_t c = 0; c < elements; c++)
            if (!(fabs((double)made[c] - (double)expected[c]) <= 2e-6 * largest))
                fail_msg("%s, element %lld: %.9g, not %.9g", names[i], (long long)c, made[c],
                         (double)expected[c]);
        free(expected);
        free(made);
    }
}

/* One channel: no ImageNet normalization, but the luma of a colour picture; the size is kept, so
 * that no pixels are mixed. */
TEST(one_channel_is_luma)
{
    struct image_shape shape, planes;
    if (files_lacking("x.png"))
        skip();
    float *colours = file_elements(CASES "colour.png", &planes);
    const int64_t elements = planes.rows * planes.cols;
    float *made =
        picture_elements(CASES "colour.png",
                         (struct picture_form){1, planes.rows, planes.cols, false, false}, &shape);
    assert_int_equal(planes.planes, 3);
    assert_int_equal(shape.planes, 1);
    for (int64_t i = 0; i < elements; i++) {
        const double luma = 0.299 * (double)colours[i] + 0.587 * (double)colours[elements + i] +
                            0.114 * (double)colours[2 * elements + i];
        assert_true(fabs((double)made[i] - luma / 255.0) < 1e-6);
    }
    free(colours);
    free(made);
}

/* ---- folders --------------------------------------------------------------------------------- */

/* Copies a file into the test's folder `pics`. */
static void copy_to(const char *from, const char *name)
{
    char to[64];
    size_t size;
    snprintf(to, sizeof to, "pics/%s", name);
    unsigned char *bytes = files_read(from, &size);
    files_write(to, bytes, size);
    free(bytes);
}

static enum status open_pics(struct source **s, struct failure *f)
{
    const struct picture_form form = {3, 8, 9, false, false};
    *f = (struct failure){0};
    return pictures_open(s, files_path("pics"), &form, false, f);
}

static void remove_pic(const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "pics/%s", name);
    assert_int_equal(remove(files_path(path)), 0);
}

TEST(a_folder_is_read_in_order_of_name)
{
    struct failure f;
    struct source *s;
    struct image_shape shape, one;
    if (files_lacking("x.png"))
        skip();
    assert_int_equal(mkdir(files_path("pics"), 0700), 0);
    assert_int_equal(open_pics(&s, &f), STATUS_USAGE);
    assert_non_null(strstr(f.message, "no .png, .jpg or .jpeg is in this folder"));
    copy_to(DATA "brain_sagittal.png", "b.png");
    copy_to(DATA "brain_axial.png", "a10.PNG");
    copy_to(CASES "colour.png", "a9.png");
    copy_to(CASES "README.md", "README.md");
    assert_int_equal(open_pics(&s, &f), STATUS_OK);
    assert_int_equal(source_batch(s), 3);
    assert_non_null(strstr(pictures_name(s, 0), "pics/a10.PNG"));
    assert_non_null(strstr(pictures_name(s, 1), "pics/a9.png"));
    assert_non_null(strstr(pictures_name(s, 2), "pics/b.png"));
    assert_null(pictures_name(s, 3));
    float *all = elements_of(s, &shape);
    assert_int_equal(shape.planes, 9);
    float *second =
        picture_elements(CASES "colour.png", (struct picture_form){3, 8, 9, false, false}, &one);
    assert_memory_equal(all + 3 * 8 * 9, second, 3 * 8 * 9 * sizeof(float));
    free(all);
    free(second);
    remove_pic("README.md");
    remove_pic("b.png");
    remove_pic("a9.png");
}

/* A file without a valid header is named when the folder is opened; a truncated one when it is
 * read. */
TEST(a_broken_picture_is_named)
{
    struct failure f;
    struct source *s;
    size_t size;
    float elements[8 * 9];
    if (files_lacking("x.png"))
        skip();
    files_write("pics/m.png", "no picture", 10);
    assert_int_equal(open_pics(&s, &f), STATUS_USAGE);
    assert_non_null(strstr(f.message, "pics/m.png: not a PNG file"));
    unsigned char *bytes = files_read(DATA "brain_axial.png", &size);
    files_write("pics/m.png", bytes, size / 2);
    free(bytes);
    assert_int_equal(open_pics(&s, &f), STATUS_OK);
    const struct image_range good = {.plane = 0, .rows = 8, .cols = 9};
    const struct image_range bad = {.plane = 3, .rows = 8, .cols = 9};
    assert_int_equal(source_read(s, &good, elements, 9, NULL, &f), STATUS_OK);
    assert_int_equal(source_read(s, &bad, elements, 9, NULL, &f), STATUS_USAGE);
    assert_non_null(strstr(f.message, "pics/m.png: bad PNG"));
    assert_int_equal(source_read(s, &good, elements, 9, NULL, &f), STATUS_OK);
    source_close(s);
    remove_pic("m.png");
    remove_pic("a10.PNG");
}

/* With --gray a picture has its luma in every channel, each normalised as that channel is. */
TEST(a_gray_picture_has_equal_channels)
{
    struct image_shape shape, one;
    if (files_lacking("x.png"))
        skip();
    static const float mean[3] = {0.485f, 0.456f, 0.406f};
    static const float deviation[3] = {0.229f, 0.224f, 0.225f};
    float *three =
        picture_elements(CASES "colour.png", (struct picture_form){3, 8, 9, .gray = true}, &shape);
    float *luma =
        picture_elements(CASES "colour.png", (struct picture_form){1, 8, 9, false, false}, &one);
    assert_int_equal(shape.planes, 3);
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < 8 * 9; i++)
            assert_true(three[c * 8 * 9 + i] == (luma[i] - mean[c]) / deviation[c]);
    free(three);
    free(luma);
}

/* Planes of a volume, scaled such that white is 1. */
TEST(planes_are_pictures_too)
{
    struct failure f = {0};
    struct source *s;
    struct image_shape shape;
    static const float elements[2 * 4] = {0.0f, 51.0f, 102.0f, 153.0f, 204.0f, 255.0f, 1.0f, 2.0f};
    float *values = malloc(sizeof elements);
    assert_non_null(values);
    memcpy(values, elements, sizeof elements);
    const struct picture_form form = {1, 2, 2, false, false};
    assert_int_equal(source_open_memory(&s, (struct image_shape){2, 2, 2}, values, "planes", &f),
                     STATUS_OK);
    assert_int_equal(pictures_of_planes(&s, 3, 255.0, &form, &f), STATUS_USAGE);
    assert_int_equal(pictures_of_planes(&s, 2, 255.0, &form, &f), STATUS_OK);
    assert_int_equal(source_batch(s), 2);
    float *made = elements_of(s, &shape);
    for (int i = 0; i < 8; i++)
        assert_true(made[i] == elements[i] / 255.0f);
    free(made);
}

const struct tests_group tests_group = {command_setup, command_teardown};
