/* The network programs as a user meets them: exit status and message of every error, what is
 * reported, recorded and written, and equal outputs for any number of threads. */
#include "tests/support/files.h"
#include "tests/support/unit_test.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Options that keep every command short. */
#define BRIEF " --samples 1 --warmup 0 "

static void test_refusals(NO_STATE)
{
    expect_refusal("./network_serial", 2, "which network? give --network");
    expect_refusal("./network_serial --network lenet", 2, "there is no 'lenet'");
    expect_refusal("./network_serial --network resnet81", 2, "did you mean 'resnet18'?");
    expect_refusal("./network_serial --network solar_cnn -n 50", 2, "--size does not apply here");
    expect_refusal("./network_serial --network solar_cnn -t 2", 2, "--threads does not apply");
    expect_refusal("./maxpool_serial --network solar_cnn", 2, "measures an operator");
    expect_refusal("./network_serial --network solar_cnn --batch 0", 2,
                   "batch must be at least 1, not 0");
    expect_refusal("./network_serial --network solar_cnn --conv sideways", 2,
                   "there is no 'sideways'");
    expect_refusal("./network_serial --network resnet18 --image-size 0", 2, "at least 1, not 0");
    expect_refusal("./network_serial --network solar_cnn --image-size 5", 2,
                   "pool: a window of 2 x 2 does not fit 1 x 1");
    expect_refusal("./network_serial --network mlp:50 --image-size 9", 2, "takes vectors");
    expect_refusal("./network_serial --network resnet18 --batch 100000000", 4,
                   "outputs of all layers");
    expect_refusal("./network_serial --network resnet18 --batch 9000000000000000000", 4,
                   "cannot be counted");
    expect_refusal("./network_serial --network solar_cnn --weights /dev/null/x", 2, "/dev/null/x");
    expect_refusal("./network_serial --network mlp:50 --save /dev/null/x", 5, "/dev/null/x");
    expect_refusal("./network_serial --network mlp:50 --input /nonexistent.npy", 2, "nonexistent");
}

/* A number in the last row of a method; NAN if its column is empty. */
static double number_of(const struct outcome *o, const char *method, const char *name)
{
    char cell[CELL_BYTES];
    command_cell(o->out, method, name, cell);
    return cell[0] ? strtod(cell, NULL) : NAN;
}

/* Errors are those of each layer relative to its own inputs, and those of the outputs relative to
 * double precision throughout, which are no smaller. Exact results have no errors; without
 * verification the errors are unknown. */
static void test_errors_are_recorded(NO_STATE)
{
    static const char *const ways[] = {"full", "sampled"};
    char layer[CELL_BYTES];
    for (int i = 0; i < 2; i++) {
        struct outcome o = command_done("./network_serial --network resnet18 --image-size 33 "
                                        "--verify %s --format csv" BRIEF,
                                        ways[i]);
        command_cell(o.out, "auto", "error_layer", layer);
        assert_true(strlen(layer) > 0);
        assert_true(number_of(&o, "auto", "error_bound_max") > 0.0 &&
                    number_of(&o, "auto", "error_bound_max") < 1.0);
        assert_true(number_of(&o, "auto", "error_bound_rms") <
                    number_of(&o, "auto", "error_bound_max"));
        assert_true(number_of(&o, "auto", "error_ulps_rms") > 0.1 &&
                    number_of(&o, "auto", "error_ulps_rms") < 10.0);
        assert_true(number_of(&o, "auto", "error_ulps_max") >
                    number_of(&o, "auto", "error_ulps_rms"));
        assert_true(number_of(&o, "auto", "error_network_ulps") > 0.5 &&
                    number_of(&o, "auto", "error_network_ulps") < 50.0);
    }
    struct outcome o = command_run("./conv_serial -n 9 --method implicit --format csv" BRIEF);
    assert_true(number_of(&o, "implicit", "error_bound_max") == 0.0 &&
                number_of(&o, "implicit", "error_ulps_rms") == 0.0);
    assert_true(isnan(number_of(&o, "implicit", "error_network_ulps")));
    o = command_run("./network_serial --network mlp:9 --verify none --format csv" BRIEF);
    assert_true(isnan(number_of(&o, "auto", "error_bound_max")) &&
                isnan(number_of(&o, "auto", "error_ulps_rms")));
}

static void test_what_is_reported(NO_STATE)
{
    struct outcome o =
        command_done("./network_serial --network solar_cnn --batch 2 --layers" BRIEF);
    expect_in(o.out, "4,352,641 parameters (seeded with 35)");
    expect_in(o.out, "2 of 1 x 50 x 50 (random)");
    expect_in(o.out, "43,999,360 multiply-adds per image; 11 layers in 5 steps");
    expect_in(o.out, "if none shared memory");
    expect_in(o.out, "every value is within the error bound");
    expect_in(o.out, "conv+relu");
    expect_in(o.out, "GFLOP/s");
    expect_in(o.out, "\nError         ");
    expect_in(o.out, " ulps (root mean square), ");
    expect_in(o.out, "; the largest of ");
    expect_in(o.out, "multiply-adds  method     bound       ulps    fastest");
    expect_in(o.out, "sum         0."); /* ulps of a convolution */
    assert_null(strstr(o.out, "Bands"));
    o = command_done("./network_serial --network mobilenet_v2 --image-size 272 --layers "
                     "--verify none" BRIEF);
    expect_in(o.out, "Bands         3 steps in groups of 3");
    expect_in(o.out, "Bands         features.2.conv.0.0 to features.2.conv.2, ");
    o = command_done("./network_serial --list-networks");
    expect_in(o.out, "resnet18");
    expect_in(o.out, "mlp:H1-H2-...");
    o = command_done("./network_serial --help all");
    expect_in(o.out, "--image-size N");
    assert_null(strstr(o.out, "--kernel-size"));
    assert_null(strstr(o.out, "--planes"));
}

static void test_what_is_recorded(NO_STATE)
{
    struct outcome o =
        command_done("./network_serial --network mlp:50-25 --batch 3 --format csv" BRIEF);
    expect_in(o.out, ",network,weights,images,batch");
    expect_in(o.out, ",mlp:50-25,seeded,,3");
    expect_in(o.out, "network_serial,network,serial,auto");
}

static void test_several_methods_are_interleaved(NO_STATE)
{
    struct outcome o = command_done(
        "./network_serial --network solar_cnn --image-size 20 --conv auto,implicit,literal" BRIEF);
    expect_in(o.out, "3 methods, interleaved");
    expect_in(o.out, "\nError         auto ");
    expect_in(o.out, ", literal ");
    expect_in(o.out, " ulps (root mean square)\n");
}

/* Returns the bytes of the outputs that a command writes. */
static unsigned char *outputs_of(const char *command, size_t *size)
{
    char line[1024];
    const char *path = files_path("outputs.npy");
    snprintf(line, sizeof line, "%s -o %s" BRIEF, command, path);
    command_done("%s", line);
    return files_read(path, size);
}

static void test_saved_parameters_and_threads_give_the_same_outputs(NO_STATE)
{
    static const char *const networks[] = {"--network solar_cnn --image-size 20 --batch 3",
                                           "--network mobilenet_v2 --image-size 33",
                                           "--network mlp:100-50 --batch 17"};
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        char command[512];
        size_t size, other_size;
        const char *saved = files_path("saved.safetensors");
        snprintf(command, sizeof command, "./network_serial %s --verify none --save %s",
                 networks[i], saved);
        unsigned char *first = outputs_of(command, &size);
        for (int threads = 2; threads <= 3; threads++) {
            snprintf(command, sizeof command,
                     "./network_omp %s --verify none --weights %s --threads %d", networks[i], saved,
                     threads);
            unsigned char *other = outputs_of(command, &other_size);
            assert_int_equal(size, other_size);
            assert_memory_equal(first, other, size);
            free(other);
        }
        free(first);
    }
}

static void test_images_from_a_file(NO_STATE)
{
    static const float images[2 * 50] = {1.0f, 2.0f, 3.0f};
    char command[512];
    const char *path =
        files_npy("vectors.npy", 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 50), }",
                  images, sizeof images);
    snprintf(command, sizeof command, "./network_serial --network mlp:50 -i %s" BRIEF, path);
    command_prints("2 of 50 x 1 x 1", "%s", command);
    snprintf(command, sizeof command, "./network_serial --network mlp:50 -i %s --batch 3", path);
    expect_refusal(command, 2, "vectors.npy, whose batch is 2");
    snprintf(command, sizeof command, "./network_serial --network mlp:50 -i %s --batch 2" BRIEF,
             path);
    command_done("%s", command);
    path = files_npy("wide.npy", 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 25), }",
                     images, sizeof images);
    snprintf(command, sizeof command, "./network_serial --network mlp:50 -i %s", path);
    expect_refusal(command, 2, "takes vectors of 50, not of 25");
}

/* Prints one line per class, and pictures by name. A broken picture leaves no output behind. */
static void test_pictures(NO_STATE)
{
    char command[1024], names[3 * 8];
    if (files_lacking("x.png"))
        skip();
    const char *folder = files_path("pics");
    assert_int_equal(mkdir(files_path("pics"), 0700), 0);
    size_t size;
    unsigned char *bytes = files_read(MAXPOOL_SOURCE_DIR "/tests/data/brain_axial.png", &size);
    files_write("pics/first.png", bytes, size);
    snprintf(names, sizeof names, "axial\nb \n sagittal");
    const char *classes = files_write("names.txt", names, strlen(names));
    snprintf(
        command, sizeof command,
        "./network_serial --network alexnet_mri -i %s --top 3 --class-names %s --verify none" BRIEF,
        folder, classes);
    struct outcome o = command_done("%s", command);
    expect_in(o.out, "0  ");
    expect_in(o.out, "pics/first.png");
    expect_in(o.out, "  0  axial\n");
    expect_in(o.out, "  1  b\n");
    expect_in(o.out, "  2  sagittal\n");
    expect_in(o.out, "1 of 1 x 32 x 32");
    const char *coloured = files_write("coloured.txt", "\033[31maxial\nb\n\xc2\x9bs\n", 17);
    o = command_run(
        "mv %s/first.png %s/$(printf 'f\\033[2Ji\\377').png; ./network_serial --network "
        "alexnet_mri -i %s --top 3 --class-names %s --verify none" BRIEF "; s=$?; mv %s/* "
        "%s/first.png; exit $s",
        folder, folder, folder, coloured, folder, folder);
    assert_int_equal(o.status, 0);
    assert_null(strpbrk(o.out, "\033"));
    expect_in(o.out, "?[31maxial");
    expect_in(o.out, "f?[2Ji\xef\xbf\xbd.png");
    files_write("pics/second.png", bytes, size / 2);
    free(bytes);
    const char *written = files_path("half.npy");
    snprintf(command, sizeof command, "./network_serial --network alexnet_mri -i %s -o %s", folder,
             written);
    expect_refusal(command, 2, "pics/second.png: bad PNG");
    assert_int_not_equal(access(written, F_OK), 0);
    assert_int_equal(remove(files_path("pics/second.png")), 0);
    snprintf(command, sizeof command, "./network_serial --network mlp:50 -i %s", folder);
    expect_refusal(command, 2, "takes vectors, not pictures");
    snprintf(command, sizeof command,
             "./network_serial --network solar_cnn --top 1 --class-names %s", classes);
    expect_refusal(command, 2, "more names than the 1 classes");
    snprintf(command, sizeof command,
             "./network_serial --network mobilenet_v2 --image-size 33 --top 1 --class-names %s",
             classes);
    expect_refusal(command, 2, "names 3 classes, and the network has 1000");
    expect_refusal("./network_serial --network solar_cnn --top 2", 2,
                   "the outputs of the network, 1");
    expect_refusal("./network_serial --network solar_cnn --class-names x", 2, "give both");
    expect_refusal("./network_serial --network mlp:9 --top 1 --format csv", 2,
                   "needs --format text");
    assert_int_equal(remove(files_path("pics/first.png")), 0);
}

/* A picture of 64 KB with 64 Mi pixels: announced first, read no longer than requested, and in
 * little memory; interlaced, it takes the memory of its pixels and at most the bound. */
static void test_large_pictures(NO_STATE)
{
    if (files_lacking("x.png"))
        skip();
    command_done(
        "./maxpool_serial -n 8192 -k 1 --method direct --max-value 0 --samples 1 --warmup 0 "
        "--verify none -o $DIR/zeros.png");
    struct outcome o =
        command_run("./network_serial --network solar_cnn -i $DIR/zeros.png --max-seconds 0.001");
    assert_int_equal(o.status, 4);
    expect_in(o.err, "that unpack to an image of 64 MiB; after --max-seconds 0.001");
    expect_in(o.err, "zeros.png: it could not be unpacked within 0.001 s");
    o = command_done(
        "exec ./network_serial --network solar_cnn -i $DIR/zeros.png --verify none" BRIEF
        " --max-seconds 1000");
    expect_in(o.err, "that unpack to an image of 64 MiB");
#ifndef __SANITIZE_ADDRESS__
    if (o.peak_kib > 100 * 1024)
        fail_msg("%ld KiB for rows of 8192 pixels", o.peak_kib);
#endif
}

/* 24000 x 24000 gray pixels, interlaced: refused because of its header. */
static void test_an_interlaced_picture_beyond_the_bound(NO_STATE)
{
    enum { SIDE = 24000, FILE_BYTES = 600000 };
    static unsigned char bytes[FILE_BYTES] = {
        0x89, 'P', 'N',       'G',        '\r', '\n', 0x1a, '\n', 0,         0,
        0,    13,  'I',       'H',        'D',  'R',  0,    0,    SIDE >> 8, SIDE & 255,
        0,    0,   SIDE >> 8, SIDE & 255, 8,    0,    0,    0,    1};
    if (files_lacking("x.png"))
        skip();
    const uint32_t crc = files_crc(bytes + 12, 17);
    for (int i = 0; i < 4; i++)
        bytes[29 + i] = (unsigned char)(crc >> (24 - 8 * i));
    /* a data chunk as long as the file */
    const uint32_t length = FILE_BYTES - 33 - 12;
    for (int i = 0; i < 4; i++)
        bytes[33 + i] = (unsigned char)(length >> (24 - 8 * i));
    memcpy(bytes + 37, "IDAT", 4);
    char command[1024];
    snprintf(command, sizeof command, "./network_serial --network solar_cnn -i %s",
             files_write("woven.png", bytes, sizeof bytes));
    expect_refusal(command, 4,
                   "an interlaced image of 24000 x 24000 is unpacked whole, 549 MiB, "
                   "more than the 512 that pictures take");
}

/* Returns the bytes that a line of the summary gives before these words: "12.3 MiB for ...". */
static double bytes_before(const char *text, const char *words)
{
    static const struct {
        const char *unit;
        double bytes;
    } units[] = {{"MiB", 1048576.0}, {"KiB", 1024.0}, {"B", 1.0}};
    const char *at = strstr(text, words), *unit = at;
    assert_non_null(at);
    while (unit > text && unit[-1] != ' ')
        unit--;
    const char *number = unit - 1;
    while (number > text && number[-1] != ' ')
        number--;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strncmp(unit, units[i].unit, strlen(units[i].unit)) == 0)
            return strtod(number, NULL) * units[i].bytes;
    fail_msg("no bytes before '%s' in %s", words, text);
    return 0.0;
}

/* The peak memory of a process: parameters as steps read them, once; live outputs; scratch; `more`
 * bytes; and 20 MiB, which must suffice for the layer being packed, the program itself and the huge
 * pages that blocks do not fill. */
static void expect_peak(const struct outcome *o, const char *what, double more)
{
    const double due = bytes_before(o->out, " of weights in the order of reading") +
                       bytes_before(o->out, " for the outputs of layers") +
                       bytes_before(o->out, "\n              ") + more + 20.0 * 1048576.0;
    const double peak = 1024.0 * (double)o->peak_kib;
    if (peak > due)
        fail_msg("%s: %.1f MiB at the peak, %.1f are due", what, peak / 1048576.0, due / 1048576.0);
}

/* If nothing reads the parameters again, only the packed ones are kept; if an oracle or another
 * method does, the unpacked ones are kept too, once for all readers. */
static void test_weights_are_held_once(NO_STATE)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip(); /* sanitizers use additional memory */
#else
    static const char *const networks[] = {"resnet18 --image-size 33", "resnet18 --image-size 224",
                                           "mobilenet_v2 --image-size 33", "alexnet_mri"};
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        struct outcome o =
            command_done("exec ./network_serial --network %s --verify none" BRIEF, networks[i]);
        expect_in(o.out, "are kept in this order only");
        expect_peak(&o, networks[i], 0.0);
    }
    struct outcome o = command_done("exec ./network_serial --network %s" BRIEF, networks[3]);
    expect_in(o.out, "are also kept unpacked");
    expect_peak(&o, networks[3], bytes_before(o.out, " of parameters"));
    command_prints("are also kept unpacked",
                   "./network_serial --network %s --verify none --conv auto,implicit" BRIEF,
                   networks[3]);
#endif
}

static void test_features(NO_STATE)
{
    size_t size;
    unsigned char *bytes = outputs_of(
        "./network_serial --network mobilenet_v2 --image-size 33 --features --verify none", &size);
    assert_non_null(strstr((const char *)bytes + 10, "(1, 1280)"));
    assert_true(size > 1280 * sizeof(float) && size < 1281 * sizeof(float) + 192);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_what_is_reported),
        cmocka_unit_test(test_errors_are_recorded),
        cmocka_unit_test(test_what_is_recorded),
        cmocka_unit_test(test_several_methods_are_interleaved),
        cmocka_unit_test(test_saved_parameters_and_threads_give_the_same_outputs),
        cmocka_unit_test(test_images_from_a_file),
        cmocka_unit_test(test_pictures),
        cmocka_unit_test(test_large_pictures),
        cmocka_unit_test(test_an_interlaced_picture_beyond_the_bound),
        cmocka_unit_test(test_weights_are_held_once),
        cmocka_unit_test(test_features),
    };
    return cmocka_run_group_tests(tests, command_setup, command_teardown);
}
