#include "harness/image/strided_numbers.h"

#include "harness/image/sources/source_kind.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum {
    WINDOW_BYTES = 65536,
    SKIP_BYTES = 2048 /* reading over a gap of this size costs about as much as another call */
};

/* The bytes [start, start + filled) of the file, and the limit of reading ahead. */
struct window {
    const struct source *source;
    const struct strided_numbers *numbers;
    int64_t start, filled;
    int64_t limit; /* end of the bytes that are needed */
    unsigned char bytes[WINDOW_BYTES];
};

/* Elements of one line of a range: `count` elements, file_step elements apart in the file and
 * dst_step floats apart in memory. */
struct line {
    int64_t element, file_step, count;
    float *dst;
    int64_t dst_step;
};

int64_t strided_fetch_pread(void *file, int64_t at, void *bytes, int64_t size, const char **why)
{
    const int *fd = file;
    int64_t done = 0;
    while (done < size) {
        ssize_t got = pread(*fd, (char *)bytes + done, (size_t)(size - done), at + done);
        if (got == 0)
            break;
        if (got < 0 && errno != EINTR) {
            *why = strerror(errno);
            return -1;
        }
        done += got > 0 ? got : 0;
    }
    return done;
}

/* Points *bytes to `size` bytes from byte `at` on; reads ahead up to the limit. */
static enum status window_get(struct window *w, int64_t at, int64_t size,
                              const unsigned char **bytes, struct failure *f)
{
    if (at < w->start || at + size > w->start + w->filled) {
        int64_t want = w->limit - at < WINDOW_BYTES ? w->limit - at : WINDOW_BYTES;
        if (want < size)
            want = size;
        const char *why = "";
        int64_t got = w->numbers->fetch(w->numbers->file, at, w->bytes, want, &why);
        w->start = at;
        w->filled = got < 0 ? 0 : got;
        if (got < 0)
            return fail(f, STATUS_USAGE, "%s: cannot read from byte %" PRId64 " on: %s",
                        source_name(w->source), at, why);
    }
    if (at + size > w->start + w->filled)
        return fail(f, STATUS_USAGE, "%s: cut short: it ends before byte %" PRId64,
                    source_name(w->source), at + size);
    *bytes = w->bytes + (at - w->start);
    return STATUS_OK;
}

/* Copies `count` numbers of a line, from its element `first` on, to adjacent positions in raw. */
static enum status gather(struct window *w, const struct line *line, int64_t first, int64_t count,
                          union number_chunk *raw, struct failure *f)
{
    int64_t size = number_size(w->numbers->format.type);
    bool together = line->file_step == 1;
    int64_t piece = together ? count * size : size;
    for (int64_t i = 0; i < (together ? 1 : count); i++) {
        int64_t element = line->element + (first + i) * line->file_step;
        const unsigned char *bytes = w->bytes;
        enum status status = window_get(w, w->numbers->offset + element * size, piece, &bytes, f);
        if (status != STATUS_OK)
            return status;
        memcpy(raw->bytes + i * size, bytes, (size_t)piece);
    }
    return STATUS_OK;
}

/* Reads one line. If a value is *bad, *at is the index of its element; otherwise *at is count. */
static enum status read_line(struct window *w, const struct line *line, struct image_facts *facts,
                             int64_t *at, double *bad, struct failure *f)
{
    union number_chunk raw;
    for (*at = 0; *at < line->count;) {
        int64_t left = line->count - *at;
        int64_t count = left < NUMBER_CHUNK ? left : NUMBER_CHUNK;
        enum status status = gather(w, line, *at, count, &raw, f);
        if (status != STATUS_OK)
            return status;
        struct number_format format = w->numbers->format;
        format.nan_is_zero = w->source->nan_is_zero;
        int64_t good = numbers_convert(&format, &raw, count, line->dst + *at * line->dst_step,
                                       line->dst_step, facts, bad);
        *at += good;
        if (good < count)
            break;
    }
    return STATUS_OK;
}

/* Returns the end of reading ahead: the start of the line if its elements are far apart, the end of
 * the line if the lines are far apart, and otherwise the end of the range. */
static int64_t read_ahead_limit(const struct strided_numbers *c, const struct line *line,
                                int64_t lines, int64_t line_step)
{
    int64_t size = number_size(c->format.type);
    int64_t start = c->offset + line->element * size;
    int64_t span = ((line->count - 1) * line->file_step + 1) * size;
    if ((line->file_step - 1) * size > SKIP_BYTES)
        return start;
    if (line_step * size - span > SKIP_BYTES)
        return start + span;
    return start + (lines - 1) * line_step * size + span;
}

static int64_t plane_offset(const struct strided_numbers *c, int64_t plane)
{
    if (c->channels == 0)
        return plane * c->plane_step;
    return plane / c->channels * c->image_step + plane % c->channels * c->plane_step;
}

enum status strided_read(const struct source *s, const struct strided_numbers *c,
                         const struct image_range *range, float *dst, int64_t dst_stride,
                         struct image_facts *facts, struct failure *f)
{
    struct window
        w; /* its bytes are not initialized: clearing them would cost as much as one read */
    w.source = s;
    w.numbers = c;
    w.start = w.filled = 0;
    bool by_rows = c->col_step <= c->row_step; /* lines are rows, otherwise columns */
    int64_t lines = by_rows ? range->rows : range->cols;
    int64_t line_step = by_rows ? c->row_step : c->col_step;
    int64_t first =
        plane_offset(c, range->plane) + range->row * c->row_step + range->col * c->col_step;
    for (int64_t i = 0; i < lines; i++) {
        struct line line = {.element = first + i * line_step,
                            .file_step = by_rows ? c->col_step : c->row_step,
                            .count = by_rows ? range->cols : range->rows,
                            .dst = dst + i * (by_rows ? dst_stride : 1),
                            .dst_step = by_rows ? 1 : dst_stride};
        w.limit = read_ahead_limit(c, &line, lines - i, line_step);
        int64_t at = 0;
        double bad = 0.0;
        enum status status = source_in_time(s, f);
        if (status == STATUS_OK)
            status = read_line(&w, &line, facts, &at, &bad, f);
        if (status != STATUS_OK)
            return status;
        if (at < line.count)
            return source_bad_value(s, range->plane, range->row + (by_rows ? i : at),
                                    range->col + (by_rows ? at : i), bad, f);
    }
    return STATUS_OK;
}
