/* Takes a few comparisons per output, whatever k is (van Herk 1992; Gil & Werman 1993). Rows are
 * cut into blocks of k. A window that begins in one block and ends in the next consists of the end
 * of the first and the beginning of the second. The maxima from each row to its block's end
 * (suffixes) and from the block's beginning to each row (prefixes) cost one comparison each,
 * combining them another. The same is done along the row.
 *
 * The plain loops here show the idea; they run if no vector instruction set is known (LANES is 1).
 * With vectors, blocks are a few rows, whose maxima stay in registers (maxima/blocks_of_rows.h),
 * with bit-identical results. */
#include "kernels/isa.h"
#include "kernels/maxpool/maxima/blocks_of_rows.h"
#include "kernels/maxpool/maxpool.h"

/* Rows of the scratch. */
enum { PADDING_ROW, PREFIX_ROW, LINE_ROW, ALONG_ROW, KEPT_ROWS };

/* Computes the outputs of a row from `line`, the maxima down the columns; overwrites the line with
 * its suffixes. */
static void plain_along(const struct strip *p, float *line, float *prefix, float *out)
{
    const int64_t k = p->kernel;
    for (int64_t i = 0; i < p->elements; i++)
        prefix[i] = i % k == 0 ? line[i] : larger_of(line[i], prefix[i - 1]);
    for (int64_t i = p->elements - 2; i >= 0; i--)
        line[i] = i % k == k - 1 ? line[i] : larger_of(line[i], line[i + 1]);
    for (int64_t i = 0; i < p->outputs; i++)
        out[i] = larger_of(line[i * p->stride], prefix[i * p->stride + k - 1]);
}

/* Adds the next row of a block to the prefix, and stores it in the slot of a suffix whose window
 * has ended. */
static void plain_row(const struct strip *p, int64_t row, float *kept, float *prefix)
{
    for (int64_t i = 0; i < p->elements; i++) {
        kept[i] = strip_element(p, row, i);
        prefix[i] = row % p->kernel == 0 ? kept[i] : larger_of(kept[i], prefix[i]);
    }
}

/* Stores the maxima of two rows. */
static void plain_join(const struct strip *p, const float *a, const float *b, float *out)
{
    for (int64_t i = 0; i < p->elements; i++)
        out[i] = larger_of(a[i], b[i]);
}

static void plain_strip(const struct strip *p, struct maxima_room room, void *scratch)
{
    const int64_t k = p->kernel;
    float *prefix = room_row(room, scratch, PREFIX_ROW), *line = room_row(room, scratch, LINE_ROW);
    for (int64_t row = 0; row < p->rows; row++) {
        const int64_t begun = row - k + 1, last = row % k;
        plain_row(p, row, room_row(room, scratch, KEPT_ROWS + last), prefix);
        for (int64_t r = k - 2; last == k - 1 && r >= 0; r--) { /* the block is complete */
            float *above = room_row(room, scratch, KEPT_ROWS + r);
            plain_join(p, above, above + room.pitch, above);
        }
        if (begun < 0 || begun % p->stride != 0)
            continue;
        plain_join(p, room_row(room, scratch, KEPT_ROWS + (row + 1) % k), prefix, line);
        plain_along(p, line, room_row(room, scratch, ALONG_ROW),
                    map_row(&p->call->map, p->call->block.row + begun / p->stride) + p->col);
    }
}

static void plain_block(const struct maxpool_call *call, void *scratch)
{
    const struct maxima_room room =
        maxima_room(call->geometry, call->block.cols, maxpool_van_herk_kept(call->geometry));
    for (int64_t c = 0; c < call->block.cols; c += room.outputs) {
        const struct strip p = strip_make(call, room, c, room_row(room, scratch, PADDING_ROW));
        plain_strip(&p, room, scratch);
    }
}

void ISA_FUNCTION(maxpool_van_herk)(const struct maxpool_call *call, void *scratch)
{
    if (LANES > 1)
        pool_by_blocks(call, scratch);
    else if (call->geometry->stride < call->geometry->kernel)
        plain_block(call, scratch);
    else /* no two windows share an element */
        maxpool_direct(call, scratch);
}
