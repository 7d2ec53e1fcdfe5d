/* Gray PNG images by libpng, row after row. Going back to an earlier row starts the file afresh. */
#include "harness/image/numbers.h"
#include "harness/image/source_kind.h"

#include <inttypes.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct source_png {
    struct source base;
    FILE *stream;
    int bit_depth; /* as stored: 1, 2, 4, 8 or 16 */
    bool interlaced;
    png_structp png; /* the pass under way; NULL before one */
    png_infop info;
    int64_t next_row;     /* that the pass delivers next */
    unsigned char *row;   /* the row read last */
    unsigned char **rows; /* all rows of an interlaced image, once it has been read */
    char error[256];      /* what libpng said last */
    bool out_of_memory;
};

static void on_error(png_structp png, png_const_charp message)
{
    struct source_png *p = png_get_error_ptr(png);
    snprintf(p->error, sizeof p->error, "%s", message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static png_voidp allocate(png_structp png, png_alloc_size_t size)
{
    struct source_png *p = png_get_mem_ptr(png);
    void *memory = malloc(size);
    p->out_of_memory = p->out_of_memory || !memory;
    return memory;
}

static void release(png_structp png, png_voidp memory)
{
    (void)png;
    free(memory);
}

static enum status libpng_failed(const struct source_png *p, struct failure *f)
{
    if (p->out_of_memory)
        return fail(f, STATUS_RESOURCE, "%s: no memory to unpack it", p->base.name);
    return fail(f, STATUS_USAGE, "%s: bad PNG: %s", p->base.name, p->error);
}

static void end_pass(struct source_png *p)
{
    png_destroy_read_struct(&p->png, &p->info, NULL);
    p->next_row = 0;
}

/* Reads up to the first row. Whatever does not bear on the gray values is skipped, and anything
 * that breaks the format is an error. */
static bool read_info(struct source_png *p)
{
    if (setjmp(png_jmpbuf(p->png)))
        return false;
    png_init_io(p->png, p->stream);
    png_set_user_limits(p->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_keep_unknown_chunks(p->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_crc_action(p->png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    png_set_benign_errors(p->png, 0);
    png_read_info(p->png, p->info);
    if (p->bit_depth < 8)
        png_set_expand_gray_1_2_4_to_8(p->png);
    png_set_interlace_handling(p->png);
    png_read_update_info(p->png, p->info);
    return true;
}

static enum status start_pass(struct source_png *p, struct failure *f)
{
    end_pass(p);
    rewind(p->stream);
    p->out_of_memory = false;
    p->png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, p, on_error, on_warning, p, allocate,
                                      release);
    p->info = p->png ? png_create_info_struct(p->png) : NULL;
    if (!p->info) {
        end_pass(p);
        return fail(f, STATUS_RESOURCE, "%s: no memory to unpack it", p->base.name);
    }
    return read_info(p) ? STATUS_OK : libpng_failed(p, f);
}

static size_t row_bytes(const struct source_png *p)
{
    return (size_t)p->base.shape.cols * (p->bit_depth == 16 ? 2 : 1);
}

/* Reads one row, and with the last one whatever follows, so that a file cut short is noticed. */
static bool next_row(struct source_png *p)
{
    if (setjmp(png_jmpbuf(p->png)))
        return false;
    png_read_row(p->png, p->row, NULL);
    if (++p->next_row == p->base.shape.rows)
        png_read_end(p->png, NULL);
    return true;
}

static enum status seek_row(struct source_png *p, int64_t row, struct failure *f)
{
    if (!p->png || row < p->next_row) {
        enum status status = start_pass(p, f);
        if (status != STATUS_OK)
            return status;
    }
    while (p->next_row <= row)
        if (!next_row(p)) {
            enum status status = libpng_failed(p, f);
            end_pass(p);
            return status;
        }
    return STATUS_OK;
}

static bool read_all(struct source_png *p)
{
    if (setjmp(png_jmpbuf(p->png)))
        return false;
    png_read_image(p->png, p->rows);
    png_read_end(p->png, NULL);
    return true;
}

static void free_rows(struct source_png *p)
{
    if (p->rows)
        free(p->rows[0]);
    free(p->rows);
    p->rows = NULL;
}

/* The rows of an interlaced image come in seven passes, so it is unpacked as a whole. */
static enum status unpack_interlaced(struct source_png *p, struct failure *f)
{
    size_t rows = (size_t)p->base.shape.rows;
    p->rows = calloc(rows, sizeof *p->rows);
    if (p->rows)
        p->rows[0] = malloc(rows * row_bytes(p));
    if (!p->rows || !p->rows[0]) {
        free_rows(p);
        return fail(f, STATUS_RESOURCE, "%s: no memory for the interlaced image", p->base.name);
    }
    for (size_t i = 1; i < rows; i++)
        p->rows[i] = p->rows[0] + i * row_bytes(p);
    enum status status = start_pass(p, f);
    if (status == STATUS_OK && !read_all(p))
        status = libpng_failed(p, f);
    end_pass(p);
    if (status != STATUS_OK)
        free_rows(p);
    return status;
}

/* Points *bytes to the unpacked row. */
static enum status get_row(struct source_png *p, int64_t row, const unsigned char **bytes,
                           struct failure *f)
{
    if (!p->interlaced) {
        *bytes = p->row;
        return row + 1 == p->next_row ? STATUS_OK : seek_row(p, row, f);
    }
    enum status status = p->rows ? STATUS_OK : unpack_interlaced(p, f);
    if (p->rows)
        *bytes = p->rows[row];
    return status;
}

static void convert_row(const struct source_png *p, const unsigned char *bytes,
                        const struct image_range *range, float *dst, struct image_facts *facts)
{
    const struct number_format format = {
        .type = p->bit_depth == 16 ? NUMBER_U16 : NUMBER_U8,
        .swapped = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ /* PNG is big-endian */
    };
    int64_t size = number_size(format.type);
    for (int64_t done = 0; done < range->cols; done += NUMBER_CHUNK) {
        union number_chunk raw;
        int64_t left = range->cols - done;
        int64_t count = left < NUMBER_CHUNK ? left : NUMBER_CHUNK;
        double bad = 0.0; /* there is none among integers of 16 bits */
        memcpy(raw.bytes, bytes + (range->col + done) * size, (size_t)(count * size));
        numbers_convert(&format, &raw, count, dst + done, 1, facts, &bad);
    }
}

static enum status read_png(struct source *s, const struct image_range *range, float *dst,
                            int64_t dst_stride, struct image_facts *facts, struct failure *f)
{
    struct source_png *p = (struct source_png *)s;
    for (int64_t i = 0; i < range->rows; i++) {
        const unsigned char *bytes = p->row;
        enum status status = get_row(p, range->row + i, &bytes, f);
        if (status != STATUS_OK)
            return status;
        convert_row(p, bytes, range, dst + i * dst_stride, facts);
    }
    return STATUS_OK;
}

static void close_png(struct source *s)
{
    struct source_png *p = (struct source_png *)s;
    end_pass(p);
    free_rows(p);
    free(p->row);
    if (p->stream)
        fclose(p->stream);
}

static const struct source_operations png_operations = {read_png, close_png};

static int64_t big_endian_32(const unsigned char *bytes)
{
    return (int64_t)bytes[0] << 24 | bytes[1] << 16 | bytes[2] << 8 | bytes[3];
}

/* The fields of the header chunk that say what is to come. */
struct png_header {
    int64_t cols, rows;
    int bit_depth, color_type, interlace;
};

static enum status read_header(struct source_png *p, struct png_header *h, struct failure *f)
{
    static const unsigned char start[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n',
                                          0,    0,   0,   13,  'I',  'H',  'D',  'R'};
    unsigned char bytes[sizeof start + 13];
    size_t got = fread(bytes, 1, sizeof bytes, p->stream);
    if (got < 8 || memcmp(bytes, start, 8) != 0)
        return fail(f, STATUS_USAGE, "%s: not a PNG file", p->base.name);
    if (got < sizeof bytes || memcmp(bytes, start, sizeof start) != 0)
        return fail(f, STATUS_USAGE, "%s: bad PNG: cut short, or without a header chunk",
                    p->base.name);
    const unsigned char *field = bytes + sizeof start;
    *h = (struct png_header){.cols = big_endian_32(field),
                             .rows = big_endian_32(field + 4),
                             .bit_depth = field[8],
                             .color_type = field[9],
                             .interlace = field[12]};
    return STATUS_OK;
}

/* Holds the header against what the file can hold, before libpng may allocate for it. */
static enum status check_header(const struct source_png *p, const struct png_header *h,
                                int64_t file_bytes, struct failure *f)
{
    const char *name = p->base.name;
    if (h->color_type != PNG_COLOR_TYPE_GRAY)
        return fail(f, STATUS_USAGE,
                    "%s: a PNG %s, and only gray ones are read: convert it, for example by "
                    "ImageMagick: convert IN.png -alpha off -colorspace Gray OUT.png",
                    name,
                    h->color_type == PNG_COLOR_TYPE_GRAY_ALPHA ? "with transparency" : "in colour");
    int d = h->bit_depth;
    if (d != 1 && d != 2 && d != 4 && d != 8 && d != 16)
        return fail(f, STATUS_USAGE, "%s: bad PNG: %d bits per gray value", name, d);
    if (h->rows < 1 || h->cols < 1)
        return fail(f, STATUS_USAGE, "%s: bad PNG: %" PRId64 " x %" PRId64 " cells", name, h->rows,
                    h->cols);
    const bool sane = h->rows <= PNG_UINT_31_MAX && h->cols <= PNG_UINT_31_MAX;
    const int64_t cells = sane ? h->rows * h->cols : 0;
    if (!sane || source_beyond_zlib(d == 16 ? cells : cells / (8 / d) / 2, file_bytes))
        return fail(f, STATUS_USAGE,
                    "%s: bad PNG: its header promises %" PRId64 " x %" PRId64
                    " cells of %d bits, which a file of %" PRId64 " bytes cannot hold",
                    name, h->rows, h->cols, d, file_bytes);
    return STATUS_OK;
}

static enum status prepare_pass(struct source_png *p, int64_t file_bytes, struct failure *f)
{
    struct png_header h = {0};
    enum status status = read_header(p, &h, f);
    if (status == STATUS_OK)
        status = check_header(p, &h, file_bytes, f);
    if (status == STATUS_OK)
        status = source_set_shape(&p->base, (struct image_shape){1, h.rows, h.cols}, f);
    if (status != STATUS_OK)
        return status;
    p->bit_depth = h.bit_depth;
    p->interlaced = h.interlace != PNG_INTERLACE_NONE;
    p->row = p->interlaced ? NULL : malloc(row_bytes(p));
    if (!p->interlaced && !p->row)
        return fail(f, STATUS_RESOURCE, "%s: no memory for a row of it", p->base.name);
    return start_pass(p, f);
}

static enum status prepare(struct source *s, int fd, int64_t file_bytes, struct failure *f)
{
    struct source_png *p = (struct source_png *)s;
    p->stream = fdopen(fd, "rb");
    if (p->stream)
        return prepare_pass(p, file_bytes, f);
    close(fd);
    return fail(f, STATUS_RESOURCE, "%s: no memory to open it", s->name);
}

enum status source_open_png(struct source **out, const char *path, struct failure *f)
{
    static const struct source_file kind = {sizeof(struct source_png), &png_operations, prepare};
    return source_open_regular(out, &kind, path, f);
}
