/* The table of methods of convolution. To add one: write kernels/conv/NAME.c with a conv_function
 * (and a conv_pack_function if it needs the weights in another order), declare both in
 * kernels/conv/conv.h, add the size of its scratch to kernels/conv/scratch.c, and add a row below:
 * operator, networks and tests then have it. */
#include "kernels/conv/methods.h"

#include "kernels/conv/bands.h"
#include "kernels/conv/micro_panels.h"
#include "kernels/conv/winograd/winograd_tiles.h"

#include <string.h>

/* ---- the head's functions, for the shape of the operation ---------------------------------------
 */

/* A block may have all rows of an image, or all filters. */
static size_t scratch_bytes(const struct operation *op, int64_t cols)
{
    const struct conv_shape s = conv_shape_of(op);
    const struct conv_method *m = conv_method_of(op->method);
    (void)cols;
    return m->scratch(&s, s.out_rows);
}

/* Floats of the weights multiplied by the scale, K x C/G x k x k; 0 if the scale is not folded into
 * the weights. */
size_t conv_folded_floats(const struct operation *op)
{
    const size_t line = 16;
    const struct conv_shape s = conv_shape_of(op);
    if (!op->operands[OPERAND_FACTOR].values || op->parameters.epilogue != CONV_STORE)
        return 0;
    return ((size_t)(s.filters * conv_terms(&s)) + line - 1) / line * line;
}

/* Floats that the forward method packs. */
static size_t packed_forward(const struct conv_method *m, const struct conv_shape *s)
{
    return m->packed ? m->packed(s) : m->packed_lines ? m->packed_lines(s) : 0;
}

static size_t packed_floats(const struct operation *op)
{
    const struct conv_shape s = conv_shape_of(op);
    const struct conv_method *m = conv_method_of(op->method);
    size_t floats;
    return __builtin_add_overflow(conv_folded_floats(op), packed_forward(m, &s), &floats) ? SIZE_MAX
                                                                                          : floats;
}

static void fold(const struct operation *op, const struct conv_shape *s, float *to)
{
    const int64_t terms = conv_terms(s);
    for (int64_t i = 0; i < s->filters * terms; i++)
        to[i] = op->operands[OPERAND_WEIGHTS].values[i] *
                op->operands[OPERAND_FACTOR].values[i / terms];
}

static void pack(const struct operation *op, float *packed)
{
    const struct conv_shape s = conv_shape_of(op);
    const struct conv_method *m = conv_method_of(op->method);
    const size_t folded = conv_folded_floats(op);
    if (folded > 0)
        fold(op, &s, packed);
    if (packed_forward(m, &s) > 0)
        (m->packed ? m->pack : m->pack_lines)[op->isa](
            &s, folded > 0 ? packed : op->operands[OPERAND_WEIGHTS].values, packed + folded);
}

static const char *refuses(const struct operation *op)
{
    const struct conv_shape s = conv_shape_of(op);
    const struct conv_method *m = conv_method_of(op->method);
    return m->refuses ? m->refuses(&s) : NULL;
}

/* ---- partitioning -----------------------------------------------------------------------------
 */

/* The fraction of time that workers are busy with `units` equal units: 1 if these divide evenly. */
static double evenness(int64_t units, int64_t workers)
{
    const int64_t rounds = (units + workers - 1) / workers;
    return (double)units / (double)(rounds * workers);
}

/* Whether elements two apart may be copied: pixels may be the lanes, as output rows fill whole
 * vectors of some instruction set. */
static bool may_copy_pixels(const struct conv_shape *s)
{
    enum { FEWEST_LANES = 4 };
    return s->stride > 1 && s->out_cols % FEWEST_LANES == 0;
}

int64_t conv_tile_rows(const struct conv_method *m)
{
    return larger(1, m->tile_rows);
}

/* Tiles of an image, each as wide as high, and the multiply-adds of a tile per channel and
 * filter. */
static double tiles_of(const struct conv_method *m, const struct conv_shape *s)
{
    const int64_t side = conv_tile_rows(m);
    return (double)(tiles_along(s->out_rows, side) * tiles_along(s->out_cols, side));
}

static double products_of_tile(const struct conv_method *m, const struct conv_shape *s)
{
    const int64_t tile = conv_tile_rows(m), side = tile + s->kernel - 1;
    const bool strided = tile > 1 && conv_winograd_is_strided(s);
    return strided ? 25.0 : (double)(side * side);
}

/* The work that every worker repeats if each computes only some filters, as a fraction of the whole
 * convolution: each copies or transforms every element that windows read. */
static double repeated_work(const struct conv_method *m, const struct conv_shape *s)
{
    const double element = 100.0; /* multiply-adds that take as long as copying one, measured */
    if ((conv_reads_single_elements(s) && !may_copy_pixels(s)) || s->groups == s->channels)
        return 0.0;
    const int64_t read = s->kernel == 1 ? s->out_rows * s->out_cols : s->rows * s->cols;
    const int64_t filters = s->filters / s->groups;
    return element * (double)read / ((double)filters * products_of_tile(m, s) * tiles_of(m, s));
}

/* Whether it is better to distribute multiples of `panel` filters than rows. A weight is read for
 * the multiply-adds of all tiles: workers that divide the rows of an image all read all weights,
 * those that divide filters read each its own. */
static bool partitions_panels(const struct conv_method *m, const struct conv_shape *s,
                              int64_t planes, int64_t rows, int64_t panel, int64_t workers)
{
    const double worth = 0.08, repeated = repeated_work(m, s);
    const double read = CONV_WEIGHT_TERMS / tiles_of(m, s);
    const int64_t lines = planes * tiles_along(rows, conv_tile_rows(m));
    const int64_t panels = (s->filters + panel - 1) / panel;
    const double by_filters = (1.0 + read) / evenness(panels, workers) + repeated * (double)workers;
    const double by_rows =
        (1.0 + repeated) / evenness(lines, workers) + read / evenness(planes, workers);
    return workers > 1 && by_filters + worth < by_rows;
}

bool conv_partitions_filters(const struct conv_method *m, const struct conv_shape *s,
                             int64_t planes, int64_t rows, int64_t workers)
{
    return partitions_panels(m, s, planes, rows, m->micro_panel, workers);
}

int64_t conv_own_panel(const struct conv_method *m)
{
    return m->own_panel > 0 ? m->own_panel : m->micro_panel;
}

bool conv_partitions_own_filters(const struct conv_method *m, const struct conv_shape *s,
                                 int64_t planes, int64_t rows, int64_t workers)
{
    return partitions_panels(m, s, planes, rows, conv_own_panel(m), workers);
}

/* Columns of strips: whole micro-panels of filters, whose position in the packed bank is the same
 * as in a bank of their own. */
static int64_t strips(const struct operation *op, int64_t workers)
{
    const struct conv_shape s = conv_shape_of(op);
    const struct conv_method *m = conv_method_of(op->method);
    if (s.groups > 1 || !conv_partitions_filters(m, &s, op->map.planes, op->map.rows, workers))
        return 0;
    return smaller(m->micro_panel, s.filters) * s.out_cols;
}

/* ---- costs ------------------------------------------------------------------------------------
 */

/* A multiply-add for each term. */
double conv_cost(const struct operation *op)
{
    return 2.0 * (double)operation_terms(op);
}

/* Operations per output, for tiles of `outputs` outputs: `products` multiply-adds per channel,
 * `elements` operations to transform its elements of a channel, which all filters share, and `back`
 * operations to transform the sums back. */
static double cost_of_tile(const struct conv_shape *s, double products, double elements,
                           double back, double outputs)
{
    const int64_t channels = s->channels / s->groups, filters = s->filters / s->groups;
    const double depth = (double)channels;
    const double shared = elements * depth / (double)filters;
    return (2.0 * products * depth + shared + back) / outputs;
}

/* A tile of 2 x 2 outputs takes 16 multiply-adds instead of 36, 25 at stride 2, and additions. */
double conv_winograd_cost(const struct conv_shape *s)
{
    if (conv_winograd_is_strided(s))
        return cost_of_tile(s, 25.0, 20.0, 10.0, 4.0);
    return cost_of_tile(s, 16.0, 32.0, 24.0, 4.0);
}

/* A tile of 4 x 4 outputs takes 36 multiply-adds instead of 144, and those of the transforms. */
static double winograd4_cost(const struct operation *op)
{
    const struct conv_shape s = conv_shape_of(op);
    return cost_of_tile(&s, 36.0, 288.0, 190.0, 16.0);
}

static double winograd_cost(const struct operation *op)
{
    const struct conv_shape s = conv_shape_of(op);
    return conv_winograd_cost(&s);
}

/* ---- the table --------------------------------------------------------------------------------
 */

/* Where its tiles begin changes the bits of winograd4, so a unit of work has the rows of a tile. */
enum { WINOGRAD4_TILE_ROWS = 4 };

const struct conv_method conv_methods[] = {
    [CONV_LITERAL] = {.head = {.name = "literal",
                               .kind = SPACE_HOST,
                               .product = true,
                               .idea = "the seven loops of the definition",
                               .refuses = refuses,
                               .cost = conv_cost,
                               .operations_per_s = SCALAR_OPERATIONS_PER_S,
                               .packed_floats = packed_floats,
                               .pack = pack,
                               .strips = strips,
                               .whole_rows = true},
                      .run = {conv_literal},
                      .micro_panel = 1},
    [CONV_IM2COL] = {.head = {.name = "im2col",
                              .kind = SPACE_HOST,
                              .product = true,
                              .vectors = true,
                              .idea =
                                  "all windows stored side by side, then the packed matrix product",
                              .refuses = refuses,
                              .cost = conv_cost,
                              .scratch_bytes = scratch_bytes,
                              .packed_floats = packed_floats,
                              .pack = pack,
                              .strips = strips,
                              .whole_rows = true},
                     .run = ISA_VARIANTS(conv_im2col),
                     .scratch = conv_im2col_scratch,
                     .micro_panel = 1},
    [CONV_IMPLICIT] =
        {.head =
             {.name = "implicit",
              .kind = SPACE_HOST,
              .product = true,
              .vectors = true,
              .idea =
                  "implicit GEMM: windows are read from a padded band of the image, never stored",
              .refuses = refuses,
              .cost = conv_cost,
              .scratch_bytes = scratch_bytes,
              .packed_floats = packed_floats,
              .pack = pack,
              .strips = strips,
              .whole_rows = true},
         .run = ISA_VARIANTS(conv_implicit),
         .pack = ISA_VARIANTS(conv_implicit_pack),
         .packed = conv_implicit_packed,
         .scratch = conv_implicit_scratch,
         .micro_panel = WIDEST_MICRO_PANEL,
         .own_panel = WIDEST_VECTOR},
    [CONV_WINOGRAD] = {.head = {.name = "winograd",
                                .kind = SPACE_HOST,
                                .product = true,
                                .vectors = true,
                                .idea = "F(2 x 2, 3 x 3): 16 multiplications instead of 36 (k = 3, "
                                        "s = 1); 25 at stride 2",
                                .refuses = refuses,
                                .cost = winograd_cost,
                                .scratch_bytes = scratch_bytes,
                                .packed_floats = packed_floats,
                                .pack = pack,
                                .strips = strips,
                                .piece_rows = CONV_TILE_ROWS,
                                .whole_rows = true,
                                .whole_planes = true},
                       .run = ISA_VARIANTS(conv_winograd),
                       .pack = ISA_VARIANTS(conv_winograd_pack),
                       .packed = conv_winograd_packed,
                       .scratch = conv_winograd_scratch,
                       .refuses = conv_winograd_tiles_refuse,
                       .bound = oracle_conv_winograd_bound,
                       .tile_rows = 2,
                       .micro_panel = WIDEST_MICRO_PANEL},
    [CONV_WINOGRAD4] =
        {.head =
             {.name = "winograd4",
              .kind =
                  SPACE_HOST,
              .product =
                  true,
              .rounds = true,
              .vectors =
                  true,
              .idea =
                  "F(4 x 4, 3 x 3): 36 multiplications instead of 144 (k = 3, s = 1); never exact",
              .refuses = refuses,
              .cost = winograd4_cost,
              .scratch_bytes = scratch_bytes,
              .packed_floats = packed_floats,
              .pack = pack,
              .strips = strips,
              .unit_rows = WINOGRAD4_TILE_ROWS,
              .piece_rows = CONV_TILE_ROWS,
              .whole_rows = true,
              .whole_planes = true},
         .run = ISA_VARIANTS(conv_winograd4),
         .pack = ISA_VARIANTS(conv_winograd4_pack),
         .packed = conv_winograd4_packed,
         .scratch = conv_winograd4_scratch,
         .refuses = conv_winograd_refuses,
         .bound = oracle_conv_winograd4_bound,
         .tile_rows = WINOGRAD4_TILE_ROWS,
         .micro_panel = WIDEST_MICRO_PANEL},
    [CONV_DEPTHWISE] =
        {.head = {.name = "depthwise",
                  .kind = SPACE_HOST,
                  .product = true,
                  .vectors = true,
                  .idea = "one filter per channel, straight from the image, without a matrix",
                  .refuses = refuses,
                  .cost = conv_cost,
                  .scratch_bytes = scratch_bytes,
                  .packed_floats = packed_floats,
                  .pack = pack,
                  .whole_rows = true},
         .run = ISA_VARIANTS(conv_depthwise),
         .pack_lines = ISA_VARIANTS(conv_depthwise_pack),
         .packed_lines = conv_depthwise_packed,
         .scratch = conv_depthwise_scratch,
         .refuses = conv_depthwise_refuses,
         .micro_panel = 1},
    {.head = {.name = "naive",
              .kind = SPACE_CUDA,
              .product = true,
              .idea = "one thread per output; each reads its own window and filter",
              .unavailable = CUDA_UNAVAILABLE,
              .packed_floats = packed_floats,
              .pack = pack,
              .cost = conv_cost,
              .operations_per_s = SCALAR_OPERATIONS_PER_S}},
    {.head = {.name = "tiled",
              .kind = SPACE_CUDA,
              .product = true,
              .idea = "windows packed into tiles of shared memory, multiplied from registers; "
                      "groups of 3 filters or fewer run as naive",
              .unavailable = CUDA_UNAVAILABLE,
              .packed_floats = packed_floats,
              .pack = pack,
              .cost = conv_cost}},
    {.head = {.name = "tensor",
              .kind = SPACE_CUDA,
              .product = true,
              .tensor = true,
              .idea =
                  "tensor cores (mma) on windows packed into tiles: operands rounded to tf32 or "
                  "bf16 (--math), sums in float32; never exact",
              .unavailable = CUDA_UNAVAILABLE,
              .packed_floats = packed_floats,
              .pack = pack,
              .cost = conv_cost}},
};
const size_t conv_method_count = sizeof conv_methods / sizeof *conv_methods;

bool conv_has_epilogue(const struct operation *op)
{
    return op->parameters.activation != CONV_LINEAR || op->operands[OPERAND_RESIDUAL].values ||
           op->operands[OPERAND_FACTOR].values;
}

const char *conv_refuses_epilogue(const struct operation *op)
{
    return conv_has_epilogue(op) || op->parameters.epilogue != CONV_STORE
               ? "stores sums and bias alone: no activation, residual, factor or epilogue"
               : NULL;
}

const struct method *conv_method_at(size_t i)
{
    return i < conv_method_count ? &conv_methods[i].head : NULL;
}

const struct conv_method *conv_method_of(const struct method *head)
{
    return (const struct conv_method *)head; /* its first member */
}

const struct conv_method *conv_method_find(const char *name)
{
    for (size_t i = 0; i < conv_method_count; i++)
        if (conv_methods[i].head.kind == SPACE_HOST && strcmp(conv_methods[i].head.name, name) == 0)
            return &conv_methods[i];
    return NULL;
}

bool conv_method_can(const struct conv_method *m, const struct conv_shape *s)
{
    return m->run[ISA_BASELINE] && (!m->refuses || !m->refuses(s));
}

enum isa conv_method_isa(const struct conv_method *m, enum isa limit)
{
    while (limit > ISA_BASELINE && !m->run[limit])
        limit--;
    return limit;
}

bool conv_is_built(const struct method *m, enum isa isa)
{
    return conv_method_of(m)->run[isa];
}
