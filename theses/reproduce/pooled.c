#include "theses/reproduce/pooled.h"

#include "harness/image/image.h"
#include "theses/reproduce/run_operator.h"

#include <string.h>

/* The image of the tesina's figures 1 and 2, row by row: its windows are 9 5 / 3 1, 2 7 / 3 4,
 * 2 6 / 8 3 and 5 9 / 7 4. */
enum { WORKED_SIDE = 4 };
static const float worked[WORKED_SIDE * WORKED_SIDE] = {9, 5, 2, 7, 3, 1, 3, 4,
                                                        2, 6, 5, 9, 8, 3, 7, 4};

/* The tesina's own seed and largest element (appendix D); our generator is another one. */
enum { SEED = 35, LARGEST = 9 };

static void take_image(struct pooled *p)
{
    if (p->n == WORKED_SIDE)
        memcpy(p->image, worked, sizeof worked);
    else
        random_elements(SEED, LARGEST, 0, p->n * p->n, p->image);
}

enum status pooled_make(struct pooled *out, int64_t n, int64_t kernel, int64_t stride,
                        int64_t padding, struct failure *f)
{
    struct operation op = {.kind = &maxpool_operator,
                           .parameters = {.kernel = kernel,
                                          .stride = stride,
                                          .padding = padding,
                                          .pad_mode = PAD_ZERO},
                           .image = {1, n, n}};
    *out = (struct pooled){.n = n, .kernel = kernel, .stride = stride, .padding = padding};
    if (n < 1 || n > POOLED_SIDE)
        return fail(f, STATUS_USAGE, "known answer: an image of side %lld is not from 1 to %d",
                    (long long)n, (int)POOLED_SIDE);
    take_image(out);
    const enum status status =
        run_operator(&op, out->image, out->map, POOLED_SIDE * POOLED_SIDE, f);
    out->side = op.map.rows;
    return status;
}
