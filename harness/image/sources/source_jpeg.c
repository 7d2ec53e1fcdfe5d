/* JPEG images by libjpeg: gray images have one plane, colour images three, red, green and blue;
 * CMYK becomes RGB. A libjpeg warning is an error here, since libjpeg would invent values where the
 * file is damaged, unless no pixel depends on what it is about. */
#include "harness/base/text/fit.h"
#include "harness/image/row_stream.h"
#include "harness/machine/memory.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jerror.h>
#include <jpeglib.h>

struct source_jpeg {
    struct row_stream rows;
    int64_t file_bytes;
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    jmp_buf failed; /* target of libjpeg's errors */
    char error[JMSG_LENGTH_MAX];
    bool out_of_memory, late;
    bool cut;            /* the file ended before its end marker */
    unsigned char *four; /* a row of CMYK; NULL for other colours */
};

static struct source_jpeg *of(j_common_ptr jpeg)
{
    return jpeg->client_data;
}

static void on_error(j_common_ptr jpeg)
{
    struct source_jpeg *j = of(jpeg);
    jpeg->err->format_message(jpeg, j->error);
    j->out_of_memory = jpeg->err->msg_code == JERR_OUT_OF_MEMORY;
    longjmp(j->failed, 1);
}

/* Notes what a warning is about if no pixel depends on it: the version of a header, bytes between
 * the parts of the file (but before a restart marker they are in the middle of the values), and its
 * end. If pixels are missing there, another warning follows, or lacks_scans() is true. */
static bool note_harmless(struct source_jpeg *j, const struct jpeg_error_mgr *err)
{
    struct source *s = &j->rows.base;
    const int marker = err->msg_parm.i[1];
    if (err->msg_code == JWRN_JFIF_MAJOR)
        return true;
    if (err->msg_code == JWRN_EXTRANEOUS_DATA && !(marker >= 0xd0 && marker <= 0xd7)) {
        snprintf(s->note, sizeof s->note, "%d bytes in it belong to no part of a JPEG",
                 err->msg_parm.i[0]);
        return true;
    }
    j->cut = err->msg_code == JWRN_JPEG_EOF && !j->jpeg.arith_code;
    if (j->cut)
        snprintf(s->note, sizeof s->note, "its end is missing, after its last pixel");
    return j->cut;
}

/* Level -1 is a warning; higher levels are trace messages. */
static void on_message(j_common_ptr jpeg, int level)
{
    if (level < 0 && !note_harmless(of(jpeg), jpeg->err))
        on_error(jpeg);
}

/* True if a file of several scans, which was cut, lacks bits of coefficients. Only of progressive
 * files libjpeg knows them. */
static bool lacks_scans(j_decompress_ptr jpeg)
{
    if (!jpeg_has_multiple_scans(jpeg))
        return false;
    bool all = jpeg->coef_bits != NULL;
    for (int c = 0; all && c < jpeg->num_components; c++)
        for (int k = 0; k < DCTSIZE2; k++)
            all = all && jpeg->coef_bits[c][k] == 0;
    return !all;
}

/* Called between rows of every scan. A small file can contain millions of scans, each of which
 * takes as long as a whole image. */
static void on_progress(j_common_ptr jpeg)
{
    enum { MOST_SCANS = 500 };
    struct source_jpeg *j = of(jpeg);
    if (j->jpeg.input_scan_number > MOST_SCANS) {
        snprintf(j->error, sizeof j->error, "more than %d scans", MOST_SCANS);
        longjmp(j->failed, 1);
    }
    if (source_in_time(&j->rows.base, NULL) != STATUS_OK) {
        j->late = true;
        longjmp(j->failed, 1);
    }
}

static enum status libjpeg_failed(const struct source_jpeg *j, struct failure *f)
{
    if (j->late)
        return source_in_time(&j->rows.base, f);
    if (j->out_of_memory)
        return fail(f, STATUS_RESOURCE, "%s: no memory to unpack it", j->rows.base.name);
    return fail(f, STATUS_USAGE, "%s: bad JPEG: %s", j->rows.base.name, j->error);
}

/* Destroying an object that was not created has no effect. */
static void end_jpeg(struct row_stream *s)
{
    jpeg_destroy_decompress(&((struct source_jpeg *)s)->jpeg);
}

/* A number of 2 or 4 bytes of Exif, whose first letter gives their order. */
static unsigned exif_number(const unsigned char *at, int size, bool big)
{
    unsigned number = 0;
    for (int i = 0; i < size; i++)
        number = number << 8 | at[big ? i : size - 1 - i];
    return number;
}

/* Returns the orientation that a camera noted in an Exif segment, 1 to 8; 1, as stored, if it has
 * none. Exif 2.3 (JEITA CP-3451C), 4.6: a TIFF header, then entries of 12 bytes. */
static unsigned orientation_of(const unsigned char *data, size_t size)
{
    enum { PREFIX = 6, ENTRY = 12, ORIENTATION = 0x112 };
    if (size < PREFIX + 8 || memcmp(data, "Exif\0", PREFIX) != 0)
        return 1;
    const unsigned char *tiff = data + PREFIX;
    const bool big = tiff[0] == 'M';
    const size_t length = size - PREFIX, first = exif_number(tiff + 4, 4, big);
    if (first > length - 2)
        return 1;
    const unsigned entries = exif_number(tiff + first, 2, big);
    for (size_t i = 0, at = first + 2; i < entries && at + ENTRY <= length; i++, at += ENTRY)
        if (exif_number(tiff + at, 2, big) == ORIENTATION)
            return exif_number(tiff + at + 8, 2, big);
    return 1;
}

/* Notes what the image has and is not used. */
static void note_ignored(struct source_jpeg *j)
{
    struct source *s = &j->rows.base;
    for (const struct jpeg_marker_struct *m = j->jpeg.marker_list; m; m = m->next) {
        const unsigned turn = orientation_of(m->data, m->data_length);
        if (turn >= 2 && turn <= 8)
            snprintf(
                s->note, sizeof s->note,
                "its rotation (Exif orientation %u) is not applied: the elements are as stored",
                turn);
    }
    if (j->jpeg.num_components == 4)
        snprintf(s->note, sizeof s->note, "its CMYK is converted to RGB, without a colour profile");
}

static bool read_header(struct source_jpeg *j)
{
    if (setjmp(j->failed))
        return false;
    jpeg_create_decompress(&j->jpeg);
    j->jpeg.progress = &j->progress;
    jpeg_save_markers(&j->jpeg, JPEG_APP0 + 1, 0xffff);
    jpeg_stdio_src(&j->jpeg, j->rows.stream);
    jpeg_read_header(&j->jpeg, TRUE);
    note_ignored(j);
    return true;
}

/* Restarts the file and reads its header. */
static enum status open_header(struct source_jpeg *j, struct failure *f)
{
    end_jpeg(&j->rows);
    rewind(j->rows.stream);
    j->out_of_memory = j->late = j->cut = false;
    j->jpeg.err = jpeg_std_error(&j->errors);
    j->jpeg.client_data = j;
    j->errors.error_exit = on_error;
    j->errors.emit_message = on_message;
    j->progress.progress_monitor = on_progress;
    return read_header(j) ? STATUS_OK : libjpeg_failed(j, f);
}

/* Counts blocks of 8 x 8 coefficients, over all components. */
static int64_t count_blocks(const struct jpeg_decompress_struct *jpeg)
{
    int64_t blocks = 0;
    for (int i = 0; i < jpeg->num_components; i++)
        blocks += (int64_t)jpeg->comp_info[i].width_in_blocks * jpeg->comp_info[i].height_in_blocks;
    return blocks;
}

/* Checks the memory: an image of several scans is held as coefficients until the last scan. */
static enum status check_memory(const struct source_jpeg *j, struct failure *f)
{
    char what[300];
    if (!jpeg_has_multiple_scans((j_decompress_ptr)&j->jpeg))
        return STATUS_OK;
    text_fit_format(what, sizeof what, "%s, a JPEG in several scans", j->rows.base.name);
    return memory_check((size_t)count_blocks(&j->jpeg) * DCTSIZE2 * sizeof(JCOEF), what, f);
}

static bool is_cmyk(const struct jpeg_decompress_struct *jpeg)
{
    return jpeg->jpeg_color_space == JCS_CMYK || jpeg->jpeg_color_space == JCS_YCCK;
}

static enum status check_header(const struct source_jpeg *j, struct failure *f)
{
    const struct jpeg_decompress_struct *jpeg = &j->jpeg;
    const char *name = j->rows.base.name;
    const J_COLOR_SPACE space = jpeg->jpeg_color_space;
    if (space != JCS_GRAYSCALE && space != JCS_YCbCr && space != JCS_RGB && !is_cmyk(jpeg))
        return fail(f, STATUS_USAGE,
                    "%s: a JPEG that is neither gray nor RGB nor CMYK (%d components): convert it, "
                    "for example by ImageMagick: convert IN.jpg -colorspace sRGB OUT.jpg",
                    name, jpeg->num_components);
    /* Huffman coding takes at least a bit per block; arithmetic coding can take less */
    if (!jpeg->arith_code && count_blocks(jpeg) / 8 > j->file_bytes)
        return fail(f, STATUS_USAGE,
                    "%s: bad JPEG: its header promises %u x %u pixels, which a file of %" PRId64
                    " bytes cannot hold",
                    name, jpeg->image_height, jpeg->image_width, j->file_bytes);
    return STATUS_OK;
}

static bool start_decompress(struct source_jpeg *j)
{
    if (setjmp(j->failed))
        return false;
    j->jpeg.out_color_space = j->four                          ? JCS_CMYK
                              : j->rows.base.shape.planes == 1 ? JCS_GRAYSCALE
                                                               : JCS_RGB;
    j->jpeg.dct_method = JDCT_ISLOW; /* integer arithmetic, the same on every machine */
    jpeg_start_decompress(&j->jpeg);
    if (j->cut && lacks_scans(&j->jpeg))
        ERREXIT(&j->jpeg, JWRN_JPEG_EOF);
    return true;
}

static enum status start_jpeg(struct row_stream *s, struct failure *f)
{
    struct source_jpeg *j = (struct source_jpeg *)s;
    enum status status = open_header(j, f);
    if (status == STATUS_OK) /* the file may have been replaced since */
        status = check_header(j, f);
    if (status == STATUS_OK &&
        (j->jpeg.image_height != s->base.shape.rows || j->jpeg.image_width != s->base.shape.cols ||
         is_cmyk(&j->jpeg) != (j->four != NULL) ||
         (j->jpeg.num_components == 1) != (s->base.shape.planes == 1)))
        status = fail(f, STATUS_USAGE, "%s: has changed while it was read", s->base.name);
    if (status == STATUS_OK)
        status = check_memory(j, f);
    if (status != STATUS_OK)
        return status;
    return start_decompress(j) ? STATUS_OK : libjpeg_failed(j, f);
}

/* a * b / 255, rounded to the nearest integer, for a and b up to 255. */
static unsigned char share_of(unsigned a, unsigned b)
{
    const unsigned product = a * b + 128;
    return (unsigned char)((product + (product >> 8)) >> 8);
}

/* Files hold the inverse of the inks, as Adobe's programs write them: what each leaves of the
 * light. */
static void to_rgb(const unsigned char *four, unsigned char *row, int64_t cols)
{
    for (int64_t i = 0; i < cols; i++)
        for (int c = 0; c < 3; c++)
            row[3 * i + c] = share_of(four[4 * i + c], four[4 * i + 3]);
}

static bool read_row(struct source_jpeg *j)
{
    if (setjmp(j->failed))
        return false;
    JSAMPROW row = j->four ? j->four : j->rows.row;
    jpeg_read_scanlines(&j->jpeg, &row, 1);
    if (j->four)
        to_rgb(j->four, j->rows.row, j->rows.base.shape.cols);
    if (j->jpeg.output_scanline == j->jpeg.output_height)
        jpeg_finish_decompress(&j->jpeg);
    return true;
}

static enum status next_jpeg(struct row_stream *s, struct failure *f)
{
    struct source_jpeg *j = (struct source_jpeg *)s;
    return read_row(j) ? STATUS_OK : libjpeg_failed(j, f);
}

static const struct row_operations jpeg_rows = {start_jpeg, next_jpeg, end_jpeg};

static void close_jpeg(struct source *s)
{
    row_stream_close(s);
    free(((struct source_jpeg *)s)->four);
}

static const struct source_operations jpeg_operations = {row_stream_read, close_jpeg};

static enum status prepare(struct source *s, int fd, int64_t file_bytes, struct failure *f)
{
    struct source_jpeg *j = (struct source_jpeg *)s;
    j->file_bytes = s->packed_bytes = file_bytes;
    enum status status = row_stream_begin(&j->rows, &jpeg_rows, fd, f);
    if (status == STATUS_OK)
        status = open_header(j, f);
    if (status == STATUS_OK)
        status = check_header(j, f);
    if (status == STATUS_OK)
        status = check_memory(j, f);
    if (status != STATUS_OK)
        return status;
    const struct image_shape shape = {j->jpeg.jpeg_color_space == JCS_GRAYSCALE ? 1 : 3,
                                      j->jpeg.image_height, j->jpeg.image_width};
    if (is_cmyk(&j->jpeg) && !(j->four = malloc(4 * (size_t)shape.cols)))
        return fail(f, STATUS_RESOURCE, "%s: no memory for a row of it", s->name);
    return row_stream_set_shape(&j->rows, shape, 1, f);
}

enum status source_open_jpeg(struct source **out, const char *path, struct failure *f)
{
    static const struct source_file kind = {sizeof(struct source_jpeg), &jpeg_operations, prepare};
    return source_open_regular(out, &kind, path, f);
}
