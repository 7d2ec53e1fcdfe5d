#include "harness/point/nearest.h"

#include <inttypes.h>

struct image_shape nearest_shape(const struct operation *op, int64_t nearest)
{
    return (struct image_shape){2, op->map.rows, nearest};
}

enum status nearest_check(const struct operation *op, int64_t nearest, struct failure *f)
{
    const int64_t numbered = 1 << 24; /* integers that float32 represents */
    const int64_t others = op->map.cols - operation_right(op)->itself;
    if (nearest > others)
        return fail(f, STATUS_USAGE,
                    "--nearest %" PRId64 ": each point is compared with %" PRId64 " others",
                    nearest, others);
    if (op->map.cols > numbered)
        return fail(f, STATUS_USAGE, "--nearest numbers at most %" PRId64 " points, not %" PRId64,
                    numbered, op->map.cols);
    return STATUS_OK;
}

/* Inserts a value into `count` ascending ones; it must be smaller than the last, which is
 * dropped. */
static void insert(float *columns, float *values, int64_t count, int64_t column, float value)
{
    int64_t at = count - 1;
    for (; at > 0 && value < values[at - 1]; at--) {
        values[at] = values[at - 1];
        columns[at] = columns[at - 1];
    }
    values[at] = value;
    columns[at] = (float)column;
}

void nearest_find(const struct operation *op, const float *map, int64_t nearest, float *out)
{
    const int64_t rows = op->map.rows, cols = op->map.cols;
    for (int64_t row = 0; row < rows; row++, map += cols) {
        float *columns = out + row * nearest, *values = columns + rows * nearest;
        int64_t kept = 0;
        for (int64_t col = 0; col < cols; col++) {
            if (operation_right(op)->itself && col == row)
                continue;
            if (kept < nearest)
                insert(columns, values, ++kept, col, map[col]);
            else if (map[col] < values[nearest - 1])
                insert(columns, values, nearest, col, map[col]);
        }
    }
}
