/* The table of max pooling methods: the host methods of kernels/maxpool/methods.inc, which says how
 * to add one, and the GPU kernels. */
#include "kernels/maxpool/maxpool.h"

#include <math.h>

double maxpool_product_cost(const struct operation *op)
{
    const double k = (double)op->geometry.kernel;
    return 2.0 * k * k * k + k * k;
}

double maxpool_maximum_cost(const struct operation *op)
{
    return (double)op->geometry.kernel * (double)op->geometry.kernel;
}

const char *maxpool_refuses_filters(const struct operation *op)
{
    return op->operands[OPERAND_FILTER].identity
               ? NULL
               : "takes the maximum alone: it needs the identity filter";
}

/* The number of rows, and of columns, that a window does not share with the next one. */
static double own_side(const struct geometry *g)
{
    return (double)(g->stride < g->kernel ? g->stride : g->kernel);
}

/* k - 1 comparisons down each column that the next window does not share, and k - 1 along the row.
 * Rows and elements that several outputs share count for each output. */
static double separable_cost(const struct operation *op)
{
    const double k = (double)op->geometry.kernel, s = own_side(&op->geometry);
    return fmax(1.0, (k - 1.0) * s + k - 1.0);
}

/* ceil(log2 k) comparisons each way per element. */
static double doubling_cost(const struct operation *op)
{
    const double s = own_side(&op->geometry);
    return fmax(1.0, ceil(log2((double)op->geometry.kernel)) * (s * s + s));
}

/* Three comparisons per element down the columns, and up to 6 along the line. */
static double van_herk_cost(const struct operation *op)
{
    const double s = own_side(&op->geometry);
    return fmax(1.0, 3.0 * s * s + fmin(6.0, ceil(log2((double)op->geometry.kernel))) * s);
}

enum { STAGED_STRIP = 16384 }; /* outputs; bounds the scratch on very wide images */

/* A vector method has one function per instruction set, a plain method one for all. */
enum { IS_PLAIN, IS_VECTOR };
#define RUN_PLAIN(function)                                                                        \
    {                                                                                              \
        function                                                                                   \
    }
#define RUN_VECTOR(function) ISA_VARIANTS(function)

const struct maxpool_method maxpool_methods[] = {
#define METHOD(method, build, steps, ...)                                                          \
    {.head = {.name = #method, .kind = SPACE_HOST, .vectors = IS_##build, __VA_ARGS__},            \
     .run = RUN_##build(maxpool_##method),                                                         \
     .stages = steps},
#include "kernels/maxpool/methods.inc"
    {.head = {.name = "naive",
              .kind = SPACE_CUDA,
              .product = true,
              .idea =
                  "matmul1 (naive) of the tesina: one thread per element, an if guards the edge",
              .unavailable = CUDA_UNAVAILABLE,
              .cost = maxpool_product_cost,
              .operations_per_s = SCALAR_OPERATIONS_PER_S}},
    {.head = {.name = "loop",
              .kind = SPACE_CUDA,
              .product = true,
              .idea =
                  "matmul2 (loop) of the tesina, but grid-stride: a grid of any size covers all "
                  "work; the printed one steps by 1 from each thread's index",
              .unavailable = CUDA_UNAVAILABLE,
              .cost = maxpool_product_cost}},
    {.head = {.name = "tiled",
              .kind = SPACE_CUDA,
              .product = true,
              .idea = "matmul3 (tiled) of the tesina: tiles of image and filter in shared memory, "
                      "read by a "
                      "whole block",
              .unavailable = CUDA_UNAVAILABLE,
              .cost = maxpool_product_cost}},
    {.head = {.name = "roof",
              .kind = SPACE_CUDA,
              .product = true,
              .idea = "loads of 16 bytes, four in flight per thread, if s = k = 2, 3 or 4; "
                      "otherwise as loop",
              .unavailable = CUDA_UNAVAILABLE,
              .cost = maxpool_product_cost}},
};
const size_t maxpool_method_count = sizeof maxpool_methods / sizeof *maxpool_methods;

const struct method *maxpool_method_at(size_t i)
{
    return i < maxpool_method_count ? &maxpool_methods[i].head : NULL;
}

const struct maxpool_method *maxpool_method_of(const struct method *head)
{
    return (const struct maxpool_method *)head; /* its first member */
}

bool maxpool_is_built(const struct method *m, enum isa isa)
{
    return maxpool_method_of(m)->run[isa] != NULL;
}
