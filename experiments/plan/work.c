#include "experiments/plan/work.h"

#include "harness/machine/memory.h"
#include "kernels/methods.h"

#include <string.h>

bool work_is_pooling(const struct record *p)
{
    return strcmp(p->operator_name, "matmul") != 0;
}

bool work_has_sizes(const struct record *p)
{
    return p->rows != RECORD_NO_INT && p->cols != RECORD_NO_INT;
}

enum geometry_status work_geometry(const struct record *p, struct geometry *g)
{
    *g = (struct geometry){.planes = p->planes,
                           .rows = p->rows,
                           .cols = p->cols,
                           .kernel = p->kernel,
                           .stride = p->stride,
                           .padding = p->padding,
                           .pad_mode = strcmp(p->pad_mode, "ignore") == 0 ? PAD_IGNORE : PAD_ZERO};
    return geometry_complete(g);
}

/* Bytes of what every program holds: image and map, and for matmul the filter. */
size_t work_bytes(const struct record *p)
{
    const size_t cell = sizeof(float), rows = (size_t)p->rows, cols = (size_t)p->cols;
    size_t image = memory_multiply(cell, memory_multiply(rows, cols));
    struct geometry g;
    if (!work_is_pooling(p))
        return memory_add(memory_multiply(2, image),
                          memory_multiply(cell, memory_multiply(cols, cols)));
    if (work_geometry(p, &g) != GEOMETRY_OK)
        return 0;
    size_t map = memory_multiply(cell, (size_t)g.out_rows * (size_t)g.out_cols);
    return memory_multiply((size_t)p->planes, memory_add(image, map));
}

int64_t work_or_one(int64_t value)
{
    return value == RECORD_NO_INT ? 1 : value;
}

/* Per output: what the method's own table says, and the product of a window for others' methods.
 * Row products that windows share are made once, where the table counts them for each. */
static double operations_per_output(const struct record *p, const struct geometry *g)
{
    const struct maxpool_method *method = maxpool_method_find(SPACE_HOST, p->method);
    const double k = (double)g->kernel, s = (double)g->stride;
    const double cost = method ? method->cost(g) : 2 * k * k * k + k * k;
    return strcmp(p->method, "shared_rows") == 0 && s < k ? cost * s / k : cost;
}

double work_operations(const struct record *p)
{
    struct geometry g;
    if (!work_has_sizes(p))
        return 1e8;
    if (!work_is_pooling(p))
        return 2.0 * (double)p->rows * (double)p->cols * (double)p->cols;
    if (work_geometry(p, &g) != GEOMETRY_OK)
        return 0;
    return (double)g.planes * (double)g.out_rows * (double)g.out_cols *
           operations_per_output(p, &g);
}

double work_oracle_steps(const struct record *p)
{
    struct geometry g;
    if (!work_has_sizes(p))
        return 1e8;
    if (!work_is_pooling(p))
        return (double)p->rows * (double)p->cols *
               (strcmp(p->filter, "identity") == 0 ? 1.0 : (double)p->cols);
    if (work_geometry(p, &g) != GEOMETRY_OK)
        return 0;
    const double k = (double)g.kernel;
    return (double)g.planes * (double)g.out_rows * (double)g.out_cols * k * k *
           (strcmp(p->filter, "identity") == 0 ? 1.0 : k);
}
