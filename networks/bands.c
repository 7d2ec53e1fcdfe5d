#include "networks/bands.h"

#include "harness/base/clock.h"
#include "harness/machine/memory.h"
#include "kernels/conv/methods.h"
#include "kernels/min_max.h"
#include "networks/layers/conv_layer.h"
#include "networks/layers/kinds.h"

#include <string.h>

enum { EXPAND, FILTER, PROJECT };

/* BAND_BYTES limits a worker's two bands; the rest of a second-level cache of 1 MiB is for input,
 * output and weights, which stream through it. LEAST_ROWS is the least number of rows of the
 * filtered map per band, whatever their size: with one row, two of the three rows below it would be
 * copied. Expanded maps of all images larger than WORTH_BYTES are not written whole.
 * docs/details/networks_bands.md has the measurements. */
enum { BAND_BYTES = 800 << 10, LEAST_ROWS = 2, WORTH_BYTES = 6 << 20, LEAST_SHARE = 7 };

/* ---- which steps ------------------------------------------------------------------------------
 */

static bool is_conv_by(const struct plan *p, const struct step *s, int method)
{
    return s->layer->kind == &conv_layer && conv_layer_choice(p, s->layer) == &conv_methods[method];
}

/* True if only the next step reads the output of s, and s neither adds a residual nor drops
 * elements. */
static bool feeds_next_alone(const struct plan *p, const struct step *s)
{
    return !s->add && !s->drop && s[1].input == s->output &&
           network_readers(p->network, s->output) == 1;
}

static bool are_chain(const struct plan *p, const struct step *s)
{
    const struct layer *first = s[EXPAND].layer, *last = s[PROJECT].layer;
    return is_conv_by(p, &s[EXPAND], CONV_IMPLICIT) && first->groups == 1 &&
           is_conv_by(p, &s[FILTER], CONV_DEPTHWISE) && is_conv_by(p, &s[PROJECT], CONV_IMPLICIT) &&
           last->groups == 1 && last->kernel == 1 && last->stride == 1 && last->padding == 0 &&
           feeds_next_alone(p, &s[EXPAND]) && feeds_next_alone(p, &s[FILTER]) && !s[PROJECT].drop;
}

/* True if each of several workers has LEAST_SHARE rows of every image's filtered map. Each worker
 * then holds its own rows of the two intermediate maps: no cache line is written by two workers or
 * fetched from another's cache, and workers wait for each other once instead of three times. The
 * price is rows that two workers expand: few from LEAST_SHARE rows on, 2 for a 3 x 3 window. The
 * number of images does not count, so that a batch is computed as one image is. */
static bool are_apart(const struct plan *p, const struct step *s)
{
    return p->workers > 1 && s[FILTER].out.rows / p->workers >= LEAST_SHARE;
}

static bool are_worth_it(const struct plan *p, const struct step *s)
{
    const int64_t most = WORTH_BYTES / (int64_t)sizeof(float);
    return p->banding == BANDS_ALWAYS || are_apart(p, s) ||
           tensor_elements(s[EXPAND].out) > most / p->whole_batch;
}

void bands_find(struct plan *p)
{
    if (p->training || p->external || p->banding == BANDS_NEVER)
        return;
    for (int i = 0; i + BAND_STEPS <= p->count; i++) {
        struct step *s = &p->steps[i];
        if (!are_chain(p, s) || !are_worth_it(p, s))
            continue;
        for (int k = 0; k < BAND_STEPS; k++)
            s[k].bands = k == 0 ? BAND_STEPS : -k;
        i += BAND_STEPS - 1;
    }
}

int bands_last(const struct plan *p, int step)
{
    const int bands = p->steps[step].bands;
    return bands == 0 ? step : step + BAND_STEPS - 1 + (bands < 0 ? bands : 0);
}

/* ---- size of a band ---------------------------------------------------------------------------
 */

/* Floats from plane to plane of a band: an odd number of cache lines, so that the same element of
 * all channels does not map to a few sets of the caches. */
static int64_t plane_floats(int64_t rows, int64_t cols)
{
    enum { LINE = 16 };
    return ((rows * cols + LINE - 1) / LINE | 1) * LINE;
}

/* Rows of the expanded map that `rows` rows of the filtered map read. */
static int64_t rows_under(const struct step *s, int64_t rows)
{
    const struct layer *l = s[FILTER].layer;
    return smaller((rows - 1) * l->stride + l->kernel, s[EXPAND].out.rows);
}

static int64_t expanded_floats(const struct step *s, int64_t rows)
{
    return s[EXPAND].out.channels * plane_floats(rows_under(s, rows), s[EXPAND].out.cols);
}

static int64_t filtered_floats(const struct step *s, int64_t rows)
{
    return s[FILTER].out.channels * plane_floats(rows, s[FILTER].out.cols);
}

static size_t bytes_of(const struct step *s, int64_t rows)
{
    return (size_t)(expanded_floats(s, rows) + filtered_floats(s, rows)) * sizeof(float);
}

/* Rows of the filtered map per band: as many as fit into BAND_BYTES, in bands of nearly equal
 * height. */
static int64_t rows_of_bands(const struct step *s)
{
    const int64_t all = s[FILTER].out.rows;
    int64_t most = smaller(LEAST_ROWS, all);
    while (most < all && bytes_of(s, most + 1) <= BAND_BYTES)
        most++;
    const int64_t bands = (all + most - 1) / most;
    return (all + bands - 1) / bands;
}

struct step *bands_prepare(struct step *last)
{
    struct step *s = last - PROJECT;
    size_t methods = 0;
    for (int k = 0; k < BAND_STEPS; k++)
        methods = s[k].scratch_bytes > methods ? s[k].scratch_bytes : methods;
    s->band_rows = rows_of_bands(s);
    s->scratch_bytes = memory_add(bytes_of(s, s->band_rows), methods);
    return s;
}

/* ---- running ----------------------------------------------------------------------------------
 */

/* A worker's two bands, for one image at a time. */
struct bands {
    const struct step *steps;
    float *expanded, *filtered;
    int64_t expanded_plane, filtered_plane; /* floats from channel to channel */
    int64_t first, end;                     /* rows of the expanded map in the band */
    void *scratch;                          /* for the methods */
    double *seconds;
};

static struct map_view expanded_map(const struct bands *b)
{
    return (struct map_view){b->expanded, b->steps[EXPAND].out.cols, b->first, b->expanded_plane};
}

/* Moves the rows from `top` on, which the next outputs read too, to the start of the band. */
static void keep_rows(struct bands *b, int64_t top)
{
    const struct tensor_shape shape = b->steps[EXPAND].out;
    const int64_t kept = larger(b->end - top, 0);
    for (int64_t c = 0; c < shape.channels && kept > 0; c++) {
        float *plane = b->expanded + c * b->expanded_plane;
        memmove(plane, plane + (top - b->first) * shape.cols,
                (size_t)(kept * shape.cols) * sizeof *plane);
    }
    b->first = top;
    b->end = top + kept;
}

/* Computes the expanded rows that outputs [row, row + rows) read, except those in the band
 * already. */
static void expand(struct bands *b, int64_t image, int64_t row, int64_t rows)
{
    const struct layer *l = b->steps[FILTER].layer;
    const int64_t top = larger(row * l->stride - l->padding, 0);
    const int64_t below = (row + rows - 1) * l->stride - l->padding + l->kernel;
    keep_rows(b, top);
    const int64_t end = larger(smaller(below, b->steps[EXPAND].out.rows), b->end);
    const struct conv_rows r = {image, 1, b->end, end - b->end};
    const struct view in = conv_layer_input(&b->steps[EXPAND], image);
    if (r.rows > 0)
        conv_layer_run(&b->steps[EXPAND], b->steps[EXPAND].parts, r, in, expanded_map(b),
                       b->scratch);
    b->end = end;
}

static void filter(struct bands *b, int64_t image, int64_t row, int64_t rows)
{
    const struct step *s = &b->steps[FILTER];
    const struct view in = {b->expanded, s->in.cols, b->first, b->end - b->first,
                            b->expanded_plane};
    const struct map_view out = {b->filtered, s->out.cols, row, b->filtered_plane};
    conv_layer_run(s, s->parts, (struct conv_rows){image, 1, row, rows}, in, out, b->scratch);
}

static void project(struct bands *b, int64_t image, int64_t row, int64_t rows)
{
    const struct step *s = &b->steps[PROJECT];
    const struct view in = {b->filtered, s->in.cols, row, rows, b->filtered_plane};
    conv_layer_run(s, s->parts, (struct conv_rows){image, 1, row, rows}, in,
                   conv_layer_output(s, image), b->scratch);
}

/* Computes outputs [row, row + rows) of an image. */
static void run_band(struct bands *b, int64_t image, int64_t row, int64_t rows)
{
    static void (*const parts[BAND_STEPS])(struct bands *, int64_t, int64_t,
                                           int64_t) = {expand, filter, project};
    double begin = b->seconds ? clock_now() : 0.0;
    for (int k = 0; k < BAND_STEPS; k++) {
        parts[k](b, image, row, rows);
        if (!b->seconds)
            continue;
        const double end = clock_now();
        b->seconds[k] += end - begin;
        begin = end;
    }
}

/* A piece has at least the rows of two bands: if a worker takes a piece of another share, it
 * expands the rows above it once more. */
int64_t bands_pieces(const struct step *s)
{
    const double rows = (double)(s->images * s[PROJECT].out.rows) / (double)s->workers;
    return shares_pieces(rows, 2.0 * (double)s->band_rows, 1.0, 1.0 / SHARES_MOST_PIECES);
}

/* Runs the rows of the piece that was taken, image by image. A piece that follows the one before it
 * continues that one's bands. */
static void run_piece(struct bands *b, const struct taker *t, bool continues)
{
    const int64_t rows = b->steps->band_rows, height = b->steps[PROJECT].out.rows;
    for (int64_t first = t->first, left; first < t->end; first += left) {
        const int64_t image = first / height, row = first % height;
        left = smaller(t->end - first, height - row);
        if (row == 0 || !continues)
            b->first = b->end = 0;
        continues = false;
        for (int64_t y = 0; y < left; y += rows)
            run_band(b, image, row + y, smaller(rows, left - y));
    }
}

void bands_run_pieces(const struct step *s, const struct shares *shares, int64_t worker,
                      void *scratch, double seconds[BAND_STEPS])
{
    const int64_t rows = s->band_rows;
    const int64_t expanded = expanded_floats(s, rows), filtered = filtered_floats(s, rows);
    struct bands b = {.steps = s,
                      .expanded = scratch,
                      .filtered = (float *)scratch + expanded,
                      .expanded_plane = expanded / s[EXPAND].out.channels,
                      .filtered_plane = filtered / s[FILTER].out.channels,
                      .scratch = (float *)scratch + expanded + filtered,
                      .seconds = seconds};
    struct taker t = {.shares = shares, .worker = worker, .units = s->images * s[PROJECT].out.rows};
    for (int64_t end = -1; shares_take(&t); end = t.end)
        run_piece(&b, &t, t.first == end);
}
