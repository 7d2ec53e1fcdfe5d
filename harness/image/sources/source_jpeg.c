/* JPEG images by libjpeg: gray images have one plane, colour images three, red, green and blue.
 * Every libjpeg warning is an error here: libjpeg would invent values where the file is damaged. */
#include "harness/image/row_stream.h"
#include "harness/machine/memory.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdio.h>

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

/* Level -1 is a warning; higher levels are trace messages. */
static void on_message(j_common_ptr jpeg, int level)
{
    if (level < 0)
        on_error(jpeg);
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

static bool read_header(struct source_jpeg *j)
{
    if (setjmp(j->failed))
        return false;
    jpeg_create_decompress(&j->jpeg);
    j->jpeg.progress = &j->progress;
    jpeg_stdio_src(&j->jpeg, j->rows.stream);
    jpeg_read_header(&j->jpeg, TRUE);
    return true;
}

/* Restarts the file and reads its header. */
static enum status open_header(struct source_jpeg *j, struct failure *f)
{
    end_jpeg(&j->rows);
    rewind(j->rows.stream);
    j->out_of_memory = j->late = false;
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
    snprintf(what, sizeof what, "%.200s, a JPEG in several scans", j->rows.base.name);
    return memory_check((size_t)count_blocks(&j->jpeg) * DCTSIZE2 * sizeof(JCOEF), what, f);
}

static enum status check_header(const struct source_jpeg *j, struct failure *f)
{
    const struct jpeg_decompress_struct *jpeg = &j->jpeg;
    const char *name = j->rows.base.name;
    const bool gray = jpeg->jpeg_color_space == JCS_GRAYSCALE;
    if (!gray && jpeg->jpeg_color_space != JCS_YCbCr && jpeg->jpeg_color_space != JCS_RGB)
        return fail(f, STATUS_USAGE,
                    "%s: a JPEG that is neither gray nor RGB (%d components): convert it, for "
                    "example by ImageMagick: convert IN.jpg -colorspace sRGB OUT.jpg",
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
    j->jpeg.out_color_space = j->rows.base.shape.planes == 1 ? JCS_GRAYSCALE : JCS_RGB;
    j->jpeg.dct_method = JDCT_ISLOW; /* integer arithmetic, the same on every machine */
    jpeg_start_decompress(&j->jpeg);
    return true;
}

static enum status start_jpeg(struct row_stream *s, struct failure *f)
{
    struct source_jpeg *j = (struct source_jpeg *)s;
    enum status status = open_header(j, f);
    if (status == STATUS_OK) /* the file may have been replaced since */
        status = check_header(j, f);
    if (status == STATUS_OK &&
        (j->jpeg.image_height != s->base.shape.rows || j->jpeg.image_width != s->base.shape.cols))
        status = fail(f, STATUS_USAGE, "%s: has changed while it was read", s->base.name);
    if (status == STATUS_OK)
        status = check_memory(j, f);
    if (status != STATUS_OK)
        return status;
    return start_decompress(j) ? STATUS_OK : libjpeg_failed(j, f);
}

static bool read_row(struct source_jpeg *j)
{
    if (setjmp(j->failed))
        return false;
    JSAMPROW row = j->rows.row;
    jpeg_read_scanlines(&j->jpeg, &row, 1);
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

static const struct source_operations jpeg_operations = {row_stream_read, row_stream_close};

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
    return row_stream_set_shape(&j->rows, shape, 1, f);
}

enum status source_open_jpeg(struct source **out, const char *path, struct failure *f)
{
    static const struct source_file kind = {sizeof(struct source_jpeg), &jpeg_operations, prepare};
    return source_open_regular(out, &kind, path, f);
}
