/* Data sets: each one that is saved is read back unchanged, with classes and values, vectors and
 * images; and a fault in either file is noticed. */
#include "networks/data/data.h"
#include "tests/support/files.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

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

static void saved_samples_are_read_again(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        expect_read_again(&kinds[i]);
}

/* The number of pixels of an image is fixed, so other images must not be taken for it. */
static void brain_planes_of_another_size_are_refused(void **state)
{
    (void)state;
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
    setenv("MAXPOOL_DATA", files_path(""), 1);
    assert_int_equal(data_open(&d, &request, &f), STATUS_USAGE);
    unsetenv("MAXPOOL_DATA");
    assert_non_null(strstr(f.message, "train_images.npy: its images have 31 x 32 pixels"));
    data_release(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(saved_samples_are_read_again),
                                       cmocka_unit_test(brain_planes_of_another_size_are_refused)};
    return cmocka_run_group_tests(tests, command_setup, command_teardown);
}
