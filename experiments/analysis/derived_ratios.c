#include "experiments/analysis/derived.h"

#include "experiments/analysis/palette.h"

#include <math.h>
#include <string.h>

enum { TEXT_SIZE = 256 };

struct ratio_row {
    char experiment[TEXT_SIZE], shape[TEXT_SIZE], op[TEXT_SIZE], peer[TEXT_SIZE];
    char peer_space[TEXT_SIZE], method[TEXT_SIZE], space[TEXT_SIZE], step[TEXT_SIZE];
    char status[TEXT_SIZE];
    double named, fastest, workers, planes, rows, cols, kernel, stride, padding;
    double place, colour; /* of the peer */
    double peer_s, ours_s, ratio, lower, upper, pairs, methods;
};

#define TEXT(name, field)                                                                          \
    {                                                                                              \
        name, COLUMN_TEXT, offsetof(struct ratio_row, field), TEXT_SIZE, ""                        \
    }
#define REAL(field)                                                                                \
    {                                                                                              \
#field, COLUMN_REAL, offsetof(struct ratio_row, field), sizeof(double), ""                 \
    }

static const struct column columns[] = {
    TEXT("experiment", experiment),
    TEXT("shape", shape),
    TEXT("operator", op),
    TEXT("peer", peer),
    TEXT("peer_space", peer_space),
    TEXT("method", method),
    TEXT("space", space),
    TEXT("step", step), /* the stride, "k" where it is the kernel size */
    TEXT("status", status),
    REAL(named),   /* 1: the definition names the shape */
    REAL(fastest), /* 1: no other peer of this problem and these workers is faster */
    REAL(workers),
    REAL(planes),
    REAL(rows),
    REAL(cols),
    REAL(kernel),
    REAL(stride),
    REAL(padding),
    REAL(place),
    REAL(colour),
    REAL(peer_s),
    REAL(ours_s),
    REAL(ratio),
    REAL(lower),
    REAL(upper),
    REAL(pairs),   /* rounds within which both were compared; 0: launches of both resampled */
    REAL(methods), /* of ours that were measured there: `method` is the fastest of them */
};
static const struct schema schema = {columns, sizeof columns / sizeof *columns,
                                     sizeof(struct ratio_row)};

static void copy(char to[TEXT_SIZE], const char *from)
{
    snprintf(to, TEXT_SIZE, "%s", from);
}

static void fill_problem(struct ratio_row *row, const struct record *r)
{
    copy(row->op, r->operator_name);
    row->planes = record_number(r->planes);
    row->rows = record_number(r->rows);
    row->cols = record_number(r->cols);
    row->kernel = record_number(r->kernel);
    row->stride = record_number(r->stride);
    row->padding = record_number(r->padding);
    if (r->stride == r->kernel && r->kernel > 0)
        copy(row->step, "k");
    else if (r->stride > 0)
        snprintf(row->step, sizeof row->step, "%lld", (long long)r->stride);
}

static void write_ratio(FILE *stream, const struct analysis *a, const struct ratio *ratio)
{
    const struct point *peer = &a->points[ratio->peer], *ours = &a->points[ratio->ours];
    struct ratio_row row;
    table_blank(&schema, &row);
    fill_problem(&row, &peer->samples->identity);
    copy(row.experiment, a->name);
    copy(row.shape, ratio->shape);
    copy(row.peer, peer->samples->identity.method);
    copy(row.peer_space, peer->samples->identity.space);
    copy(row.method, ours->samples->identity.method);
    copy(row.space, ours->samples->identity.space);
    copy(row.status, trust_names[ratio->trust]);
    row.named = ratio->named;
    row.fastest = ratio->fastest;
    row.workers = peer->workers;
    row.place = (double)palette_place(peer);
    row.colour = palette_colour(peer);
    row.peer_s = peer->seconds[METRIC_TOTAL].value;
    row.ours_s = ours->seconds[METRIC_TOTAL].value;
    row.ratio = ratio->value;
    row.lower = isfinite(ratio->interval.lower) ? ratio->interval.lower : (double)NAN;
    row.upper = isfinite(ratio->interval.upper) ? ratio->interval.upper : (double)NAN;
    row.pairs = (double)ratio->pairs;
    row.methods = (double)ratio->methods;
    table_print(&schema, stream, &row);
}

void derived_write_ratios(FILE *stream, const struct analysis *a)
{
    table_print_header(&schema, stream);
    for (size_t i = 0; i < a->ratio_count; i++)
        write_ratio(stream, a, &a->ratios[i]);
}
