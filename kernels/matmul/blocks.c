#include "kernels/matmul/blocks.h"

#include "kernels/min_max.h"

enum { UNKNOWN_1 = 32 << 10, UNKNOWN_2 = 1 << 20, UNKNOWN_3 = 32 << 20 };
enum { MOST_TERMS = 512, LEAST_ROWS = 60, MOST_ROWS = 1020, LEAST_COLS = 512, MOST_COLS = 4096 };

static int64_t known(int64_t bytes, int64_t otherwise)
{
    return bytes > 0 ? bytes : otherwise;
}

/* The largest multiple of `step` units, `each` bytes per unit, that fits into `bytes`, but at least
 * `least` and at most `most`. */
static int64_t fitting(int64_t bytes, int64_t each, int64_t step, int64_t least, int64_t most)
{
    const int64_t count = bytes / each / step * step;
    return smaller(larger(count, least), most);
}

struct packed_blocks packed_blocks_for(const struct caches *caches)
{
    const int64_t first = known(caches->bytes[1], UNKNOWN_1);
    const int64_t second = known(caches->bytes[2], UNKNOWN_2);
    const int64_t third = known(caches->bytes[3], UNKNOWN_3);
    const int64_t number = (int64_t)sizeof(float);
    struct packed_blocks b;
    b.terms = fitting(2 * first, PACKED_COLS_STEP * number, 1, PACKED_LEAST_TERMS, MOST_TERMS);
    b.rows = fitting(second / 2, b.terms * number, PACKED_ROWS_STEP, LEAST_ROWS, MOST_ROWS);
    b.cols = fitting(third / 4, b.terms * number, PACKED_COLS_STEP, LEAST_COLS, MOST_COLS);
    return b;
}

bool packed_next_part(struct range all, int64_t most, int64_t step, struct range *part)
{
    const int64_t begin = part->first + part->count, left = all.first + all.count - begin;
    if (left <= 0)
        return false;
    const int64_t parts = (left + most - 1) / most, even = (left + parts - 1) / parts;
    *part = (struct range){begin, smaller((even + step - 1) / step * step, left)};
    return true;
}

size_t packed_blocks_bytes(const struct packed_blocks *blocks, int64_t inner, int64_t cols)
{
    const int64_t steps = (smaller(cols, blocks->cols) + PACKED_COLS_STEP - 1) / PACKED_COLS_STEP;
    const int64_t terms = smaller(inner, blocks->terms);
    return (size_t)(blocks->rows * blocks->terms + terms * steps * PACKED_COLS_STEP) *
           sizeof(float);
}
