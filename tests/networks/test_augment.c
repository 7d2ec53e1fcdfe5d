/* Augmented images: the meaning of the option's text; pixels that are bitwise copies if nothing is
 * rotated; angles and shifts that stay within the requested range and use all of it. */
#include "networks/data/augment.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 9, COLS = 7, CHANNELS = 2, PIXELS = CHANNELS * ROWS * COLS, DRAWS = 600 };

static const struct tensor_shape shape = {CHANNELS, ROWS, COLS};
static float image[PIXELS], out[PIXELS], again[PIXELS];

static int number_image(NO_STATE)
{
    for (int i = 0; i < PIXELS; i++)
        image[i] = (float)(i + 1) + 0.1f;
    return 0;
}

static struct augmented sample(int64_t i)
{
    return (struct augmented){35, i / 50, i % 50};
}

/* Returns the pixel at this place, or 0 outside the image. */
static float pixel(int channel, int row, int col)
{
    return row >= 0 && row < ROWS && col >= 0 && col < COLS
               ? image[(channel * ROWS + row) * COLS + col]
               : 0.0f;
}

/* True if `out` is the image moved by (down, right) and then, if `mirrored`, mirrored. */
static bool is_moved(int down, int right, bool mirrored)
{
    for (int p = 0; p < CHANNELS; p++)
        for (int r = 0; r < ROWS; r++)
            for (int c = 0; c < COLS; c++) {
                const int col = c + right, from = mirrored ? COLS - 1 - col : col;
                if (!(out[(p * ROWS + r) * COLS + c] == pixel(p, r + down, from)))
                    return false;
            }
    return true;
}

/* ---- the option ------------------------------------------------------------------------------ */

static void expect(const char *text, double rotate, double flip, int64_t crop)
{
    struct augmentation a;
    struct failure f = {0};
    assert_int_equal(augmentation_parse(text, shape, &a, &f), STATUS_OK);
    if (!(a.rotate == rotate && a.flip == flip && a.crop == crop))
        fail_msg("'%s' is read as rotate %g, flip %g, crop %lld", text ? text : "", a.rotate,
                 a.flip, (long long)a.crop);
}

TEST(test_texts)
{
    expect(NULL, 0, 0, 0);
    expect("none", 0, 0, 0);
    expect("rotate", 5, 0, 0);
    expect("flip", 0, 0.5, 0);
    expect("crop", 0, 0, 2);
    expect("crop=3,rotate=12.5,flip=1", 12.5, 1, 3);
    expect("rotate,flip,crop", 5, 0.5, 2);
}

TEST(test_texts_that_are_wrong)
{
    static const struct {
        const char *text, *words;
    } cases[] = {{"shear", "'shear' is none of rotate, flip and crop"},
                 {"", "'' is none of"},
                 {"flip,", "'' is none of"},
                 {"rotat=5", "'rotat=5' is none of"},
                 {"flip=2", "flip takes a number from 0 to 1"},
                 {"flip=", "flip takes"},
                 {"flip=nan", "flip takes"},
                 {"rotate=-1", "rotate takes a number from 0 to 180"},
                 {"rotate=5x", "rotate takes"},
                 {"rotate=1e999", "rotate takes"},
                 {"crop=1.5", "crop takes a whole number"},
                 {"crop=8", "a crop of 8 pixels is larger than images of 9 x 7"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct augmentation a;
        struct failure f = {0};
        if (augmentation_parse(cases[i].text, shape, &a, &f) != STATUS_USAGE ||
            !strstr(f.message, cases[i].words))
            fail_msg("'%s' is refused as '%s'", cases[i].text, f.message);
    }
}

/* ---- images ---------------------------------------------------------------------------------- */

TEST(test_the_same_draw_is_the_same_image)
{
    const struct augmentation a = {5.0, 0.5, 2};
    int alike = 0;
    for (int64_t i = 0; i < DRAWS; i++) {
        augment_image(&a, shape, sample(i), image, out);
        augment_image(&a, shape, sample(i), image, again);
        assert_memory_equal(out, again, sizeof out);
        augment_image(&a, shape, sample(i + 1), image, again);
        alike += memcmp(out, again, sizeof out) == 0;
        augment_image(&a, shape, (struct augmented){36, i / 50, i % 50}, image, again);
        alike += memcmp(out, again, sizeof out) == 0;
    }
    assert_int_equal(alike, 0);
}

TEST(test_mirror_images)
{
    int mirrored = 0;
    for (int64_t i = 0; i < DRAWS; i++) {
        augment_image(&(struct augmentation){.flip = 1.0}, shape, sample(i), image, out);
        assert_true(is_moved(0, 0, true));
        augment_image(&(struct augmentation){.flip = 0.5}, shape, sample(i), image, out);
        assert_true(is_moved(0, 0, true) || is_moved(0, 0, false));
        mirrored += is_moved(0, 0, true);
    }
    assert_in_range(mirrored, DRAWS / 2 - 60, DRAWS / 2 + 60); /* 4.9 standard deviations */
}

/* Every possible position of a crop occurs, and no other. */
TEST(test_crops)
{
    enum { CROP = 2, PLACES = 2 * CROP + 1 };
    int taken[PLACES][PLACES] = {{0}}, all = 0;
    for (int64_t i = 0; i < DRAWS; i++) {
        augment_image(&(struct augmentation){.crop = CROP}, shape, sample(i), image, out);
        for (int down = -CROP; down <= CROP; down++)
            for (int right = -CROP; right <= CROP; right++)
                taken[down + CROP][right + CROP] += is_moved(down, right, false);
    }
    for (int i = 0; i < PLACES * PLACES; i++) {
        assert_in_range(taken[i / PLACES][i % PLACES], 4, 50); /* 24 expected, 4.8 deviations */
        all += taken[i / PLACES][i % PLACES];
    }
    assert_int_equal(all, DRAWS);
}

TEST(test_a_crop_of_a_mirror_image)
{
    for (int64_t i = 0; i < DRAWS; i++) {
        int found = 0;
        augment_image(&(struct augmentation){.flip = 1.0, .crop = 1}, shape, sample(i), image, out);
        for (int place = 0; place < 9; place++)
            found += is_moved(place / 3 - 1, place % 3 - 1, true);
        assert_int_equal(found, 1);
    }
}

/* Rotates a bright square next to the middle. Its centre of mass keeps its distance from the middle
 * and turns by at most the requested angle, in both directions. Bilinear interpolation preserves
 * the mass and this centre, except for the curvature of its neighbourhood. */
TEST(test_rotations)
{
    enum { SIDE = 33, MIDDLE = SIDE / 2, ARM = 10 };
    static float spot[SIDE * SIDE], turned[SIDE * SIDE];
    const struct tensor_shape square = {1, SIDE, SIDE};
    const struct augmentation a = {.rotate = 30.0};
    double least = 0.0, most = 0.0;
    for (int r = -2; r <= 2; r++)
        for (int c = -2; c <= 2; c++)
            spot[(MIDDLE + r) * SIDE + MIDDLE + ARM + c] = 1.0f;
    for (int64_t i = 0; i < DRAWS; i++) {
        double mass = 0.0, row = 0.0, col = 0.0;
        augment_image(&a, square, sample(i), spot, turned);
        for (int k = 0; k < SIDE * SIDE; k++) {
            mass += turned[k];
            row += (double)turned[k] * (k / SIDE - MIDDLE);
            col += (double)turned[k] * (k % SIDE - MIDDLE);
        }
        const double angle = atan2(row, col) * 180.0 / 3.14159265358979323846;
        assert_true(fabs(mass - 25.0) < 1.0);
        assert_true(fabs(hypot(row, col) / mass - ARM) < 0.2);
        least = fmin(least, angle);
        most = fmax(most, angle);
    }
    assert_true(least > -30.5 && least < -28.0);
    assert_true(most < 30.5 && most > 28.0);
}

TEST(test_hashes)
{
    const struct augmentation different[] = {{0},           {5.0, 0.0, 0}, {0.0, 0.5, 0},
                                             {0.0, 0.0, 2}, {5.0, 0.5, 2}, {5.0, 0.5, 3},
                                             {6.0, 0.5, 2}};
    const size_t count = sizeof different / sizeof *different;
    assert_true(augmentation_hash(&different[0]) == 0);
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count; k++)
            assert_true(augmentation_hash(&different[i]) != augmentation_hash(&different[k]));
}

const struct tests_group tests_group = {number_image, NULL};
