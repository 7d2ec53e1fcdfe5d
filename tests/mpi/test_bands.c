/* The partition and its halo, compared with a count of single lines that uses only the geometry. */
#include "kernels/min_max.h"
#include "mpi/bands.h"
#include "tests/support/cases.h"
#include "tests/support/unit_test.h"

enum { MOST_RANKS = 20 };

static struct operation pooling(const struct pool_case *c)
{
    struct operation op = {.kind = &maxpool_operator, .geometry = case_geometry(c)};
    op.image = (struct image_shape){c->planes, c->rows, c->cols};
    op.map = (struct image_shape){c->planes, op.geometry.out_rows, op.geometry.out_cols};
    return op;
}

/* The bands of all ranks, in units of some rows of a plane. */
struct bands {
    struct operation op;
    struct band all[MOST_RANKS];
    int ranks;
    int64_t unit;
};

/* Calls `check` for every case and number of ranks, with units of one row and of several. */
static void for_all(void (*check)(const struct bands *b))
{
    struct bands b;
    for (size_t i = 0; i < pool_case_count; i++)
        for (b.ranks = 1; b.ranks <= MOST_RANKS; b.ranks++)
            for (b.unit = 1; b.unit <= 4; b.unit += 3) {
                b.op = pooling(&pool_cases[i]);
                bands_make(&b.op, b.ranks, b.unit, b.all);
                check(&b);
            }
}

static int64_t units_of(const struct bands *b, struct lines lines)
{
    const struct partition d = bands_partition(&b->op, b->ranks, b->unit);
    const struct share units = units_of_lines(&d, lines);
    const struct lines back = lines_of_units(&d, units);
    assert_true(back.first == lines.first && back.count == lines.count);
    return units.count;
}

/* A band begins at the first row of a unit, and bands differ by one unit at most. */
static void check_partition(const struct bands *b)
{
    const int64_t rows = b->op.map.rows, of_plane = (rows + b->unit - 1) / b->unit;
    const int64_t units = b->op.map.planes * of_plane;
    int64_t next = 0;
    for (int r = 0; r < b->ranks; r++) {
        const struct lines map = b->all[r].map;
        assert_int_equal(map.first, next);
        assert_int_equal(map.first % rows % b->unit, 0);
        assert_in_range(units_of(b, map), units / b->ranks, (units + b->ranks - 1) / b->ranks);
        next += map.count;
    }
    assert_int_equal(next, b->op.map.planes * rows);
}

TEST(bands_part_the_map)
{
    for_all(check_partition);
}

/* True if a window of map line `line` reads image line `element`. */
static bool reads(const struct operation *op, int64_t line, int64_t element)
{
    const struct geometry *g = &op->geometry;
    if (line / g->out_rows != element / g->rows)
        return false;
    const int64_t top = line % g->out_rows * g->stride - g->padding;
    return element % g->rows >= top && element % g->rows < top + g->kernel;
}

static bool holds(struct lines l, int64_t line)
{
    return line >= l.first && line < l.first + l.count;
}

/* Checks that the band holds what the line reads, and returns whether it reads only own lines. */
static bool is_own(const struct operation *op, const struct band *b, int64_t line)
{
    const int64_t elements = op->image.planes * op->image.rows;
    bool own = true;
    for (int64_t element = 0; element < elements; element++) {
        const bool read = reads(op, line, element);
        assert_true(!read || holds(b->own, element) != holds(b->halo, element));
        own = own && (!read || holds(b->own, element));
    }
    return own;
}

/* A band holds whatever it reads, in its own lines or in the halo, and not in both. The interior is
 * the longest run of units that reads only own lines: of the unit after it, some line reads
 * another. */
static void check_halo(const struct bands *all)
{
    for (int r = 0; r < all->ranks; r++) {
        const struct band *b = &all->all[r];
        const int64_t rows = all->op.map.rows, end = lines_end(b->interior);
        const int64_t next = smaller(end + all->unit, (end / rows + 1) * rows);
        bool others = end == lines_end(b->map);
        assert_int_equal(b->own.count + b->halo.count, b->image.count);
        assert_int_equal(b->own.first, b->image.first);
        assert_int_equal(b->interior.first, b->map.first);
        units_of(all, b->interior);
        for (int64_t line = b->map.first; line < lines_end(b->map); line++) {
            const bool own = is_own(&all->op, b, line);
            assert_true(!holds(b->interior, line) || own);
            others = others || (line >= end && line < next && !own);
        }
        assert_true(others);
    }
}

TEST(bands_hold_what_they_read)
{
    for_all(check_halo);
}

/* A band holds no more than needed: if it reads anything, its first and last lines are read. */
static void check_ends(const struct bands *all)
{
    const struct operation *op = &all->op;
    for (int r = 0; r < all->ranks; r++) {
        const struct band *b = &all->all[r];
        bool first = b->image.count == 0, last = first;
        for (int64_t line = b->map.first; line < lines_end(b->map); line++) {
            first = first || reads(op, line, b->image.first);
            last = last || reads(op, line, lines_end(b->image) - 1);
        }
        assert_true(op->geometry.padding > 0 || (first && last));
    }
}

TEST(bands_hold_no_more)
{
    for_all(check_ends);
}

/* Every halo line is made by exactly one rank, a later one, and no line by two ranks. */
static void check_exchange(const struct bands *all)
{
    const struct band *bands = all->all;
    for (int to = 0; to < all->ranks; to++) {
        int64_t received = 0;
        for (int from = 0; from < all->ranks; from++) {
            const struct lines sent = bands_halo_from(bands, from, to);
            assert_true(sent.count == 0 || from > to);
            received += sent.count;
            if (from != to)
                assert_int_equal(lines_common(bands[from].own, bands[to].own).count, 0);
        }
        assert_int_equal(received, bands[to].halo.count);
    }
}

TEST(every_halo_line_has_one_sender)
{
    for_all(check_exchange);
}

/* A kernel of 7 rows over bands of one row: six ranks have the halo of 6 lines. */
TEST(a_halo_may_span_several_ranks)
{
    struct band bands[10];
    const struct pool_case c = {"", 1, 16, 8, 7, 1, 0, PAD_ZERO, false};
    const struct operation op = pooling(&c);
    bands_make(&op, 10, 1, bands);
    assert_int_equal(bands[0].own.count, 1);
    assert_int_equal(bands[0].halo.count, 6);
    for (int from = 1; from <= 6; from++)
        assert_int_equal(bands_halo_from(bands, from, 0).count, 1);
    assert_int_equal(bands_halo_from(bands, 7, 0).count, 0);
    assert_int_equal(bands[9].own.count, 7);
}

TEST(no_ranks_for_no_lines)
{
    struct band bands[6];
    const struct pool_case c = {"", 1, 6, 8, 3, 3, 0, PAD_ZERO, false};
    const struct operation op = pooling(&c);
    bands_make(&op, 6, 1, bands);
    for (int r = 2; r < 6; r++)
        assert_int_equal(bands[r].map.count + bands[r].image.count, 0);
}

/* A view of part of a plane returns rows by their global number. */
TEST(views_know_global_rows)
{
    static const float elements[20 * 3];
    const struct image_shape shape = {4, 7, 3};
    const struct lines held = {5, 15}; /* rows 5, 6 of plane 0, planes 1 and 2 up to row 5 */
    for (int64_t line = 5; line < 20; line++) {
        const struct view v = lines_view(elements, held, shape, line / 7);
        assert_ptr_equal(view_row(&v, line % 7), elements + (line - 5) * 3);
        assert_in_range(line % 7, v.first_row, v.first_row + v.rows - 1);
        assert_int_equal(v.plane_stride, 7 * 3);
    }
    assert_int_equal(lines_view(elements, held, shape, 3).rows, 0);
}

/* Lines 2 .. 18 of planes of 4 rows: the rest of one plane, whole planes, the first rows of the
 * last. */
TEST(lines_fall_into_blocks)
{
    static const struct block expected[2][5] = {
        {{0, 2, 2, 0, 9, 1},
         {1, 0, 4, 0, 9, 1},
         {2, 0, 4, 0, 9, 1},
         {3, 0, 4, 0, 9, 1},
         {4, 0, 3, 0, 9, 1}},
        {{0, 2, 2, 0, 9, 1}, {1, 0, 4, 0, 9, 3}, {4, 0, 3, 0, 9, 1}}};
    for (int whole = 0; whole < 2; whole++) {
        struct lines lines = {2, 17};
        struct block b = {.cols = 9};
        for (int i = 0; i < (whole ? 3 : 5); i++) {
            const struct block *e = &expected[whole][i];
            assert_true(lines_next_block(&lines, 4, whole == 1, &b));
            assert_true(b.plane == e->plane && b.row == e->row && b.rows == e->rows &&
                        b.planes == e->planes && b.cols == 9);
        }
        assert_false(lines_next_block(&lines, 4, whole == 1, &b));
    }
}
