/* The estimate of how long a study still runs. */
#include "experiments/run/remaining.h"
#include "tests/support/unit_test.h"

#include <math.h>

static void assert_seconds(double is, double expected)
{
    if (!(fabs(is - expected) <= 1e-9))
        fail_msg("%.17g, not %.17g", is, expected);
}

TEST(test_plan_alone)
{
    const struct estimate_error none = {0};
    assert_seconds(remaining_seconds(&none, 70, 0, 0, 0), 70);
    assert_seconds(remaining_seconds(&none, 0, 10, 0, 0), 0);
}

/* If launches take twice as long as estimated, so does the remaining time. */
TEST(test_follows_what_launches_took)
{
    struct estimate_error p = {0};
    for (int i = 0; i < 100; i++)
        estimate_error_add(&p, 1, 2);
    assert_seconds(estimate_error_ratio(&p), 205.0 / 105.0);
    assert_seconds(remaining_seconds(&p, 70, 200, 0, 0), 70 * 205.0 / 105.0);
}

TEST(test_one_short_launch_upsets_nothing)
{
    struct estimate_error p = {0};
    estimate_error_add(&p, 0.01, 0.2); /* twenty times its estimate */
    assert_true(estimate_error_ratio(&p) < 1.05);
}

/* After the plan, wide intervals use the remaining minutes of the scale: "0:00 left" is not
 * shown. */
TEST(test_wide_intervals_count)
{
    const struct estimate_error none = {0};
    assert_seconds(remaining_seconds(&none, 0, 110, 0, 180), 70);
    assert_seconds(remaining_seconds(&none, 100, 110, 0, 180), 100);
    assert_seconds(remaining_seconds(&none, 0, 190, 0, 180), 0);
}

TEST(test_a_budget_ends_the_run)
{
    const struct estimate_error none = {0};
    assert_seconds(remaining_seconds(&none, 500, 5, 20, 180), 15);
    assert_seconds(remaining_seconds(&none, 500, 25, 20, 180), 0);
}
