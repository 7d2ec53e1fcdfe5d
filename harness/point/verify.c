#include "harness/point/verify.h"

#include "harness/base/digest.h"
#include "harness/machine/memory.h"
#include "kernels/oracle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SEGMENT = 4096,       /* outputs expected at a time */
    BAND_BYTES = 2 << 20, /* of the image held for the oracle at a time, at the least one window */
    DRAWN = 4096,         /* seeded outputs of sampled mode */
    EDGE_OUTPUTS = 1 << 16, /* of an edge row looked at; of a wider row only its two ends */
    EDGE_SHARES = 64,       /* edges between workers looked at */
    TRUSTED = 64            /* maps */
};

static const double full_steps_max = 4e9; /* oracle steps of some nanoseconds: about ten seconds */

/* One output to look at in sampled mode. */
struct probe {
    int64_t index;
    struct expectation expected;
};

struct verifier {
    const struct operation *op;
    struct source *source;
    int64_t first, count;
    enum verify_mode mode;
    bool exact, downgraded;
    uint64_t digest; /* of the expected map */
    /* Bounded: hashes of maps that were compared in full. Methods round differently, so that there
     * is one of each at least; the oldest makes room. */
    uint64_t trusted[TRUSTED];
    size_t trusted_count;
    struct probe *probes;
    size_t probe_count;
};

/* ---- the part of the image that the oracle looks at ---------------------------------------------
 */

/* The cells that it holds, row by row, plane by plane. */
struct band {
    float *data;
    size_t capacity; /* floats */
    struct cells held;
};

static enum status band_reserve(struct band *b, const struct cells *want, struct failure *f)
{
    const size_t rows = memory_multiply((size_t)want->planes, (size_t)want->rows);
    const size_t cells = memory_multiply(rows, (size_t)want->cols);
    if (cells <= b->capacity)
        return STATUS_OK;
    const size_t bytes = memory_multiply(cells, sizeof(float));
    enum status status = memory_check(bytes, "the oracle's part of the image", f);
    float *grown = status == STATUS_OK ? realloc(b->data, bytes) : NULL;
    if (!grown)
        return fail(f, STATUS_RESOURCE, "no memory for the oracle's part of the image");
    b->data = grown;
    b->capacity = cells;
    return STATUS_OK;
}

/* Rows of one plane that the band holds already, moved to where they are wanted. */
static int64_t band_keep(struct band *b, const struct cells *want)
{
    const struct cells *h = &b->held;
    if (h->planes != 1 || want->planes != 1 || h->plane != want->plane || h->col != want->col ||
        h->cols != want->cols || want->row < h->row || want->row >= h->row + h->rows)
        return 0;
    const int64_t rest = h->row + h->rows - want->row;
    const int64_t kept = rest < want->rows ? rest : want->rows;
    memmove(b->data, b->data + (want->row - h->row) * h->cols,
            (size_t)(kept * h->cols) * sizeof(float));
    return kept;
}

/* Makes the band hold the wanted part. Rows it holds already are kept, so that walking down a plane
 * reads each row once and sources are read in order. */
static enum status band_load(struct band *b, struct source *source, const struct cells *want,
                             struct failure *f)
{
    enum status status = band_reserve(b, want, f);
    if (status != STATUS_OK)
        return status;
    const int64_t kept = band_keep(b, want);
    struct image_range missing = {want->plane, want->row + kept, want->rows - kept, want->col,
                                  want->cols};
    float *to = b->data + kept * want->cols;
    for (int64_t i = 0; status == STATUS_OK && i < want->planes; i++, missing.plane++) {
        if (missing.rows > 0 && missing.cols > 0)
            status = source_read(source, &missing, to, want->cols, NULL, f);
        to += want->rows * want->cols;
    }
    b->held = *want;
    return status;
}

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

/* ---- what is right -------------------------------------------------------------------------- */

/* Called with the expectations of the outputs [index, index + count); a false return ends the
 * walk. */
typedef bool expectation_visitor(void *context, int64_t index, int64_t count,
                                 const struct expectation *expected);

/* The oracle's work on one segment of one map row. */
static enum status expect_segment(const struct verifier *v, struct band *band, int64_t index,
                                  int64_t count, struct expectation *out, struct failure *f)
{
    const struct operation *op = v->op;
    const int64_t line = index / op->map.cols, col = index % op->map.cols;
    const int64_t plane = line / op->map.rows, row = line % op->map.rows;
    const struct block outputs = {plane, row, 1, col, count, 1};
    const struct cells want =
        op->kind->cells_needed(op, plane, row, col, count, source_concurrent(v->source));
    enum status status = band_load(band, v->source, &want, f);
    if (status != STATUS_OK)
        return status;
    op->kind->expect(op, &want, band->data, &outputs, out);
    for (int64_t i = 0; v->exact && i < count; i++)
        out[i].bound = 0.0;
    return STATUS_OK;
}

/* Outputs of one map row that the oracle takes at a time. Where a band of whole rows would be
 * large, the map is walked in strips of this width; sources that read in order take whole rows. */
static int64_t strip_width(const struct verifier *v)
{
    const struct operation *op = v->op;
    int64_t width = op->map.cols;
    if (source_concurrent(v->source))
        width = clamp(op->kind->strip(op, BAND_BYTES / (int64_t)sizeof(float)), 1, width);
    return clamp(width, 1, SEGMENT);
}

/* Walks the outputs [first, first + count), segment by segment: down the rows of a strip first, so
 * that the band keeps what the next row shares with this one. */
static enum status walk(const struct verifier *v, int64_t first, int64_t count,
                        expectation_visitor *visit, void *context, struct failure *f)
{
    const int64_t cols = v->op->map.cols, end = first + count;
    const int64_t width = source_concurrent(v->source) ? strip_width(v) : cols;
    const int64_t first_line = first / cols, end_line = (end - 1) / cols + 1;
    struct expectation *out = malloc((size_t)width * sizeof *out);
    struct band band = {0};
    enum status status =
        out ? STATUS_OK : fail(f, STATUS_RESOURCE, "no memory for the oracle's expectations");
    bool going = status == STATUS_OK;
    for (int64_t strip = 0; going && strip < cols; strip += width)
        for (int64_t line = first_line; going && line < end_line; line++) {
            const int64_t from = clamp(line * cols + strip, first, end);
            const int64_t to = clamp(line * cols + clamp(strip + width, 0, cols), first, end);
            if (from >= to)
                continue;
            status = expect_segment(v, &band, from, to - from, out, f);
            going = status == STATUS_OK && visit(context, from, to - from, out);
        }
    free(band.data);
    free(out);
    return status;
}

/* ---- full verification ------------------------------------------------------------------------
 */

static bool add_digests(void *context, int64_t index, int64_t count,
                        const struct expectation *expected)
{
    uint64_t *digest = context;
    for (int64_t i = 0; i < count; i++)
        *digest += digest_value(index + i, (float)expected[i].value);
    return true;
}

struct comparison {
    const struct verifier *v;
    const float *map;
    struct failure *failure;
    bool wrong;
};

static void report_wrong(const struct verifier *v, int64_t index, struct expectation e, float found,
                         struct failure *f)
{
    const struct image_shape map = v->op->map;
    const int64_t line = index / map.cols;
    char allowed[48] = "";
    if (e.bound > 0.0)
        snprintf(allowed, sizeof allowed, ", give or take %.3g,", e.bound);
    fail(f, STATUS_WRONG,
         "wrong result at plane %lld, row %lld, column %lld: %.9g where %.9g%s is right",
         (long long)(line / map.rows), (long long)(line % map.rows), (long long)(index % map.cols),
         (double)found, e.value, allowed);
}

static bool compare_values(void *context, int64_t index, int64_t count,
                           const struct expectation *expected)
{
    struct comparison *c = context;
    const float *found = c->map + (index - c->v->first);
    for (int64_t i = 0; i < count; i++)
        if (!oracle_accepts(expected[i], found[i])) {
            report_wrong(c->v, index + i, expected[i], found[i], c->failure);
            c->wrong = true;
            return false;
        }
    return true;
}

/* Every output against the oracle. */
static enum status compare_in_full(struct verifier *v, const float *map, struct failure *f)
{
    struct comparison c = {.v = v, .map = map, .failure = f};
    const enum status status = walk(v, v->first, v->count, compare_values, &c, f);
    return c.wrong ? STATUS_WRONG : status;
}

/* Exact: the hashes must agree; where they do not, the comparison finds the place. */
static enum status judge_exact(struct verifier *v, const float *map, struct failure *f)
{
    if (digest_range(map, v->first, v->count) == v->digest)
        return STATUS_OK;
    const enum status status = compare_in_full(v, map, f);
    return status != STATUS_OK ? status
                               : fail(f, STATUS_WRONG, "the map's hash differs from the oracle's");
}

static bool is_trusted(const struct verifier *v, uint64_t digest)
{
    for (size_t i = 0; i < v->trusted_count && i < TRUSTED; i++)
        if (v->trusted[i] == digest)
            return true;
    return false;
}

/* Bounded: a map whose hash is trusted is the map that was compared before. */
static enum status judge_bounded(struct verifier *v, const float *map, struct failure *f)
{
    const uint64_t digest = digest_range(map, v->first, v->count);
    if (is_trusted(v, digest))
        return STATUS_OK;
    const enum status status = compare_in_full(v, map, f);
    if (status == STATUS_OK)
        v->trusted[v->trusted_count++ % TRUSTED] = digest;
    return status;
}

/* ---- sampled verification ---------------------------------------------------------------------
 */

static int ascending(const void *a, const void *b)
{
    const struct probe *p = a, *q = b;
    return (p->index > q->index) - (p->index < q->index);
}

struct probe_list {
    struct probe *items;
    size_t count, capacity;
};

static bool add_probe(struct probe_list *list, int64_t index)
{
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity > 0 ? 2 * list->capacity : DRAWN;
        struct probe *grown = realloc(list->items, capacity * sizeof *grown);
        if (!grown)
            return false;
        list->items = grown;
        list->capacity = capacity;
    }
    list->items[list->count++].index = index;
    return true;
}

/* A whole row of the map, or its two ends where it is wide, as far as the scope holds it. */
static bool add_row(struct probe_list *list, const struct verifier *v, int64_t line)
{
    const int64_t cols = v->op->map.cols, begin = line * cols;
    for (int64_t c = 0; c < cols; c++) {
        if (cols > EDGE_OUTPUTS && c == EDGE_OUTPUTS / 2)
            c = cols - EDGE_OUTPUTS / 2;
        const int64_t index = begin + c;
        if (index >= v->first && index < v->first + v->count && !add_probe(list, index))
            return false;
    }
    return true;
}

static bool add_ends(struct probe_list *list, const struct verifier *v)
{
    const int64_t cols = v->op->map.cols;
    return add_row(list, v, v->first / cols) && add_row(list, v, (v->first + v->count - 1) / cols);
}

static bool add_edges(struct probe_list *list, const struct verifier *v, const struct deal *deal)
{
    const int64_t cols = v->op->map.cols;
    bool good = true;
    for (int64_t w = 1; good && w < deal->workers && w < EDGE_SHARES; w++) {
        const int64_t line = deal_output(deal, deal_share(deal, w).first) / cols;
        good = add_row(list, v, line) && (line == 0 || add_row(list, v, line - 1));
    }
    return good;
}

static bool add_drawn(struct probe_list *list, const struct verifier *v, uint64_t seed)
{
    bool good = true;
    for (uint64_t i = 0; good && i < DRAWN; i++) {
        const uint64_t draw = digest_mix(digest_mix(seed) + i);
        good = add_probe(list, v->first + (int64_t)(draw % (uint64_t)v->count));
    }
    return good;
}

/* Sorts the probes and drops repeated ones. */
static void order_probes(struct probe_list *list)
{
    size_t kept = 0;
    qsort(list->items, list->count, sizeof *list->items, ascending);
    for (size_t i = 0; i < list->count; i++)
        if (kept == 0 || list->items[i].index != list->items[kept - 1].index)
            list->items[kept++] = list->items[i];
    list->count = kept;
}

/* Fills the expectations, a run of neighbouring outputs of one row at a time. */
static enum status expect_probes(struct verifier *v, struct failure *f)
{
    struct band band = {0};
    struct expectation *out = malloc(SEGMENT * sizeof *out);
    enum status status =
        out ? STATUS_OK : fail(f, STATUS_RESOURCE, "no memory for the oracle's expectations");
    const int64_t cols = v->op->map.cols;
    const int64_t longest = strip_width(v);
    for (size_t i = 0; status == STATUS_OK && i < v->probe_count;) {
        const int64_t begin = v->probes[i].index;
        int64_t n = 1;
        while (i + (size_t)n < v->probe_count && n < longest && (begin + n) % cols != 0 &&
               v->probes[i + (size_t)n].index == begin + n)
            n++;
        status = expect_segment(v, &band, begin, n, out, f);
        for (int64_t j = 0; status == STATUS_OK && j < n; j++)
            v->probes[i++].expected = out[j];
    }
    free(band.data);
    free(out);
    return status;
}

static enum status make_probes(struct verifier *v, const struct verify_scope *scope, uint64_t seed,
                               struct failure *f)
{
    struct probe_list list = {0};
    bool good = add_ends(&list, v) && add_drawn(&list, v, seed);
    for (size_t i = 0; good && i < scope->deal_count; i++)
        good = add_edges(&list, v, &scope->deals[i]);
    if (!good) {
        free(list.items);
        return fail(f, STATUS_RESOURCE, "no memory for the outputs to verify");
    }
    order_probes(&list);
    v->probes = list.items;
    v->probe_count = list.count;
    return expect_probes(v, f);
}

static enum status judge_probes(const struct verifier *v, const float *map, struct failure *f)
{
    for (size_t i = 0; i < v->probe_count; i++) {
        const struct probe *p = &v->probes[i];
        const float found = map[p->index - v->first];
        if (!oracle_accepts(p->expected, found)) {
            report_wrong(v, p->index, p->expected, found, f);
            return STATUS_WRONG;
        }
    }
    return STATUS_OK;
}

/* ---- the verifier ---------------------------------------------------------------------------- */

/* Steps of the oracle over the whole scope: reads of the image and multiplications. */
static double full_steps(const struct verifier *v)
{
    return (double)v->count * v->op->kind->steps(v->op);
}

/* Float32 must be able to hold every sum: otherwise inf and NaN would be right. */
static enum status check_range(const struct operation *op, const struct image_facts *facts,
                               struct failure *f)
{
    if (op->kind->largest(op, facts->max_abs) <= 3.4e38)
        return STATUS_OK;
    return fail(f, STATUS_USAGE,
                "sums of %lld products up to %.3g x %.3g do not fit float32: scale the image or "
                "the filter",
                (long long)operation_terms(op), facts->max_abs, op->second.max_abs);
}

static enum status prepare(struct verifier *v, const struct verify_scope *scope, uint64_t seed,
                           struct failure *f)
{
    if (v->mode == VERIFY_FULL && full_steps(v) > full_steps_max) {
        v->mode = VERIFY_SAMPLED;
        v->downgraded = true;
    }
    if (v->mode == VERIFY_SAMPLED)
        return make_probes(v, scope, seed, f);
    if (v->mode == VERIFY_FULL && v->exact)
        return walk(v, v->first, v->count, add_digests, &v->digest, f);
    return STATUS_OK;
}

enum status verifier_make(struct verifier **out, const struct operation *op, struct source *source,
                          const struct image_facts *facts, const struct verify_scope *scope,
                          enum verify_mode mode, uint64_t seed, struct failure *f)
{
    *out = NULL;
    enum status status = check_range(op, facts, f);
    if (status != STATUS_OK)
        return status;
    struct verifier *v = calloc(1, sizeof *v);
    if (!v)
        return fail(f, STATUS_RESOURCE, "no memory for the verifier");
    v->op = op;
    v->source = source;
    v->first = scope->first;
    v->count = scope->count;
    v->mode = scope->count > 0 ? mode : VERIFY_NONE;
    v->exact = op->kind->is_exact(op, facts->integers, facts->max_abs);
    status = prepare(v, scope, seed, f);
    if (status != STATUS_OK) {
        verifier_free(v);
        return status;
    }
    *out = v;
    return STATUS_OK;
}

void verifier_free(struct verifier *v)
{
    if (!v)
        return;
    free(v->probes);
    free(v);
}

bool verifier_downgraded(const struct verifier *v)
{
    return v->downgraded;
}

const char *verifier_verdict(const struct verifier *v)
{
    switch (v->mode) {
    case VERIFY_FULL:
        return v->exact ? "exact" : "bound";
    case VERIFY_SAMPLED:
        return v->exact ? "sampled_exact" : "sampled_bound";
    case VERIFY_NONE:
        break;
    }
    return "none";
}

enum status verifier_judge(struct verifier *v, const float *map, struct failure *f)
{
    if (v->mode == VERIFY_NONE)
        return STATUS_OK;
    if (v->mode == VERIFY_SAMPLED)
        return judge_probes(v, map, f);
    return v->exact ? judge_exact(v, map, f) : judge_bounded(v, map, f);
}

enum status verifier_judge_last(struct verifier *v, const float *map, struct failure *f)
{
    if (v->mode != VERIFY_FULL || v->exact)
        return STATUS_OK;
    return compare_in_full(v, map, f);
}
