/* The table of matrix product methods. To add one: write kernels/matmul/NAME.c with a
 * matmul_function that honours block and terms (kernels/method_call.h), declare it in
 * kernels/matmul/matmul.h and add a row below. */
#include "kernels/matmul/blocks.h"
#include "kernels/matmul/matmul.h"
#include "kernels/matmul/outer.h"

bool matmul_has_own_filters(const struct operation *op)
{
    return op->operands[OPERAND_FILTER].shape.planes > 1;
}

struct matmul_batch matmul_batch_of(const struct operation *op)
{
    const struct image_shape s = op->image;
    return matmul_has_own_filters(op)
               ? (struct matmul_batch){s.planes, s.rows, s.cols, op->map.cols}
               : (struct matmul_batch){1, s.planes * s.rows, s.cols, op->map.cols};
}

double matmul_cost(const struct operation *op)
{
    return 2.0 * (double)op->image.cols;
}

size_t matmul_packed_bytes(int64_t inner, int64_t cols)
{
    const struct packed_blocks blocks = packed_blocks_for(&(struct caches){.bytes = {0}});
    return packed_blocks_bytes(&blocks, inner, cols);
}

size_t matmul_outer_scratch(int64_t terms, int64_t cols)
{
    const int64_t width = (cols + OUTER_WIDTH - 1) / OUTER_WIDTH * OUTER_WIDTH;
    const int64_t elements = geometry_elements(terms, OUTER_ROWS + width, 1);
    return elements < 0 ? SIZE_MAX : (size_t)elements * sizeof(float);
}

size_t matmul_packed_scratch(const struct operation *op, int64_t cols)
{
    const struct packed_blocks blocks = packed_blocks_for(&op->caches);
    return packed_blocks_bytes(&blocks, op->image.cols, cols);
}

const struct matmul_method matmul_methods[] = {
    {.head = {.name = "naive",
              .kind = SPACE_HOST,
              .product = true,
              .idea = "one dot product per element, i-j-k: B is walked down its columns",
              .cost = matmul_cost,
              .operations_per_s = SCALAR_OPERATIONS_PER_S},
     .run = {matmul_naive}},
    {.head = {.name = "interchanged",
              .kind = SPACE_HOST,
              .product = true,
              .idea = "loops i-k-j: the innermost walks rows of B and C in order and vectorises",
              .cost = matmul_cost},
     .run = {matmul_interchanged}},
    {.head = {.name = "blocked",
              .kind = SPACE_HOST,
              .product = true,
              .idea = "i-k-j over cache tiles: a tile of B is reused from cache by all rows",
              .cost = matmul_cost},
     .run = {matmul_blocked}},
    {.head = {.name = "packed",
              .kind = SPACE_HOST,
              .product = true,
              .vectors = true,
              .idea =
                  "tiles of C in registers, A and B packed into the order they are read (GotoBLAS)",
              .scratch_bytes = matmul_packed_scratch,
              .sharing = &matmul_sharing,
              .piece_rows = 96,
              .whole_planes = true,
              .cost = matmul_cost,
              .operations_per_s = PRODUCT_OPERATIONS_PER_S},
     .run = ISA_VARIANTS(matmul_packed),
     .pack = ISA_VARIANTS(matmul_packed_panel)},
    {.head = {.name = "naive",
              .kind = SPACE_CUDA,
              .product = true,
              .idea =
                  "matmul1 (naive) of the tesina: one thread per element, an if guards the edge",
              .unavailable = CUDA_UNAVAILABLE,
              .cost = matmul_cost,
              .operations_per_s = SCALAR_OPERATIONS_PER_S}},
    {.head = {.name = "loop",
              .kind = SPACE_CUDA,
              .product = true,
              .idea =
                  "matmul2 (loop) of the tesina, but grid-stride: a grid of any size covers all "
                  "work; the printed one steps by 1 from each thread's index",
              .unavailable = CUDA_UNAVAILABLE,
              .cost = matmul_cost}},
    {.head = {.name = "tiled",
              .kind = SPACE_CUDA,
              .product = true,
              .idea = "matmul3 (tiled) of the tesina: tiles of A and B in shared memory, read by a "
                      "whole block",
              .unavailable = CUDA_UNAVAILABLE,
              .cost = matmul_cost}},
    {.head = {.name = "registers",
              .kind = SPACE_CUDA,
              .product = true,
              .idea =
                  "64 sums per thread in registers, tiles of 128 x 128; the next tiles prefetched",
              .unavailable = CUDA_UNAVAILABLE,
              .cost = matmul_cost}},
    {.head = {.name = "tensor",
              .kind = SPACE_CUDA,
              .product = true,
              .tensor = true,
              .idea = "tensor cores (mma): operands rounded to tf32 or bf16 (--math), sums in "
                      "float32; never exact",
              .unavailable = CUDA_UNAVAILABLE,
              .cost = matmul_cost}},
};
const size_t matmul_method_count = sizeof matmul_methods / sizeof *matmul_methods;

const struct method *matmul_method_at(size_t i)
{
    return i < matmul_method_count ? &matmul_methods[i].head : NULL;
}

const struct matmul_method *matmul_method_of(const struct method *head)
{
    return (const struct matmul_method *)head; /* its first member */
}

bool matmul_is_built(const struct method *m, enum isa isa)
{
    return matmul_method_of(m)->run[isa] != NULL;
}
