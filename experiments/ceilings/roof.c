#include "experiments/ceilings/roof.h"

#include "kernels/geometry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- one axis of the image -------------------------------------------------------------------
 */

static double outputs(int64_t n, const struct record *r)
{
    return (double)geometry_outputs(n, r->kernel, r->stride, r->padding);
}

/* Cells that the windows touch, at the least: those of the windows, less what lies in the padding
 * before the first cell and behind the last. */
static double cells_touched(int64_t n, const struct record *r)
{
    const double step = (double)(r->stride < r->kernel ? r->stride : r->kernel);
    const double span = (outputs(n, r) - 1.0) * step + (double)r->kernel;
    const double end = (outputs(n, r) - 1.0) * (double)r->stride + (double)(r->kernel - r->padding);
    return fmax(0.0, span - (double)r->padding - fmax(0.0, end - (double)n));
}

/* Windows that lie inside the image and share no cells: every ceil(k / s)-th one, from the first
 * that begins inside. */
static double windows_apart(int64_t n, const struct record *r)
{
    const int64_t step = (r->kernel + r->stride - 1) / r->stride * r->stride;
    const int64_t first = (r->stride - r->padding % r->stride) % r->stride;
    return n - first < r->kernel ? 0.0 : (double)geometry_outputs(n - first, r->kernel, step, 0);
}

/* ---- needs ---------------------------------------------------------------------------------- */

static struct need need_of_matmul(const struct record *r)
{
    const double rows = record_number(r->rows), cols = record_number(r->cols);
    const struct arithmetic work = {rows * cols * cols, 0.0};
    return (struct need){4.0 * cols * (rows + cols), 4.0 * rows * cols, work, work};
}

static struct arithmetic product_once(const struct record *r, double planes)
{
    const double k = (double)r->kernel;
    const double row_products = planes * cells_touched(r->rows, r) * outputs(r->cols, r);
    const double columns = planes * windows_apart(r->rows, r) * outputs(r->cols, r);
    return (struct arithmetic){k * k * row_products,
                               (k - 1.0) * row_products + (k - 1.0) * columns};
}

static struct need need_of_pooling(const struct record *r, bool product)
{
    const double planes = record_count(r->planes), k = (double)r->kernel;
    const double windows = planes * outputs(r->rows, r) * outputs(r->cols, r);
    const double apart = planes * windows_apart(r->rows, r) * windows_apart(r->cols, r);
    struct need n = {.bytes_read =
                         4.0 * planes * cells_touched(r->rows, r) * cells_touched(r->cols, r),
                     .bytes_written = 4.0 * windows,
                     .least = {0.0, apart * (k * k - 1.0)},
                     .apart = {0.0, windows * (k * k - 1.0)}};
    if (product) {
        n.least = product_once(r, planes);
        n.apart.multiply_adds = windows * k * k * k;
    }
    return n;
}

static bool has_shape(const struct record *r)
{
    return r->rows != RECORD_NO_INT && r->cols != RECORD_NO_INT && r->kernel >= 1 &&
           r->stride >= 1 && r->padding >= 0;
}

struct need need_of(const struct record *r, bool product)
{
    if (strcmp(r->operator_name, "matmul") == 0)
        return need_of_matmul(r);
    if (has_shape(r))
        return need_of_pooling(r, product);
    return (struct need){NAN, NAN, {NAN, NAN}, {NAN, NAN}};
}

double need_bytes(const struct need *n)
{
    return n->bytes_read + n->bytes_written;
}

double arithmetic_operations(const struct arithmetic *a)
{
    return 2.0 * a->multiply_adds + a->maxima;
}

/* ---- roofs ---------------------------------------------------------------------------------- */

static double arithmetic_s(const struct ceilings *c, const struct arithmetic *a, double workers,
                           const char *isa, enum rate_end end)
{
    return least_arithmetic_s(c, a->multiply_adds, a->maxima, workers, isa, end);
}

/* The longer of both; unknown where the arithmetic is. */
static double longer(double traffic_s, double arithmetic_s)
{
    return isnan(arithmetic_s) ? (double)NAN : fmax(traffic_s, arithmetic_s);
}

struct roof roof_of(const struct ceilings *c, const struct need *need, double workers,
                    const char *isa)
{
    struct roof roof = {"", NAN, NAN, NAN, NAN, NAN};
    const double bytes = need_bytes(need), write_share = need->bytes_written / bytes;
    const double bandwidth =
        bytes > 0.0 ? rates_bandwidth(c, bytes, workers, write_share, RATE_VALUE) : (double)NAN;
    if (isnan(bandwidth))
        return roof;
    snprintf(roof.level, sizeof roof.level, "%s", rates_level(c, bytes, workers));
    roof.traffic_s = bytes / bandwidth;
    roof.arithmetic_s = arithmetic_s(c, &need->least, workers, isa, RATE_VALUE);
    roof.seconds = longer(roof.traffic_s, roof.arithmetic_s);
    roof.apart_s = longer(roof.traffic_s, arithmetic_s(c, &need->apart, workers, isa, RATE_VALUE));
    roof.least_s = fmax(least_traffic_s(c, bytes, workers, write_share),
                        arithmetic_s(c, &need->least, workers, isa, RATE_UPPER));
    return roof;
}
