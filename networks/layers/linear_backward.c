/* A fully connected layer run backward, as two products. dW = dY' X has a term for each image and
 * is summed shard by shard (kernels/matmul/outer.h), together with the bias gradient; dX = dY W. */
#include "harness/machine/memory.h"
#include "kernels/matmul/blocks.h"
#include "kernels/matmul/matmul.h"
#include "kernels/matmul/outer.h"
#include "kernels/min_max.h"
#include "networks/layers/backward.h"

#include <math.h>

enum { WEIGHT, BIAS };

/* The part of a matrix that a worker computes at a time: whole tiles, cut along the longer side. */
struct part {
    int64_t row, rows, col, cols;
};

static int64_t tile_side(int64_t rows, int64_t cols)
{
    return rows > cols ? PACKED_ROWS_STEP : PACKED_COLS_STEP;
}

/* Tiles along the side that is cut. */
static int64_t tiles_of(int64_t rows, int64_t cols)
{
    const int64_t step = tile_side(rows, cols);
    return (larger(rows, cols) + step - 1) / step;
}

/* The part of the tiles [first, end). */
static struct part part_of(int64_t rows, int64_t cols, int64_t first, int64_t end)
{
    struct part p = {0, rows, 0, cols};
    const int64_t side = larger(rows, cols), step = tile_side(rows, cols);
    first = smaller(first * step, side);
    end = smaller(end * step, side);
    if (rows > cols) {
        p.row = first;
        p.rows = end - first;
    } else {
        p.col = first;
        p.cols = end - first;
    }
    return p;
}

/* The most columns that a worker computes. */
static int64_t widest(int64_t rows, int64_t cols, int64_t workers)
{
    int64_t first, end;
    shares_part(tiles_of(rows, cols), workers, 0, &first, &end);
    return part_of(rows, cols, first, end).cols;
}

static enum status prepare(struct reverse *r, struct failure *f)
{
    const struct step *s = r->step;
    const int64_t inputs = s->in.channels, outputs = s->out.channels;
    const size_t weights = matmul_outer_scratch(s->images, widest(outputs, inputs, s->workers));
    const size_t input = matmul_packed_bytes(outputs, widest(s->images, inputs, s->workers));
    (void)f;
    r->scratch_bytes = weights > input ? weights : input;
    return STATUS_OK;
}

/* ---- the parameters ----------------------------------------------------------------------------
 */

/* Computes the weight gradient of the part from the shards [shard, shard + shards), and the bias
 * gradient of its rows. If columns are cut, the first part computes all biases. */
static void run_outer(const struct reverse *r, const struct part *p, int64_t shard, int64_t shards,
                      float *to, void *scratch)
{
    static outer_function *const outer[ISA_COUNT] = ISA_VARIANTS(matmul_outer);
    const struct step *s = r->step;
    const int64_t inputs = s->in.channels, outputs = s->out.channels;
    const int64_t first = shard_first(r->shards, shard), end = r->shards->ends[shard];
    const int64_t alone[] = {end - first};
    const int64_t *offset = s->layer->offset;
    const struct outer_call call = {.a = r->d_output + first * outputs + p->row,
                                    .b = s->from + first * inputs + p->col,
                                    .a_step = outputs,
                                    .b_step = inputs,
                                    .rows = p->rows,
                                    .cols = p->cols,
                                    .ends = shards == 1 ? alone : r->shards->ends,
                                    .parts = shards,
                                    .c = to + offset[WEIGHT] + p->row * inputs + p->col,
                                    .c_step = inputs,
                                    .sums = p->col == 0 ? to + offset[BIAS] + p->row : NULL};
    enum isa isa = s->isa;
    while (!outer[isa])
        isa--;
    outer[isa](&call, scratch);
}

static void run_parameters(const struct reverse *r, const struct shares *shares, int64_t worker,
                           void *scratch)
{
    const int64_t rows = r->step->out.channels, cols = r->step->in.channels;
    struct taker t = {.shares = shares, .worker = worker, .units = tiles_of(rows, cols)};
    float *to = r->gradients.values;
    while (shares_take(&t)) {
        const struct part p = part_of(rows, cols, t.first, t.end);
        if (r->gradients.shard_stride == 0)
            run_outer(r, &p, 0, r->shards->count, to, scratch);
        else
            for (int64_t shard = 0; shard < r->shards->count; shard++)
                run_outer(r, &p, shard, 1, to + shard * r->gradients.shard_stride, scratch);
    }
}

/* Tiles and multiply-adds of a piece, below which it takes longer per output: the other operand is
 * packed for each piece. */
enum { PIECE_TILES = 8, PIECE_MULTIPLY_ADDS = 4 << 20 };

static int64_t pieces_of(const struct reverse *r, int64_t rows, int64_t cols)
{
    const struct step *s = r->step;
    const double products = (double)s->images * s->layer->kind->multiply_adds(s->layer);
    const double workers = (double)s->workers;
    return shares_pieces((double)tiles_of(rows, cols) / workers, PIECE_TILES, products / workers,
                         PIECE_MULTIPLY_ADDS);
}

static int64_t pieces_of_parameters(const struct reverse *r)
{
    return pieces_of(r, r->step->out.channels, r->step->in.channels);
}

/* ---- the input ---------------------------------------------------------------------------------
 */

static void run_part(const struct reverse *r, struct part p, void *scratch)
{
    static matmul_function *const packed[ISA_COUNT] = ISA_VARIANTS(matmul_packed);
    const struct step *s = r->step;
    const int64_t inputs = s->in.channels, outputs = s->out.channels;
    const struct matmul_call call = {
        .inner = outputs,
        .a = {r->d_output, outputs, 0, s->images, 0},
        .b = {r->plan->parameters + s->layer->offset[WEIGHT], inputs, 0, outputs, 0},
        .c = {r->d_input, inputs, 0, 0},
        .block = {0, p.row, p.rows, p.col, p.cols, 1},
        .term = 0,
        .terms = outputs};
    enum isa isa = s->isa;
    while (!packed[isa])
        isa--;
    packed[isa](&call, scratch);
}

static void run_input(const struct reverse *r, const struct shares *shares, int64_t worker,
                      void *scratch)
{
    const int64_t rows = r->step->images, cols = r->step->in.channels;
    struct taker t = {.shares = shares, .worker = worker, .units = tiles_of(rows, cols)};
    while (shares_take(&t))
        run_part(r, part_of(rows, cols, t.first, t.end), scratch);
}

static int64_t pieces_of_input(const struct reverse *r)
{
    return pieces_of(r, r->step->images, r->step->in.channels);
}

/* ---- the oracle --------------------------------------------------------------------------------
 */

static struct expectation expect_parameter(const struct reverse *r, int tensor, int64_t at,
                                           int64_t first, int64_t end)
{
    const int64_t inputs = r->step->in.channels, outputs = r->step->out.channels;
    const int64_t output = tensor == WEIGHT ? at / inputs : at;
    double sum = 0.0, magnitude = 0.0;
    for (int64_t n = first; n < end; n++) {
        const double x = tensor == WEIGHT ? r->step->from[n * inputs + at % inputs] : 1.0;
        const double term = x * r->d_output[n * outputs + output];
        sum += term;
        magnitude += fabs(term);
    }
    return (struct expectation){sum, oracle_bound(end - first + r->shards->count, magnitude)};
}

static struct expectation expect_input(const struct reverse *r, int64_t image, int64_t channel,
                                       int64_t row, int64_t col)
{
    const int64_t inputs = r->step->in.channels, outputs = r->step->out.channels;
    const float *weights = r->plan->parameters + r->step->layer->offset[WEIGHT];
    double sum = 0.0, magnitude = 0.0;
    (void)row;
    (void)col;
    for (int64_t o = 0; o < outputs; o++) {
        const double term =
            (double)weights[o * inputs + channel] * r->d_output[image * outputs + o];
        sum += term;
        magnitude += fabs(term);
    }
    return (struct expectation){sum, oracle_bound(outputs, magnitude)};
}

const struct backward linear_backward = {.prepare = prepare,
                                         .parameters = {{run_parameters, pieces_of_parameters}},
                                         .input = {run_input, pieces_of_input},
                                         .expect_parameter = expect_parameter,
                                         .expect_input = expect_input};
