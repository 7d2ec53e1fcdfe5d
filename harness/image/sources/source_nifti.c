/* NIfTI-1 volumes in one file, plain or gzipped: x are columns, y rows, and z, t and all further
 * dimensions planes. Values are scaled as the header specifies; nothing is reoriented. Format: the
 * NIfTI-1 data format (Cox et al. 2004), nifti1.h. */
#include "harness/image/sources/source_kind.h"
#include "harness/image/strided_numbers.h"

#include <inttypes.h>
#include <math.h>
#include <nifti1_io.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEADER_BYTES = 348, FIRST_DATA_BYTE = 352 };

struct source_nifti {
    struct source base;
    int fd;         /* of a plain file, for any number of threads; or -1 */
    znzFile stream; /* of a gzipped file; NULL: no current pass */
    int64_t at;     /* unpacked bytes delivered so far */
    int64_t end;    /* unpacked bytes up to the end of the last voxel */
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
    n->stream = znzopen(n->base.name, "rb", 1);
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

static int16_t swapped_16(int16_t value, bool swapped)
{
    return swapped ? (int16_t)__builtin_bswap16((uint16_t)value) : value;
}

static enum status check_magic(const struct source_nifti *n, const nifti_1_header *h, bool *swapped,
                               struct failure *f)
{
    const char *name = n->base.name;
    *swapped = h->sizeof_hdr != HEADER_BYTES;
    if (*swapped && __builtin_bswap32((uint32_t)h->sizeof_hdr) != HEADER_BYTES)
        return fail(f, STATUS_USAGE, "%s: not a NIfTI-1 file", name);
    if (memcmp(h->magic, "ni1", 4) == 0)
        return fail(f, STATUS_USAGE, "%s: NIfTI in two files is not read: convert it to one .nii",
                    name);
    if (memcmp(h->magic, "n+1", 4) != 0)
        return fail(f, STATUS_USAGE, "%s: not a NIfTI-1 file", name);
    return STATUS_OK;
}

static enum status check_dimensions(const struct source_nifti *n, const nifti_1_header *h,
                                    bool swapped, struct failure *f)
{
    int dimensions = swapped_16(h->dim[0], swapped);
    if (dimensions < 1 || dimensions > 7)
        return fail(f, STATUS_USAGE, "%s: bad NIfTI header: %d dimensions", n->base.name,
                    dimensions);
    for (int i = 1; i <= dimensions; i++)
        if (swapped_16(h->dim[i], swapped) < 1)
            return fail(f, STATUS_USAGE, "%s: bad NIfTI header: dimension %d has length %d",
                        n->base.name, i, swapped_16(h->dim[i], swapped));
    return STATUS_OK;
}

static enum status check_type(struct source_nifti *n, const nifti_1_header *h, bool swapped,
                              struct failure *f)
{
    int datatype = swapped_16(h->datatype, swapped), bits = swapped_16(h->bitpix, swapped);
    if (!set_type(n, datatype))
        return fail(f, STATUS_USAGE,
                    "%s: holds values of type %d (%s): only real numbers of up to 64 bits are read",
                    n->base.name, datatype, nifti_datatype_string(datatype));
    if (bits != 8 * number_size(n->numbers.format.type))
        return fail(f, STATUS_USAGE, "%s: bad NIfTI header: %d bits per value of type %s",
                    n->base.name, bits, nifti_datatype_string(datatype));
    return STATUS_OK;
}

static float swapped_float(const float *value, bool swapped)
{
    uint32_t bits;
    memcpy(&bits, value, sizeof bits);
    bits = swapped ? __builtin_bswap32(bits) : bits;
    float result;
    memcpy(&result, &bits, sizeof result);
    return result;
}

static enum status check_offset(const struct source_nifti *n, const nifti_1_header *h, bool swapped,
                                struct failure *f)
{
    const float offset = swapped_float(&h->vox_offset, swapped);
    if (offset >= FIRST_DATA_BYTE && offset < 0x1p31F && floorf(offset) == offset)
        return STATUS_OK;
    return fail(f, STATUS_USAGE,
                "%s: bad NIfTI header: data start at byte %g: it must be a whole number from %d on",
                n->base.name, (double)offset, FIRST_DATA_BYTE);
}

/* Values are scl_slope * stored + scl_inter, or as stored if the slope is 0 (nifti1.h, "DATA
 * SCALING"). libnifti treats a slope that is not finite as 0. */
static enum status check_scaling(const struct source_nifti *n, const nifti_1_header *h,
                                 bool swapped, struct failure *f)
{
    const float slope = swapped_float(&h->scl_slope, swapped);
    const float intercept = swapped_float(&h->scl_inter, swapped);
    if (!isfinite(slope))
        return fail(f, STATUS_USAGE,
                    "%s: bad NIfTI header: scl_slope is %g: it must be finite, 0 for unscaled "
                    "values",
                    n->base.name, (double)slope);
    if (slope != 0.0F && !isfinite(intercept))
        return fail(f, STATUS_USAGE, "%s: bad NIfTI header: scl_inter is %g: it must be finite",
                    n->base.name, (double)intercept);
    return STATUS_OK;
}

/* Checks what libnifti does not check, or would report on stderr. */
static enum status check_header(struct source_nifti *n, const nifti_1_header *h, struct failure *f)
{
    bool swapped = false;
    enum status status = check_magic(n, h, &swapped, f);
    if (status == STATUS_OK)
        status = check_dimensions(n, h, swapped, f);
    if (status == STATUS_OK)
        status = check_type(n, h, swapped, f);
    if (status == STATUS_OK)
        status = check_offset(n, h, swapped, f);
    if (status == STATUS_OK)
        status = check_scaling(n, h, swapped, f);
    return status;
}

/* Compares the data that the header promises with the file's size, and sets shape and layout. */
static enum status lay_out(struct source_nifti *n, const nifti_image *image, int64_t file_bytes,
                           struct failure *f)
{
    struct image_shape shape = {1, image->ny, image->nx};
    int64_t bytes = image->nbyper;
    bool overflow = false;
    for (int i = 1; i <= image->dim[0]; i++) {
        overflow = overflow || __builtin_mul_overflow(bytes, (int64_t)image->dim[i], &bytes);
        if (i > 2)
            overflow = overflow ||
                       __builtin_mul_overflow(shape.planes, (int64_t)image->dim[i], &shape.planes);
    }
    overflow = overflow || __builtin_add_overflow(bytes, (int64_t)image->iname_offset, &n->end);
    bool too_much = n->fd >= 0 ? n->end > file_bytes : source_beyond_zlib(n->end, file_bytes);
    if (overflow || too_much)
        return fail(f, STATUS_USAGE,
                    "%s: bad NIfTI header: it promises %" PRId64 " planes of %d x %d values of %d "
                    "bytes, which a file of %" PRId64 " bytes cannot hold",
                    n->base.name, shape.planes, image->ny, image->nx, image->nbyper, file_bytes);
    n->numbers.offset = image->iname_offset;
    n->numbers.plane_step = shape.rows * shape.cols;
    n->numbers.row_step = shape.cols;
    n->numbers.col_step = 1;
    n->numbers.format.swapped = image->byteorder != nifti_short_order();
    n->numbers.format.scaled = image->scl_slope != 0.0F;
    n->numbers.format.slope = (double)image->scl_slope;
    n->numbers.format.intercept = (double)image->scl_inter;
    return source_set_shape(&n->base, shape, f);
}

/* Reads only the header: its extensions are not needed, and their lengths cannot be trusted. */
static enum status read_header(struct source_nifti *n, int64_t file_bytes, struct failure *f)
{
    nifti_1_header header;
    const char *why = "";
    int64_t got = n->numbers.fetch(n->numbers.file, 0, &header, HEADER_BYTES, &why);
    if (got < 0)
        return fail(f, STATUS_USAGE, "%s: cannot read it: %s", n->base.name, why);
    if (got < HEADER_BYTES)
        return fail(f, STATUS_USAGE, "%s: not a NIfTI-1 file: shorter than a header", n->base.name);
    enum status status = check_header(n, &header, f);
    if (status != STATUS_OK)
        return status;
    nifti_set_debug_level(0);
    nifti_image *image = nifti_convert_nhdr2nim(header, NULL);
    if (!image)
        return fail(f, STATUS_USAGE, "%s: bad NIfTI header", n->base.name);
    status = lay_out(n, image, file_bytes, f);
    nifti_image_free(image);
    return status;
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

static enum status prepare(struct source *s, int fd, int64_t file_bytes, struct failure *f)
{
    struct source_nifti *n = (struct source_nifti *)s;
    n->fd = fd;
    n->numbers.fetch = strided_fetch_pread;
    n->numbers.file = &n->fd;
    enum status status = nifti_is_gzfile(s->name) ? open_gzipped(n, file_bytes, f) : STATUS_OK;
    s->concurrent = n->fd >= 0;
    return status == STATUS_OK ? read_header(n, file_bytes, f) : status;
}

enum status source_open_nifti(struct source **out, const char *path, struct failure *f)
{
    static const struct source_file kind = {sizeof(struct source_nifti), &nifti_operations,
                                            prepare};
    return source_open_regular(out, &kind, path, f);
}
