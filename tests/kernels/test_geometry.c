/* Compares the geometry formula with a brute-force count, and the partition with its promises. */
#include "kernels/geometry.h"
#include "kernels/partition.h"
#include "tests/support/unit_test.h"

#include <float.h>
#include <stdlib.h>

/* Counts the positions at which a window is within the padded axis, one by one. */
static int64_t count_positions(int64_t n, int64_t k, int64_t s, int64_t p)
{
    int64_t count = 0;
    for (int64_t begin = -p; begin + k <= n + p; begin += s)
        count++;
    return count;
}

TEST(outputs_match_a_count)
{
    int shapes = 0;
    for (int64_t n = 1; n <= 24; n++)
        for (int64_t k = 1; k <= 12; k++)
            for (int64_t s = 1; s <= 6; s++)
                for (int64_t p = 0; p <= 7; p++, shapes++)
                    assert_int_equal(geometry_outputs(n, k, s, p), count_positions(n, k, s, p));
    assert_true(shapes > 10000);
}

TEST(rows_needed_are_those_of_the_windows)
{
    for (int64_t k = 1; k <= 5; k++)
        for (int64_t s = 1; s <= 6; s++)
            for (int64_t p = 0; p <= 7; p++) {
                struct geometry g = {1, 11, 11, k, s, p, PAD_ZERO, 0, 0};
                if (geometry_complete(&g) != GEOMETRY_OK)
                    continue;
                for (int64_t r = 0; r < g.out_rows; r++)
                    for (int64_t n = 1; r + n <= g.out_rows; n++) {
                        int64_t first, count, low = g.rows, high = -1;
                        for (int64_t row = r * s - p; row < (r + n - 1) * s - p + k; row++)
                            if (row >= 0 && row < g.rows) {
                                low = row < low ? row : low;
                                high = row > high ? row : high;
                            }
                        geometry_rows_needed(&g, r, n, &first, &count);
                        assert_true(first >= 0 && first + count <= g.rows);
                        if (high >= 0) {
                            assert_int_equal(first, low);
                            assert_int_equal(first + count, high + 1);
                        } else {
                            assert_int_equal(count, 0);
                        }
                    }
            }
}

static enum geometry_status complete(int64_t rows, int64_t k, int64_t s, int64_t p,
                                     enum pad_mode mode)
{
    struct geometry g = {1, rows, 8, k, s, p, mode, 0, 0};
    return geometry_complete(&g);
}

TEST(bad_geometry_is_named)
{
    assert_int_equal(complete(8, 2, 2, 0, PAD_ZERO), GEOMETRY_OK);
    assert_int_equal(complete(0, 2, 2, 0, PAD_ZERO), GEOMETRY_BAD_SIZE);
    assert_int_equal(complete(8, 0, 2, 0, PAD_ZERO), GEOMETRY_BAD_KERNEL);
    assert_int_equal(complete(8, 2, 0, 0, PAD_ZERO), GEOMETRY_BAD_STRIDE);
    assert_int_equal(complete(8, 2, 2, -1, PAD_ZERO), GEOMETRY_BAD_PADDING);
    assert_int_equal(complete(8, 2, 2, 2, PAD_IGNORE), GEOMETRY_PAD_TOO_WIDE);
    assert_int_equal(complete(8, 2, 2, 1, PAD_IGNORE), GEOMETRY_OK);
    assert_int_equal(complete(8, 9, 2, 0, PAD_ZERO), GEOMETRY_NO_FIT);
    assert_int_equal(complete(INT64_MAX / 16, 2, 2, 0, PAD_ZERO), GEOMETRY_OVERFLOW);
    assert_int_equal(complete(8, 2, 2, INT64_MAX / 2, PAD_ZERO), GEOMETRY_OVERFLOW);
    assert_int_equal(complete(8, 1, 1, (int64_t)1 << 40, PAD_ZERO), GEOMETRY_OVERFLOW);
    assert_int_equal(geometry_elements((int64_t)1 << 31, (int64_t)1 << 30, 1), -1);
}

TEST(pad_values_are_finite)
{
    const struct geometry zero = {.pad_mode = PAD_ZERO}, ignore = {.pad_mode = PAD_IGNORE};
    assert_true(geometry_pad_value(&zero) == 0.0f);
    assert_true(geometry_pad_value(&ignore) == -FLT_MAX);
}

/* A block of several planes has all of their outputs, and a block of whole planes takes every whole
 * plane that its share has left. */
static void check_planes(const struct partition *d, const struct block *b, const struct share *rest)
{
    const bool whole = b->rows == d->rows && b->cols == d->cols;
    assert_true(b->planes >= 1 && b->plane + b->planes <= d->planes);
    assert_true(b->planes == 1 || (d->whole_planes && whole && b->row == 0));
    if (d->whole_planes && d->strip_cols == 0 && d->strips == 1 && whole)
        assert_true(rest->count < d->rows);
}

/* Every output is in exactly one block, each worker's outputs are contiguous, blocks begin at whole
 * units, counts of units differ by at most one, and no worker is without work. */
static void check_blocks(const struct partition *d, int64_t workers, int64_t widest)
{
    const int64_t rows = d->rows, cols = d->cols;
    int64_t next = 0, fewest = INT64_MAX, most = 0;
    assert_true(d->workers >= 1 && d->workers <= workers);
    for (int64_t w = 0; w < workers; w++) {
        struct share share = partition_share(d, w);
        struct block b;
        if (w < d->workers) {
            fewest = share.count < fewest ? share.count : fewest;
            most = share.count > most ? share.count : most;
            assert_int_equal(partition_output(d, share.first), next);
        } else {
            assert_int_equal(share.count, 0);
        }
        while (partition_next(d, &share, &b)) {
            assert_int_equal((b.plane * rows + b.row) * cols + b.col, next);
            assert_true(b.rows >= 1 && b.cols >= 1 && b.row + b.rows <= rows);
            assert_int_equal(b.row % d->unit_rows, 0);
            assert_true(b.row + b.rows == rows || b.rows % d->unit_rows == 0);
            assert_true(b.cols <= partition_block_cols(d));
            assert_true(widest == 0 || b.cols <= widest);
            assert_true(b.rows == 1 || b.cols == cols);
            check_planes(d, &b, &share);
            next += b.planes * b.rows * b.cols;
        }
    }
    assert_int_equal(next, d->planes * rows * cols);
    assert_int_equal(partition_output(d, d->units), d->planes * rows * cols);
    assert_true(fewest >= 1 && most - fewest <= 1);
}

static void check_partition(int64_t planes, int64_t rows, int64_t cols, int64_t workers,
                            int64_t least, int64_t widest)
{
    struct partition d = partition_make(planes, rows, cols, workers, least, widest);
    check_blocks(&d, workers, widest);
    d.whole_planes = true;
    check_blocks(&d, workers, widest);
}

TEST(every_output_is_assigned_once)
{
    static const int64_t sizes[] = {1, 2, 3, 7, 16, 31};
    static const int64_t counts[] = {1, 2, 3, 7, 16, 64};
    for (int a = 0; a < 6; a++)
        for (int b = 0; b < 6; b++)
            for (int c = 0; c < 6; c++)
                for (int w = 0; w < 6; w++) {
                    check_partition(sizes[a], sizes[b], sizes[c] * 5, counts[w], 1, 0);
                    check_partition(sizes[a], sizes[b], sizes[c] * 5, counts[w], 32, 0);
                    check_partition(sizes[a], sizes[b], sizes[c] * 5, counts[w], 1, 8);
                }
    check_partition(1, 1, 100000, 16, 1, 4096);
}

/* Every output is in exactly one block of whole strips, and a share has as many outputs as the
 * range that stands for it. */
static void check_strips(int64_t planes, int64_t rows, int64_t cols, int64_t workers, int64_t strip,
                         bool whole_planes)
{
    struct partition d = partition_make_columns(planes, rows, cols, workers, 1, strip);
    int *assigned = calloc((size_t)(planes * rows * cols), sizeof *assigned);
    assert_non_null(assigned);
    d.whole_planes = whole_planes;
    for (int64_t w = 0; w < workers; w++) {
        struct share share = partition_share(&d, w);
        const int64_t first = partition_output(&d, share.first);
        const int64_t end = partition_output(&d, share.first + share.count);
        int64_t outputs = 0;
        struct block b;
        while (partition_next(&d, &share, &b)) {
            check_planes(&d, &b, &share);
            assert_true(b.row == 0 && b.rows == rows && b.col % strip == 0);
            assert_true(b.cols >= 1 && b.col + b.cols <= cols &&
                        b.cols <= partition_block_cols(&d));
            outputs += b.planes * b.rows * b.cols;
            for (int64_t line = b.plane * rows; line < (b.plane + b.planes) * rows; line++)
                for (int64_t c = b.col; c < b.col + b.cols; c++)
                    assigned[line * cols + c]++;
        }
        assert_int_equal(end - first, outputs);
    }
    for (int64_t i = 0; i < planes * rows * cols; i++)
        assert_int_equal(assigned[i], 1);
    assert_int_equal(partition_output(&d, d.units), planes * rows * cols);
    free(assigned);
}

TEST(strips_of_all_rows_are_assigned_once)
{
    static const int64_t counts[] = {1, 2, 3, 7, 64};
    for (int64_t planes = 1; planes <= 3; planes++)
        for (int64_t cols = 1; cols <= 31; cols += 5)
            for (int64_t strip = 1; strip <= 33; strip += 4)
                for (int w = 0; w < 5; w++) {
                    check_strips(planes, 3, cols, counts[w], strip, false);
                    check_strips(planes, 3, cols, counts[w], strip, true);
                }
    assert_int_equal(partition_make_columns(1, 7, 512, 2, 1 << 20, 32).workers, 1);
}

/* One worker takes all planes in one call; of three planes, two workers share the middle one. */
TEST(whole_planes_are_assigned_together)
{
    struct block b;
    struct partition d = partition_make(5, 4, 8, 1, 1, 0);
    d.whole_planes = true;
    struct share share = partition_share(&d, 0);
    assert_true(partition_next(&d, &share, &b) && b.planes == 5);
    assert_false(partition_next(&d, &share, &b));
    d = partition_make(3, 4, 8, 2, 1, 0);
    d.whole_planes = true;
    share = partition_share(&d, 1);
    assert_true(partition_next(&d, &share, &b) && b.plane == 1 && b.row == 2 && b.planes == 1);
    assert_true(partition_next(&d, &share, &b) && b.plane == 2 && b.rows == 4 && b.planes == 1);
    assert_false(partition_next(&d, &share, &b));
}

/* Units of several rows: as many workers as there are units. */
static void check_rows(int64_t planes, int64_t rows, int64_t workers, int64_t unit, bool whole)
{
    struct partition d = partition_make_rows(planes, rows, 3, workers, 1, unit);
    const int64_t units = planes * ((rows + unit - 1) / unit);
    d.whole_planes = whole;
    assert_int_equal(d.workers, workers < units ? workers : units);
    assert_int_equal(d.unit_rows, unit);
    assert_int_equal(partition_block_cols(&d), 3);
    check_blocks(&d, workers, 0);
}

TEST(rows_computed_together_have_one_worker)
{
    for (int64_t planes = 1; planes <= 3; planes++)
        for (int64_t rows = 1; rows <= 17; rows++)
            for (int64_t workers = 1; workers <= 7; workers++)
                for (int64_t unit = 1; unit <= 5; unit++) {
                    check_rows(planes, rows, workers, unit, false);
                    check_rows(planes, rows, workers, unit, true);
                }
}

TEST(one_row_images_spread)
{
    assert_int_equal(partition_make(1, 1, 1 << 20, 16, 1, 0).workers, 16);
    assert_int_equal(partition_make(64, 2, 2, 16, 1, 0).workers, 16);
    assert_int_equal(partition_make(1, 8, 8, 16, 64, 0).workers, 1);
}
