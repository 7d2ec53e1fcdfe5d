/* PNG images by libpng: gray images have one plane, colour images three, red, green and blue.
 * Transparency is dropped, as image loaders of networks do, and noted. */
#include "harness/image/row_stream.h"
#include "harness/machine/memory.h"

#include <inttypes.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

struct source_png {
    struct row_stream rows;
    int bit_depth; /* of a sample, as stored: 1, 2, 4, 8 or 16 */
    bool interlaced;
    png_structp png; /* the current pass; NULL before the first */
    png_infop info;
    unsigned char *unpacked; /* all rows of an interlaced image, after it was read */
    char error[256];         /* last message of libpng */
    bool out_of_memory;
    bool ending; /* all rows were read: what is left are chunks without pixels */
    png_color palette[PNG_MAX_PALETTE_LENGTH]; /* black behind its last colour */
    int colours;                               /* of the palette; 0: there is none */
    bool beyond;                               /* this pass has noted a colour behind the last */
};

static void on_error(png_structp png, png_const_charp message)
{
    struct source_png *p = png_get_error_ptr(png);
    snprintf(p->error, sizeof p->error, "%s", message);
    png_longjmp(png, 1);
}

/* What libpng only warns of may concern the pixels: their check sum, and how many there are. Damage
 * of other chunks is noted. */
static void on_warning(png_structp png, png_const_charp message)
{
    struct source *s = &((struct source_png *)png_get_error_ptr(png))->rows.base;
    if (strncmp(message, "IDAT", 4) == 0)
        on_error(png, message);
    if (strstr(message, "CRC error"))
        snprintf(s->note, sizeof s->note, "a part of it that holds no pixels is damaged");
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
        return fail(f, STATUS_RESOURCE, "%s: no memory to unpack it", p->rows.base.name);
    return fail(f, STATUS_USAGE, "%s: bad PNG: %s", p->rows.base.name, p->error);
}

static void end_png(struct row_stream *s)
{
    struct source_png *p = (struct source_png *)s;
    png_destroy_read_struct(&p->png, &p->info, NULL);
}

/* Rows are unpacked to an index a byte, which paint() looks up: libpng would pass over those that
 * the palette does not have. */
static void keep_palette(struct source_png *p)
{
    png_colorp colours = NULL;
    png_get_PLTE(p->png, p->info, &colours, &p->colours);
    memcpy(p->palette, colours, (size_t)p->colours * sizeof *colours);
    png_set_packing(p->png);
    png_set_check_for_invalid_index(p->png, 0);
}

/* Replaces the indices at the beginning of a row by their colours, the last ones first. */
static void paint(struct source_png *p, unsigned char *row)
{
    int64_t first = -1;
    int index_there = 0;
    for (int64_t col = p->rows.base.shape.cols - 1; col >= 0; col--) {
        const int index = row[col];
        const png_color c = p->palette[index];
        row[3 * col] = c.red;
        row[3 * col + 1] = c.green;
        row[3 * col + 2] = c.blue;
        if (index >= p->colours) {
            first = col;
            index_there = index;
        }
    }
    if (first >= 0 && !p->beyond)
        snprintf(p->rows.base.note, sizeof p->rows.base.note,
                 "row %" PRId64 ", column %" PRId64
                 " has colour %d of a palette of %d: such are black",
                 p->rows.next_row, first, index_there, p->colours);
    p->beyond = p->beyond || first >= 0;
}

/* Reads up to the first row. Chunks that do not affect the values are skipped, and so is what is
 * wrong with them. */
static bool read_info(struct source_png *p)
{
    if (setjmp(png_jmpbuf(p->png)))
        return false;
    png_init_io(p->png, p->rows.stream);
    png_set_user_limits(p->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_keep_unknown_chunks(p->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_crc_action(p->png, PNG_CRC_ERROR_QUIT, PNG_CRC_WARN_DISCARD);
    png_set_benign_errors(p->png, 1);
    png_read_info(p->png, p->info);
    const int type = png_get_color_type(p->png, p->info);
    if (type == PNG_COLOR_TYPE_PALETTE)
        keep_palette(p);
    else if (p->bit_depth < 8)
        png_set_expand_gray_1_2_4_to_8(p->png);
    if ((type & PNG_COLOR_MASK_ALPHA) || png_get_valid(p->png, p->info, PNG_INFO_tRNS)) {
        png_set_strip_alpha(p->png);
        snprintf(p->rows.base.note, sizeof p->rows.base.note, "its transparency is dropped");
    }
    png_set_interlace_handling(p->png);
    png_read_update_info(p->png, p->info);
    if (png_get_channels(p->png, p->info) != (p->colours ? 1 : p->rows.base.shape.planes))
        png_error(p->png, "its rows have another number of channels than its header says");
    return true;
}

static enum status start_pass(struct source_png *p, struct failure *f)
{
    end_png(&p->rows);
    rewind(p->rows.stream);
    p->out_of_memory = p->ending = p->beyond = false;
    p->png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, p, on_error, on_warning, p, allocate,
                                      release);
    p->info = p->png ? png_create_info_struct(p->png) : NULL;
    if (!p->info) {
        end_png(&p->rows);
        return fail(f, STATUS_RESOURCE, "%s: no memory to unpack it", p->rows.base.name);
    }
    return read_info(p) ? STATUS_OK : libpng_failed(p, f);
}

/* After an error: true if all pixels were read and checked before, so that only the end of the file
 * is missing or damaged. */
static bool has_all_pixels(struct source_png *p)
{
    const png_uint_32 image_data = 0x49444154; /* IDAT */
    const bool between = (png_get_io_state(p->png) & PNG_IO_MASK_LOC) == PNG_IO_CHUNK_HDR;
    if (!p->ending || p->out_of_memory || (png_get_io_chunk_type(p->png) == image_data && !between))
        return false;
    snprintf(p->rows.base.note, sizeof p->rows.base.note,
             "its end is missing or damaged, after its last pixel");
    return true;
}

/* Reads a row, and after the last one the rest of the file. */
static bool read_row(struct source_png *p, unsigned char *row, bool last)
{
    if (setjmp(png_jmpbuf(p->png)))
        return has_all_pixels(p);
    png_read_row(p->png, row, NULL);
    p->ending = last;
    if (last)
        png_read_end(p->png, NULL);
    return true;
}

/* The rows of an interlaced image come in seven passes, so it is unpacked as a whole. */
static enum status unpack_interlaced(struct source_png *p, struct failure *f)
{
    enum { PASSES = 7 };
    const struct image_shape shape = p->rows.base.shape;
    const size_t bytes = row_stream_bytes(&p->rows);
    void *all = NULL;
    enum status status =
        memory_allocate(&all, (size_t)shape.rows * bytes, "an interlaced image, unpacked", f);
    p->unpacked = all;
    if (status == STATUS_OK)
        status = start_pass(p, f);
    for (int64_t i = 0; status == STATUS_OK && i < PASSES * shape.rows; i++) {
        status = source_in_time(&p->rows.base, f);
        if (status == STATUS_OK && !read_row(p, p->unpacked + (size_t)(i % shape.rows) * bytes,
                                             i + 1 == PASSES * shape.rows))
            status = libpng_failed(p, f);
    }
    end_png(&p->rows);
    if (status != STATUS_OK) {
        free(p->unpacked);
        p->unpacked = NULL;
    }
    return status;
}

static enum status start_png(struct row_stream *s, struct failure *f)
{
    struct source_png *p = (struct source_png *)s;
    if (!p->interlaced)
        return start_pass(p, f);
    return p->unpacked ? STATUS_OK : unpack_interlaced(p, f);
}

static enum status next_png(struct row_stream *s, struct failure *f)
{
    struct source_png *p = (struct source_png *)s;
    const size_t bytes = row_stream_bytes(s);
    if (p->interlaced)
        memcpy(s->row, p->unpacked + (size_t)s->next_row * bytes, bytes);
    else if (!read_row(p, s->row, s->next_row + 1 == s->base.shape.rows))
        return libpng_failed(p, f);
    if (p->colours > 0)
        paint(p, s->row);
    return STATUS_OK;
}

static const struct row_operations png_rows = {start_png, next_png, end_png};

static void close_png(struct source *s)
{
    row_stream_close(s);
    free(((struct source_png *)s)->unpacked);
}

static const struct source_operations png_operations = {row_stream_read, close_png};

static int64_t big_endian_32(const unsigned char *bytes)
{
    return (int64_t)bytes[0] << 24 | bytes[1] << 16 | bytes[2] << 8 | bytes[3];
}

/* The fields of the header chunk that describe the image. */
struct png_header {
    int64_t cols, rows;
    int bit_depth, color_type, interlace;
};

static enum status read_header(struct source_png *p, struct png_header *h, struct failure *f)
{
    static const unsigned char start[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n',
                                          0,    0,   0,   13,  'I',  'H',  'D',  'R'};
    unsigned char bytes[sizeof start + 13];
    size_t got = fread(bytes, 1, sizeof bytes, p->rows.stream);
    if (got < 8 || memcmp(bytes, start, 8) != 0)
        return fail(f, STATUS_USAGE, "%s: not a PNG file", p->rows.base.name);
    if (got < sizeof bytes || memcmp(bytes, start, sizeof start) != 0)
        return fail(f, STATUS_USAGE, "%s: bad PNG: cut short, or without a header chunk",
                    p->rows.base.name);
    const unsigned char *field = bytes + sizeof start;
    *h = (struct png_header){.cols = big_endian_32(field),
                             .rows = big_endian_32(field + 4),
                             .bit_depth = field[8],
                             .color_type = field[9],
                             .interlace = field[12]};
    return STATUS_OK;
}

static bool is_gray(const struct png_header *h)
{
    return !(h->color_type & PNG_COLOR_MASK_COLOR);
}

/* A colour is three samples, or an index into a palette; transparency is a sample more. */
static int bits_per_pixel(const struct png_header *h)
{
    const bool index = h->color_type & PNG_COLOR_MASK_PALETTE;
    const int samples = is_gray(h) || index ? 1 : 3;
    return (samples + !!(h->color_type & PNG_COLOR_MASK_ALPHA)) * h->bit_depth;
}

static enum status check_kind(const struct source_png *p, const struct png_header *h,
                              struct failure *f)
{
    const char *name = p->rows.base.name;
    const int d = h->bit_depth, type = h->color_type;
    const bool alpha = type == PNG_COLOR_TYPE_GRAY_ALPHA || type == PNG_COLOR_TYPE_RGB_ALPHA;
    const bool indexed = type == PNG_COLOR_TYPE_PALETTE;
    if (!alpha && !indexed && type != PNG_COLOR_TYPE_GRAY && type != PNG_COLOR_TYPE_RGB)
        return fail(f, STATUS_USAGE, "%s: bad PNG: no colour type is %d", name, type);
    const bool narrow = d == 1 || d == 2 || d == 4, wide = d == 16;
    if (d != 8 && !(narrow && (indexed || type == PNG_COLOR_TYPE_GRAY)) && !(wide && !indexed))
        return fail(f, STATUS_USAGE, "%s: bad PNG: %d bits per value", name, d);
    return STATUS_OK;
}

/* Compares the header with what the file can hold, before libpng may allocate memory for it. */
static enum status check_header(const struct source_png *p, const struct png_header *h,
                                int64_t file_bytes, struct failure *f)
{
    const char *name = p->rows.base.name;
    enum status status = check_kind(p, h, f);
    if (status != STATUS_OK)
        return status;
    if (h->rows < 1 || h->cols < 1)
        return fail(f, STATUS_USAGE, "%s: bad PNG: %" PRId64 " x %" PRId64 " pixels", name, h->rows,
                    h->cols);
    int64_t bytes = 0;
    const bool sane = h->rows <= PNG_UINT_31_MAX && h->cols <= PNG_UINT_31_MAX &&
                      !__builtin_mul_overflow(h->rows, h->cols * bits_per_pixel(h) / 8, &bytes);
    if (!sane || source_beyond_zlib(bytes, file_bytes))
        return fail(f, STATUS_USAGE,
                    "%s: bad PNG: its header promises %" PRId64 " x %" PRId64
                    " pixels of %d bits, which a file of %" PRId64 " bytes cannot hold",
                    name, h->rows, h->cols, bits_per_pixel(h), file_bytes);
    return STATUS_OK;
}

static enum status prepare(struct source *s, int fd, int64_t file_bytes, struct failure *f)
{
    struct source_png *p = (struct source_png *)s;
    struct png_header h = {0};
    enum status status = row_stream_begin(&p->rows, &png_rows, fd, f);
    if (status == STATUS_OK)
        status = read_header(p, &h, f);
    if (status == STATUS_OK)
        status = check_header(p, &h, file_bytes, f);
    if (status != STATUS_OK)
        return status;
    p->bit_depth = h.bit_depth;
    p->interlaced = h.interlace != PNG_INTERLACE_NONE;
    s->packed_bytes = file_bytes;
    const struct image_shape shape = {is_gray(&h) ? 1 : 3, h.rows, h.cols};
    status = row_stream_set_shape(&p->rows, shape, h.bit_depth == 16 ? 2 : 1, f);
    if (status == STATUS_OK && p->interlaced)
        s->whole_bytes = shape.rows * (int64_t)row_stream_bytes(&p->rows);
    return status == STATUS_OK ? start_pass(p, f) : status;
}

enum status source_open_png(struct source **out, const char *path, struct failure *f)
{
    static const struct source_file kind = {sizeof(struct source_png), &png_operations, prepare};
    return source_open_regular(out, &kind, path, f);
}
