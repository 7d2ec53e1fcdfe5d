/* Data sets: each one that is saved is read back unchanged, with classes and values, vectors and
 * images; and a fault in either file is noticed. */
#include "networks/data/data.h"
#include "tests/support/files.h"
#include "tests/support/unit_test.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A data set: its name, and the network's input and outputs. */
struct kind {
    const char *name;
    struct tensor_shape input;
    int64_t outputs;
};

static const struct kind kinds[] = {{"brain_planes", {1, 32, 32}, 3},
                                    {"solar", {50, 1, 1}, 1},
                                    {"random", {7, 1, 1}, 1},
                                    {"random", {2, 5, 3}, 4}};

static struct data_request request_of(const struct kind *k)
{
    return (struct data_request){
        .name = k->name, .input = k->input, .outputs = k->outputs, .batch = 6, .seed = 35};
}

static bool same_samples(const struct data *d, const struct data *again)
{
    const struct data_part *one = &d->parts[DATA_TRAIN], *two = &again->parts[DATA_TRAIN];
    const size_t images = (size_t)(one->count * tensor_elements(d->shape)) * sizeof(float);
    const size_t targets = (size_t)one->count * sizeof(float);
    if (one->count != two->count || memcmp(one->images, two->images, images) != 0)
        return false;
    return d->classes ? memcmp(one->labels, two->labels, targets) == 0
                      : memcmp(one->values, two->values, targets) == 0;
}

static void expect_read_again(const struct kind *k)
{
    struct failure f = {0};
    struct data d, again;
    struct data_request request = request_of(k);
    char prefix[PATH_MAX], images[PATH_MAX + 16], targets[PATH_MAX + 16];
    snprintf(prefix, sizeof prefix, "%s", files_path("saved"));
    snprintf(images, sizeof images, "%s.images.npy", prefix);
    snprintf(targets, sizeof targets, "%s.targets.npy", prefix);
    assert_int_equal(data_open(&d, &request, &f), STATUS_OK);
    assert_int_equal(data_save(&d, prefix, &f), STATUS_OK);
    request.name = images;
    request.labels = targets;
    assert_int_equal(data_open(&again, &request, &f), STATUS_OK);
    assert_true(same_samples(&d, &again));
    struct data_part *p = &again.parts[DATA_TRAIN];
    p->images[p->count * tensor_elements(d.shape) - 1] += 1.0f;
    assert_false(same_samples(&d, &again));
    data_release(&again);
    data_release(&d);
}

TEST(saved_samples_are_read_again)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        expect_read_again(&kinds[i]);
}

/* The number of pixels of an image is fixed, so other images must not be taken for it. */
TEST(brain_planes_of_another_size_are_refused)
{
    static const unsigned char pixels[5 * 31 * 32];
    struct failure f = {0};
    struct data d;
    const struct data_request request = request_of(&kinds[0]);
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s/brain_planes", files_path(""));
    assert_int_equal(mkdir(folder, 0700), 0);
    files_npy("brain_planes/train_images.npy", 1,
              "{'descr': '|u1', 'fortran_order': False, 'shape': (5, 1, 31, 32), }", pixels,
              sizeof pixels);
    setenv("MAXPOOL_DATA", "/nowhere", 1);
    assert_int_equal(data_open(&d, &request, &f), STATUS_USAGE);
    assert_string_equal(f.message, "MAXPOOL_DATA=/nowhere: brain_planes/train_images.npy cannot be "
                                   "read: No such file or directory");
    data_release(&d);
    f = (struct failure){0};
    setenv("MAXPOOL_DATA", files_path(""), 1);
    assert_int_equal(data_open(&d, &request, &f), STATUS_USAGE);
    unsetenv("MAXPOOL_DATA");
    assert_non_null(strstr(f.message, "train_images.npy: its images have 31 x 32 pixels"));
    data_release(&d);
}

/* ---- a folder of pictures ------------------------------------------------------------------- */

enum { FOLDER_CLASSES = 3, OF_A_CLASS = 124, FOLDER_ALL = FOLDER_CLASSES * OF_A_CLASS };

/* Writes 2 x 2 gray pictures whose last two values tell class and number: black and white beside
 * them keep the file's scale. The classes are 124 pictures each, 372 as the tesina has. */
static void write_folder(const char *root)
{
    static const char *const names[FOLDER_CLASSES] = {"functional", "anatomical", "metaanalytic"};
    struct failure f = {0};
    char path[2 * PATH_MAX], note[80];
    assert_int_equal(mkdir(root, 0700), 0);
    for (int64_t c = 0; c < FOLDER_CLASSES; c++) {
        snprintf(path, sizeof path, "%s/%s", root, names[c]);
        assert_int_equal(mkdir(path, 0700), 0);
        for (int64_t i = 0; i < OF_A_CLASS; i++) {
            const float pixels[4] = {0.0f, 255.0f, (float)c, (float)i};
            snprintf(path, sizeof path, "%s/%s/%lld.png", root, names[c], (long long)i);
            assert_int_equal(
                sink_write(path, (struct image_shape){1, 2, 2}, pixels, note, sizeof note, &f),
                STATUS_OK);
        }
    }
}

static struct data_request request_of_folder(const char *root)
{
    return (struct data_request){.name = root,
                                 .input = {1, 2, 2},
                                 .outputs = 4,
                                 .batch = 6,
                                 .seed = 35,
                                 .validation_share = 0.1,
                                 .test_share = 99.0 / FOLDER_ALL};
}

/* Checks that the parts have these sizes, and every picture at most once, under its class. */
static void expect_parts(const struct data *d, const int64_t counts[DATA_PARTS])
{
    static const int32_t label_of[FOLDER_CLASSES] = {1, 0, 2}; /* in the order of names */
    bool seen[FOLDER_CLASSES][OF_A_CLASS] = {{false}};
    const int64_t elements = tensor_elements(d->shape);
    for (int part = 0; part < DATA_PARTS; part++) {
        assert_int_equal(d->parts[part].count, counts[part]);
        for (int64_t i = 0; i < counts[part]; i++) {
            const float *image = d->parts[part].images + i * elements;
            const int64_t c = (int64_t)(image[2] * 255.0f + 0.5f);
            const int64_t n = (int64_t)(image[3] * 255.0f + 0.5f);
            assert_true(image[0] == 0.0f && image[1] == 1.0f);
            assert_in_range(c, 0, FOLDER_CLASSES - 1);
            assert_in_range(n, 0, OF_A_CLASS - 1);
            assert_false(seen[c][n]);
            seen[c][n] = true;
            assert_int_equal(d->parts[part].labels[i], label_of[c]);
            for (int64_t plane = 1; plane < d->shape.channels; plane++)
                assert_memory_equal(image, image + 4 * plane, 4 * sizeof *image);
        }
    }
}

TEST(a_folder_is_divided_by_its_seed)
{
    static const int64_t tesina[DATA_PARTS] = {245, 28, 99}, few[DATA_PARTS] = {7, 0, 2};
    struct failure f = {0};
    struct data d, again, other;
    char root[PATH_MAX];
    if (files_lacking("x.png"))
        return;
    snprintf(root, sizeof root, "%s", files_path("pictures"));
    write_folder(root);
    struct data_request request = request_of_folder(root);
    assert_int_equal(data_open(&d, &request, &f), STATUS_OK);
    expect_parts(&d, tesina);
    assert_int_equal(d.named, FOLDER_CLASSES);
    assert_string_equal(d.class_names[0], "anatomical");
    assert_string_equal(d.class_names[2], "metaanalytic");
    assert_int_equal(data_open(&again, &request, &f), STATUS_OK);
    assert_true(same_samples(&d, &again));
    data_release(&again);
    request.seed = 36;
    request.input.channels = 3; /* gray in every channel, values still 0 .. 1 */
    assert_int_equal(data_open(&other, &request, &f), STATUS_OK);
    expect_parts(&other, tesina);
    assert_int_not_equal(
        memcmp(d.parts[DATA_TRAIN].labels, other.parts[DATA_TRAIN].labels, 245 * sizeof(int32_t)),
        0);
    data_release(&other);
    data_release(&d);
    request.split = "7,0,2";
    request.validation_share = request.test_share = 0.0;
    assert_int_equal(data_open(&d, &request, &f), STATUS_OK);
    expect_parts(&d, few);
    data_release(&d);
}

static void expect_refused(const struct data_request *request, const char *why)
{
    struct failure f = {0};
    struct data d;
    assert_int_equal(data_open(&d, request, &f), STATUS_USAGE);
    if (!strstr(f.message, why))
        fail_msg("'%s' is not in '%s'", why, f.message);
    data_release(&d);
}

TEST(folders_that_do_not_fit_are_refused)
{
    char root[PATH_MAX], path[PATH_MAX + 16];
    if (files_lacking("x.png"))
        return;
    snprintf(root, sizeof root, "%s", files_path("pictures")); /* of the test before */
    struct data_request request = request_of_folder(root);
    request.outputs = 2;
    expect_refused(&request, "3 classes, where the network has 2 outputs");
    request.outputs = 1;
    expect_refused(&request, "one output, and no classes");
    request = request_of_folder(root);
    request.input = (struct tensor_shape){50, 1, 1};
    expect_refused(&request, "takes vectors, not pictures");
    request = request_of_folder(root);
    request.labels = "x.npy";
    expect_refused(&request, "a subfolder is a class");
    request.labels = NULL;
    request.split = "300,50,22";
    expect_refused(&request, "excludes --validation-share");
    request.validation_share = request.test_share = 0.0;
    request.split = "300,50,23";
    expect_refused(&request, "has 372 pictures");
    static const char *const splits[] = {"0,1,1", "1,1",    "1,1,1,1", "1,-1,1",
                                         "a,b,c", "1,1,1x", ""};
    for (size_t i = 0; i < sizeof splits / sizeof *splits; i++) {
        request.split = splits[i];
        expect_refused(&request, "images for training, validation and test, such as 245,28,99");
    }
    request = request_of_folder(root);
    snprintf(path, sizeof path, "%s/empty", root);
    assert_int_equal(mkdir(path, 0700), 0);
    expect_refused(&request, "/empty: no .png, .jpg or .jpeg is in this folder");
    request.name = path;
    expect_refused(&request, "it has 0 subfolders with pictures");
    request.name = "random";
    expect_refused(&request, "divide a folder of pictures; --data random is none");
    request = request_of_folder("nowhere");
    request.validation_share = request.test_share = 0.0;
    expect_refused(&request, "--data nowhere: No such file or directory; it is a folder");
}

/* A share that is asked for leaves at least one picture in its part: 372 pictures, and 371 of them
 * without the test. */
TEST(shares_without_a_picture_are_refused)
{
    char root[PATH_MAX];
    struct failure f = {0};
    struct data d;
    if (files_lacking("x.png"))
        return;
    snprintf(root, sizeof root, "%s", files_path("shares"));
    write_folder(root);
    struct data_request request = request_of_folder(root);
    request.test_share = 1.0 / FOLDER_ALL;
    request.validation_share = 1.0 / (FOLDER_ALL - 1);
    assert_int_equal(data_open(&d, &request, &f), STATUS_OK);
    expect_parts(&d, (const int64_t[DATA_PARTS]){FOLDER_ALL - 2, 1, 1});
    data_release(&d);
    request.validation_share = 1e-12;
    expect_refused(&request, "--validation-share 1e-12: --data ");
    expect_refused(&request, "it is less than one of 371 pictures");
    request.validation_share = 0.0;
    request.test_share = 1e-12;
    expect_refused(&request, "--test-share 1e-12: --data ");
    expect_refused(&request, "it is less than one of 372 pictures");
}

/* The message names the option, the file and what is wrong with it. */
TEST(files_that_are_no_pictures_are_refused)
{
    static const char bytes[] = "no picture";
    char root[PATH_MAX], path[PATH_MAX + 64], said[2 * PATH_MAX];
    if (files_lacking("x.png"))
        return;
    snprintf(root, sizeof root, "%s", files_path("shares")); /* of the test before */
    struct data_request request = request_of_folder(root);
    snprintf(path, sizeof path, "shares/anatomical/7.png");
    files_write(path, bytes, sizeof bytes);
    snprintf(said, sizeof said, "--data: %s/anatomical/7.png: not a PNG file", root);
    expect_refused(&request, said);
    snprintf(path, sizeof path, "%s/metaanalytic/none", root);
    assert_int_equal(mkdir(path, 0700), 0); /* beside pictures, a folder is no class */
    expect_refused(&request, said);
    snprintf(path, sizeof path, "%s/without", root);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(said, sizeof said, "--data: %s/without: no .png, .jpg or .jpeg is in this folder",
             root);
    expect_refused(&request, said);
}

/* --split takes so many samples of each part of brain_planes, all of them from that part. */
TEST(parts_keep_their_samples)
{
    static const int64_t counts[DATA_PARTS] = {245, 28, 99};
    struct failure f = {0};
    struct data all, some;
    struct data_request request = request_of(&kinds[0]);
    assert_int_equal(data_open(&all, &request, &f), STATUS_OK);
    request.split = "245,28,99";
    assert_int_equal(data_open(&some, &request, &f), STATUS_OK);
    assert_string_equal(some.class_names[1], "coronal");
    const int64_t elements = tensor_elements(all.shape);
    for (int part = 0; part < DATA_PARTS; part++) {
        const struct data_part *from = &all.parts[part], *p = &some.parts[part];
        int64_t at = 0;
        assert_int_equal(p->count, counts[part]);
        for (int64_t i = 0; i < p->count; i++, at++) {
            while (at < from->count &&
                   (memcmp(from->images + at * elements, p->images + i * elements,
                           (size_t)elements * sizeof(float)) != 0 ||
                    from->labels[at] != p->labels[i]))
                at++;
            assert_true(at < from->count);
        }
        assert_true(at != p->count || p->count == from->count); /* not just the first ones */
    }
    data_release(&some);
    data_release(&all);
    request.split = "541,0,0";
    expect_refused(&request, "has 540 images for training");
    request.name = "solar";
    request.input = (struct tensor_shape){50, 1, 1};
    request.outputs = 1;
    expect_refused(&request, "have no classes");
}

const struct tests_group tests_group = {command_setup, command_teardown};
