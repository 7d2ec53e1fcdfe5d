/* Bad files: the status, and a message that names the file and the place. */
#include "harness/image/sources/source_kind.h"
#include "tests/support/files.h"
#include "tests/support/image_check.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(MAXPOOL_HAVE_NIFTI)
#include <nifti1_io.h>
#endif

#define DATA MAXPOOL_SOURCE_DIR "/tests/data/"

TEST(names_and_places)
{
    image_refused("missing.npy", "No such file", "");
    image_refused("missing.txt", "No such file", "");
    image_refused("image.gif", "No such file", "");
    image_refused(".npy", "No such file", "");
    image_refused(files_write("image.dat", "1 2\n", 4), "of no known format", ".txt, .csv or .tsv");
    struct failure f; /* a message is one line, whatever characters a name has */
    assert_int_equal(files_try(files_write("two\nlines.npy", "", 0), &f), STATUS_USAGE);
    assert_non_null(strstr(f.message, "two?lines.npy: cut short"));
}

/* None of these is opened for reading: a FIFO would block, and /dev/zero has no end. */
TEST(only_regular_files)
{
    static const char *const names[] = {"a.npy", "a.txt", "a.csv", "a.tsv",   "a.png",
                                        "a.jpg", "a.nii", "a.dat", "a.nii.gz"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *path = files_path(names[i]);
        if (files_lacking(path))
            continue;
        assert_int_equal(mkdir(path, 0700), 0);
        image_refused(path, "is a directory, not a regular file", "");
        assert_int_equal(remove(path), 0);
        assert_int_equal(mkfifo(path, 0600), 0);
        image_refused(path, "is a FIFO, not a regular file", "");
        assert_int_equal(remove(path), 0);
        assert_int_equal(symlink("/dev/zero", path), 0);
        image_refused(path, "is a character device, not a regular file", "");
        assert_int_equal(remove(path), 0);
    }
}

TEST(missing_images)
{
    if (!files_lacking("missing.png"))
        image_refused("missing.png", "No such file", "");
    if (!files_lacking("missing.nii.gz"))
        image_refused("missing.nii.gz", "No such file", "");
}

/* What is in a file under another name is named, with what to do. */
TEST(other_contents)
{
    static const struct {
        const char *name, *bytes, *says;
    } files[] = {{"gif.png", "GIF89a", "holds a GIF: convert it"},
                 {"tiff.jpg", "II*", "holds a TIFF"},
                 {"webp.jpg", "RIFF1234WEBPVP8 ", "holds a WebP"},
                 {"phone.jpeg", "1234ftypheic", "holds a HEIC"},
                 {"zip.npy", "PK\3\4", "numpy.save"},
                 {"pickle.npy", "\x80\x04\x95", "is a pickle"},
                 {"packed.npy", "\x1f\x8b\x08", "gunzip"},
                 {"pointer.png", "version https://git-lfs.github.com/spec/v1", "git lfs pull"},
                 {"page.nii", "<!DOCTYPE html>", "HTML"},
                 {"arrays.npz", "PK\3\4", "several arrays"},
                 {"picture.gif", "GIF89a", "holds a GIF: convert it"}, /* under its own name */
                 {"scan.tif", "II*", "holds a TIFF"},
                 {"no_ending", "BM", "holds a BMP"},
                 {"map.pgm", "P5\n2 2\n255\n", "holds a PGM"},
                 {"map.png", "P2 2 2 255 1 2 3 4", "holds a PGM"},
                 {"page.jpg", "<HTML>", "HTML"},
                 {"data.npy", "\x89HDF\r\n", "holds HDF5"},
                 {"data.mat", "MATLAB 5.0 MAT-file", "MATLAB"},
                 {"net.onnx", "\x08\x07\x12\x07pytorch", "ONNX network: it is no image"},
                 {"net.npy", "12345678{\"a\"", "holds safetensors"},
                 {"index.csv", "{\"metadata\"", "is JSON"},
                 {"page.txt", "<html>", "HTML"},
                 {"pointer.csv", "version https://git-lfs.github.com/spec/v1", "git lfs pull"},
                 {"map.tsv", "P2 2 2 255 1 2 3 4", "holds a PGM"},
                 {"zip.csv", "PK\3\4", "ZIP"},
                 {"packed.txt",
                  "\xfd"
                  "7zXZ",
                  "is packed"}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (!files_lacking(files[i].name))
            image_refused(files_write(files[i].name, files[i].bytes, strlen(files[i].bytes) + 1),
                          files[i].says, "");
}

/* The first bytes decide, not the name. */
TEST(read_under_any_name)
{
    static const char *const names[] = {"a.npy", "a.txt", "a.nii", "a.png", "a.dat", "a"};
    static const float values[] = {1, 2, 3, 4, 5, 6};
    const char header[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        image_holds(files_npy(names[i], 1, header, values, sizeof values),
                    (struct image_shape){1, 2, 3}, values);
    size_t size;
    unsigned char *bytes = files_read(DATA "brain_axial.png", &size);
    for (size_t i = 0; i < sizeof names / sizeof *names && !files_lacking("a.png"); i++) {
        const char *path = files_write(names[i], bytes, size);
        assert_true(source_is_picture(path));
        struct source *s = image_open(path);
        assert_true(source_shape(s).rows == 217 && source_shape(s).cols == 181);
        source_close(s);
    }
    free(bytes);
    assert_false(source_is_picture(files_npy("a.png", 1, header, values, sizeof values)));
    assert_true(source_is_picture("missing.png") && !source_is_picture("missing.npy"));
}

struct bad_text {
    const char *text, *says, *and;
};

static void texts_refused(const char *name, const struct bad_text *bad, size_t count)
{
    for (size_t i = 0; i < count; i++)
        image_refused(files_write(name, bad[i].text, strlen(bad[i].text)), bad[i].says, bad[i].and);
}

TEST(npy_headers)
{
    static const struct {
        const char *header, *says;
    } bad[] = {
        {"", "expected {"},
        {"{}", "once each"},
        {"[1]", "expected {"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2)", "a comma"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), ", "quoted text"},
        {"{'descr': '<f4', 'fortran_order': False}", "once each"},
        {"{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", "once each"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'more': 1}", "once each"},
        {"{'descr': '<f4', 'fortran_order': 0, 'shape': (2,)}", "True or False"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2)}", "tuple of one"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}", "a length"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': 2}", "a tuple"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2 1)}", "a comma"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} x", "nothing more"},
        {"{'descr' '<f4', 'fortran_order': False, 'shape': (2,)}", "a colon"},
        {"{'descr': '<f4, 'fortran_order': False, 'shape': (2,)}", "holds"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': ()}", "0 dimensions"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 0)}", "dimension 2 of 2 is 0"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 1, 1, 2)}", "more than 4"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}", "63 bits"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 9)}", "63 bits"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1000000, 1000000)}", "promises"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1)}", "promises 4 bytes"},
        {"{'descr': '<c8', 'fortran_order': False, 'shape': (1, 1)}", "complex"},
        {"{'descr': '|S4', 'fortran_order': False, 'shape': (2,)}", "byte strings"},
        {"{'descr': '<U1', 'fortran_order': False, 'shape': (2,)}", "strings"},
        {"{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", "Python objects"},
        {"{'descr': '<f16', 'fortran_order': False, 'shape': (1,)}", "'<f16'"},
        {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}", "structured"},
        {"{'descr': 4, 'fortran_order': False, 'shape': (2,)}", "quoted text"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        image_refused(files_npy("bad.npy", 1, bad[i].header, "\0\0\0\0\0\0\0", 8), bad[i].says, "");
    image_refused(files_npy("bad.npy", 4, "{}", "", 0), "version 4.0", "");
    image_refused(files_write("bad.npy", "JUNK zipped", 11), "not an npy", "");
    image_refused(files_write("bad.npy", "\x93NUMPY\1\0\xff\xff{", 11), "claims 65535", "of 11");
    image_refused(files_write("bad.npy", "\x93NUMPY\2\0\xff\xff\xff\xff{", 13), "claims 4294967295",
                  "of 13");
    image_refused(files_write("bad.npy", "\x93NUMPY\2\0\xff", 9), "within the npy header", "");
}

/* The project's real cases, truncated at every length, are refused at every length. */
TEST(npy_cut_anywhere)
{
    size_t size;
    unsigned char *bytes =
        files_read(MAXPOOL_SOURCE_DIR "/tests/cases/digits_4x4_k2_s1_p1.in.npy", &size);
    for (size_t cut = 0; cut < size; cut++)
        image_refused(files_write("cut.npy", bytes, cut), "", "");
    free(bytes);
}

TEST(values_not_finite)
{
    const char *header = "{'descr': '<f8', 'fortran_order': %s, 'shape': (2, 2, 3), }";
    static const struct {
        double value;
        const char *says;
    } bad[] = {{(double)NAN, "NaN"},
               {(double)-INFINITY, "infinity"},
               {1e300, "too large"},
               {-0x1.ffffffp127, "too large"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        for (int fortran = 0; fortran < 2; fortran++) {
            char text[128];
            double values[12] = {0};
            values[fortran ? 1 + 2 * (0 + 2 * 2) : 8] = bad[i].value;
            snprintf(text, sizeof text, header, fortran ? "True" : "False");
            image_refused(files_npy("bad.npy", 1, text, values, sizeof values), bad[i].says,
                          "plane 1, row 0, column 2");
        }
    double fits = 0x1.fffffep127;
    struct failure f;
    assert_int_equal(
        files_try(files_npy("good.npy", 1, "{'descr':'<f8','fortran_order':False,'shape':(1,)}",
                            &fits, sizeof fits),
                  &f),
        STATUS_OK);
}

TEST(texts)
{
    static const struct bad_text bad[] = {
        {"", "holds no number", ""},
        {"# only\n\n", "holds no number", ""},
        {"1 2\n3\n", "line 2 has 1", "line 1 has 2"},
        {"# c\n\n1 2\n3 4\n5 6 7\n", "line 5 has 3", "line 3 has 2"},
        {"1\n2\n\n3\n", "starts in line 4 has 1 rows", "first has 2"},
        {"1 nan\n", "NaN at plane 0, row 0, column 1", "--nan zero"},
        {"1.#INF\n", "line 1, column 1", "'1.#INF'"},
        {"0 1.#QNAN", "line 1, column 3", "'1.#QNAN'"},
        {"1.#J", "line 1, column 1", "'1.#J'"},
        {"2 -1.#IND # a comment\n", "line 1, column 3", "'-1.#IND'"},
        {"1\ninf\n", "line 2, column 1", "'inf'"},
        {"-Infinity", "column 1", "not a decimal"},
        {"0x10", "column 1", "'0x10'"},
        {"1 0x1p3", "column 3", "not a decimal"},
        {"1e", "column 1", "'1e'"},
        {"1 .", "column 3", "'.'"},
        {"1.2.3", "column 1", "'1.2.3'"},
        {"1;2", "column 1", "'1;2' is not a decimal number: numbers are separated by blanks"},
        {"1\u00a0024 2", "column 1", "no-break space"},
        {"\"1\",\"2\"", "column 1", "not quoted"},
        {"[1, 2]", "column 1", "only numbers"},
        {"1,5 2,5\n3,5 4,5\n", "line 1, column 2", "commas within numbers"},
        {"3 4\n1,5\t2\n", "line 2, column 2", "commas within numbers"},
        {"1 2,5", "line 1, column 4", "commas within numbers"},
        {"--1", "column 1", "'--1'"},
        {"12a", "column 1", "'12a'"},
        {"1,,2", "line 1, column 3", "a comma"},
        {",1", "line 1, column 1", "a comma"},
        {"1\n1,", "line 2, column 2", "number after it"},
        {"1 1e39", "line 1, column 3", "too large"},
        {"-1e999", "line 1, column 1", "too large"},
        {"\ufeff", "holds no number", ""},
        {"\ufeff1\n2 3", "line 2 has 2", "line 1 has 1"},
        {"\xef\xbb"
         "1",
         "line 1, column 1", "no decimal number"},
        {"1\ufeff", "line 1, column 1", "not a decimal"},
        {"\xff\xfe"
         "1",
         "UTF-16", "save it in UTF-8"},
        {"1 2\r3\r", "line 2 has 1", "line 1 has 2"},
        {"1\r\n\r\n2\r\n\r\n3 4", "line 5 has 2", "line 1 has 1"},
    };
    texts_refused("bad.txt", bad, sizeof bad / sizeof *bad);
    image_refused(files_write("bad.txt", "1\0002", 3), "column 1", "UTF-16");
    char digits[3000];
    memset(digits, '1', sizeof digits);
    image_refused(files_write("bad.txt", digits, sizeof digits), "more than 1023", "");
}

TEST(csv_files)
{
    static const struct bad_text bad[] = {
        {"", "holds no number", ""},
        {"a,b\n1,2\n", "line 1, column 1: 'a' is not", "a header?"},
        {"\"a\";\"b\"\n1;2\n", "line 1, column 1", "a header?"},
        {"1,2\na,b\n", "line 2, column 1", "'a' is not a decimal number"},
        {"sep=;\n1;x\n", "line 2, column 3", "'x'"},
        {"sep=\n1,2\n", "line 1", "after 'sep='"},
        {"sep=|\n1|2\n", "line 1", "after 'sep='"},
        {"sep=;,\n1;2\n", "line 1", "after 'sep='"},
        {"sep=,\n1;2\n", "line 2, column 1", "'1;2'"},
        {"sep=;\n1,2,3\n", "line 2, column 1", "'1,2,3'"},
        {"sep=\t\n1\t\t3\n", "line 2, column 3", "a tab"},
        {"1\t\t3\n\t5\t6\n", "line 1, column 3", "a tab"},
        {"\"1,5\",\"2\"\n", "line 1, column 1: '1,5' is not", "decimal sign or between thousands"},
        {"1,\"2\n", "line 1, column 3", "a quote that is not closed"},
        {"1,\"2\"3\n", "line 1, column 6", "after a closing quote"},
        {"\"2\"3,4\n", "line 1, column 4", "after a closing quote"},
        {"1,\"2\"\"3\"\n", "line 1, column 6", "after a closing quote"},
        {"1,\"2\"\n,\"\"", "line 2, column 1", "number before it"},
        {"1,5 2,5\n", "line 1, column 2", "commas within numbers"},
        {"1,2,3\n4;5;6\n", "line 1, column 1: '1,2,3' is not", "a comma is a decimal sign"},
        {"1;2,\n", "line 1, column 3", "a comma is a decimal sign"},
        {"1,5;2.5\n", "line 1, column 5", "one file"},
        {"1.5;2\n1;2,5\n", "line 2, column 3", "one file"},
        {"1.000,5;2\n", "'1.000,5'", "a comma is a decimal sign"},
        {"1 000;2\n", "line 1", "blanks between numbers"},
        {"1;;2\n", "line 1, column 3", "a semicolon"},
        {"1,2,\n3,,4\n", "line 2, column 3", "number before it"},
        {"1,2,\n3,4,5\n", "line 2 has 3", "line 1 has 2"},
        {",1\n", "line 1, column 1", "number before it"},
        {"1;2\n3\n", "line 2 has 1", "line 1 has 2"},
        {"\xff\xfe"
         "1",
         "UTF-16", "save it in UTF-8"},
    };
    texts_refused("bad.csv", bad, sizeof bad / sizeof *bad);
}

/* An empty cell does not shift the row. */
TEST(tsv_files)
{
    static const struct bad_text bad[] = {
        {"1\t\t3\n\t5\t6\n", "line 1, column 3", "a tab with no number"},
        {"1\t2\n\t4\n", "line 2, column 1", "a tab with no number"},
        {"1\t2\n3\t\n", "line 2 has 1", "line 1 has 2"},
        {"1\t2 3\n", "line 1", "blanks between numbers"},
        {"1 2\n", "line 1", "blanks between numbers"},
        {"1,5\t2\n", "line 1, column 1: '1,5' is not", "decimal sign"},
        {"1\t2;3\n", "line 1, column 3: '2;3' is not", "tabs separate"},
        {"a\tb\n1\t2\n", "line 1, column 1", "a header?"},
        {"\"1\"2\t3\n", "line 1, column 4", "after a closing quote"},
        {"\t\n", "holds no number", ""},
    };
    texts_refused("bad.tsv", bad, sizeof bad / sizeof *bad);
}

/* Text may begin as a file of another format does. */
TEST(texts_that_begin_as_other_formats)
{
    static const float expected[] = {1, 2};
    char dicom[160];
    snprintf(dicom, sizeof dicom, "#%127sDICM\n1 2\n", "");
    const char *const texts[] = {"# photo WEBP\n1 2\n", "#   ftyp\n1 2\n", dicom};
    static const char *const says[] = {"holds a WebP", "holds a HEIC", "holds a DICOM"};
    static const char *const names[] = {"a.txt", "a.csv"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        for (size_t n = 0; n < 2; n++)
            image_holds(files_write(names[n], texts[i], strlen(texts[i])),
                        (struct image_shape){1, 1, 2}, expected);
        image_refused(files_write("a.png", texts[i], strlen(texts[i])), says[i], "");
    }
    image_refused(files_write("a.csv", "BMI,age\n1,2\n", 12), "line 1, column 1", "a header?");
    image_refused(files_write("a.tsv", "BMI\tage\n1\t2\n", 12), "line 1, column 1", "a header?");
}

/* A picture, array or volume where a typed matrix is expected. */
TEST(text_streams_that_hold_no_text)
{
    static const struct {
        const char *bytes;
        size_t count;
        const char *says;
    } streams[] = {{"\xff\xd8\xff\xe0", 4, "is no text"}, /* JPEG */
                   {"\xff", 1, "is no text"},
                   {"\x89PNG", 4, "is no text"},
                   {"\x93NUMPY", 6, "is no text"},
                   {"\x1f\x8b\x08", 3, "is no text"}, /* gzip */
                   {"\x5c\x01\0\0", 4, "is no text"}, /* NIfTI-1 and -2, in both orders */
                   {"\0\0\x01\x5c", 4, "is no text"},
                   {"\x1c\x02\0\0", 4, "is no text"},
                   {"\0\0\x02\x1c", 4, "is no text"},
                   {"\xff\xfe\x31\0", 4, "is text in UTF-16"},
                   {"\xfe\xff\0\x31", 4, "is text in UTF-16"},
                   {"\0\x31", 2, "is text in UTF-16"},
                   {"\\x", 2, "line 1, column 1"}};
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        FILE *stream = fmemopen((char *)streams[i].bytes, streams[i].count, "rb");
        struct source *s;
        struct failure f = {STATUS_OK, ""};
        assert_non_null(stream);
        assert_int_equal(source_open_text_stream(&s, stream, "standard input", &f), STATUS_USAGE);
        if (!strstr(f.message, streams[i].says))
            fail_msg("stream %zu: %s", i, f.message);
        fclose(stream);
    }
}

enum { PNG_IHDR = 16, PNG_IHDR_CRC = 29 }; /* bytes before the fields, and before their CRC */

/* Writes the axial image with one byte of its header changed and a correct CRC. */
static const char *png_with(size_t at, unsigned char value)
{
    size_t size;
    unsigned char *bytes = files_read(DATA "brain_axial.png", &size);
    bytes[at] = value;
    uint32_t crc = files_crc(bytes + PNG_IHDR - 4, 17);
    for (int i = 0; i < 4; i++)
        bytes[PNG_IHDR_CRC + i] = (unsigned char)(crc >> (24 - 8 * i));
    const char *path = files_write("bad.png", bytes, size);
    free(bytes);
    return path;
}

TEST(pngs)
{
    static const struct {
        size_t at;
        unsigned char value;
        const char *says, *and;
    } bad[] = {{9, 1, "no colour type is 1", ""},
               {9, 2, "bad PNG", ""},
               {9, 3, "bad PNG", "PLTE"},
               {9, 4, "bad PNG", ""},
               {9, 6, "bad PNG", ""},
               {8, 5, "5 bits", ""},
               {0, 0x7f, "promises", "cannot hold"},
               {0, 0xff, "promises", "cannot hold"},
               {3, 0, "0 pixels", ""},
               {3, 182, "bad PNG", ""},
               {6, 1, "bad PNG", ""},
               {12, 1, "bad PNG", ""},
               {12, 9, "bad PNG", ""}};
    if (files_lacking("any.png"))
        skip();
    size_t size;
    unsigned char *bytes = files_read(DATA "brain_axial.png", &size);
    struct failure f;
    assert_int_equal(files_try(png_with(PNG_IHDR + 3, bytes[PNG_IHDR + 3]), &f), STATUS_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        image_refused(png_with(PNG_IHDR + bad[i].at, bad[i].value), bad[i].says, bad[i].and);
    image_refused(files_write("bad.png", "JUNK89a.", 8), "not a PNG", "");
    image_refused(files_write("bad.png", bytes, 20), "without a header", "");
    for (size_t cut = 1; cut < size; cut += cut < 64 || cut > size - 64 ? 1 : 997)
        image_refused(files_write("bad.png", bytes, cut), "", "");
    for (size_t i = size / 2; i < size; i += 4001) {
        bytes[i] ^= 0x10;
        image_refused(files_write("bad.png", bytes, size), "bad PNG: IDAT", "");
        bytes[i] ^= 0x10;
    }
    free(bytes);
}

/* Numbers of a header, or the values behind it: `size` bytes of items. */
struct field {
    size_t at, size, item;
    const void *from;
};

/* Puts fields into a file, in this machine's byte order or the other. */
static void put_fields(unsigned char *file, const struct field *fields, size_t count, bool swapped)
{
    for (const struct field *f = fields; f < fields + count; f++)
        for (size_t b = 0; b < f->size; b++) {
            const size_t in = b % f->item;
            file[f->at + b - in + (swapped ? f->item - 1 - in : in)] =
                ((const unsigned char *)f->from)[b];
        }
}

/* A NIfTI-1 file of 2 x 3 x 2 values of one type, in this machine's byte order or the other. */
static const char *nifti_scaled(int16_t datatype, int16_t bitpix, const void *values, size_t size,
                                float slope, float inter, bool swapped)
{
    unsigned char file[1024] = {0};
    int32_t header_size = 348;
    int16_t dim[8] = {3, 3, 2, 2, 1, 1, 1, 1};
    float offset = 352;
    const struct field fields[] = {
        {0, 4, 4, &header_size}, {40, 16, 2, dim},
        {70, 2, 2, &datatype},   {72, 2, 2, &bitpix},
        {108, 4, 4, &offset},    {112, 4, 4, &slope},
        {116, 4, 4, &inter},     {352, size, (size_t)bitpix / 8, values}};
    put_fields(file, fields, sizeof fields / sizeof *fields, swapped);
    memcpy(file + 344, "n+1", 4);
    return files_write("made.nii", file, 352 + size);
}

static const char *nifti(int16_t datatype, int16_t bitpix, const void *values, size_t size,
                         float slope, bool swapped)
{
    return nifti_scaled(datatype, bitpix, values, size, slope, 10, swapped);
}

/* A slope of 0 or that is no number means unscaled, and its intercept is ignored; another slope
 * needs an intercept that is a number. */
TEST(nifti_scaling)
{
    if (files_lacking("any.nii"))
        skip();
    static const struct {
        float slope, inter;
        const char *says;
    } bad[] = {{1, NAN, "scl_inter is"}, {2, INFINITY, "scl_inter is inf"}};
    float values[12] = {0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        for (int variant = 0; variant < 4; variant++)
            image_refused(nifti_scaled(variant & 1 ? 16 : 8, 32, values, sizeof values,
                                       bad[i].slope, bad[i].inter, variant & 2),
                          bad[i].says, "bad NIfTI header");
    static const float unscaled[][2] = {
        {0, NAN}, {NAN, 7}, {NAN, NAN}, {INFINITY, 1}, {-INFINITY, 0}};
    values[1] = 3;
    for (size_t i = 0; i < sizeof unscaled / sizeof *unscaled; i++) {
        struct source *s = image_open(
            nifti_scaled(16, 32, values, sizeof values, unscaled[i][0], unscaled[i][1], false));
        struct image_facts facts;
        float *elements = image_whole(s, &facts);
        assert_memory_equal(elements, values, sizeof values);
        free(elements);
        source_close(s);
    }
}

/* NIfTI-2 of 2 x 3 x 2 float32 in either byte order; NaNs are refused, or taken as 0. */
TEST(nifti_2_and_nans)
{
    if (files_lacking("any.nii"))
        skip();
    const int32_t header_size = 540;
    const int64_t dim[8] = {3, 3, 2, 2, 1, 1, 1, 1}, offset = 544;
    const int16_t datatype = 16, bits = 32;
    const double slope = 2, inter = -1;
    const float values[12] = {0, 1, 2, NAN, 4, 5, 6, 7, 8, 9, NAN, 11};
    const struct field fields[] = {{0, 4, 4, &header_size}, {12, 2, 2, &datatype},
                                   {14, 2, 2, &bits},       {16, 64, 8, dim},
                                   {168, 8, 8, &offset},    {176, 8, 8, &slope},
                                   {184, 8, 8, &inter},     {544, sizeof values, 4, values}};
    for (int swapped = 0; swapped < 2; swapped++) {
        unsigned char file[544 + sizeof values] = {0};
        put_fields(file, fields, sizeof fields / sizeof *fields, swapped);
        memcpy(file + 4, "n+2\0\r\n\032\n", 8);
        image_refused(files_write("two.nii", file, sizeof file), "NaN", "plane 0, row 1, column 0");
        struct source *s = image_open(files_path("two.nii"));
        const struct image_shape shape = source_shape(s);
        assert_true(shape.planes == 2 && shape.rows == 2 && shape.cols == 3);
        struct image_facts facts;
        source_take_nans(s);
        float *elements = image_whole(s, &facts);
        for (int i = 0; i < 12; i++)
            assert_true(elements[i] == (isnan(values[i]) ? 0.0f : 2 * values[i] - 1));
        assert_int_equal(facts.nans, 2);
        free(elements);
        source_close(s);
        image_refused(files_write("two.nii", file, 500), "shorter than a header", "");
        image_refused(files_write("two.nii", file, sizeof file - 1), "cannot hold", "");
        memcpy(file + 4, "ni2", 4);
        image_refused(files_write("two.nii", file, sizeof file), "two files", "");
    }
}

#if defined(MAXPOOL_HAVE_NIFTI)
/* Writes bytes to a file in the folder, packed by gzip if its name says so. */
static void write_half(const char *name, const void *bytes, size_t size)
{
    znzFile out = znzopen(files_path(name), "wb", strstr(name, ".gz") || strstr(name, ".GZ"));
    assert_false(znz_isnull(out));
    assert_int_equal(znzwrite(bytes, 1, size, out), size);
    znzclose(out);
}

/* Header and values in two files, each plain or packed; the user names either. Values may begin
 * anywhere and with any bytes, such as those of another format. */
TEST(nifti_pairs)
{
    static const struct {
        const char *header, *values;
    } pairs[] = {{"a.hdr", "a.img"},    {"b.hdr.gz", "b.img.gz"}, {"c.hdr", "c.img.gz"},
                 {"d.hdr.gz", "d.img"}, {"E.HDR", "E.IMG"},       {"F.HDR.GZ", "F.IMG.GZ"}};
    unsigned char values[64] = {0x80, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, shifted[64] = {0};
    float expected[12];
    for (int i = 0; i < 12; i++)
        expected[i] = 2.0f * values[i] + 10.0f;
    size_t size;
    unsigned char *header = files_read(nifti(2, 8, values, 12, 2, false), &size);
    memcpy(header + 344, "ni1", 4);
    for (int from = 0; from < 32; from += 16) {
        const float offset = (float)from;
        memcpy(header + 108, &offset, 4);
        memcpy(shifted + from, values, 12);
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
            write_half(pairs[i].header, header, 348);
            write_half(pairs[i].values, shifted, (size_t)from + 12);
            image_holds(files_path(pairs[i].header), (struct image_shape){2, 2, 3}, expected);
            image_holds(files_path(pairs[i].values), (struct image_shape){2, 2, 3}, expected);
        }
    }
    write_half("a.img", shifted, 27);
    image_refused(files_path("a.hdr"), "cannot hold", "");
    write_half("lone.hdr", header, 348);
    image_refused(files_path("lone.hdr"), "two files", "there is no");
    write_half("alone.img", values, 12);
    image_refused(files_path("alone.img"), "two files", "there is no");
    memcpy(header + 344, "\0\0\0", 4);
    write_half("a.hdr", header, 348);
    image_refused(files_path("a.hdr"), "ANALYZE", "convert");
    free(header);
}
#endif

TEST(nifti_types)
{
    if (files_lacking("any.nii"))
        skip();
    static const struct {
        int16_t datatype, bitpix;
    } types[] = {{2, 8},   {4, 16},   {8, 32},   {16, 32},   {64, 64},
                 {256, 8}, {512, 16}, {768, 32}, {1024, 64}, {1280, 64}};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (int variant = 0; variant < 4; variant++) {
            unsigned char values[96];
            float slope = variant & 1 ? 2.5F : 0.0F;
            size_t bytes = (size_t)types[t].bitpix / 8;
            for (int i = 0; i < 12; i++) {
                float narrow = (float)i;
                double wide = i;
                int64_t whole = i;
                const void *from = types[t].datatype == 16   ? (const void *)&narrow
                                   : types[t].datatype == 64 ? (const void *)&wide
                                                             : (const void *)&whole;
                memcpy(values + (size_t)i * bytes, from, bytes); /* little-endian machines */
            }
            struct source *s = NULL;
            struct failure f = {STATUS_OK, ""};
            const char *path =
                nifti(types[t].datatype, types[t].bitpix, values, 12 * bytes, slope, variant & 2);
            if (source_open_file(&s, path, &f) != STATUS_OK)
                fail_msg("%s", f.message);
            struct image_shape h = source_shape(s);
            assert_true(h.planes == 2 && h.rows == 2 && h.cols == 3 && source_concurrent(s));
            float elements[6];
            struct image_range second = {1, 0, 2, 0, 3};
            assert_int_equal(source_read(s, &second, elements, 3, NULL, &f), STATUS_OK);
            for (int i = 0; i < 6; i++)
                assert_true(elements[i] ==
                            (slope != 0 ? slope * (float)(6 + i) + 10 : (float)(6 + i)));
            source_close(s);
        }
}

/* A generated volume with two bytes of its header changed, truncated at every length, or with bad
 * values. */
TEST(nifti_headers)
{
    if (files_lacking("any.nii"))
        skip();
    static const struct {
        size_t at;
        int16_t value;
        const char *says;
    } bad[] = {{0, 340, "not a NIfTI"},
               {40, 0, "0 dimensions"},
               {40, 8, "dimensions"},
               {42, 0, "dimension 1 has length 0"},
               {44, -3, "dimension 2 has length -3"},
               {46, 32767, "cannot hold"},
               {70, 32, "COMPLEX64"},
               {70, 128, "RGB24"},
               {70, 99, "type"},
               {110, 0, "data start"},
               {110, 0x7fc0, "data start"},
               {110, 0x5000, "data start"},
               {344, 0x696e, "two files"},
               {344, 0, "as ANALYZE is"}};
    unsigned char values[12] = {0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        size_t size;
        unsigned char *file = files_read(nifti(2, 8, values, sizeof values, 0, false), &size);
        memcpy(file + bad[i].at, &bad[i].value, 2);
        image_refused(files_write("bad.nii", file, size), bad[i].says, "");
        free(file);
    }
    size_t size;
    unsigned char *file = files_read(nifti(2, 8, values, sizeof values, 0, false), &size);
    const int16_t bits = 16; /* of a value: the type decides */
    memcpy(file + 72, &bits, 2);
    struct source *s = image_open(files_write("bits.nii", file, size));
    assert_non_null(strstr(source_note(s), "16 bits per value and the type UINT8"));
    source_close(s);
    for (size_t cut = 0; cut < size; cut++)
        image_refused(files_write("bad.nii", file, cut), "", "");
    free(file);
    float nan[12] = {[7] = NAN};
    image_refused(nifti(16, 32, nan, sizeof nan, 0, false), "NaN", "plane 1, row 0, column 1");
    double large[12] = {[11] = 1e38};
    image_refused(nifti(64, 64, large, sizeof large, 100, false), "too large",
                  "plane 1, row 1, column 2");
}

TEST(nifti_gzipped)
{
    if (files_lacking("any.nii.gz"))
        skip();
    size_t size;
    unsigned char *file = files_read(DATA "brain_24_slices.nii.gz", &size);
    for (size_t cut = 0; cut < size; cut += cut < 64 || cut > size - 64 ? 1 : 9973)
        image_refused(files_write("bad.nii.gz", file, cut), "", "");
    for (size_t i = 64; i < size; i += 16001) {
        file[i] ^= 0x20;
        image_refused(files_write("bad.nii.gz", file, size), "", "");
        file[i] ^= 0x20;
    }
    file[size - 6] ^= 1; /* the checksum at the end */
    image_refused(files_write("bad.nii.gz", file, size), "gzip", "");
    free(file);
}

const struct tests_group tests_group = {command_setup, command_teardown};

int main(void)
{
    alarm(300); /* a reader that blocks fails the test */
    return tests_run();
}
