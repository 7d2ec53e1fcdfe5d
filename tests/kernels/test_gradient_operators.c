/* Tests the two gradients of a convolution as rows of the table of operators: shapes, limits and
 * bands computed by hand; every method against the row's own oracle, block by block; and faults in
 * what a row is given, which must not pass. */
#include "harness/space/operation.h"
#include "kernels/conv/methods.h"
#include "tests/support/cases.h"
#include "tests/support/unit_test.h"

#include <stdlib.h>
#include <string.h>

static const struct operator_row *const rows[] = {&conv_data_gradient_operator,
                                                  &conv_weight_gradient_operator};
enum { ROWS = sizeof rows / sizeof *rows };

/* ---- one operation --------------------------------------------------------------------------- */

struct problem {
    struct operation op;
    float *image; /* in lines: row r of all channels is contiguous */
    float *packed, *map;
};

static struct operation operation_of(const struct operator_row *kind, const struct conv_case *c)
{
    struct operation op = {.kind = kind,
                           .parameters = {.kernel = c->kernel,
                                          .stride = c->stride,
                                          .padding = c->padding,
                                          .batch = c->batch,
                                          .channels = c->channels,
                                          .filters = c->filters,
                                          .groups = c->groups},
                           .image = {c->batch, c->rows, c->channels * c->cols}};
    assert_int_equal(kind->shape(&op).kind, REFUSAL_NONE);
    return op;
}

/* Small integers, so that every correct result is correct bit for bit. */
static void add_operands(struct operation *op)
{
    for (const struct operand_row *const *row = op->kind->operands; *row; row++) {
        const struct image_shape shape = (*row)->shape(op);
        op->operands[(*row)->role] =
            (struct operand){.values = case_values(shape_elements(shape), 3 + (*row)->role),
                             .shape = shape,
                             .integers = true,
                             .max_abs = 9.0,
                             .name = "case"};
    }
}

static struct problem make(const struct operator_row *kind, const struct conv_case *c,
                           const struct method *m)
{
    struct problem p = {.op = operation_of(kind, c)};
    double seconds;
    p.op.method = m;
    add_operands(&p.op);
    operation_choose_isa(&p.op, isa_best());
    p.image = case_values(shape_elements(p.op.image), 12);
    p.map = calloc((size_t)shape_elements(p.op.map), sizeof *p.map);
    assert_non_null(p.map);
    assert_int_equal(operation_pack(&p.op, &p.packed, &seconds, NULL), STATUS_OK);
    p.op.packed = p.packed;
    return p;
}

static void release(struct problem *p)
{
    for (int role = 0; role < OPERAND_COUNT; role++)
        free(p->op.operands[role].values);
    free(p->image);
    free(p->packed);
    free(p->map);
}

/* ---- running it through its row -------------------------------------------------------------- */

typedef void spoil_function(struct operation *op, struct portion *portion);

/* Computes the block's planes and rows of the map. `spoil` changes the operation and its portion
 * first. */
static void run_block(const struct problem *p, const struct block *block, spoil_function *spoil,
                      void *scratch)
{
    struct operation op = p->op;
    const int64_t line = op.image.rows * op.image.cols;
    const struct region first = op.kind->begin(&op, block->plane, block->row, block->col);
    struct portion portion = {
        .block = *block,
        .image = {p->image + first.plane * line, op.image.cols, 0, op.image.rows, line},
        .map = {p->map + block->plane * op.map.rows * op.map.cols, op.map.cols, 0,
                op.map.rows * op.map.cols},
        .scratch = scratch};
    if (spoil)
        spoil(&op, &portion);
    op.kind->run(&op, &portion, STAGE_ALL);
}

/* Runs in blocks of at most `high` rows of one plane. */
static void run(const struct problem *p, int64_t high, spoil_function *spoil)
{
    const struct method *m = p->op.method;
    const size_t bytes = m->scratch_bytes ? m->scratch_bytes(&p->op, p->op.map.cols) : 0;
    void *scratch = aligned_alloc(64, (bytes + 63) / 64 * 64 + 64);
    assert_non_null(scratch);
    for (int64_t plane = 0; plane < p->op.map.planes; plane++)
        for (int64_t row = 0; row < p->op.map.rows; row += high) {
            const int64_t left = p->op.map.rows - row;
            const struct block block = {.plane = plane,
                                        .planes = 1,
                                        .row = row,
                                        .rows = left < high ? left : high,
                                        .col = 0,
                                        .cols = p->op.map.cols};
            run_block(p, &block, spoil, scratch);
        }
    free(scratch);
}

/* Returns how many outputs of the map the row's oracle does not accept: bit for bit if the row
 * promises exact results. */
static int64_t wrong_outputs(const struct problem *p)
{
    const struct operation *op = &p->op;
    struct expectation *e = malloc((size_t)op->map.cols * sizeof *e);
    int64_t wrong = 0;
    assert_non_null(e);
    const bool exact = op->kind->is_exact(op, true, 9.0);
    for (int64_t plane = 0; plane < op->map.planes; plane++)
        for (int64_t row = 0; row < op->map.rows; row++) {
            const struct region held =
                op->kind->region_needed(op, plane, row, 0, op->map.cols, false);
            const struct block line = {
                .plane = plane, .planes = 1, .row = row, .rows = 1, .cols = op->map.cols};
            op->kind->expect(op, &held, p->image, &line, e);
            const float *has = p->map + (plane * op->map.rows + row) * op->map.cols;
            for (int64_t i = 0; i < op->map.cols; i++) {
                e[i].bound = exact ? 0.0 : e[i].bound;
                wrong += !oracle_accepts(e[i], has[i]);
            }
        }
    free(e);
    return wrong;
}

static int64_t failures(const struct operator_row *kind, const struct conv_case *c,
                        const struct method *m, int64_t high, spoil_function *spoil)
{
    struct problem p = make(kind, c, m);
    memset(p.map, 0xff, (size_t)shape_elements(p.op.map) * sizeof *p.map);
    run(&p, high, spoil);
    const int64_t wrong = wrong_outputs(&p);
    release(&p);
    return wrong;
}

static bool can(const struct operator_row *kind, const struct conv_case *c, const struct method *m)
{
    struct operation op = operation_of(kind, c);
    op.method = m;
    return !m->refuses || !m->refuses(&op);
}

/* ---- tests ----------------------------------------------------------------------------------- */

TEST(every_method_is_the_rows_oracle)
{
    int64_t ran = 0;
    for (size_t r = 0; r < ROWS; r++)
        for (size_t i = 0; i < operator_method_count(rows[r]); i++)
            for (size_t j = 0; j < conv_case_count; j++) {
                const struct method *m = rows[r]->method(i);
                if (!can(rows[r], &conv_cases[j], m) || conv_cases[j].batch > 3)
                    continue;
                for (int64_t high = 2; high < 2000; high *= 500, ran++)
                    if (failures(rows[r], &conv_cases[j], m, high, NULL) > 0)
                        fail_msg("%s %s, %s", rows[r]->name, m->name, conv_cases[j].name);
            }
    assert_true(ran > 100);
}

/* N 2, C 4, 6 x 5, K 6, k 3, s 1, p 0, G 2: outputs 4 x 3. */
static const struct conv_case small = {"small", 2, 4, 6, 5, 6, 3, 1, 0, 2, false};

TEST(shapes_and_limits_are_those_by_hand)
{
    const struct operation data = operation_of(rows[0], &small);
    const struct operation weights = operation_of(rows[1], &small);
    const double d_output = 2 * 6 * 4 * 3, image = 2 * 4 * 6 * 5, bank = 6 * 2 * 9;
    const double all = d_output * 2 * 9; /* each output has all of its terms: no padding */
    const struct need of_data = rows[0]->need(&data, true);
    const struct need of_weights = rows[1]->need(&weights, true);
    assert_int_equal(shape_elements(data.map), (int64_t)image);
    assert_int_equal(data.map.cols, 4 * 5);
    assert_int_equal(weights.map.planes, 6);
    assert_int_equal(weights.map.rows, 1);
    assert_int_equal(weights.map.cols, 2 * 9);
    assert_int_equal(rows[0]->terms(&data), 3 * 9);
    assert_int_equal(rows[1]->terms(&weights), 2 * 4 * 3);
    assert_true(of_data.bytes_read == 4.0 * (d_output + bank));
    assert_true(of_data.bytes_written == 4.0 * image);
    assert_true(of_weights.bytes_read == 4.0 * (d_output + image));
    assert_true(of_weights.bytes_written == 4.0 * bank);
    assert_true(of_data.per_output.multiply_adds == all &&
                of_weights.per_output.multiply_adds == all);
    assert_true(of_data.least.multiply_adds == all / 4 &&
                of_weights.least.multiply_adds == all / 4);
}

/* dX needs no row of the image, dW needs every row of all images. */
TEST(bands_are_those_by_hand)
{
    const struct operation data = operation_of(rows[0], &small);
    const struct operation weights = operation_of(rows[1], &small);
    int64_t first = -1, count = -1;
    rows[0]->rows_needed(&data, 2, 3, &first, &count);
    assert_int_equal(count, 0);
    rows[1]->rows_needed(&weights, 0, 1, &first, &count);
    assert_int_equal(first, 0);
    assert_int_equal(count, 2 * 6);
    assert_int_equal(rows[0]->begin(&data, 1, 4, 7).plane, 1);
    assert_int_equal(rows[0]->begin(&data, 1, 4, 7).row, 4);
    assert_int_equal(rows[1]->begin(&weights, 5, 0, 7).plane, 0);
}

/* Each gradient has the operands that it computes from, and no others. */
TEST(operands_are_those_of_the_formula)
{
    static const enum operand_role roles[ROWS][3] = {
        {OPERAND_WEIGHTS, OPERAND_D_OUTPUT, OPERAND_COUNT}, {OPERAND_D_OUTPUT, OPERAND_COUNT}};
    for (size_t r = 0; r < ROWS; r++) {
        size_t i = 0;
        for (; rows[r]->operands[i]; i++)
            assert_int_equal(rows[r]->operands[i]->role, roles[r][i]);
        assert_int_equal(roles[r][i], OPERAND_COUNT);
    }
    assert_null(operator_operand(&conv_operator, "output-gradient"));
}

/* ---- seeded faults --------------------------------------------------------------------------- */

/* Computes the neighbouring band instead of the requested one; for dW, the neighbouring filter. */
static void wrong_band(struct operation *op, struct portion *portion)
{
    const bool has_rows = op->map.rows > 1;
    const int64_t at = has_rows ? portion->block.row : portion->block.plane;
    const int64_t other = at > 0 ? at - 1 : at + 1;
    if (has_rows) {
        portion->block.row = other;
        portion->map.first_row = other - at;
    } else
        portion->block.plane = other;
}

/* Replaces an operand's values by a copy. The caller's values do not change, for the oracle. */
static float *copy_operand(struct operand *operand)
{
    static float copy[4096];
    assert_true(shape_elements(operand->shape) <= 4096);
    memcpy(copy, operand->values, (size_t)shape_elements(operand->shape) * sizeof *copy);
    operand->values = copy;
    return copy;
}

/* Sets a number to 0: for dX one tap of the last filter, for dW one of the output gradients that a
 * tap is summed over. */
static void missing_tap(struct operation *op, struct portion *portion)
{
    struct operand *operand = &op->operands[op->kind->operands[0]->role];
    float *last = copy_operand(operand) + shape_elements(operand->shape) - 1;
    (void)portion;
    assert_true(*last != 0.0f);
    *last = 0.0f;
    if (op->packed)
        op->method->pack(op, (float *)op->packed);
}

/* Swaps the two images of dY. */
static void operand_swapped(struct operation *op, struct portion *portion)
{
    struct operand *d_output = &op->operands[OPERAND_D_OUTPUT];
    const float *given = d_output->values;
    const int64_t half = shape_elements(d_output->shape) / 2;
    float *swapped = copy_operand(d_output);
    (void)portion;
    assert_int_equal(op->parameters.batch, 2);
    memcpy(swapped, given + half, (size_t)half * sizeof *swapped);
    memcpy(swapped + half, given, (size_t)half * sizeof *swapped);
}

TEST(faults_are_caught)
{
    static const struct {
        const char *name;
        spoil_function *spoil;
    } faults[] = {{"wrong band", wrong_band},
                  {"missing tap", missing_tap},
                  {"operand swapped", operand_swapped}};
    for (size_t r = 0; r < ROWS; r++)
        for (size_t i = 0; i < operator_method_count(rows[r]); i++) {
            const struct method *m = rows[r]->method(i);
            if (!can(rows[r], &small, m))
                continue;
            assert_int_equal(failures(rows[r], &small, m, 2, NULL), 0);
            for (size_t f = 0; f < sizeof faults / sizeof *faults; f++)
                if (failures(rows[r], &small, m, 2, faults[f].spoil) == 0)
                    fail_msg("%s of %s %s was not caught", faults[f].name, rows[r]->name, m->name);
        }
}
