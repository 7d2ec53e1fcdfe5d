/* The plain loops of `separable`, compared with those of `direct`. */
#undef __AVX512F__
#undef __AVX2__
#undef __SSE2__
#undef __ARM_NEON
#define ISA_BUILD one_lane
#include "kernels/maxpool/maxpool.h"

maxpool_function maxpool_separable_one_lane;
#include "kernels/maxpool/separable.c"
#include "tests/kernels/plain_loops.h"

TEST(plain_loops_are_right)
{
    const struct plain m = {
        .plain = maxpool_separable_one_lane, .other = maxpool_direct, .planes = true};
    check_shapes(&m);
}
