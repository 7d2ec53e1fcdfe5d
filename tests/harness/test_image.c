/* Sources and sinks: every format is read back correctly, whole and in parts. */
#include "tests/support/files.h"
#include "tests/support/image_check.h"
#include "tests/support/unit_test.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define DATA MAXPOOL_SOURCE_DIR "/tests/data/"

/* The first values, computed independently with exact integers in Python. */
TEST(random_known_answers)
{
    static const float expected[] = {0, 7, 7, 9, 6, 2, 8, 4, 9, 4, 0, 8,
                                     8, 0, 2, 8, 5, 9, 9, 3, 4, 4, 6, 3};
    enum { COUNT = sizeof expected / sizeof *expected };
    float elements[COUNT];
    random_elements(35, 9, 0, COUNT, elements);
    assert_memory_equal(elements, expected, sizeof expected);
    float far[2];
    random_elements(35, 1 << 24, INT64_C(1) << 40, 2, far);
    assert_true(far[0] == 7508431.0F && far[1] == 7159641.0F);
}

TEST(random_is_uniform_and_splits)
{
    enum { COUNT = 1000000, VALUES = 10 };
    float *elements = malloc(COUNT * sizeof *elements), *parts = malloc(COUNT * sizeof *parts);
    assert_true(elements && parts);
    random_elements(1, VALUES - 1, 0, COUNT, elements);
    for (int64_t at = 0, n = 1; at < COUNT; at += n, n = n * 3 % 1009 + 1)
        random_elements(1, VALUES - 1, at, n < COUNT - at ? n : COUNT - at, parts + at);
    assert_memory_equal(elements, parts, COUNT * sizeof *elements);
    int64_t seen[VALUES] = {0}, pairs[VALUES * VALUES] = {0};
    for (int64_t i = 0; i < COUNT; i++) {
        assert_true(elements[i] >= 0 && elements[i] < VALUES);
        seen[(int)elements[i]]++;
        pairs[i ? (int)elements[i - 1] * VALUES + (int)elements[i] : 0]++;
    }
    double chi = 0, chi_pairs = 0, each = COUNT / (double)VALUES, pair = each / VALUES;
    for (int i = 0; i < VALUES; i++)
        chi += ((double)seen[i] - each) * ((double)seen[i] - each) / each;
    for (int i = 0; i < VALUES * VALUES; i++)
        chi_pairs += ((double)pairs[i] - pair) * ((double)pairs[i] - pair) / pair;
    assert_true(chi < 33.7);        /* 9 degrees of freedom, p = 1e-4 */
    assert_true(chi_pairs < 161.4); /* 99 degrees of freedom, p = 1e-4 */
    free(elements);
    free(parts);
}

TEST(random_source)
{
    struct failure f = {STATUS_OK, ""};
    struct source *s = NULL;
    struct image_facts facts;
    assert_int_equal(source_open_random(&s, (struct image_shape){3, 40, 70}, 35, 9, &f), 0);
    assert_true(source_concurrent(s));
    float *whole = image_whole(s, &facts), *line = malloc(3 * 40 * 70 * sizeof *line);
    random_elements(35, 9, 0, 3 * 40 * 70, line);
    assert_memory_equal(whole, line, 3 * 40 * 70 * sizeof *line);
    assert_true(facts.integers && facts.max_abs == 9.0 && facts.rounded == 0);
    image_parts_match(s, whole);
    static const struct image_range outside[] = {
        {3, 0, 1, 0, 1}, {0, 39, 2, 0, 1}, {0, 0, 1, 1, 70}, {0, -1, 1, 0, 1}};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        assert_int_equal(source_read(s, &outside[i], whole, 70, NULL, NULL), STATUS_USAGE);
    free(whole);
    free(line);
    source_close(s);
    assert_int_equal(source_open_random(&s, (struct image_shape){1, 1, 1}, 1, 1 << 25, &f), 2);
    f.status = STATUS_OK;
    assert_int_equal(source_open_random(&s, (struct image_shape){1, 0, 1}, 1, 9, &f), 2);
    f.status = STATUS_OK;
    struct image_shape huge = {1, INT64_MAX / 4, 8};
    assert_int_equal(source_open_random(&s, huge, 1, 9, &f), STATUS_RESOURCE);
    assert_null(s);
}

/* Writes value v as a number of `size` bytes in either byte order. */
static void put(unsigned char *at, uint64_t bits, int size, bool big)
{
    for (int i = 0; i < size; i++)
        at[i] = (unsigned char)(bits >> 8 * (big ? size - 1 - i : i));
}

static uint64_t bits_of(char kind, int size, int value)
{
    if (kind != 'f')
        return (uint64_t)(int64_t)value;
    float narrow = (float)value;
    double wide = (double)value;
    uint32_t bits;
    uint64_t wide_bits;
    memcpy(&bits, &narrow, sizeof bits);
    memcpy(&wide_bits, &wide, sizeof wide_bits);
    if (size == 2) /* a small integer in binary16: the exponent is rebiased, the fraction cut */
        return value ? (bits >> 16 & 0x8000) | ((bits >> 23 & 0xff) - 127 + 15) << 10 |
                           (bits >> 13 & 0x3ff)
                     : 0;
    return size == 4 ? bits : wide_bits;
}

/* Checks one type, order and version: 2 x 3 x 4 elements whose values are their indices minus 5 (or
 * their indices). */
static void check_npy(const char *descr, bool fortran, int version)
{
    enum { P = 2, R = 3, C = 4, ELEMENTS = P * R * C };
    unsigned char bytes[ELEMENTS * 8];
    char header[128];
    char kind = descr[1];
    int size = descr[2] - '0', base = kind == 'u' ? 0 : -5;
    for (int p = 0; p < P; p++)
        for (int r = 0; r < R; r++)
            for (int c = 0; c < C; c++) {
                int at = (p * R + r) * C + c, to = fortran ? p + P * (r + R * c) : at;
                put(bytes + to * size, bits_of(kind, size, at + base), size, descr[0] == '>');
            }
    snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': %s, 'shape': (2, 3, 4), }\n",
             descr, fortran ? "True" : "False");
    struct source *s =
        image_open(files_npy("types.npy", version, header, bytes, ELEMENTS * (size_t)size));
    struct image_shape h = source_shape(s);
    assert_true(h.planes == P && h.rows == R && h.cols == C && source_concurrent(s));
    struct image_facts facts;
    float *elements = image_whole(s, &facts);
    for (int i = 0; i < ELEMENTS; i++)
        assert_true(elements[i] == (float)(i + base));
    assert_true(facts.integers && facts.rounded == 0 && facts.max_abs == ELEMENTS - 1 + base);
    image_parts_match(s, elements);
    free(elements);
    source_close(s);
}

TEST(npy_types_and_orders)
{
    static const char *const types[] = {"f2", "f4", "f8", "i1", "i2", "i4",
                                        "i8", "u1", "u2", "u4", "u8"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        for (int order = 0; order < 2; order++)
            for (int version = 1; version <= 3; version++) {
                char descr[4] = {types[i][1] == '1' ? '|'
                                 : order            ? '>'
                                                    : '<',
                                 types[i][0], types[i][1]};
                check_npy(descr, false, version);
                check_npy(descr, true, version);
            }
}

/* Bits of every kind of half: normal, subnormal, the largest, both zeros; and truth values. */
TEST(npy_halves_and_truths)
{
    static const unsigned char halves[] = {0x00, 0x3c, 0x01, 0x00, 0xff, 0x7b, 0x00, 0x80},
                               infinite[] = {0x00, 0x7c}, truths[] = {0, 1, 0, 2};
    static const float of_halves[] = {1.0f, 0x1p-24f, 65504.0f, -0.0f}, of_truths[] = {0, 1, 0, 1};
    const struct image_shape four = {1, 1, 4};
    image_holds(files_npy("half.npy", 1,
                          "{'descr': '<f2', 'fortran_order': False, 'shape': (4,), }\n", halves, 8),
                four, of_halves);
    image_holds(files_npy("truth.npy", 1,
                          "{'descr': '|b1', 'fortran_order': False, 'shape': (4,), }\n", truths, 4),
                four, of_truths);
    image_refused(files_npy("inf.npy", 1,
                            "{'descr': '<f2', 'fortran_order': False, 'shape': (1,), }\n", infinite,
                            2),
                  "", "");
}

/* N x C x rows x columns: the order of the planes, and the number of images. */
TEST(npy_batches)
{
    enum { N = 2, C = 3, R = 4, W = 5, ELEMENTS = N * C * R * W };
    for (int fortran = 0; fortran < 2; fortran++) {
        unsigned char bytes[ELEMENTS];
        for (int n = 0; n < N; n++)
            for (int c = 0; c < C; c++)
                for (int r = 0; r < R; r++)
                    for (int w = 0; w < W; w++) {
                        const int element = ((n * C + c) * R + r) * W + w;
                        bytes[fortran ? n + N * (c + C * (r + R * w)) : element] =
                            (unsigned char)element;
                    }
        char header[128];
        snprintf(header, sizeof header,
                 "{'descr': '|u1', 'fortran_order': %s, 'shape': (2, 3, 4, 5), }\n",
                 fortran ? "True" : "False");
        struct source *s = image_open(files_npy("batch.npy", 1, header, bytes, sizeof bytes));
        struct image_shape h = source_shape(s);
        assert_true(h.planes == N * C && h.rows == R && h.cols == W && source_batch(s) == N);
        struct image_facts facts;
        float *elements = image_whole(s, &facts);
        for (int i = 0; i < ELEMENTS; i++)
            assert_true(elements[i] == (float)i);
        image_parts_match(s, elements);
        free(elements);
        source_close(s);
    }
    struct source *s = image_open(files_npy(
        "one.npy", 1, "{'descr': '|u1', 'fortran_order': False, 'shape': (3, 1, 2)}", "abcdef", 6));
    assert_int_equal(source_batch(s), 1);
    source_close(s);
}

TEST(npy_header_spellings)
{
    static const struct {
        const char *header;
        int64_t planes, rows, cols;
    } good[] = {
        {"{\"shape\":(6,),\"fortran_order\":False,\"descr\":\"|u1\"}", 1, 1, 6},
        {"{'fortran_order': True, 'descr': '|u1', 'shape': (3, 2)}   \n", 1, 3, 2},
        {"{ 'descr' : '|u1' , 'shape' : ( 1L , 3L , 2L , ) , 'fortran_order' : False , }\n", 1, 3,
         2},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct source *s = image_open(files_npy("spelling.npy", 1, good[i].header, "abcdef", 6));
        struct image_shape h = source_shape(s);
        assert_true(h.planes == good[i].planes && h.rows == good[i].rows && h.cols == good[i].cols);
        source_close(s);
    }
}

/* Large enough for several windows and chunks, in both orders, with distant planes. */
TEST(npy_large)
{
    struct image_shape h = {700, 9, 75};
    size_t elements = (size_t)(h.planes * h.rows * h.cols);
    float *values = malloc(elements * sizeof *values), *turned = malloc(elements * sizeof *turned);
    assert_true(values && turned);
    random_elements(3, 1000, 0, (int64_t)elements, values);
    for (int64_t p = 0; p < h.planes; p++)
        for (int64_t r = 0; r < h.rows; r++)
            for (int64_t c = 0; c < h.cols; c++)
                turned[p + h.planes * (r + h.rows * c)] = values[(p * h.rows + r) * h.cols + c];
    for (int fortran = 0; fortran < 2; fortran++) {
        char note[8];
        struct failure f = {STATUS_OK, ""};
        const char *path = files_path("large.npy");
        assert_int_equal(sink_write(path, h, fortran ? turned : values, note, sizeof note, &f), 0);
        if (fortran) { /* the same bytes, declared in the other order */
            FILE *stream = fopen(path, "r+b");
            fseek(stream, 10, SEEK_SET);
            fputs("{'descr': '<f4', 'fortran_order': True , 'shape': (700, 9, 75), }", stream);
            fclose(stream);
        }
        image_holds(path, h, values);
    }
    free(values);
    free(turned);
}

TEST(rounding_is_counted)
{
    static const int64_t wide[] = {16777217,  16777216, INT64_MAX,       INT64_MIN, (1LL << 60) + 1,
                                   -16777217, 0,        (1LL << 53) + 1, 1LL << 62};
    struct source *s = image_open(
        files_npy("wide.npy", 1, "{'descr': '<i8', 'fortran_order': False, 'shape': (9,), }", wide,
                  sizeof wide));
    struct image_facts facts;
    float *elements = image_whole(s, &facts);
    for (int i = 0; i < 9; i++)
        assert_true(elements[i] == (float)wide[i]);
    assert_true(facts.rounded == 5 && facts.integers && facts.max_abs == 0x1p63);
    free(elements);
    source_close(s);
    s = image_open(files_write("fractions.txt", "0.5 0.1 3\n1e-60 4 16777217\n", 26));
    elements = image_whole(s, &facts);
    assert_true(facts.rounded == 3 && !facts.integers && facts.max_abs == 16777216.0);
    struct image_range one = {0, 1, 1, 1, 2};
    facts = IMAGE_FACTS_NONE;
    assert_int_equal(source_read(s, &one, elements, 2, &facts, NULL), STATUS_OK);
    assert_true(facts.rounded == 1 && facts.integers);
    free(elements);
    source_close(s);
}

TEST(text_matrices)
{
    const char *text = "# a comment\n\n 1, 2\t-3 # another\r\n+.5 6. 7e2\n# between\n8 9 10\n\n \n"
                       "1 1 1\n2 2 2\n3 3 3";
    static const float expected[] = {1, 2, -3, .5F, 6, 700, 8, 9, 10, 1, 1, 1, 2, 2, 2, 3, 3, 3};
    setlocale(LC_ALL, "de_DE.UTF-8"); /* a decimal comma, where installed */
    image_holds(files_write("planes.txt", text, strlen(text)), (struct image_shape){2, 3, 3},
                expected);
    setlocale(LC_ALL, "C");
}

/* After a point, # begins a comment unless it begins what older C libraries print for infinity. */
TEST(text_comments_after_points)
{
    static const char text[] = "5.#note\n6.#\n7.# Inf\n8.#inf\n";
    static const float expected[] = {5, 6, 7, 8};
    image_holds(files_write("points.txt", text, sizeof text - 1), (struct image_shape){1, 4, 1},
                expected);
}

/* Tabs between the numbers, with blanks around them, quotes, and tabs at the ends of lines. */
TEST(tsv_files)
{
    static const char *const texts[] = {
        "1\t2\n3\t4\n\n5\t6\n7\t8",
        "\ufeffsep=\t\r\n1\t2\r\n3\t4\r\n\r\n5\t6\r\n7\t8\r\n",
        "\"1\"\t2 # a comment\n3 \t 4\t\n\t\n5\t\"6\"\t\t\n7\t8\n\t\t\n",
    };
    static const float expected[] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        image_holds(files_write("cells.TSV", texts[i], strlen(texts[i])),
                    (struct image_shape){2, 2, 2}, expected);
}

/* Commas between the numbers, or semicolons, which leave the comma to decimals. */
TEST(csv_separators)
{
    static const char *const texts[] = {
        "1.5,2\n-3,.25\n",
        "1.5;2\n-3;.25\n",
        "\ufeff1,5;2\r\n-3;,25\r\n",
        "1,5 ; 2 # a comment; and more\n-3;\t,25",
        "1.5, 2 # a comment; and more\n-3 , .25",
    };
    static const float expected[] = {1.5F, 2, -3, .25F};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        image_holds(files_write("rows.CSV", texts[i], strlen(texts[i])),
                    (struct image_shape){1, 2, 2}, expected);
}

/* What spreadsheets add, and NaN, which is 0 if the user wants it so. */
TEST(csv_of_spreadsheets)
{
    static const char *const texts[] = {
        "sep=;\r\n1;2\r\n3;4\r\n\r\n5;6\r\n7;8\r\n",
        "\ufeffsep=,\n1,2\n3,4\n,\n5,6\n7,8\n,\n,\n",
        "\"1\",\"2\"\n\"3\",4\n\n5,\"6\" \n7, \"8\"\n",
        "\"1,0\";2\n3;\"4,0\"\n;\n5;6\n7;8\n",
        "1;2;\n3;4;;\n;;;\n5;6\n7;8;\n",
        "1\t2\n3\t4\t\n\t\n5\t6\n7\t8\n",
        "sep=\t\n1\t2\n3\t4\n\n5\t6\n7\t8\n",
    };
    static const float expected[] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        image_holds(files_write("sheet.csv", texts[i], strlen(texts[i])),
                    (struct image_shape){2, 2, 2}, expected);
    struct source *s = image_open(files_write("nan.txt", "1 nan\n-NaN 2", 12));
    struct image_facts facts;
    source_take_nans(s);
    float *elements = image_whole(s, &facts);
    assert_memory_equal(elements, ((float[]){1, 0, 0, 2}), 4 * sizeof *elements);
    assert_int_equal(facts.nans, 2);
    free(elements);
    source_close(s);
}

/* Two planes of 2 x 2, with any line ends, with and without a byte order mark. */
TEST(text_line_ends)
{
    static const char *const texts[] = {
        "1 2\n3 4\n\n5 6\n7 8\n",
        "1 2\r\n3 4\r\n\r\n5 6\r\n7 8\r\n",
        "1 2\r3 4\r\r5 6\r7 8",
        "\ufeff# from a spreadsheet\r\n1,2\r\n3,4\r\n\r\n5,6\r\n7,8",
        "\ufeff#\r1 2 # comment\r3 4\r\r\r5 6\r7 8\r\r",
    };
    static const float expected[] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        image_holds(files_write("ends.txt", texts[i], strlen(texts[i])),
                    (struct image_shape){2, 2, 2}, expected);
}

TEST(real_images)
{
    static const struct {
        const char *path;
        struct image_shape shape;
    } images[] = {{DATA "brain_axial.png", {1, 217, 181}},
                  {DATA "brain_sagittal.png", {1, 181, 217}},
                  {DATA "brain_24_slices.nii.gz", {24, 109, 91}}};
    for (size_t i = 0; i < sizeof images / sizeof *images; i++) {
        if (files_lacking(images[i].path))
            continue;
        struct source *s = image_open(images[i].path);
        struct image_shape h = source_shape(s);
        assert_memory_equal(&h, &images[i].shape, sizeof h);
        assert_false(source_concurrent(s));
        struct image_facts facts;
        float *elements = image_whole(s, &facts);
        assert_true(facts.integers && facts.max_abs > 100 && facts.max_abs <= 255);
        image_parts_match(s, elements);
        free(elements);
        source_close(s);
    }
}

/* Writing and reading back by every sink gives the same bits. */
TEST(round_trips)
{
    static const char *const names[] = {"trip.npy", "trip.txt"};
    static const struct image_shape shapes[] = {{1, 3, 5}, {3, 1, 5}, {5, 3, 1}, {1, 1, 15}};
    float map[15] = {0.1F, -1e-45F, FLT_MAX, 16777216.0F, -0.0F,     1.0F / 3, 123456.789F, 1e10F,
                     5,    -7,      FLT_MIN, 2.5e-8F,     9.999999F, 1e-30F,   -FLT_MAX};
    for (size_t n = 0; n < 2; n++)
        for (size_t i = 0; i < 4; i++) {
            char note[64] = "x";
            struct failure f = {STATUS_OK, ""};
            const char *path = files_path(names[n]);
            int before = files_count();
            assert_int_equal(sink_check(path, &(struct sink_map){.shape = shapes[i]}, &f),
                             STATUS_OK);
            assert_int_equal(files_count(), before);
            assert_int_equal(sink_write(path, shapes[i], map, note, sizeof note, &f), STATUS_OK);
            assert_string_equal(note, "");
            image_holds(path, shapes[i], map);
        }
    assert_int_equal(remove(files_path("trip.npy")), 0);
    assert_int_equal(remove(files_path("trip.txt")), 0);
}

TEST(text_digits_are_shortest)
{
    const float map[4] = {0.1F, 1.0F / 3, 2, -1e20F};
    char note[8];
    size_t size;
    struct image_shape shape = {2, 1, 2};
    const char *path = files_path("short.txt");
    assert_int_equal(sink_write(path, shape, map, note, sizeof note, NULL), STATUS_OK);
    unsigned char *text = files_read(path, &size);
    assert_string_equal((char *)text, "0.1 0.33333334\n\n2 -1e+20\n");
    free(text);
}

TEST(png_scaling_is_reported)
{
    static const struct {
        float map[4], gray[4];
        const char *note;
    } cases[] = {{{0, 7, 128, 255}, {0, 7, 128, 255}, ""},
                 {{-1, 0, 1, 3}, {0, 64, 128, 255}, "values -1 .. 3 scaled to 0 .. 255"},
                 {{7.5F, 7.5F, 7.5F, 7.5F}, {0, 0, 0, 0}, "values 7.5 .. 7.5 scaled"},
                 {{INFINITY, NAN, -INFINITY, 300}, {0, 0, 0, 0}, "not finite"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char note[200];
        const char *path = files_path("gray.png");
        struct image_shape shape = {1, 2, 2};
        if (files_lacking(path)) {
            assert_int_equal(sink_check(path, &(struct sink_map){.shape = shape}, NULL),
                             STATUS_UNAVAILABLE);
            skip();
        }
        assert_int_equal(sink_write(path, shape, cases[i].map, note, sizeof note, NULL), STATUS_OK);
        assert_non_null(strstr(note, cases[i].note));
        assert_int_equal(note[0] == '\0', cases[i].note[0] == '\0');
        image_holds(path, shape, cases[i].gray);
    }
}

/* Three planes of one image are red, green and blue, scaled alike; those of three images are no
 * picture. */
TEST(png_in_colour)
{
    static const struct {
        float map[12], levels[12];
    } cases[] = {{{0, 1, 2, 3, 100, 101, 102, 103, 252, 253, 254, 255},
                  {0, 1, 2, 3, 100, 101, 102, 103, 252, 253, 254, 255}},
                 {{-2, 0, 0, 0, 3, 3, 3, 3, 1, 1, 1, 1},
                  {0, 102, 102, 102, 255, 255, 255, 255, 153, 153, 153, 153}}};
    const char *path = files_path("colour.png");
    const struct image_shape shape = {3, 2, 2};
    if (files_lacking(path))
        skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char note[200];
        assert_int_equal(sink_check(path, &(struct sink_map){.shape = shape}, NULL), STATUS_OK);
        assert_int_equal(sink_write(path, shape, cases[i].map, note, sizeof note, NULL), STATUS_OK);
        assert_int_equal(note[0] != 0, i);
        image_holds(path, shape, cases[i].levels);
    }
    struct failure f = {STATUS_OK, ""};
    const struct sink_map one = {shape, 1, NULL}, three = {shape, 3, NULL};
    assert_int_equal(sink_check(path, &one, &f), STATUS_OK);
    assert_int_equal(sink_check(path, &three, &f), STATUS_USAGE);
    assert_non_null(strstr(f.message, "red, green and blue of one image"));
}

TEST(sinks_that_cannot_write)
{
    static const struct {
        const char *path;
        int64_t planes;
        enum status status;
        const char *says;
    } cases[] = {{"map.csv", 1, STATUS_USAGE, ".npy, .txt or .png"},
                 {"map.png", 2, STATUS_USAGE, "one plane"},
                 {"missing/folder/map.npy", 1, STATUS_OUTPUT, "No such file"},
                 {"/proc/map.npy", 1, STATUS_OUTPUT, "cannot be written"}};
    float map[2] = {1, 2};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int writing = 0; writing < 2 && !files_lacking(cases[i].path); writing++) {
            struct failure f = {STATUS_OK, ""};
            char note[8];
            struct image_shape shape = {cases[i].planes, 1, 2 / cases[i].planes};
            enum status status =
                writing ? sink_write(cases[i].path, shape, map, note, sizeof note, &f)
                        : sink_check(cases[i].path, &(struct sink_map){.shape = shape}, &f);
            assert_int_equal(status, cases[i].status);
            assert_non_null(strstr(f.message, cases[i].says));
        }
}

/* On a full disk every writer ends with status 5: the test links to /dev/full. */
TEST(full_disk)
{
    static const char *const names[] = {"full.npy", "full.txt", "full.png"};
    float map[4] = {1, 2, 3, 4};
    for (size_t i = 0; i < 3; i++) {
        struct failure f = {STATUS_OK, ""};
        char note[8];
        const char *path = files_path(names[i]);
        struct image_shape shape = {1, 2, 2};
        if (files_lacking(path))
            continue;
        assert_int_equal(symlink("/dev/full", path), 0);
        assert_int_equal(sink_check(path, &(struct sink_map){.shape = shape}, &f), STATUS_OK);
        assert_int_equal(sink_write(path, shape, map, note, sizeof note, &f), STATUS_OUTPUT);
        assert_non_null(strstr(f.message, "No space left"));
        assert_int_equal(remove(path), 0);
    }
}

/* A write that fails half-way (because of a limit on file sizes) leaves the old file and no
 * other. */
TEST(nothing_half_written)
{
    enum { ELEMENTS = 100000 };
    float *map = calloc(ELEMENTS, sizeof *map);
    const char *path = files_write("old.npy", "old", 3);
    int before = files_count();
    struct rlimit old, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = 4096;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    struct failure f = {STATUS_OK, ""};
    char note[8];
    enum status status =
        sink_write(path, (struct image_shape){1, 1, ELEMENTS}, map, note, sizeof note, &f);
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(status, STATUS_OUTPUT);
    assert_non_null(strstr(f.message, "the limit on file sizes"));
    assert_int_equal(files_count(), before);
    size_t size;
    unsigned char *bytes = files_read(path, &size);
    assert_string_equal((char *)bytes, "old");
    free(bytes);
    free(map);
}

TEST(links_and_modes_are_kept)
{
    float map[1] = {1};
    char note[8];
    struct stat about;
    const char *file = files_write("kept.npy", "", 0), *link = files_path("link.npy");
    assert_int_equal(chmod(file, 0640), 0);
    assert_int_equal(symlink("kept.npy", link), 0);
    struct image_shape shape = {1, 1, 1};
    assert_int_equal(sink_write(link, shape, map, note, sizeof note, NULL), STATUS_OK);
    assert_int_equal(lstat(link, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_int_equal(stat(file, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
    assert_true(about.st_size == 132);
}

const struct tests_group tests_group = {command_setup, command_teardown};
