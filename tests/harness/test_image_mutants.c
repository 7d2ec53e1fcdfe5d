/* Damaged PNG, JPEG and NIfTI files: whatever is changed in a real file, reading it ends with
 * status 0, 2 or 4 and allocates no more memory than the unpacked file could need. About 400
 * mutants, or 10,000 if MAXPOOL_LONG is set in the environment. */
#include "tests/support/files.h"

#include "tests/support/heap.h"
#include "tests/support/image_check.h"
#include "tests/support/jpeg_maker.h"
#include "tests/support/unit_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(MAXPOOL_HAVE_NIFTI)
#include <znzlib.h>
#endif

#define DATA MAXPOOL_SOURCE_DIR "/tests/data/"

/* A stream of random words, the same in every run. */
struct rng {
    uint64_t at;
};

static uint32_t roll(struct rng *d, uint32_t below)
{
    float element;
    random_elements(20, (1 << 24) - 1, (int64_t)d->at++, 1, &element);
    return (uint32_t)((uint64_t)(uint32_t)element * below >> 24);
}

struct bytes {
    unsigned char *data;
    size_t size;
};

static void flip_bits(struct bytes *b, struct rng *d)
{
    for (uint32_t n = 1 + roll(d, 4); n > 0; n--)
        b->data[roll(d, (uint32_t)b->size)] ^= (unsigned char)(1U << roll(d, 8));
}

static void cut_short(struct bytes *b, struct rng *d)
{
    b->size = roll(d, (uint32_t)b->size);
}

static void splice(struct bytes *b, struct rng *d)
{
    size_t from = roll(d, (uint32_t)b->size), to = roll(d, (uint32_t)b->size);
    size_t most = b->size - (from > to ? from : to);
    memmove(b->data + to, b->data + from, roll(d, (uint32_t)most + 1));
}

/* Overwrites a length field with an extreme value. */
static void edit_length(unsigned char *at, size_t room, struct rng *d)
{
    static const uint32_t values[] = {0,      1,          2,          0x7f,       0xff,
                                      0x7fff, 0x8000,     0xffff,     0x10000,    0x7fffffff,
                                      348,    0x80000000, 0xffffffff, 0x01000000, 0x00ffffff};
    uint32_t value = values[roll(d, sizeof values / sizeof *values)];
    if (roll(d, 2))
        value = __builtin_bswap32(value);
    memcpy(at, &value, room < 4 ? room : roll(d, 2) ? 2 : 4);
}

static void edit_start(struct bytes *b, struct rng *d)
{
    size_t at = roll(d, b->size < 352 ? (uint32_t)b->size : 352);
    edit_length(b->data + at, b->size - at, d);
}

static void edit_dimension(struct bytes *b, struct rng *d)
{
    static const uint32_t fields[] = {16, 20, 24, 28, 40, 42, 44, 46, 48, 70, 72, 108, 112};
    size_t at = fields[roll(d, sizeof fields / sizeof *fields)];
    if (at + 4 <= b->size)
        edit_length(b->data + at, b->size - at, d);
}

static void (*const mutations[])(struct bytes *, struct rng *) = {flip_bits, cut_short, splice,
                                                                  edit_start, edit_dimension};

static void mutate(struct bytes *b, struct rng *d)
{
    for (uint32_t n = 1 + roll(d, 3); n > 0 && b->size > 0; n--)
        mutations[roll(d, sizeof mutations / sizeof *mutations)](b, d);
}

/* Corrects the CRC of every chunk of a PNG, as far as the lengths can be followed. */
static void mend_crcs(struct bytes *b)
{
    for (size_t at = 8; at + 12 <= b->size;) {
        unsigned char *p = b->data + at;
        size_t length = (size_t)p[0] << 24 | (size_t)p[1] << 16 | (size_t)p[2] << 8 | p[3];
        if (length > b->size - at - 12)
            return;
        uint32_t crc = files_crc(p + 4, length + 4);
        for (int i = 0; i < 4; i++)
            p[8 + length + (size_t)i] = (unsigned char)(crc >> (24 - 8 * i));
        at += 12 + length;
    }
}

static int mutants_wanted(void)
{
    return getenv("MAXPOOL_LONG") ? 2000 : 80; /* of each kind */
}

/* Reads one mutant and counts its exit status. */
static void try_mutant(const char *path, size_t file_bytes, int *ended)
{
    enum { FIXED = 2 << 20 }; /* bytes for buffers and the libraries' own state */
    struct failure f;
    heap_start();
    enum status status = files_try(path, &f);
    size_t most = heap_peak();
    assert_true(status == STATUS_OK || status == STATUS_USAGE || status == STATUS_RESOURCE);
    assert_int_equal(status, f.status);
    if (most > FIXED + 2 * 1032 * file_bytes)
        fail_msg("%zu bytes of memory for a file of %zu: %s", most, file_bytes, f.message);
    ended[status]++;
}

struct victim {
    const char *path, *name;
    bool png; /* with corrected CRCs */
};

static void mutants(const struct victim *v)
{
    int ended[6] = {0};
    size_t size;
    unsigned char *original = files_read(v->path, &size);
    struct bytes b = {malloc(size), size};
    assert_non_null(b.data);
    struct rng d = {0};
    for (int i = 0; i < mutants_wanted(); i++) {
        memcpy(b.data, original, size);
        b.size = size;
        mutate(&b, &d);
        if (v->png)
            mend_crcs(&b);
        try_mutant(files_write(v->name, b.data, b.size), b.size, ended);
    }
    print_message("%s: %d read, %d refused, %d for lack of memory\n", v->name, ended[STATUS_OK],
                  ended[STATUS_USAGE], ended[STATUS_RESOURCE]);
    assert_true(ended[STATUS_USAGE] > 0);
    free(b.data);
    free(original);
}

TEST(png_mutants)
{
    if (files_lacking("any.png"))
        skip();
    mutants(&(struct victim){DATA "brain_axial.png", "raw.png", false});
    mutants(&(struct victim){DATA "brain_sagittal.png", "mended.png", true});
}

#if defined(MAXPOOL_HAVE_JPEG)
static uint8_t dotted(int row, int col, int channel)
{
    return (uint8_t)(row * col * (channel + 3) % 251);
}
#endif

TEST(jpeg_mutants)
{
#if defined(MAXPOOL_HAVE_JPEG)
    char path[512];
    snprintf(path, sizeof path, "%s", files_path("whole.jpg"));
    for (int progressive = 0; progressive < 2; progressive++) {
        jpeg_make(path,
                  &(struct jpeg_picture){48, 64, JPEG_YCC,
                                         progressive ? JPEG_PROGRESSIVE : JPEG_ONE_SCAN, dotted});
        mutants(&(struct victim){path, "mutant.jpg", false});
    }
#else
    skip();
#endif
}

#if defined(MAXPOOL_HAVE_NIFTI)
static void unpack(const char *from, const char *to)
{
    static unsigned char bytes[1 << 20];
    znzFile packed = znzopen(from, "rb", 1);
    assert_false(znz_isnull(packed));
    size_t size = znzread(bytes, 1, sizeof bytes, packed);
    assert_true(size > 0 && size < sizeof bytes);
    znzclose(packed);
    files_write(to, bytes, size);
}

/* Mutates the unpacked file and packs it again, so that the mutants pass the checksum. */
static void packed_mutants(const char *plain)
{
    int ended[6] = {0};
    size_t size;
    unsigned char *original = files_read(plain, &size);
    struct bytes b = {malloc(size), size};
    assert_non_null(b.data);
    struct rng d = {1 << 20};
    const char *path = files_write("packed.nii.gz", "", 0);
    for (int i = 0; i < mutants_wanted(); i++) {
        memcpy(b.data, original, size);
        b.size = size;
        mutate(&b, &d);
        znzFile packed = znzopen(path, "wb1", 1);
        assert_false(znz_isnull(packed));
        znzwrite(b.data, 1, b.size, packed);
        znzclose(packed);
        size_t packed_size;
        free(files_read(path, &packed_size));
        try_mutant(path, packed_size, ended);
        path = files_path("packed.nii.gz");
    }
    print_message("packed.nii.gz: %d read, %d refused\n", ended[STATUS_OK], ended[STATUS_USAGE]);
    assert_true(ended[STATUS_USAGE] > 0);
    free(b.data);
    free(original);
}
#endif

TEST(nifti_mutants)
{
#if defined(MAXPOOL_HAVE_NIFTI)
    mutants(&(struct victim){DATA "brain_24_slices.nii.gz", "raw.nii.gz", false});
    unpack(DATA "brain_24_slices.nii.gz", "plain.bin");
    char plain[512];
    snprintf(plain, sizeof plain, "%s", files_path("plain.bin"));
    mutants(&(struct victim){plain, "mutant.nii", false});
    packed_mutants(plain);
#else
    skip();
#endif
}

/* A volume that was packed or unpacked and kept its name is read by its first bytes. */
TEST(nifti_by_its_bytes)
{
#if defined(MAXPOOL_HAVE_NIFTI)
    size_t size;
    struct image_facts facts;
    struct source *s = image_open(DATA "brain_24_slices.nii.gz");
    const size_t bytes = (size_t)source_unpacked_elements(s) * sizeof(float);
    float *expected = image_whole(s, &facts);
    source_close(s);
    unsigned char *packed = files_read(DATA "brain_24_slices.nii.gz", &size);
    files_write("packed_inside.nii", packed, size);
    unpack(DATA "brain_24_slices.nii.gz", "plain_inside.NII.GZ");
    static const char *const names[] = {"packed_inside.nii", "plain_inside.NII.GZ"};
    for (size_t i = 0; i < 2; i++) {
        s = image_open(files_path(names[i]));
        assert_int_equal(source_concurrent(s), i == 1);
        float *elements = image_whole(s, &facts);
        assert_memory_equal(elements, expected, bytes);
        image_parts_match(s, elements);
        free(elements);
        source_close(s);
    }
    free(packed);
    free(expected);
#else
    skip();
#endif
}

/* Tests the measurement itself: it must count what a library allocates, touched or not. */
TEST(heap_is_measured)
{
    heap_start();
    volatile unsigned char *memory = malloc(50 << 20);
    assert_non_null((const void *)memory);
    free((void *)memory);
    assert_true(heap_peak() >= 50 << 20);
    heap_start();
    assert_true(heap_peak() < 1 << 20);
}

const struct tests_group tests_group = {command_setup, command_teardown};
