/* The plain loops of `van_herk`, compared with those of `direct`. */
#undef __AVX512F__
#undef __AVX2__
#undef __SSE2__
#undef __ARM_NEON
#define ISA_BUILD one_lane
#include "kernels/maxpool/maxpool.h"

maxpool_function maxpool_van_herk_one_lane;
#include "kernels/maxpool/van_herk.c"
#include "tests/kernels/plain_loops.h"

TEST(plain_loops_are_right)
{
    const struct plain m = {.plain = maxpool_van_herk_one_lane, .other = maxpool_direct};
    check_shapes(&m);
}
