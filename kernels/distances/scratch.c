/* The scratch of the methods of distances, and their error bound. */
#include "kernels/distances/distances.h"
#include "kernels/distances/panels.h"
#include "kernels/geometry.h"

#include <math.h>

static size_t bytes_of(int64_t points, int64_t dimensions)
{
    const int64_t floats = geometry_elements(points, dimensions, 1);
    return floats < 0 ? SIZE_MAX : (size_t)floats * sizeof(float);
}

size_t distances_blocked_scratch(int64_t dimensions)
{
    return bytes_of(panel_rows(dimensions) + PANEL_COLS, dimensions);
}

size_t distances_gram_scratch(int64_t dimensions)
{
    if (dimensions > INT64_MAX - 1)
        return SIZE_MAX;
    const int64_t points = panel_rows(dimensions) + PANEL_COLS;
    return bytes_of(points, dimensions + 1); /* one more for the squares |x|^2, |y|^2 */
}

static double relative_error(double operations)
{
    const double u = 0x1p-24;
    return operations * u < 1.0 ? operations * u / (1.0 - operations * u) : INFINITY;
}

double distances_cancellation(int64_t dimensions)
{
    return relative_error((double)dimensions + 2.0);
}

double distances_relative_bound(int64_t dimensions)
{
    const double wanted = 1e-5;
    return fmax(wanted, relative_error((double)dimensions + 3.0));
}
