/* NIfTI-1 and NIfTI-2 volumes in one file or in two, header.hdr and values.img, plain or gzipped: x
 * are columns, y rows, and z, t and all further dimensions planes. Values are scaled as the header
 * specifies; nothing is reoriented. Formats: the NIfTI-1 data format (Cox et al. 2004), nifti1.h,
 * and the NIfTI-2 one, nifti2.h. The header is read here; libnifti unpacks. */
#include "harness/base/regular_file.h"
#include "harness/image/sources/source_kind.h"
#include "harness/image/strided_numbers.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <nifti1_io.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum {
    DIMENSIONS = 7,
    HEADER_MOST = 540, /* bytes of the longer header */
    EXTENSION_FLAG = 4 /* bytes behind the header, before the data */
};

/* Where a version's header has its fields, and how many bytes each takes. */
struct layout {
    int64_t bytes; /* of the header, which its first field repeats */
    size_t magic;
    char one_file[5], two_files[5];
    size_t dim, dim_bytes, datatype, bits, offset, slope, intercept;
    size_t real_bytes; /* of slope and intercept: float32 or float64 */
};

static const struct layout layouts[] = {
    {348, 344, "n+1", "ni1", 40, 2, 70, 72, 108, 112, 116, 4},
    {540, 4, "n+2", "ni2", 16, 8, 12, 14, 168, 176, 184, 8},
};

/* The fields of a header that matter here. */
struct fields {
    int64_t dimensions, lengths[DIMENSIONS];
    int datatype, bits;
    double offset, slope, intercept;
    bool swapped;
};

struct source_nifti {
    struct source base;
    char path[PATH_MAX]; /* of the file that is read: of a pair first the header, then the values */
    int fd;              /* of a plain file, for any number of threads; or -1 */
    znzFile stream;      /* of a gzipped file; NULL: no current pass */
    int64_t at;          /* unpacked bytes delivered so far */
    int64_t end;         /* unpacked bytes up to the end of the last voxel */
    struct strided_numbers numbers;
};

/* Ends a pass. Returns false if the gzip stream is truncated. */
static bool end_pass(struct source_nifti *n)
{
    n->at = 0;
    return znz_isnull(n->stream) || znzclose(n->stream) == 0;
}

/* Reads what follows the last voxel, so that the length and checksum at the end of the gzip file
 * are checked, and ends the pass. */
static bool finish_pass(struct source_nifti *n)
{
    char rest[4096];
    size_t got = sizeof rest;
    while (got == sizeof rest)
        got = znzread(rest, 1, sizeof rest, n->stream);
    bool whole = got < sizeof rest; /* an error is reported as a huge number */
    return end_pass(n) && whole;
}

static bool start_pass(struct source_nifti *n)
{
    end_pass(n);
    n->stream = znzopen(n->path, "rb", 1);
    return !znz_isnull(n->stream);
}

/* Moves the stream to byte `at`; restarts it if it is already past that byte. */
static bool seek(struct source_nifti *n, int64_t at)
{
    if ((znz_isnull(n->stream) || at < n->at) && !start_pass(n))
        return false;
    if (at != n->at && znzseek(n->stream, at, SEEK_SET) != at)
        return false;
    n->at = at;
    return true;
}

static int64_t fetch_gzipped(void *file, int64_t at, void *bytes, int64_t size, const char **why)
{
    struct source_nifti *n = file;
    *why = "bad or incomplete gzip data";
    if (!seek(n, at))
        return -1;
    size_t got = znzread(bytes, 1, (size_t)size, n->stream);
    if (got > (size_t)size)
        return -1;
    n->at += (int64_t)got;
    if (n->at >= n->end && !finish_pass(n))
        return -1;
    return (int64_t)got;
}

static enum status read_nifti(struct source *s, const struct image_range *range, float *dst,
                              int64_t dst_stride, struct image_facts *facts, struct failure *f)
{
    return strided_read(s, &((struct source_nifti *)s)->numbers, range, dst, dst_stride, facts, f);
}

static void close_nifti(struct source *s)
{
    struct source_nifti *n = (struct source_nifti *)s;
    end_pass(n);
    if (n->fd >= 0)
        close(n->fd);
}

static const struct source_operations nifti_operations = {read_nifti, close_nifti};

static bool set_type(struct source_nifti *n, int datatype)
{
    static const struct {
        int datatype;
        enum number_type type;
    } types[] = {{DT_UINT8, NUMBER_U8},   {DT_INT8, NUMBER_I8},    {DT_UINT16, NUMBER_U16},
                 {DT_INT16, NUMBER_I16},  {DT_UINT32, NUMBER_U32}, {DT_INT32, NUMBER_I32},
                 {DT_UINT64, NUMBER_U64}, {DT_INT64, NUMBER_I64},  {DT_FLOAT32, NUMBER_F32},
                 {DT_FLOAT64, NUMBER_F64}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].datatype == datatype) {
            n->numbers.format.type = types[i].type;
            return true;
        }
    return false;
}

/* Copies `size` bytes of a header to the lower end of a 64-bit number, in this machine's order. */
static uint64_t bits_at(const unsigned char *header, size_t at, size_t size, bool swapped)
{
    const bool big = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != swapped;
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++)
        bits = bits << 8 | header[at + (big ? i : size - 1 - i)];
    return bits;
}

static int64_t integer_at(const unsigned char *header, size_t at, size_t size, bool swapped)
{
    const uint64_t bits = bits_at(header, at, size, swapped);
    return size == 2 ? (int16_t)bits : size == 4 ? (int32_t)bits : (int64_t)bits;
}

static double real_at(const unsigned char *header, size_t at, size_t size, bool swapped)
{
    const uint64_t bits = bits_at(header, at, size, swapped);
    const uint32_t lower = (uint32_t)bits;
    float narrow;
    double wide;
    memcpy(&narrow, &lower, sizeof narrow);
    memcpy(&wide, &bits, sizeof wide);
    return size == sizeof narrow ? (double)narrow : wide;
}

/* Finds the version by the length that the header states; NULL: none. */
static const struct layout *find_layout(const unsigned char *header, bool *swapped)
{
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        for (int other = 0; other < 2; other++)
            if (integer_at(header, 0, 4, other) == layouts[i].bytes) {
                *swapped = other;
                return &layouts[i];
            }
    return NULL;
}

static void take_fields(const unsigned char *header, const struct layout *l, struct fields *h)
{
    const bool s = h->swapped;
    h->dimensions = integer_at(header, l->dim, l->dim_bytes, s);
    for (size_t i = 0; i < DIMENSIONS; i++)
        h->lengths[i] = integer_at(header, l->dim + (i + 1) * l->dim_bytes, l->dim_bytes, s);
    h->datatype = (int)integer_at(header, l->datatype, 2, s);
    h->bits = (int)integer_at(header, l->bits, 2, s);
    h->offset = l->real_bytes == 4 ? real_at(header, l->offset, 4, s)
                                   : (double)integer_at(header, l->offset, 8, s);
    h->slope = real_at(header, l->slope, l->real_bytes, s);
    h->intercept = real_at(header, l->intercept, l->real_bytes, s);
}

static enum status check_dimensions(const struct source_nifti *n, const struct fields *h,
                                    struct failure *f)
{
    if (h->dimensions < 1 || h->dimensions > DIMENSIONS)
        return fail(f, STATUS_USAGE, "%s: bad NIfTI header: %" PRId64 " dimensions", n->base.name,
                    h->dimensions);
    for (int i = 0; i < h->dimensions; i++)
        if (h->lengths[i] < 1)
            return fail(f, STATUS_USAGE, "%s: bad NIfTI header: dimension %d has length %" PRId64,
                        n->base.name, i + 1, h->lengths[i]);
    return STATUS_OK;
}

static enum status check_type(struct source_nifti *n, const struct fields *h, struct failure *f)
{
    if (!set_type(n, h->datatype))
        return fail(f, STATUS_USAGE,
                    "%s: holds values of type %d (%s): only real numbers of up to 64 bits are read",
                    n->base.name, h->datatype, nifti_datatype_string(h->datatype));
    if (h->bits != 8 * number_size(n->numbers.format.type)) /* other readers go by the type, too */
        snprintf(n->base.note, sizeof n->base.note,
                 "its header has %d bits per value and the type %s: the type decides", h->bits,
                 nifti_datatype_string(h->datatype));
    return STATUS_OK;
}

/* `first`: the byte from which on data may start. */
static enum status check_offset(const struct source_nifti *n, double first, const struct fields *h,
                                struct failure *f)
{
    if (h->offset >= first && h->offset < 0x1p31 && floor(h->offset) == h->offset)
        return STATUS_OK;
    return fail(f, STATUS_USAGE,
                "%s: bad NIfTI header: data start at byte %g: it must be a whole number from %g on",
                n->base.name, h->offset, first);
}

/* Values are scl_slope * stored + scl_inter, or as stored if the slope is 0 (nifti1.h, "DATA
 * SCALING") or is not finite, as masks of some programs have it and other readers take it. */
static enum status set_scaling(struct source_nifti *n, const struct fields *h, struct failure *f)
{
    struct number_format *format = &n->numbers.format;
    format->swapped = h->swapped;
    format->scaled = h->slope != 0.0 && isfinite(h->slope);
    format->slope = h->slope;
    format->intercept = h->intercept;
    if (format->scaled && !isfinite(h->intercept))
        return fail(f, STATUS_USAGE, "%s: bad NIfTI header: scl_inter is %g: it must be finite",
                    n->base.name, h->intercept);
    return STATUS_OK;
}

/* Compares the data that the header promises with the file's size, and sets shape and layout. */
static enum status lay_out(struct source_nifti *n, const struct fields *h, int64_t file_bytes,
                           struct failure *f)
{
    const int64_t size = number_size(n->numbers.format.type);
    struct image_shape shape = {1, h->dimensions > 1 ? h->lengths[1] : 1, h->lengths[0]};
    int64_t bytes = size;
    bool overflow = false;
    for (int i = 0; i < h->dimensions; i++) {
        overflow |= __builtin_mul_overflow(bytes, h->lengths[i], &bytes);
        if (i >= 2)
            overflow |= __builtin_mul_overflow(shape.planes, h->lengths[i], &shape.planes);
    }
    overflow |= __builtin_add_overflow(bytes, (int64_t)h->offset, &n->end);
    if (overflow || (n->fd >= 0 ? n->end > file_bytes : source_beyond_zlib(n->end, file_bytes)))
        return fail(f, STATUS_USAGE,
                    "%s: bad NIfTI header: it promises %" PRId64 " planes of %" PRId64 " x %" PRId64
                    " values of %" PRId64 " bytes, which a file of %" PRId64 " bytes cannot hold",
                    n->base.name, shape.planes, shape.rows, shape.cols, size, file_bytes);
    n->numbers.offset = (int64_t)h->offset;
    n->numbers.plane_step = shape.rows * shape.cols;
    n->numbers.row_step = shape.cols;
    n->numbers.col_step = 1;
    return source_set_shape(&n->base, shape, f);
}

/* By its first bytes: a file that a program packed or unpacked often keeps its name. */
static bool is_gzipped(int fd)
{
    unsigned char first[2];
    return pread(fd, first, sizeof first, 0) == (ssize_t)sizeof first && first[0] == 0x1f &&
           first[1] == 0x8b;
}

static enum status open_gzipped(struct source_nifti *n, int64_t file_bytes, struct failure *f)
{
    if (!nifti_compiled_with_zlib())
        return fail(f, STATUS_UNAVAILABLE, "%s: libnifti was built without zlib", n->base.name);
    close(n->fd);
    n->fd = -1;
    n->numbers.fetch = fetch_gzipped;
    n->numbers.file = n;
    n->end = INT64_MAX;
    n->base.packed_bytes = file_bytes;
    return STATUS_OK;
}

/* Reads from this file from now on; takes the descriptor over. */
static enum status use_file(struct source_nifti *n, int fd, int64_t file_bytes, struct failure *f)
{
    n->fd = fd;
    n->numbers.fetch = strided_fetch_pread;
    n->numbers.file = &n->fd;
    n->base.packed_bytes = 0;
    const enum status status = is_gzipped(fd) ? open_gzipped(n, file_bytes, f) : STATUS_OK;
    n->base.concurrent = n->fd >= 0;
    return status;
}

/* The length of a path up to the dot of .hdr, .img, .hdr.gz or .img.gz; 0: it has no such ending.
 */
static size_t stem_of_pair(const char *path)
{
    static const char *const endings[] = {".hdr", ".img", ".hdr.gz", ".img.gz"};
    const size_t length = strlen(path);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t tail = strlen(endings[i]);
        if (length > tail && strcasecmp(path + length - tail, endings[i]) == 0)
            return length - tail;
    }
    return 0;
}

/* Composes the path of one half of a pair, "hdr" or "img", plain or packed, given that of either.
 * Status 2 if there is none. */
static enum status find_half(const char *path, const char *half, char found[PATH_MAX],
                             struct failure *f)
{
    const size_t stem = stem_of_pair(path);
    const bool upper = stem > 0 && isupper((unsigned char)path[stem + 1]);
    const char *const tails[] = {"", upper ? ".GZ" : ".gz"};
    if (stem == 0)
        return fail(f, STATUS_USAGE,
                    "%s: is the header of NIfTI in two files: its name must end in .hdr", path);
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        const int length = snprintf(found, PATH_MAX, "%.*s.%s%s", (int)stem, path, half, tails[i]);
        for (char *c = found + stem; upper && *c; c++)
            *c = (char)toupper((unsigned char)*c);
        if (length < PATH_MAX && access(found, F_OK) == 0)
            return STATUS_OK;
    }
    return fail(f, STATUS_USAGE, "%s: NIfTI in two files: there is no %.*s.%s", path, (int)stem,
                path, half);
}

/* From the header of a pair to its values; sets the size of their file. */
static enum status turn_to_values(struct source_nifti *n, int64_t *file_bytes, struct failure *f)
{
    char values[PATH_MAX];
    int fd;
    enum status status = find_half(n->path, "img", values, f);
    if (status == STATUS_OK)
        status = regular_open(values, &fd, file_bytes, f);
    if (status != STATUS_OK)
        return status;
    end_pass(n);
    n->stream = NULL;
    if (n->fd >= 0)
        close(n->fd);
    memcpy(n->path, values, sizeof values);
    return use_file(n, fd, *file_bytes, f);
}

static enum status check_header(struct source_nifti *n, const unsigned char *header, int64_t got,
                                int64_t file_bytes, struct failure *f)
{
    struct fields h = {0};
    const struct layout *l = find_layout(header, &h.swapped);
    if (!l || got < l->bytes)
        return fail(f, STATUS_USAGE, "%s: not a NIfTI file%s", n->base.name,
                    l ? ": shorter than a header" : "");
    const bool pair = memcmp(header + l->magic, l->two_files, 4) == 0;
    if (!pair && memcmp(header + l->magic, l->one_file, 4) != 0)
        return fail(f, STATUS_USAGE,
                    "%s: not a NIfTI file: without its mark, as ANALYZE is: convert it to NIfTI",
                    n->base.name);
    take_fields(header, l, &h);
    enum status status = check_dimensions(n, &h, f);
    if (status == STATUS_OK)
        status = check_type(n, &h, f);
    if (status == STATUS_OK)
        status = check_offset(n, pair ? 0.0 : (double)(l->bytes + EXTENSION_FLAG), &h, f);
    if (status == STATUS_OK)
        status = set_scaling(n, &h, f);
    if (status == STATUS_OK && pair)
        status = turn_to_values(n, &file_bytes, f);
    return status == STATUS_OK ? lay_out(n, &h, file_bytes, f) : status;
}

/* Reads only the header: its extensions are not needed, and their lengths cannot be trusted. */
static enum status read_header(struct source_nifti *n, int64_t file_bytes, struct failure *f)
{
    unsigned char header[HEADER_MOST] = {0};
    const char *why = "";
    const int64_t got = n->numbers.fetch(n->numbers.file, 0, header, sizeof header, &why);
    if (got < 0)
        return fail(f, STATUS_USAGE, "%s: cannot read it: %s", n->base.name, why);
    return check_header(n, header, got, file_bytes, f);
}

static enum status prepare(struct source *s, int fd, int64_t file_bytes, struct failure *f)
{
    struct source_nifti *n = (struct source_nifti *)s;
    enum status status = STATUS_OK;
    n->fd = fd;
    if (snprintf(n->path, sizeof n->path, "%s", s->name) >= (int)sizeof n->path)
        status = fail(f, STATUS_USAGE, "%s: its name is too long", s->name);
    if (status == STATUS_OK)
        status = use_file(n, fd, file_bytes, f);
    return status == STATUS_OK ? read_header(n, file_bytes, f) : status;
}

/* Of a pair, the values may be named as well as the header. */
enum status source_open_nifti(struct source **out, const char *path, struct failure *f)
{
    static const struct source_file kind = {sizeof(struct source_nifti), &nifti_operations,
                                            prepare};
    char header[PATH_MAX];
    const size_t stem = stem_of_pair(path);
    if (stem == 0 || tolower((unsigned char)path[stem + 1]) == 'h')
        return source_open_regular(out, &kind, path, f);
    *out = NULL;
    char *name = strdup(path);
    enum status status = name ? find_half(path, "hdr", header, f)
                              : fail(f, STATUS_RESOURCE, "%s: no memory to open it", path);
    if (status == STATUS_OK)
        status = source_open_regular(out, &kind, header, f);
    if (status == STATUS_OK) { /* the name is the user's */
        free((*out)->name);
        (*out)->name = name;
    } else
        free(name);
    return status;
}
