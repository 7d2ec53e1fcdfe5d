/* The plain loops of `simd`, compared with those of `fused`, with filters other than the
 * identity. */
#undef __AVX512F__
#undef __AVX2__
#undef __SSE2__
#undef __ARM_NEON
#define ISA_BUILD one_lane
#include "kernels/maxpool/maxpool.h"
#include "kernels/maxpool/row_product.h"

maxpool_function maxpool_simd_one_lane;
row_product_prepare_function row_product_prepare_one_lane;
#include "kernels/maxpool/simd.c"
#include "tests/kernels/plain_loops.h"

/* The code with vectors, which one lane must not use. */
row_product_function *row_product_prepare_one_lane(struct row_product *p,
                                                   const struct maxpool_call *call, float *scratch)
{
    (void)p;
    (void)call;
    (void)scratch;
    fail_msg("one lane takes the way of vectors");
    return NULL;
}

TEST(plain_loops_are_right)
{
    const struct plain m = {
        .plain = maxpool_simd_one_lane, .other = maxpool_fused, .product = true};
    check_shapes(&m);
}
