#include "cuda/emulation/programs/count_report.h"

#include <string.h>

/* Pixels. SIDE: of the square of one element of the image. TURN: degrees of hue from one sector to
 * the next. */
enum {
    SIDE = 18,
    MARGIN = 12,
    LINE = 16,
    COLS_MOST = 40,
    ROWS_MOST = 8,
    REQUESTS_MOST = 2,
    TURN = 67
};

/* The elements of the image that a request touches. */
struct window {
    int64_t row, col, rows, cols;
};

static bool shows_image(const struct counted_picture *p, const struct counted_work *w)
{
    return p->memory == COUNTED_GLOBAL && !p->write &&
           p->array_bytes >= w->image_rows * w->image_cols * (int64_t)sizeof(float);
}

/* Requests for the image, up to REQUESTS_MOST; returns how many. */
static int choose(const struct counted_method *m, const struct counted_work *w,
                  const struct counted_picture *chosen[REQUESTS_MOST])
{
    int n = 0;
    for (int64_t i = 0; i < m->picture_count && n < REQUESTS_MOST; i++)
        if (shows_image(&m->pictures[i], w))
            chosen[n++] = &m->pictures[i];
    return n;
}

/* The part of the image that all requests need, from (0, 0). */
static struct window window_of(const struct counted_picture *const *chosen, int n,
                               const struct counted_work *w)
{
    struct window all = {0, 0, 1, 8};
    for (int i = 0; i < n; i++)
        for (int lane = 0; lane < COUNT_WARP; lane++) {
            const int64_t element = chosen[i]->address[lane] / (int64_t)sizeof(float);
            const int64_t wide = chosen[i]->bytes / (int64_t)sizeof(float);
            if (chosen[i]->address[lane] < 0)
                continue;
            if (element / w->image_cols >= all.rows)
                all.rows = element / w->image_cols + 1;
            if (element % w->image_cols + wide > all.cols)
                all.cols = element % w->image_cols + wide;
        }
    all.rows = all.rows < ROWS_MOST ? all.rows : ROWS_MOST;
    all.cols = all.cols < COLS_MOST ? all.cols : COLS_MOST;
    return all;
}

/* The first lane that reads an element; -1: none does. */
static int lane_at(const struct counted_picture *p, int64_t element)
{
    for (int lane = 0; lane < COUNT_WARP; lane++) {
        const int64_t first = p->address[lane] / (int64_t)sizeof(float);
        if (p->address[lane] >= 0 && element >= first &&
            element < first + p->bytes / (int64_t)sizeof(float))
            return lane;
    }
    return -1;
}

/* True if some lane reads from the sector: all of it is fetched. */
static bool fetched(const struct counted_picture *p, int64_t sector)
{
    for (int lane = 0; lane < COUNT_WARP; lane++)
        if (p->address[lane] >= 0 && p->address[lane] / COUNT_SECTOR <= sector &&
            (p->address[lane] + p->bytes - 1) / COUNT_SECTOR >= sector)
            return true;
    return false;
}

static int64_t count_sectors(const struct counted_picture *p, int *lanes)
{
    int64_t n = 0, last = -1;
    *lanes = 0;
    for (int lane = 0; lane < COUNT_WARP; lane++)
        *lanes += p->address[lane] >= 0;
    for (int64_t sector = 0; sector <= p->array_bytes / COUNT_SECTOR; sector++)
        if (sector != last && fetched(p, sector)) {
            n++;
            last = sector;
        }
    return n;
}

static int64_t sector_of(int64_t element)
{
    return element * (int64_t)sizeof(float) / COUNT_SECTOR;
}

/* Colours the sectors that are fetched, one after the other. */
static void draw_sectors(FILE *out, const struct counted_picture *p, int64_t first, int64_t cols,
                         int64_t y)
{
    for (int64_t col = 0, end; col < cols; col = end) {
        const int64_t sector = sector_of(first + col);
        for (end = col; end < cols && sector_of(first + end) == sector;)
            end++;
        if (fetched(p, sector))
            fprintf(out,
                    "<rect x=\"%lld\" y=\"%lld\" width=\"%lld\" height=\"%d\" "
                    "fill=\"hsl(%d,70%%,82%%)\"/>\n",
                    (long long)(MARGIN + col * SIDE), (long long)y, (long long)(end - col) * SIDE,
                    SIDE, (int)(sector * TURN % 360));
    }
}

static void draw_lanes(FILE *out, const struct counted_picture *p, int64_t first, int64_t cols,
                       int64_t y)
{
    for (int64_t col = 0; col < cols; col++) {
        const int lane = lane_at(p, first + col);
        if (lane >= 0)
            fprintf(out, "<text x=\"%lld\" y=\"%lld\" class=\"n\">%d</text>\n",
                    (long long)(MARGIN + col * SIDE + SIDE / 2), (long long)y + SIDE - 5, lane);
    }
}

/* The borders of all squares. */
static void draw_grid(FILE *out, const struct window *w, int64_t y)
{
    fprintf(out, "<path fill=\"none\" stroke=\"#999\" stroke-width=\"0.5\" d=\"");
    for (int64_t row = 0; row <= w->rows; row++)
        fprintf(out, "M%d %lldh%lld", MARGIN, (long long)(y + row * SIDE),
                (long long)w->cols * SIDE);
    for (int64_t col = 0; col <= w->cols; col++)
        fprintf(out, "M%lld %lldv%lld", (long long)(MARGIN + col * SIDE), (long long)y,
                (long long)w->rows * SIDE);
    fprintf(out, "\"/>\n");
}

static int64_t draw_request(FILE *out, const struct counted_picture *p, const struct window *w,
                            int64_t image_cols, int64_t y)
{
    int lanes;
    const int64_t sectors = count_sectors(p, &lanes);
    const char *file = strrchr(p->place, '/');
    fprintf(out, "<text x=\"%d\" y=\"%lld\">%s: %d lanes, %lld sectors of %d bytes</text>\n",
            MARGIN, (long long)y + LINE - 4, file ? file + 1 : p->place, lanes, (long long)sectors,
            COUNT_SECTOR);
    y += LINE;
    for (int64_t row = 0; row < w->rows; row++) {
        draw_sectors(out, p, row * image_cols, w->cols, y + row * SIDE);
        draw_lanes(out, p, row * image_cols, w->cols, y + row * SIDE);
    }
    draw_grid(out, w, y);
    return y + w->rows * SIDE + LINE / 2;
}

static int64_t height_of(int requests, const struct window *w)
{
    return LINE + 8 + requests * (LINE + w->rows * SIDE + LINE / 2);
}

void count_print_svg(FILE *out, const struct counted_report *r)
{
    const struct counted_picture *chosen[REQUESTS_MOST];
    int64_t height = 2 * MARGIN + 2 * LINE, y = MARGIN;
    for (int64_t i = 0; i < r->count; i++) {
        const int n = choose(&r->methods[i], &r->work, chosen);
        const struct window w = window_of(chosen, n, &r->work);
        height += height_of(n, &w);
    }
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%lld\" "
            "font-family=\"sans-serif\" font-size=\"10\">\n"
            "<style>.n{text-anchor:middle}</style>\n<rect width=\"100%%\" "
            "height=\"100%%\" fill=\"white\"/>\n",
            2 * MARGIN + COLS_MOST * SIDE, (long long)height);
    for (int64_t i = 0; i < r->count; i++) {
        const int n = choose(&r->methods[i], &r->work, chosen);
        const struct window w = window_of(chosen, n, &r->work);
        fprintf(out, "<text x=\"%d\" y=\"%lld\" font-size=\"13\" font-weight=\"bold\">%s</text>\n",
                MARGIN, (long long)y + LINE - 3, r->methods[i].name);
        y += LINE + 8;
        for (int request = 0; request < n; request++)
            y = draw_request(out, chosen[request], &w, r->work.image_cols, y);
    }
    fprintf(
        out,
        "<text x=\"%d\" y=\"%lld\">A square is an element of the image, a number the lane of the "
        "warp that reads it first; squares of one colour are one sector.</text>\n</svg>\n",
        MARGIN, (long long)y + LINE);
}
