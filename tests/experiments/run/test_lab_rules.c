/* Rules of `study lab` that need no kernel: what a long hand-over is, which values show that
 * operands were rounded, and which step of the ladder is the next. */
#include "classroom/lab/call/kinds.h"
#include "classroom/lab/digits/exact_values.h"
#include "classroom/lab/hand_over.h"
#include "classroom/lab/lab.h"
#include "classroom/lab/next_step.h"
#include "harness/base/own_path.h"
#include "harness/image/image.h"
#include "kernels/operators.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- the hand-over --------------------------------------------------------------------------- */

enum { ROUNDS = 12 };

static bool is_used(double kernel_s, double own_s, double one_own_s, size_t rounds)
{
    double kernel[ROUNDS], own[ROUNDS], shortest, usual;
    for (size_t i = 0; i < ROUNDS; i++) {
        kernel[i] = kernel_s * (1.0 + 0.1 * (double)i);
        own[i] = own_s;
    }
    own[3] = one_own_s;
    return lab_hand_over_is_used(kernel, own, rounds, &shortest, &usual) && shortest == kernel_s &&
           usual == own_s;
}

TEST(a_hand_over_far_above_ours_is_used)
{
    assert_true(is_used(1e-3, 1e-5, 1e-5, ROUNDS));
    assert_true(is_used(1e-3, 1e-5, 9e-4, ROUNDS));
    assert_true(is_used(1.01e-4, 1e-5, 1e-5, ROUNDS));
    assert_false(is_used(0.99e-4, 1e-5, 1e-5, ROUNDS)); /* less than ten times */
    assert_false(is_used(1e-3, 1e-5, 2e-3, ROUNDS));    /* ours were disturbed, too */
    assert_false(is_used(1e-3, 1e-5, 1e-5, 9));         /* too few rounds */
    assert_false(is_used(1e-3, 0.0, 0.0, ROUNDS));      /* no method of ours */
}

/* ---- exact values ---------------------------------------------------------------------------- */

/* Rounds to so many significant bits, to even. */
static float rounded_to(int bits, float v)
{
    uint32_t b;
    memcpy(&b, &v, sizeof b);
    const uint32_t unit = 1u << (24 - bits);
    b += unit / 2 - 1 + (b / unit & 1);
    b &= ~(unit - 1);
    memcpy(&v, &b, sizeof v);
    return v;
}

static struct operation operation_of(const char *name, const struct foreign_sizes *size)
{
    struct operation op;
    struct failure f = {0};
    const struct operator_row *kind = lab_kind_find(name);
    assert_int_equal(lab_operation(&op, kind, size, &f), STATUS_OK);
    struct operand *right = &op.operands[op.kind->right];
    right->shape = operator_right(op.kind)->shape(&op);
    right->values = calloc((size_t)shape_elements(right->shape), sizeof *right->values);
    assert_non_null(right->values);
    return op;
}

/* The largest sum that terms of these values can have, and the share of them that a format of so
 * many bits cannot hold. */
static double share_lost(const float *values, int64_t count, int bits)
{
    int64_t lost = 0, all = 0;
    for (int64_t i = 0; i < count; i++) {
        all += values[i] != 0.0f;
        lost += values[i] != rounded_to(bits, values[i]);
    }
    return (double)lost / (double)all;
}

TEST(sums_are_exact_and_operands_are_wide)
{
    static const struct {
        const char *name;
        struct foreign_sizes size;
        int64_t largest;
    } cases[] = {
        {"maxpool", {.planes = 1, .rows = 64, .cols = 64, .kernel = 8, .stride = 8}, 8191},
        {"conv",
         {.batch = 1,
          .planes = 16,
          .rows = 32,
          .cols = 32,
          .filters = 16,
          .kernel = 3,
          .stride = 1},
         2304},
        {"conv",
         {.batch = 1,
          .planes = 16,
          .rows = 32,
          .cols = 32,
          .filters = 16,
          .kernel = 5,
          .stride = 1},
         8191},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct operation op = operation_of(cases[i].name, &cases[i].size);
        const struct operand *right = &op.operands[op.kind->right];
        const int64_t terms = operation_terms(&op), largest = exact_values_largest(&op);
        assert_true(largest >= cases[i].largest && largest <= 8191);
        exact_values_right(&op, 7 + i);
        int64_t wide = 0;
        for (int64_t j = 0; j < shape_elements(right->shape); j++)
            wide += fabsf(right->values[j]) > 1.0f;
        assert_true(terms <= 2047 && right->integers);
        /* of conv, some channels have their digits in the weights, and the image has 0 and 1 there
         */
        assert_true((wide > 0) == (op.kind->image_channels != NULL));
        assert_true(right->max_abs == 1.0 && op.kind->is_exact(&op, true, (double)largest));
        free(right->values);
    }
}

/* Of a product of matrices, each operand has numbers of 19 bits where the other has 0 or 1, and no
 * sum reaches 2^24, whatever the number of terms. */
TEST(products_are_exact_and_wide)
{
    static const int64_t sides[] = {1, 31, 32, 100, 512, 3000};
    const double wide = 0x1p19 - 1.0;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        const int64_t n = sides[i];
        struct operation op = operation_of("matmul", &(struct foreign_sizes){.rows = n, .cols = n});
        const struct operand *right = &op.operands[op.kind->right];
        int64_t terms = 0, own = 0;
        assert_int_equal(exact_values_largest(&op), (int64_t)wide);
        exact_values_right(&op, 11 + i);
        for (int64_t col = 0; col < n; col++) {
            double sum = 0.0;
            for (int64_t q = 0; q < n; q++) {
                const double value = fabs((double)right->values[q * n + col]);
                sum += value > 1.0 ? value : value * wide; /* the image has 0 or 1, or up to wide */
                terms += value > 0.0;
                own += value > 1.0;
            }
            assert_true(sum < 0x1p24);
        }
        if (n > 31)
            assert_true(terms > 7 * n && terms < 11 * n && own > terms / 4 && own < 3 * terms / 4);
        if (n > 31)
            assert_true(share_lost(right->values, n * n, 16) > 0.15);
        free(right->values);
    }
}

TEST(images_are_wide)
{
    enum { SIDE = 256, COUNT = SIDE * SIDE };
    const struct image_shape shape = {1, SIDE, SIDE};
    const struct image_range all = {.rows = SIDE, .cols = SIDE};
    static const struct {
        const char *name;
        struct foreign_sizes size;
        double half, bfloat, narrow; /* the least shares lost: of 11, 8 and 16 bits */
        int bits;                    /* that hold all */
    } cases[] = {{"matmul", {.rows = SIDE, .cols = SIDE}, 0.6, 0.6, 0.4, 19},
                 {"distances", {.rows = SIDE, .filters = SIDE, .cols = SIDE}, 1.0, 1.0, 0.0, 13}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct source *source;
        struct failure f = {0};
        struct operation op = operation_of(cases[i].name, &cases[i].size);
        float *values = calloc(COUNT, sizeof *values);
        assert_non_null(values);
        assert_int_equal(exact_values_image(&source, &op, shape, 5 + i, 9, &f), STATUS_OK);
        assert_int_equal(source_read(source, &all, values, SIDE, NULL, &f), STATUS_OK);
        assert_true(share_lost(values, COUNT, 11) >= cases[i].half);
        assert_true(share_lost(values, COUNT, 8) >= cases[i].bfloat);
        assert_true(share_lost(values, COUNT, 16) >= cases[i].narrow);
        assert_true(share_lost(values, COUNT, cases[i].bits) == 0.0);
        source_close(source);
        free(values);
        free(op.operands[op.kind->right].values);
    }
}

/* Points have one coordinate, whose squares add up below 2^24 for any two points. */
TEST(squares_of_points_are_exact)
{
    enum { POINTS = 500, DIMENSIONS = 33 };
    static float points[POINTS * DIMENSIONS];
    float most = 0.0f;
    exact_values_points(3, POINTS, DIMENSIONS, points);
    for (int64_t i = 0; i < POINTS; i++) {
        int count = 0;
        for (int64_t j = 0; j < DIMENSIONS; j++) {
            const float value = points[i * DIMENSIONS + j];
            count += value != 0.0f;
            most = fmaxf(most, value);
            assert_true(value == 0.0f || ((int)value % 2 == 1 && value > 2048.0f));
        }
        assert_int_equal(count, 1);
    }
    assert_true(2.0 * (double)most * (double)most < 0x1p24);
}

/* ---- what next ------------------------------------------------------------------------------- */

enum rung_name { NONE, STAGED, FUSED, SIMD, SHARED_ROWS, RUNGS };

/* The ladder of max pooling at k = 3, s = 1, in times of `fused` (docs/ladder.md); the first rung
 * is NONE, since it is nobody's next step. */
static const struct lab_rung ladder[RUNGS] = {[NONE] = {.seconds = 8.9},
                                              [STAGED] = {.staged = true, .seconds = 9.1},
                                              [FUSED] = {.seconds = 1.0},
                                              [SIMD] = {.vectors = true, .seconds = 0.265},
                                              [SHARED_ROWS] = {.vectors = true, .seconds = 0.150}};

/* The slowest rung that is faster and not followed. */
static enum rung_name next_of(double seconds, bool vectors, bool shares)
{
    const struct lab_habits habits = {vectors, shares};
    enum rung_name next = NONE;
    for (int i = RUNGS - 1; i > NONE; i--)
        if (ladder[i].seconds < seconds && !ladder[i].staged &&
            !lab_rung_is_followed(ladder, (size_t)i, &habits, seconds))
            next = (enum rung_name)i;
    return next;
}

/* The starter and the three steps of labs/steps, with their times in docs/lab.md: none is sent to
 * what it does already. */
TEST(no_step_is_sent_to_its_own_idea)
{
    assert_int_equal(next_of(13.4, false, false), FUSED);
    assert_int_equal(next_of(2.02, false, false), SIMD);
    assert_int_equal(next_of(0.987, true, false), SHARED_ROWS);
    assert_int_equal(next_of(0.604, true, true), NONE);
    /* A compiler that puts the first step into vectors; a slow machine for the third. */
    assert_int_equal(next_of(2.02, true, false), SHARED_ROWS);
    assert_int_equal(next_of(3.0, true, true), NONE);
    /* It shares work, and has no vectors. */
    assert_int_equal(next_of(2.0, false, true), SIMD);
    assert_true(lab_rung_is_followed(ladder, NONE, &(struct lab_habits){false, false}, 100.0));
}

/* Halfway between the times of two rungs, in factors, is the border: the root of 1 * 9.1. */
TEST(a_rung_is_followed_by_the_nearer_time)
{
    const struct lab_habits none = {false, false};
    assert_true(lab_rung_is_followed(ladder, FUSED, &none, 3.01));
    assert_false(lab_rung_is_followed(ladder, FUSED, &none, 3.02));
}

TEST(strides_show_sharing)
{
    assert_false(lab_strides_show_sharing(4.0, 1.0));
    assert_false(lab_strides_show_sharing(2.83, 1.0));
    assert_true(lab_strides_show_sharing(2.82, 1.0));
    assert_true(lab_strides_show_sharing(1.0, 1.0));
    assert_false(lab_strides_show_sharing((double)NAN, 1.0));
}

TEST(memory_traffic_is_a_limit_of_its_own)
{
    const struct roof traffic = {.traffic_s = 2.0, .arithmetic_s = 1.0},
                      arithmetic = {.traffic_s = 1.0, .arithmetic_s = 2.0},
                      unknown = {.traffic_s = NAN, .arithmetic_s = NAN};
    assert_true(lab_is_at_memory_limit(&traffic, 0.8));
    assert_false(lab_is_at_memory_limit(&traffic, 0.79));
    assert_false(lab_is_at_memory_limit(&arithmetic, 0.99));
    assert_false(lab_is_at_memory_limit(&unknown, 0.99));
    assert_false(lab_is_at_memory_limit(&traffic, (double)NAN));
}

/* ---- run files ------------------------------------------------------------------------------- */

/* Bytes that this process has read so far; -1 if the system does not count them. */
static long long bytes_read(void)
{
    long long bytes = -1;
    FILE *file = fopen("/proc/self/io", "r");
    if (file && fscanf(file, "rchar: %lld", &bytes) != 1)
        bytes = -1;
    if (file)
        fclose(file);
    return bytes;
}

/* A class has many run files. The program that measures is hashed for the first of them, and each
 * names the same hash. */
TEST(the_program_is_hashed_once)
{
    static struct lab_report r = {.file = "mine.c", .name = "lab:mine", .verdict = LAB_WRONG};
    static struct lab_trial trial;
    struct failure f = {0};
    struct stat program;
    char folder[] = "/tmp/maxpool-lab-rules-XXXXXX", own[PATH_MAX], command[64];
    r.kind = operators[0];
    r.trial = &trial;
    assert_non_null(mkdtemp(folder));
    assert_true(own_path(own) && stat(own, &program) == 0);
    const long long before = bytes_read();
    assert_int_equal(lab_run_write(&r, folder, &f), STATUS_OK);
    const long long first = bytes_read();
    assert_int_equal(lab_run_write(&r, folder, &f), STATUS_OK);
    const long long second = bytes_read();
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    if (before < 0)
        skip();
    assert_true(first - before >= program.st_size);
    assert_true(second - first < program.st_size);
}
