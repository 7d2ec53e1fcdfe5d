/* Tests the instruction sets: each vector primitive in each set that this processor has, and the
 * choice between them. */
#include "tests/kernels/vector_probe.h"
#include "tests/support/unit_test.h"

TEST(every_primitive_equals_plain_c)
{
    vector_probe_function *const probes[ISA_COUNT] = ISA_VARIANTS(vector_probe);
    for (enum isa isa = ISA_BASELINE; isa < ISA_COUNT; isa++) {
        if (!probes[isa] || isa_missing(isa))
            continue;
        const char *wrong = probes[isa]();
        if (wrong)
            fail_msg("%s: %s", isa_name(isa), wrong);
    }
}

/* A set compiled without its flags would pass every other test and be slow. */
TEST(wider_sets_have_more_lanes)
{
    vector_lanes_function *const lanes[ISA_COUNT] = ISA_VARIANTS(vector_lanes);
    if (lanes[ISA_AVX2])
        assert_true(lanes[ISA_AVX2]() >= 8);
    if (lanes[ISA_AVX512])
        assert_int_equal(lanes[ISA_AVX512](), 16);
}

TEST(the_best_can_run)
{
    assert_null(isa_missing(ISA_BASELINE));
    assert_null(isa_missing(isa_best()));
    for (enum isa isa = isa_best() + 1; isa < ISA_COUNT; isa++)
        assert_non_null(isa_missing(isa));
}
