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

static void plain_loops_are_right(NO_STATE)
{
    const struct plain m = {.plain = maxpool_van_herk_one_lane, .other = maxpool_direct};
    check_shapes(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(plain_loops_are_right)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
