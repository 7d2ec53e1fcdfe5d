/* Files of tensors: what was written is read back bit for bit, and each kind of invalid header ends
 * with status 2 and a line that names the fault. */
#include "networks/layers/kinds.h"
#include "networks/parameters.h"
#include "networks/safetensors.h"
#include "tests/support/files.h"
#include "tests/support/network_cases.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- headers --------------------------------------------------------------------------------- */

#define F32(name, shape, begin, end)                                                               \
    "\"" name "\":{\"dtype\":\"F32\",\"shape\":[" shape "],\"data_offsets\":[" #begin "," #end "]" \
    "}"

static void check_header(const char *text, int64_t data_bytes, const char *words)
{
    struct safetensors s;
    struct failure f = {0};
    const enum status status =
        safetensors_parse(&s, text, strlen(text), data_bytes, "some.safetensors", &f);
    safetensors_close(&s);
    if (!words && status != STATUS_OK)
        fail_msg("%s: %s", text, f.message);
    if (words && (status != STATUS_USAGE || !strstr(f.message, words) ||
                  !strstr(f.message, "some.safetensors")))
        fail_msg("%s: status %d, '%s' where '%s' is expected", text, status, f.message, words);
}

TEST(test_headers_that_are_right)
{
    check_header("{}", 0, NULL);
    check_header(" { } \n", 0, NULL);
    check_header("{" F32("a", "2,3", 0, 24) "}", 24, NULL);
    check_header("{" F32("scalar", "", 0, 4) "}", 4, NULL);
    check_header("{" F32("empty", "0,7", 0, 0) "," F32("a", "1", 0, 4) "}", 4, NULL);
    check_header("{" F32("b", "1", 4, 8) "," F32("a", "1", 0, 4) "}", 8, NULL);
    check_header("{\"__metadata__\":{\"format\":\"pt\"}," F32("a", "1", 0, 4) "}", 4, NULL);
    check_header("{\"__metadata__\":{}}", 0, NULL);
    check_header("{ \"a\" : { \"shape\" : [ 1 ] , \"data_offsets\" : [ 0 , 8 ] , \"dtype\" : "
                 "\"I64\" } }",
                 8, NULL);
    check_header("{" F32("with \\\"quotes\\\"", "1", 0, 4) "}", 4, NULL);
}

TEST(test_headers_that_lie)
{
    static const struct {
        const char *text;
        int64_t data_bytes;
        const char *words;
    } rows[] = {
        {"", 0, "'{' expected"},
        {"[]", 0, "'{' expected"},
        {"{", 0, "'\"' expected"},
        {"{}x", 0, "behind the object"},
        {"{" F32("a", "1", 0, 4) ",}", 4, "'\"' expected"},
        {"{\"a", 0, "broken off"},
        {"{\"a\\", 0, "an escape"},
        {"{\"a\\x41\":1}", 0, "an escape"},
        {"{\"a\\ud800\":1}", 0, "an escape"},
        {"{\"a\\u12", 0, "an escape"},
        {"{\"a\nb\":1}", 0, "broken off"},
        {"{\"__metadata__\":nul}", 0, "'{' expected"},
        {"{\"a\":7}", 0, "'{' expected"},
        {"{\"a\":{}}", 0, "'\"' expected"},
        {"{\"a\":{\"dtype\":\"F32\"}}", 0, "',' expected"},
        {"{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F32\"}}", 0, "the same field twice"},
        {"{\"a\":{\"colour\":\"red\"}}", 0, "dtype, shape or data_offsets"},
        {"{" F32("a", "2,3", 0, 20) "}", 20, "tensor a: its shape does not take"},
        {"{" F32("a", "1", 4, 0) "}", 4, "tensor a: offsets 4 and 0"},
        {"{" F32("a", "2", 0, 8) "}", 4, "do not lie in the 4 bytes"},
        {"{" F32("a", "4611686018427387904,2", 0, 4) "}", 4, "its shape does not take"},
        {"{" F32("a", "4294967296,4294967296", 0, 0) "}", 0, "its shape does not take"},
        {"{" F32("a", "9223372036854775808", 0, 4) "}", 4, "63-bit"},
        {"{" F32("a", "-1", 0, 4) "}", 4, "a count expected"},
        {"{" F32("a", "01", 0, 4) "}", 4, "a count expected"},
        {"{" F32("a", "1.0", 0, 4) "}", 4, "']' expected"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0]}}", 4, "two offsets"},
        {"{" F32("a", "1", 0, 4) "," F32("a", "1", 4, 8) "}", 8, "tensor a comes twice"},
        {"{" F32("a", "2", 0, 8) "," F32("b", "2", 4, 12) "}", 12, "tensor b overlaps"},
        {"{" F32("a", "2", 0, 8) "," F32("b", "1", 0, 4) "}", 8, "overlaps"},
        {"{" F32("a", "1", 0, 4) "," F32("b", "1", 8, 12) "}", 12, "tensor b leaves a gap"},
        {"{" F32("a", "1", 4, 8) "}", 8, "tensor a leaves a gap"},
        {"{" F32("a", "1", 0, 4) "}", 8, "4 bytes behind the last tensor"},
        {"{\"__metadata__\":{\"a\":7}}", 0, "'\"' expected"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_header(rows[i].text, rows[i].data_bytes, rows[i].words);
}

/* What the library writes, and tensors that no network here needs: they are not judged. */
TEST(test_headers_as_the_library_writes_them)
{
    static const char *const texts[] = {
        "{\"__metadata__\":null," F32("a", "1", 0, 4) "}",
        "{\n  \"__metadata__\": {\n    \"format\": \"pt\"\n  },\n  " F32("a", "1", 0, 4) "\n}  ",
        "{\"__metadata__\":{\"k\":\"line\\nline \\u00e9 \\ud83d\\ude00 "
        "\\\"\\\\\\/\\b\\f\\r\\t\"}," F32("a", "1", 0, 4) "}",
        "{" F32("\\u0061", "1", 0, 4) "}",
        "{" F32("x", "1,1,1,1,1,1,1,1,1,1", 4, 8) "," F32("a", "1", 0, 4) "}",
        "{" F32("a", "1", 0,
                4) ",\"q\":{\"dtype\":\"F8_E4M3\",\"shape\":[4],\"data_offsets\":[4,8]}}",
        "{" F32("a", "1", 0, 4) ",\"q\":{\"dtype\":\"F4\",\"shape\":[8],\"data_offsets\":[4,8]}}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct safetensors s;
        struct failure f = {0};
        if (safetensors_parse(&s, texts[i], strlen(texts[i]), strstr(texts[i], ",8]") ? 8 : 4, "x",
                              &f) != STATUS_OK)
            fail_msg("%s: %s", texts[i], f.message);
        assert_non_null(safetensors_find(&s, "a"));
        safetensors_close(&s);
    }
}

TEST(test_long_texts)
{
    static const char tail[] = "\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}," F32(
        "a", "1", 0, 4) ",\"__metadata__\":{\"m\":\"";
    enum { LONG = 100000 };
    char *text = malloc(2 * LONG + sizeof tail + 16);
    assert_non_null(text);
    memset(text, 'n', 2 * LONG + sizeof tail);
    memcpy(text, "{\"", 2);
    memcpy(text + LONG, tail, sizeof tail - 1);
    strcpy(text + 2 * LONG + sizeof tail, "\"}}");
    struct safetensors s;
    struct failure f = {0};
    if (safetensors_parse(&s, text, strlen(text), 8, "x", &f) != STATUS_OK)
        fail_msg("%s", f.message);
    assert_non_null(safetensors_find(&s, "a"));
    safetensors_close(&s);
    free(text);
}

/* ---- files ----------------------------------------------------------------------------------- */

static void check_file(const char *path, const char *words)
{
    struct safetensors s;
    struct failure f = {0};
    assert_int_equal(safetensors_open(&s, path, &f), STATUS_USAGE);
    if (!strstr(f.message, words) || !strstr(f.message, path))
        fail_msg("'%s' and the path are not both in '%s'", words, f.message);
}

/* Writes a header's length as a file has it, then some bytes. */
static const char *with_length(const char *name, uint64_t length, const char *text)
{
    unsigned char bytes[256];
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(length >> (8 * i));
    memcpy(bytes + 8, text, strlen(text));
    return files_write(name, bytes, 8 + strlen(text));
}

TEST(test_lengths_that_lie)
{
    check_file(files_write("short", "1234567", 7), "7 bytes are no safetensors file");
    check_file(files_write("empty", "", 0), "0 bytes are no safetensors file");
    check_file(with_length("long", 100, "{}"), "a header of 100 bytes in a file of 10");
    check_file(with_length("huge", UINT64_MAX, "{}"), "a header of 18446744073709551615 bytes");
    check_file(with_length("wraps", UINT64_MAX - 7, "{}"), "in a file of 10");
    check_file(with_length("less", 1, "{}"), "'\"' expected");
    check_file("/dev/null", "not a regular file");
    check_file("/nonexistent/file", "No such file");
}

/* Files of other kinds are named, with what to do; lengths that repeat another kind's first bytes
 * are lengths all the same. */
TEST(test_other_kinds_of_files)
{
    static const struct {
        const char *bytes, *says, *todo;
    } kinds[] = {
        {"{\n  \"metadata\": {\n    \"total_size\": 8\n", "is JSON", "one file with all"},
        {"version https://git-lfs.github.com/spec/v1\n", "pointer of Git LFS", "git lfs pull"},
        {"<!DOCTYPE html><html>", "is a page in HTML", "download the file itself"},
        {"<html><head></head>", "is a page in HTML", "download the file itself"},
        {"\x89HDF\r\n\x1a\n", "holds HDF5", "safetensors.numpy.save_file"},
        {"\x93NUMPY\1\0", "holds one array of NumPy", "safetensors.numpy.save_file"},
        {"\x08\x07\x12\x07pytorch", "holds an ONNX network", "safetensors.numpy.save_file"},
        {"\x08\x0a:\x90\x01", "holds an ONNX network", "safetensors.numpy.save_file"},
        {"GGUF\3", "holds a GGUF network", "safetensors.numpy.save_file"},
        {"\x1f\x8b\x08\x08zipped", "is packed by gzip", "gunzip"},
        {"\x28\xb5\x2f\xfd$", "is packed", "unpack it"},
        {"PK\3\4\n", "torch.save", "safetensors.torch.save_file"},
        {"\x80\x02\x8a\nl\xfc\x9c\x46\xf9", "torch.save", "safetensors.torch.save_file"},
        {"\x89PNG\r\n\x1a\n", "holds a PNG", "give a file of safetensors"},
        {"PROGRAM text", "a header of", "bytes in a file of"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char bytes[64] = {0};
        memcpy(bytes, kinds[i].bytes, strlen(kinds[i].bytes));
        bytes[7] = bytes[7] ? bytes[7] : 1; /* as a length, more than the file */
        check_file(files_write("other", bytes, sizeof bytes), kinds[i].says);
        check_file(files_path("other"), kinds[i].todo);
    }
    check_file(with_length("cut", 'B' | 'M' << 8, "{\"a\":"),
               "a header of 19778 bytes in a file of");
}

/* A header of 100 MB, in a file of that size: a sparse one, which takes no disk space. */
TEST(test_a_header_that_is_too_large)
{
    const uint64_t length = 100000000;
    const char *path = with_length("large", length, "{}");
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, (long)length + 8, SEEK_SET), 0);
    assert_int_equal(fputc(0, file), 0);
    assert_int_equal(fclose(file), 0);
    check_file(path, "a header of 100000000 bytes is more than the 16777216");
}

/* ---- parameters ------------------------------------------------------------------------------ */

TEST(test_parameters_come_back)
{
    struct network n;
    struct failure f = {0};
    make_every_kind(&n, 21);
    float *written = make_parameters(&n, 3), *read = make_parameters(&n, 4);
    const char *path = files_path("every_kind.safetensors");
    assert_int_equal(parameters_write(&n, path, written, &f), STATUS_OK);
    assert_int_equal(parameters_read(&n, path, read, NULL, &f), STATUS_OK);
    assert_memory_equal(written, read, (size_t)n.floats * sizeof *read);
    assert_int_equal(parameters_write(&n, "/dev/full", written, &f), STATUS_OUTPUT);
    f = (struct failure){0};
    assert_int_equal(parameters_write(&n, "/dev/null/x", written, &f), STATUS_OUTPUT);
    free(written);
    free(read);
    network_release(&n);
}

/* One dense layer of 2 x 3, and files that almost match it. */
static void check_parameters(const char *header, const float *values, size_t count,
                             const char *words)
{
    struct network n;
    struct failure f = {0};
    float held[8];
    unsigned char bytes[1024] = {0};
    const size_t length = strlen(header);
    network_begin(&n, "small", (struct tensor_shape){3, 1, 1});
    add_linear(&n, "dense", NETWORK_INPUT, 2);
    bytes[0] = (unsigned char)length;
    memcpy(bytes + 8, header, length);
    memcpy(bytes + 8 + length, values, count * sizeof *values);
    const char *path = files_write("small.safetensors", bytes, 8 + length + count * sizeof *values);
    const enum status status = parameters_read(&n, path, held, NULL, &f);
    if (words && (status != STATUS_USAGE || !strstr(f.message, words)))
        fail_msg("status %d, '%s' where '%s' is expected", status, f.message, words);
    if (!words && status != STATUS_OK)
        fail_msg("%s", f.message);
    network_release(&n);
}

TEST(test_tensors_absent_misshapen_and_not_finite)
{
    static const float values[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    float broken[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    check_parameters("{" F32("dense.weight", "2,3", 0, 24) "," F32("dense.bias", "2", 24, 32) "}",
                     values, 8, NULL);
    check_parameters("{" F32("dense.weight", "2,3", 0, 24) "," F32(
                         "dense.bias", "2", 24, 32) "," F32("else", "1", 32, 36) "}",
                     values, 9, NULL);
    check_parameters("{" F32("dense.weight", "2,3", 0, 24) "}", values, 6,
                     "no tensor dense.bias, which network small has");
    check_parameters("{" F32("dense.weight", "3,2", 0, 24) "," F32("dense.bias", "2", 24, 32) "}",
                     values, 8, "tensor dense.weight is 3 x 2 where the network has 2 x 3");
    check_parameters("{" F32("dense.weight", "6", 0, 24) "," F32("dense.bias", "2", 24, 32) "}",
                     values, 8, "is 6 where the network has 2 x 3");
    check_parameters(
        "{" F32("dense.weight", "2,3", 0,
                24) ",\"dense.bias\":{\"dtype\":\"I32\",\"shape\":[2],\"data_offsets\":[24,32]}}",
        values, 8, "tensor dense.bias is I32: only F32, F16, BF16 and F64 are read");
    memset(&broken[7], 0xff, sizeof broken[7]);
    check_parameters("{" F32("dense.weight", "2,3", 0, 24) "," F32("dense.bias", "2", 24, 32) "}",
                     broken, 8, "tensor dense.bias: value 1 is not finite");
}

/* A dense layer whose tensors have other types. Bits by hand: IEEE 754 binary16 and binary64, and
 * the upper half of binary32. */
static void check_types(const char *type, const void *values, size_t size, const float *expected,
                        int64_t rounded)
{
    struct network n;
    struct failure f = {0};
    float held[8];
    unsigned char bytes[1024] = {0};
    char header[300];
    int64_t found = 0;
    const int length =
        snprintf(header, sizeof header,
                 "{\"dense.weight\":{\"dtype\":\"%s\",\"shape\":[2,3],\"data_offsets\":[0,%zu]},"
                 "\"dense.bias\":{\"dtype\":\"%s\",\"shape\":[2],\"data_offsets\":[%zu,%zu]}}",
                 type, 6 * size, type, 6 * size, 8 * size);
    network_begin(&n, "small", (struct tensor_shape){3, 1, 1});
    add_linear(&n, "dense", NETWORK_INPUT, 2);
    bytes[0] = (unsigned char)length;
    memcpy(bytes + 8, header, (size_t)length);
    memcpy(bytes + 8 + length, values, 8 * size);
    const char *path = files_write("typed.safetensors", bytes, 8 + (size_t)length + 8 * size);
    if (parameters_read(&n, path, held, &found, &f) != STATUS_OK)
        fail_msg("%s: %s", type, f.message);
    assert_memory_equal(held, expected, sizeof held);
    assert_int_equal(found, rounded);
    network_release(&n);
}

TEST(test_types_are_converted)
{
    static const uint16_t halves[] = {0x3c00, 0xc000, 0x3555, 0x0001,
                                      0x03ff, 0x7bff, 0x8000, 0x0400};
    static const float of_halves[] = {1.0f,       -2.0f,    0x1.554p-2f, 0x1p-24f,
                                      0x3ffp-24f, 65504.0f, -0.0f,       0x1p-14f};
    static const uint16_t upper[] = {0x3f80, 0xc000, 0x3eab, 0x0080,
                                     0x7f7f, 0x0001, 0x8000, 0x4049};
    static const float of_upper[] = {1.0f,        -2.0f,     0x1.56p-2f, 0x1p-126f,
                                     0x1.fep127f, 0x1p-133f, -0.0f,      0x1.92p1f};
    static const double doubles[] = {1.0, -2.0, 0.1, 0x1p-149, 1.0 / 3.0, 1e30, -0.0, 0.5};
    float of_doubles[8];
    for (int i = 0; i < 8; i++)
        of_doubles[i] = (float)doubles[i];
    check_types("F16", halves, 2, of_halves, 0);
    check_types("BF16", upper, 2, of_upper, 0);
    check_types("F64", doubles, 8, of_doubles, 3);
}

/* The same seed and name give the same values, others give different ones; the variance is He's. */
TEST(test_seeded_parameters)
{
    struct network n;
    network_begin(&n, "wide", (struct tensor_shape){500, 1, 1});
    add_linear(&n, "dense", NETWORK_INPUT, 400);
    float *a = make_parameters(&n, 3), *b = make_parameters(&n, 3), *c = make_parameters(&n, 4);
    double squares = 0.0, sum = 0.0;
    for (int i = 0; i < 200000; i++) {
        squares += (double)a[i] * a[i];
        sum += a[i];
    }
    assert_memory_equal(a, b, (size_t)n.floats * sizeof *a);
    assert_true(memcmp(a, c, (size_t)n.floats * sizeof *a) != 0);
    assert_true(fabs(squares / 200000.0 - 2.0 / 500.0) < 2e-5);
    assert_true(fabs(sum / 200000.0) < 5e-4);
    free(a);
    free(b);
    free(c);
    network_release(&n);
}

/* The variance of a tensor's values, whose mean is 0. */
static double variance_of(const float *values, int64_t count)
{
    double squares = 0.0, sum = 0.0;
    for (int64_t i = 0; i < count; i++) {
        squares += (double)values[i] * values[i];
        sum += values[i];
    }
    const double mean = sum / (double)count, variance = squares / (double)count;
    assert_true(fabs(mean) < 5.0 * sqrt(variance / (double)count));
    return variance;
}

/* The share of values beyond twice their deviation: 0.0455 of a normal distribution, none of a
 * uniform one. */
static double share_beyond(const float *values, int64_t count, double variance)
{
    int64_t beyond = 0;
    for (int64_t i = 0; i < count; i++)
        beyond += (double)values[i] * values[i] > 4.0 * variance;
    return (double)beyond / (double)count;
}

static void check_weights(const float *values, int64_t count, double variance, bool normal)
{
    const double found = variance_of(values, count) / variance;
    const double beyond = share_beyond(values, count, variance);
    /* the variance of a sample of normal values has the relative deviation sqrt(2 / count) */
    if (!(fabs(found - 1.0) < 5.0 * sqrt(2.0 / (double)count)))
        fail_msg("variance: %g of what the formula has", found);
    if (!(fabs(beyond - (normal ? 0.0455 : 0.0)) < (normal ? 0.006 : 1e-12)))
        fail_msg("%g of the values are beyond twice the deviation", beyond);
}

/* Each layer's weights have the variance of the formula, and biases begin as they should: those of
 * a convolution, in each of two groups 12 channels and 200 filters of 3 x 3, and of a linear
 * layer. */
TEST(test_initializations)
{
    enum { FILTERS = 400, FAN_IN = 12 * 9, FAN_OUT = 200 * 9, INPUTS = 400 * 8 * 8, OUTPUTS = 10 };
    static const double he = 2.0 / FAN_IN, glorot = 2.0 / (FAN_IN + FAN_OUT);
    static const double dense_he = 2.0 / INPUTS, dense_glorot = 2.0 / (INPUTS + OUTPUTS);
    static const struct {
        double conv, dense;
        bool normal;
    } expected[INITIALIZATIONS] = {[INIT_HE_UNIFORM] = {he, dense_he, false},
                                   [INIT_HE_NORMAL] = {he, dense_he, true},
                                   [INIT_GLOROT_UNIFORM] = {glorot, dense_glorot, false},
                                   [INIT_GLOROT_NORMAL] = {glorot, dense_glorot, true},
                                   [INIT_TESINA] = {he, 2.0 * dense_glorot, true}};
    struct network n;
    network_begin(&n, "wide", (struct tensor_shape){24, 10, 10});
    const int conv =
        add_conv(&n, "conv", NETWORK_INPUT, FILTERS, (struct window){3, 1, 0}, 2, true);
    add_linear(&n, "dense", add_plain(&n, &flatten_layer, "flatten", conv), OUTPUTS);
    float *values = malloc((size_t)n.floats * sizeof *values);
    float *again = malloc((size_t)n.floats * sizeof *again);
    assert_true(values && again);
    for (int how = 0; how < INITIALIZATIONS; how++) {
        parameters_initialize(&n, (enum initialization)how, 5, values);
        parameters_initialize(&n, (enum initialization)how, 5, again);
        assert_memory_equal(values, again, (size_t)n.floats * sizeof *values);
        check_weights(values + n.layers[0].offset[0], FILTERS * FAN_IN, expected[how].conv,
                      expected[how].normal);
        check_weights(values + n.layers[2].offset[0], INPUTS * OUTPUTS, expected[how].dense,
                      expected[how].normal);
        assert_true((values[n.layers[0].offset[1]] == 0.0f) == (how != INIT_HE_UNIFORM));
        assert_true((values[n.layers[2].offset[1]] == 0.0f) == (how != INIT_HE_UNIFORM));
        for (int64_t i = 0; i < n.floats; i++)
            assert_true(isfinite(values[i]));
    }
    free(values);
    free(again);
    network_release(&n);
}

const struct tests_group tests_group = {command_setup, command_teardown};
