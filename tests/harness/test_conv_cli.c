/* The convolution programs as a user meets them: the known answers of tests/cases/conv by every
 * method, with threads and ranks; files of four dimensions read and written; bad input with its
 * status and message; and the contents of records and summaries. */
#include "tests/support/command.h"
#include "tests/support/jpeg_maker.h"
#include "tests/support/unit_test.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CASES MAXPOOL_SOURCE_DIR "/tests/cases/conv/"

static const char *const programs[] = {
    "./conv_serial",
#ifdef MAXPOOL_HAVE_OPENMP
    "./conv_omp -t 3",
#endif
#ifdef MAXPOOL_MPIEXEC
    MAXPOOL_MPIEXEC " 3 ./conv_mpi",
#endif
};

enum { PROGRAMS = sizeof programs / sizeof *programs };

/* ---- errors -----------------------------------------------------------------------------------
 */

/* Sums that round have the same reported errors, no matter which worker computed which part of the
 * map. */
static void test_errors_are_of_the_whole_map(NO_STATE)
{
    static const char *const names[] = {"error_bound_max", "error_bound_rms", "error_ulps_max",
                                        "error_ulps_rms"};
    double known[4] = {0.0};
    for (int i = 0; i < PROGRAMS; i++) {
        struct outcome o =
            command_run("%s -n 21 --channels 8 --max-value 9999999 --method implicit "
                        "--samples 1 --warmup 0 --format csv",
                        programs[i]);
        char cell[CELL_BYTES];
        assert_int_equal(o.status, 0);
        command_cell(o.out, "implicit", "verified", cell);
        assert_string_equal(cell, "bound");
        for (int k = 0; k < 4; k++) {
            command_cell(o.out, "implicit", names[k], cell);
            const double found = strtod(cell, NULL);
            known[k] = i == 0 ? found : known[k];
            assert_true(found > 0.0 && found < 20.0 && fabs(found - known[k]) <= 1e-8 * known[k]);
        }
    }
}

/* ---- known answers ------------------------------------------------------------------------------
 */

struct known {
    char name[64], kind[16];
    int64_t batch, filters, kernel, stride, padding, groups, out_rows, out_cols;
    int bias;
};

static bool next_known(FILE *list, struct known *k)
{
    char line[256];
    int64_t channels, rows, cols;
    do {
        if (!fgets(line, sizeof line, list))
            return false;
    } while (line[0] == '#');
    assert_int_equal(sscanf(line,
                            "%63s %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64
                            " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %d %15s",
                            k->name, &k->batch, &channels, &rows, &cols, &k->filters, &k->kernel,
                            &k->stride, &k->padding, &k->groups, &k->bias, k->kind),
                     12);
    k->out_rows = (rows + 2 * k->padding - k->kernel) / k->stride + 1;
    k->out_cols = (cols + 2 * k->padding - k->kernel) / k->stride + 1;
    return true;
}

/* The last `count` numbers of a .npy file, of 4 bytes or 8. */
static double *read_tail(const char *path, int64_t count, bool wide)
{
    const size_t bytes = wide ? 8 : 4;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    double *out = malloc((size_t)count * sizeof *out);
    assert_int_equal(fseek(file, -(long)(bytes * (size_t)count), SEEK_END), 0);
    for (int64_t i = 0; i < count; i++) {
        float narrow = 0.0f;
        assert_int_equal(fread(wide ? (void *)&out[i] : (void *)&narrow, bytes, 1, file), 1);
        if (!wide)
            out[i] = (double)narrow;
    }
    fclose(file);
    return out;
}

/* Compares the written map with the known one: bit for bit, or within the rounding bound of its
 * terms. Returns the number of wrong values. */
static int64_t compare(const struct known *k, const char *path)
{
    char known_path[512];
    const bool exact = strcmp(k->kind, "integers") == 0;
    const int64_t count = k->batch * k->filters * k->out_rows * k->out_cols;
    snprintf(known_path, sizeof known_path, CASES "%s.y.npy", k->name);
    double *found = read_tail(path, count, false), *known = read_tail(known_path, count, !exact);
    int64_t wrong = 0;
    for (int64_t i = 0; i < count; i++)
        wrong += !(fabs(found[i] - known[i]) <= (exact ? 0.0 : 2e-5));
    free(found);
    free(known);
    return wrong;
}

/* True if the header of a .npy file has that shape. */
static bool has_shape(const char *path, const char *shape)
{
    char header[256] = "";
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t got = fread(header, 1, sizeof header - 1, file);
    fclose(file);
    for (size_t i = 0; i < got; i++)
        if (header[i] == '\0')
            header[i] = ' ';
    return strstr(header, shape) != NULL;
}

/* Runs one case by one method of one program. Returns false if the method reports that it cannot
 * compute it. */
static bool check_known(const struct known *k, const char *program, const char *method)
{
    char path[128], bias[512] = "", shape[96];
    snprintf(path, sizeof path, "%s/map.npy", command_folder());
    if (k->bias)
        snprintf(bias, sizeof bias, "--bias " CASES "%s.b.npy", k->name);
    struct outcome o =
        command_run("%s -i " CASES "%s.x.npy --weights " CASES "%s.w.npy %s --filters %" PRId64
                    " --groups %" PRId64 " -k %" PRId64 " -s %" PRId64 " -p %" PRId64
                    " --method %s --samples 2 -o %s",
                    program, k->name, k->name, bias, k->filters, k->groups, k->kernel, k->stride,
                    k->padding, method, path);
    const bool refused = o.status == 2 && strstr(o.err, "takes");
    if (!refused) {
        snprintf(shape, sizeof shape, "(%" PRId64 ", %" PRId64 ", %" PRId64 ", %" PRId64 ")",
                 k->batch, k->filters, k->out_rows, k->out_cols);
        if (o.status != 0)
            fail_msg("%s %s %s: %s", program, k->name, method, o.err);
        assert_true(has_shape(path, shape));
        assert_int_equal(compare(k, path), 0);
        assert_non_null(strstr(o.out, strcmp(k->kind, "integers") == 0 ? "exact: " : "bound: "));
        unlink(path);
    }
    return !refused;
}

static void known_answers_are_met(NO_STATE)
{
    static const char *const methods[] = {"literal", "im2col", "implicit", "winograd", "depthwise"};
    struct known k;
    int done = 0;
    FILE *list = fopen(CASES "cases.tsv", "r");
    assert_non_null(list);
    while (next_known(list, &k))
        for (size_t p = 0; p < PROGRAMS; p++)
            if (strstr(programs[p], "mpi")) /* starting ranks takes long */
                done += check_known(&k, programs[p], "all");
            else
                for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
                    done += check_known(&k, programs[p], methods[m]);
    fclose(list);
    assert_true(done >= 6 * 3 + 2 + 1);
}

/* The GPU kernels, if the tests run them on this machine's processor. */
static void known_answers_are_met_by_a_gpu(NO_STATE)
{
    static const char *const methods[] = {"naive", "tiled", "tiled --filter-memory constant"};
    struct known k;
    int done = 0;
    if (access(MAXPOOL_BINARY_DIR "/bin/conv_cuda_on_emulation", X_OK) != 0)
        skip();
    struct outcome o = command_run("./conv_cuda_on_emulation -n 4 --samples 1");
    const bool unavailable = o.status == 3; /* the method tables of this build know no CUDA */
    if (unavailable)
        skip();
    FILE *list = fopen(CASES "cases.tsv", "r");
    assert_non_null(list);
    while (next_known(list, &k))
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
            done += check_known(&k, "./conv_cuda_on_emulation", methods[m]);
    fclose(list);
    assert_int_equal(done, 6 * 3);
}

/* A comparison that accepts everything would accept this too. */
static void a_wrong_answer_would_be_seen(NO_STATE)
{
    struct known k = {.name = "same_3x3", .kind = "integers", .batch = 2, .filters = 16};
    k.out_rows = k.out_cols = 14;
    char path[128];
    snprintf(path, sizeof path, "%s/map.npy", command_folder());
    struct outcome o = command_run("./conv_serial -i " CASES "same_3x3.x.npy --weights " CASES
                                   "same_3x3.w.npy --filters 16 -p 1 --samples 1 -o %s",
                                   path); /* no bias */
    assert_int_equal(o.status, 0);
    assert_true(compare(&k, path) > 0);
}

/* ---- workers ------------------------------------------------------------------------------------
 */

/* Every program and any number of workers, also more workers than rows, give the same numbers. */
static void maps_do_not_depend_on_workers(NO_STATE)
{
    static const char *const others[] = {
        "./conv_omp -t 2",
        "./conv_omp -t 9",
#ifdef MAXPOOL_MPIEXEC
        MAXPOOL_MPIEXEC " 4 ./conv_mpi",
        MAXPOOL_MPIEXEC " 4 ./conv_mpi --distribute scatter",
#endif
    };
    static const char options[] = "-R 7 -C 13 --batch 2 --channels 6 --filters 8 --groups 2 -p 1 "
                                  "--bias random --method implicit --samples 1";
    command_done("./conv_serial %s -o $DIR/a.npy", options);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        command_done("%s %s -o $DIR/b.npy && cmp $DIR/a.npy $DIR/b.npy", others[i], options);
    }
}

/* ---- epilogues ----------------------------------------------------------------------------------
 */

/* Checks two maps of `count` numbers: the second is `expected` applied to the first. */
static void check_map_of_map(const char *first, const char *second, int64_t count,
                             double (*expected)(double))
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", command_folder(), first);
    double *a = read_tail(path, count, false);
    snprintf(path, sizeof path, "%s/%s", command_folder(), second);
    double *b = read_tail(path, count, false);
    int64_t changed = 0;
    for (int64_t i = 0; i < count; i++) {
        assert_true(b[i] == expected(a[i]));
        changed += b[i] != a[i];
    }
    assert_true(changed > count / 4);
    free(a);
    free(b);
}

static double twice(double x)
{
    return x + x;
}

static double rectified(double x)
{
    return fmax(x, 0.0);
}

static double rectified_twice_to_6(double x)
{
    return fmin(fmax(x + x, 0.0), 6.0);
}

/* The map itself as residual, rectified, or both, by every method and both kinds of epilogue. */
static void epilogues_are_what_they_say(NO_STATE)
{
    static const struct {
        const char *options;
        double (*expected)(double);
        bool residual;
    } rows[] = {{"", twice, true},
                {"--activation relu", rectified, false},
                {"--activation relu6", rectified_twice_to_6, true}};
    static const char shape[] = "-R 5 -C 9 --batch 2 --channels 3 --filters 7 -p 1 --max-value 2 "
                                "--bias random --samples 1";
    char residual[160];
    snprintf(residual, sizeof residual, "--residual %s/plain.npy", command_folder());
    command_done("./conv_serial %s -o $DIR/plain.npy", shape);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int way = 0; way < 2; way++) {
            command_done("./conv_serial %s %s %s --epilogue %s --method %s -o $DIR/other.npy",
                         shape, rows[i].options, rows[i].residual ? residual : "",
                         way ? "pass" : "store", way ? "winograd" : "implicit");
            check_map_of_map("plain.npy", "other.npy", INT64_C(2) * 7 * 5 * 9, rows[i].expected);
        }
}

/* The map of every command equals the map of `implicit` with one worker, bit for bit. */
static void check_same_map(const char *options, const char *const *commands, size_t count)
{
    command_prints("exact: ", "./conv_serial %s --method implicit -o $DIR/a.npy", options);
    for (size_t i = 0; i < count; i++) {
        command_done("%s %s -o $DIR/b.npy && cmp $DIR/a.npy $DIR/b.npy", commands[i], options);
    }
}

/* A scale gives the same bits whether it is folded into the weights or applied in a separate pass,
 * with threads and ranks. */
static void scales_are_the_same_everywhere(NO_STATE)
{
    static const char *const commands[] = {
        "./conv_serial --epilogue pass --method literal",
        "./conv_serial --epilogue store --method im2col",
        "./conv_omp -t 3 --epilogue store --method winograd",
#ifdef MAXPOOL_MPIEXEC
        MAXPOOL_MPIEXEC " 3 ./conv_mpi --epilogue store --method implicit",
        MAXPOOL_MPIEXEC " 2 ./conv_mpi --epilogue pass --distribute scatter --method implicit",
#endif
    };
    check_same_map("-R 7 -C 13 --batch 2 --channels 6 --filters 8 -p 1 --samples 1 "
                   "--max-value 3 --bias random --factor random --residual random "
                   "--activation relu",
                   commands, sizeof commands / sizeof *commands);
}

/* Five rows do not divide evenly among two workers: each worker takes some filters, with their
 * biases, factors and residuals. */
static void filters_are_distributed_with_what_is_theirs(NO_STATE)
{
    static const char *const commands[] = {
        "./conv_omp -t 2 --epilogue store --method implicit",
        "./conv_omp -t 2 --epilogue pass --method implicit",
        "./conv_omp -t 2 --epilogue store --method im2col",
        "./conv_omp -t 2 --epilogue pass --method literal",
        "./conv_omp -t 2 --epilogue store --method winograd",
        "./conv_omp -t 7 --epilogue store --method implicit",
#ifdef MAXPOOL_MPIEXEC
        MAXPOOL_MPIEXEC " 1 ./conv_mpi -t 2 --epilogue store --method implicit",
        MAXPOOL_MPIEXEC " 2 ./conv_mpi -t 2 --epilogue pass --distribute scatter --method winograd",
#endif
    };
    check_same_map("-R 5 -C 5 --channels 6 --filters 122 -p 1 --samples 1 --max-value 3 "
                   "--bias random --factor random --residual random --activation relu",
                   commands, sizeof commands / sizeof *commands);
}

/* ---- pictures -----------------------------------------------------------------------------------
 */

#if defined(MAXPOOL_HAVE_PNG) || defined(MAXPOOL_HAVE_JPEG)
/* Writes one 1 x 1 filter per channel for three channels, each with the value 1: the map equals the
 * image. */
static void write_identity(const char *path)
{
    static const char header[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 1, 1, 1), }"
                                 "                                                    \n";
    static const float ones[] = {1.0f, 1.0f, 1.0f};
    const unsigned char length[] = {(sizeof header - 1) & 0xff, (sizeof header - 1) >> 8};
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite("\x93NUMPY\x01\x00", 1, 8, file), 8);
    assert_int_equal(fwrite(length, 1, sizeof length, file), sizeof length);
    assert_int_equal(fwrite(header, 1, sizeof header - 1, file), sizeof header - 1);
    assert_int_equal(fwrite(ones, sizeof *ones, 3, file), 3);
    assert_int_equal(fclose(file), 0);
}

/* The three planes of a picture, after the identity convolution, equal a copy of the picture. */
static void check_picture(const char *picture, int64_t elements)
{
    char path[128];
    command_done("./copy_serial -i %s --samples 1 -o $DIR/planes.npy", picture);
    command_prints(
        "Image         3 planes of ",
        "./conv_serial -i %s --weights $DIR/ones.npy --filters 3 --groups 3 -k 1 --method "
        "implicit,depthwise --samples 1 -o $DIR/map.npy",
        picture);
    snprintf(path, sizeof path, "%s/planes.npy", command_folder());
    double *planes = read_tail(path, 3 * elements, false), sum[3] = {0.0, 0.0, 0.0};
    snprintf(path, sizeof path, "%s/map.npy", command_folder());
    double *map = read_tail(path, 3 * elements, false);
    for (int64_t i = 0; i < 3 * elements; i++) {
        assert_true(planes[i] == map[i]);
        sum[i / elements] += map[i];
    }
    assert_true(sum[0] != sum[1] && sum[1] != sum[2]); /* the channels differ */
    free(planes);
    free(map);
}

#ifdef MAXPOOL_HAVE_JPEG
static uint8_t colourful(int row, int col, int channel)
{
    return (uint8_t)(3 * row + 2 * col + 60 * channel);
}
#endif

static void pictures_have_three_channels(NO_STATE)
{
    char path[128];
    snprintf(path, sizeof path, "%s/ones.npy", command_folder());
    write_identity(path);
#ifdef MAXPOOL_HAVE_PNG
    check_picture(MAXPOOL_SOURCE_DIR "/tests/cases/pictures/colour.png", INT64_C(21) * 34);
#endif
#ifdef MAXPOOL_HAVE_JPEG
    const struct jpeg_picture picture = {21, 34, JPEG_YCC, JPEG_ONE_SCAN, colourful};
    snprintf(path, sizeof path, "%s/colour.jpg", command_folder());
    jpeg_make(path, &picture);
    check_picture(path, INT64_C(21) * 34);
#endif
}
#endif

/* ---- worked out ---------------------------------------------------------------------------------
 */

/* The explanation of the last output ends with the value that the map has at that place. */
static void explanations_end_in_the_outputs(NO_STATE)
{
    struct outcome o = command_done(
        "./conv_serial -R 3 -C 4 --channels 4 --filters 2 --groups 2 -p 1 -k 3 --bias random "
        "--factor random --residual random --activation relu6 --samples 1 --explain --print "
        "-o $DIR/map.npy");
    char path[128], expected[64];
    snprintf(path, sizeof path, "%s/map.npy", command_folder());
    double *map = read_tail(path, INT64_C(2) * 3 * 4, false);
    const char *last = strstr(o.out, "Output (2, 3) of filter 1: windows at row 1, column 2\n");
    assert_non_null(last);
    assert_non_null(strstr(last, "  channel 2\n"));
    assert_non_null(strstr(last, "  channel 3\n"));
    assert_null(strstr(last, "  channel 0\n"));
    assert_non_null(strstr(last, ", times "));
    assert_non_null(strstr(last, ", plus residual "));
    snprintf(expected, sizeof expected, ", clamped: %.9g\n", map[23]);
    assert_non_null(strstr(last, expected));
    free(map);
    o = command_done(
        "./conv_serial -n 2 --channels 1 --filters 1 -k 1 --max-value 0 --samples 1 --explain");
    assert_non_null(strstr(o.out, "Output (1, 1) of filter 0: windows at row 1, column 1\n"));
    assert_non_null(strstr(o.out, "  sum 0\n"));
    command_fails(2, "--explain is for small images", "./conv_serial -n 64 --explain");
}

/* ---- bad input ----------------------------------------------------------------------------------
 */

/* ---- gradients ---------------------------------------------------------------------------------
 */

/* Returns how many numbers of the written map differ from PyTorch's. */
static int64_t wrong_gradient(const char *known, int64_t count)
{
    char path[512];
    snprintf(path, sizeof path, "%s/map.npy", command_folder());
    double *found = read_tail(path, count, false), *right = read_tail(known, count, false);
    int64_t wrong = 0;
    for (int64_t i = 0; i < count; i++)
        wrong += !(found[i] == right[i]);
    free(found);
    free(right);
    return wrong;
}

#define WEIGHTS "--weights " CASES "backward_3x3_s2.w.npy"

static void gradients_are_those_of_pytorch(NO_STATE)
{
    static const struct {
        const char *gradient, *operands, *method, *known;
        int64_t count;
    } rows[] = {{"image", WEIGHTS, "literal", CASES "backward_3x3_s2.dx.npy", 2 * 6 * 11 * 9},
                {"image", WEIGHTS, "implicit", CASES "backward_3x3_s2.dx.npy", 2 * 6 * 11 * 9},
                {"weights", "", "literal", CASES "backward_3x3_s2.dw.npy", 8 * 3 * 3 * 3},
                {"weights", "", "tiles", CASES "backward_3x3_s2.dw.npy", 8 * 3 * 3 * 3}};
    for (size_t p = 0; p < PROGRAMS; p++)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            struct outcome o = command_run(
                "%s -i " CASES "backward_3x3_s2.x.npy %s --output-gradient " CASES
                "backward_3x3_s2.dy.npy --filters 8 --groups 2 -s 2 -p 1 --gradient %s --method %s "
                "--samples 1 -o $DIR/map.npy --format csv",
                programs[p], rows[i].operands, rows[i].gradient, rows[i].method);
            if (o.status != 0 || !strstr(o.out, ",exact,") || !strstr(o.out, rows[i].gradient) ||
                wrong_gradient(rows[i].known, rows[i].count) != 0)
                fail_msg("%s --gradient %s --method %s: %s", programs[p], rows[i].gradient,
                         rows[i].method, o.err);
        }
    assert_true(wrong_gradient(CASES "backward_3x3_s2.dx.npy", 8 * 3 * 3 * 3) > 0);
}

/* For windows of 3 x 3 at stride 1, every program gives the same bits as the definition. */
static void transformed_gradients_are_the_definition(NO_STATE)
{
    static const char options[] = "-R 9 -C 8 --batch 3 --channels 6 --filters 40 --groups 2 -p 2 "
                                  "--gradient weights --output-gradient random --samples 2";
    command_done("./conv_serial %s --method literal -o $DIR/a.npy", options);
    for (size_t i = 0; i < PROGRAMS; i++) {
        struct outcome o =
            command_run("%s %s --method winograd -o $DIR/b.npy && cmp $DIR/a.npy $DIR/b.npy",
                        programs[i], options);
        if (o.status != 0 || !strstr(o.out, "exact: "))
            fail_msg("%s: %s %s", programs[i], o.out, o.err);
    }
    struct outcome first =
        command_run("./conv_serial %s --max-value 100 --method winograd,tiles", options);
    if (first.status != 0 || !strstr(first.out, "bound"))
        fail_msg("%s %s", first.out, first.err);
}

/* Commands of earlier versions are accepted: they use an older name of the output-gradient option,
 * and may set options to "none" that the operator does not have. */
static void earlier_commands_are_read(NO_STATE)
{
    struct outcome o = command_done("./conv_serial -n 6 -p 1 --gradient weights --weights random "
                                    "--bias none --activation none --slopes random --method tiles "
                                    "--samples 1 --format csv");
    char cell[CELL_BYTES];
    command_cell(o.out, "tiles", "d_output", cell);
    assert_string_equal(cell, "random");
    command_cell(o.out, "tiles", "gradient", cell);
    assert_string_equal(cell, "weights");
    command_cell(o.out, "tiles", "weights", cell);
    assert_string_equal(cell, "");
    o = command_done("./conv_serial -n 6 --gradient none --slopes none --samples 1 --format csv");
    command_cell(o.out, "literal", "d_output", cell);
    assert_string_equal(cell, "");
}

static void gradients_are_explained(NO_STATE)
{
    struct outcome o =
        command_done("./conv_serial -n 2 -k 2 --channels 1 --filters 1 --output-gradient random "
                     "--gradient weights --samples 1 --explain --print");
    assert_non_null(strstr(o.out, "Gradient of weight (1, 1) of filter 0, channel 0"));
    assert_non_null(strstr(o.out, "weight gradient, 1 filter,"));
    o = command_done(
        "./conv_serial -n 3 -k 2 -s 2 --channels 1 --filters 1 --output-gradient random "
        "--gradient image --samples 1 --explain");
    assert_non_null(strstr(o.out, "Gradient of element (2, 2) of channel 0"));
    assert_non_null(strstr(o.out, "sum 0\n")); /* the element is in no window */
}

struct refusal {
    const char *command;
    int status;
    const char *message;
};

static void expect_refusals(const struct refusal *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct outcome o = command_run("%s", rows[i].command);
        if (o.status != rows[i].status || !strstr(o.err, rows[i].message))
            fail_msg("%s\n  status %d (%d expected): %s  expected: %s", rows[i].command, o.status,
                     rows[i].status, o.err, rows[i].message);
    }
}

static void bad_input_is_refused(NO_STATE)
{
    static const struct refusal rows[] = {
        {"./conv_serial -n 8 --groups 2", 2, "groups need channels and filters"},
        {"./conv_serial -n 8 --channels 4 --filters 6 --groups 4", 2, "4 groups need"},
        {"./conv_serial -n 2 -k 5", 2, "does not fit"},
        {"./conv_serial -n 8 --planes 3", 2, "--planes does not apply"},
        {"./conv_serial -n 8 --filter random", 2, "--filter does not apply here"},
        {"./conv_serial -n 8 --pad-mode ignore", 2, "--pad-mode does not apply here"},
        {"./maxpool_serial -n 8 --channels 3", 2, "--channels does not apply here"},
        {"./matmul_serial -n 8 --bias random", 2, "--bias does not apply here"},
        {"./conv_serial -n 8 -k 5 --method winograd", 2, "3 x 3 at stride 1"},
        {"./conv_serial -n 8 --method depthwise", 2, "one filter a channel"},
        {"./conv_serial -n 8 --channels 0", 2, "channels must be at least 1"},
        {"./conv_serial -i " CASES "same_3x3.x.npy --channels 7", 2,
         "--channels 7 contradicts --input " CASES "same_3x3.x.npy, where it is 8"},
        {"./conv_serial -i " CASES "same_3x3.x.npy --batch 5", 2, "--batch 5 contradicts --input"},
        {"./conv_serial -n 8 --channels 16 --weights " CASES "same_3x3.w.npy", 2,
         "--channels 16 contradicts --weights " CASES "same_3x3.w.npy, where it is 8"},
        {"./conv_serial -n 8 --filters 8 --weights " CASES "same_3x3.w.npy", 2,
         "--filters 8 contradicts --weights"},
        {"./conv_serial -n 8 -k 5 --weights " CASES "same_3x3.w.npy", 2,
         "--kernel-size 5 contradicts --weights"},
        {"./conv_serial -i " CASES "same_3x3.x.npy --groups 2 --weights " CASES "same_3x3.w.npy", 2,
         "must be 16 x 4 planes of 3 x 3, the file holds 16 x 8 planes of 3 x 3"},
        {"./conv_serial -n 8 --bias " CASES "normal_3x3.w.npy", 2, "the bias must be 1 x 16"},
        {"./conv_serial -n 8 --filters 16 --residual " CASES "same_3x3.w.npy", 2,
         "the residual must be 16 planes of 6 x 6"},
        {"./conv_serial -n 8 --factor " CASES "same_3x3.w.npy", 2, "the factor must be 1 x 16"},
        {"./conv_serial -n 8 --activation tanh", 2, "none|relu|relu6"},
        {"./maxpool_serial -n 8 --activation relu", 2, "--activation does not apply here"},
        {"./conv_serial -n 8 --weights missing.npy", 2, "missing.npy"},
        {"./conv_serial -n 8 --weights identity", 2, "identity"},
        {"./conv_serial -n 2100 -k 2049 --channels 4 --filters 1", 2,
         "sums of 16793604 terms have no error bound in float32"},
        {"./conv_serial -n 8 --channels 9000000000000000000 --batch 3", 4, "cannot be counted"},
        {"./conv_serial -n 8 --filters 9000000000000000000", 4, "cannot be counted"},
        {"./conv_serial -n 4000000 --channels 1000 --filters 1", 4, "memory"},
    };
    expect_refusals(rows, sizeof rows / sizeof *rows);
}

/* The files of the filters and of the image hold their sizes: no option has to repeat them. */
static void files_have_their_sizes(NO_STATE)
{
    static const char *const images[] = {
        "-n 9 --batch 2", "-i " CASES "same_3x3.x.npy",
        "-i " CASES "same_3x3.x.npy --channels 8 --filters 16 --kernel-size 3"};
    for (size_t p = 0; p < PROGRAMS; p++)
        for (size_t i = 0; i < sizeof images / sizeof *images; i++) {
            struct outcome o =
                command_done("%s %s --weights " CASES "same_3x3.w.npy -p 1 --samples 1 --warmup 0",
                             programs[p], images[i]);
            assert_non_null(strstr(o.out, "16 filters, kernel size 3"));
            assert_non_null(strstr(o.out, "72 products each")); /* 8 channels */
        }
}

static void bad_gradients_are_refused(NO_STATE)
{
    static const struct refusal rows[] = {
        {"./conv_serial -n 8 --output-gradient random", 2,
         "--output-gradient does not apply here: the convolution has no output gradient"},
        {"./conv_serial -n 8 --gradient up", 2, "none|image|weights"},
        {"./maxpool_serial -n 8 --gradient image", 2, "--gradient does not apply here"},
        {"./conv_serial -n 8 --gradient weights --bias random", 2,
         "--bias does not apply here: the weight gradient of a convolution has no bias"},
        {"./conv_serial -n 8 --gradient image --activation relu", 2,
         "--activation does not apply here: the data gradient of a convolution"},
        {"./conv_serial -n 8 --gradient weights --weights " CASES "same_3x3.w.npy", 2,
         "--weights does not apply here: the weight gradient of a convolution"},
        {"./conv_serial -n 8 --gradient weights --method implicit", 2,
         "the weight gradient of a convolution has no 'implicit' in conv_serial"},
        {"./conv_serial -n 8 -s 2 --gradient weights --method winograd", 2, "3 x 3 at stride 1"},
        {"./conv_serial -n 8 --gradient image --method tiles", 2,
         "the data gradient of a convolution has no 'tiles' in conv_serial"},
        {"./conv_serial -n 8 -s 2 --gradient image --method winograd", 2, "3 x 3 at stride 1"},
        {"./conv_serial -n 8 --method tiles", 2, "there is no 'tiles' in conv_serial"},
        {"./conv_serial -n 8 --gradient image --output-gradient " CASES "same_3x3.w.npy", 2,
         "the output gradient must be 16 planes of 6 x 6"},
        {"./conv_serial -n 4100 -k 1 --channels 1 --filters 1 --gradient weights", 2,
         "sums of 16810000 terms have no error bound in float32"},
    };
    expect_refusals(rows, sizeof rows / sizeof *rows);
}

/* ---- what is reported
 * ---------------------------------------------------------------------------------
 */

static void records_have_the_shape(NO_STATE)
{
    struct outcome o = command_done(
        "./conv_serial -R 6 -C 7 --batch 2 --channels 4 --filters 6 --groups 2 --bias random "
        "--method implicit --samples 1 --format csv");
    assert_non_null(strstr(o.out, ",batch,channels,filters,groups,bias,activation,epilogue,"
                                  "residual,factor,"));
    assert_non_null(strstr(o.out, ",parameters_hash,gradient,d_output,recomputed,"));
    assert_non_null(strstr(o.out, ",8,6,7,3,1,0,,,35,9,random,")); /* planes, rows, cols ... */
    assert_non_null(strstr(o.out, ",2,4,6,2,random,none,store,none,none,"));
}

/* Each operand is recorded under its own name, and not under that of another operator's operand. */
static void operands_have_columns_of_their_own(NO_STATE)
{
    static const char *const expected[][2] = {{"weights", CASES "same_3x3.w.npy"},
                                              {"filter", ""},
                                              {"bias", "random"},
                                              {"factor", "random"},
                                              {"residual", "none"},
                                              {"d_output", ""},
                                              {"against", ""}};
    struct outcome o = command_done("./conv_serial -i " CASES "same_3x3.x.npy --weights " CASES
                                    "same_3x3.w.npy --bias random --factor random -p 1 --method "
                                    "implicit --samples 1 --format csv");
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        char cell[CELL_BYTES];
        command_cell(o.out, "implicit", expected[i][0], cell);
        assert_string_equal(cell, expected[i][1]);
    }
}

static void the_summary_reports_what_packing_cost(NO_STATE)
{
    struct outcome o = command_done("./conv_serial -n 8 --method implicit --samples 1");
    assert_non_null(strstr(o.out, "Packed        the bank of filters, once, outside the total"));
    assert_non_null(strstr(o.out, "Image         3 planes of 8 x 8"));
    assert_non_null(strstr(o.out, "Feature maps  16 planes of 6 x 6"));
    assert_non_null(strstr(o.out, "GFLOP/s"));
    assert_null(strstr(o.out, "all methods together"));
    command_prints(", all methods together\n",
                   "./conv_serial -n 8 --method implicit,winograd --samples 1");
    o = command_run("./conv_serial -n 8 --method literal --samples 1");
    assert_null(strstr(o.out, "Packed"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors_are_of_the_whole_map),
        cmocka_unit_test(known_answers_are_met),
        cmocka_unit_test(known_answers_are_met_by_a_gpu),
        cmocka_unit_test(a_wrong_answer_would_be_seen),
        cmocka_unit_test(maps_do_not_depend_on_workers),
        cmocka_unit_test(epilogues_are_what_they_say),
        cmocka_unit_test(filters_are_distributed_with_what_is_theirs),
        cmocka_unit_test(scales_are_the_same_everywhere),
#if defined(MAXPOOL_HAVE_PNG) || defined(MAXPOOL_HAVE_JPEG)
        cmocka_unit_test(pictures_have_three_channels),
#endif
        cmocka_unit_test(explanations_end_in_the_outputs),
        cmocka_unit_test(gradients_are_those_of_pytorch),
        cmocka_unit_test(transformed_gradients_are_the_definition),
        cmocka_unit_test(earlier_commands_are_read),
        cmocka_unit_test(gradients_are_explained),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(files_have_their_sizes),
        cmocka_unit_test(bad_gradients_are_refused),
        cmocka_unit_test(records_have_the_shape),
        cmocka_unit_test(operands_have_columns_of_their_own),
        cmocka_unit_test(the_summary_reports_what_packing_cost),
    };
    return cmocka_run_group_tests(tests, command_setup, command_teardown);
}
