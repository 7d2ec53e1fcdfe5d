/* Sampled mode: the first and last rows, both sides of every edge between workers, and outputs
 * chosen at random from the seed. */
#include "harness/base/digest.h"
#include "harness/point/verify/verifier.h"

#include <stdlib.h>

enum {
    DRAWN = 4096,           /* random outputs */
    EDGE_OUTPUTS = 1 << 16, /* most outputs of an edge row; of a wider row only its two ends */
    EDGE_SHARES = 64        /* most shares whose edges are checked */
};

static int ascending(const void *a, const void *b)
{
    const struct sampled_output *p = a, *q = b;
    return (p->index > q->index) - (p->index < q->index);
}

struct sampled_list {
    struct sampled_output *items;
    size_t count, capacity;
};

static bool add_sampled(struct sampled_list *list, int64_t index)
{
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity > 0 ? 2 * list->capacity : DRAWN;
        struct sampled_output *grown = realloc(list->items, capacity * sizeof *grown);
        if (!grown)
            return false;
        list->items = grown;
        list->capacity = capacity;
    }
    list->items[list->count++].index = index;
    return true;
}

/* Adds a whole row of the map, or its two ends if it is wide, as far as it is in the scope. */
static bool add_row(struct sampled_list *list, const struct verifier *v, int64_t line)
{
    const int64_t cols = v->op->map.cols, begin = line * cols;
    for (int64_t c = 0; c < cols; c++) {
        if (cols > EDGE_OUTPUTS && c == EDGE_OUTPUTS / 2)
            c = cols - EDGE_OUTPUTS / 2;
        const int64_t index = begin + c;
        if (index >= v->first && index < v->first + v->count && !add_sampled(list, index))
            return false;
    }
    return true;
}

static bool add_ends(struct sampled_list *list, const struct verifier *v)
{
    const int64_t cols = v->op->map.cols;
    return add_row(list, v, v->first / cols) && add_row(list, v, (v->first + v->count - 1) / cols);
}

static bool add_edges(struct sampled_list *list, const struct verifier *v,
                      const struct partition *partition)
{
    const int64_t cols = v->op->map.cols;
    bool good = true;
    for (int64_t w = 1; good && w < partition->workers && w < EDGE_SHARES; w++) {
        const int64_t line =
            partition_output(partition, partition_share(partition, w).first) / cols;
        good = add_row(list, v, line) && (line == 0 || add_row(list, v, line - 1));
    }
    return good;
}

static bool add_random(struct sampled_list *list, const struct verifier *v, uint64_t seed)
{
    bool good = true;
    for (uint64_t i = 0; good && i < DRAWN; i++) {
        const uint64_t draw = digest_mix(digest_mix(seed) + i);
        good = add_sampled(list, v->first + (int64_t)(draw % (uint64_t)v->count));
    }
    return good;
}

/* Sorts the outputs and removes duplicates. */
static void order_sampled(struct sampled_list *list)
{
    size_t kept = 0;
    qsort(list->items, list->count, sizeof *list->items, ascending);
    for (size_t i = 0; i < list->count; i++)
        if (kept == 0 || list->items[i].index != list->items[kept - 1].index)
            list->items[kept++] = list->items[i];
    list->count = kept;
}

/* Fills the expectations, one run of adjacent outputs of a row at a time. */
static enum status expect_sampled(struct verifier *v, struct failure *f)
{
    struct oracle_band band = {0};
    const int64_t longest = expect_width(v);
    struct expectation *out = malloc((size_t)longest * sizeof *out);
    enum status status =
        out ? STATUS_OK : fail(f, STATUS_RESOURCE, "no memory for the oracle's expectations");
    const int64_t cols = v->op->map.cols;
    for (size_t i = 0; status == STATUS_OK && i < v->sampled_count;) {
        const int64_t begin = v->sampled[i].index;
        int64_t n = 1;
        while (i + (size_t)n < v->sampled_count && n < longest && (begin + n) % cols != 0 &&
               v->sampled[i + (size_t)n].index == begin + n)
            n++;
        status = expect_segment(v, &band, begin, n, out, f);
        for (int64_t j = 0; status == STATUS_OK && j < n; j++)
            v->sampled[i++].expected = out[j];
    }
    free(band.data);
    free(out);
    return status;
}

enum status sampled_outputs_make(struct verifier *v, const struct verify_scope *scope,
                                 uint64_t seed, struct failure *f)
{
    struct sampled_list list = {0};
    bool good = add_ends(&list, v) && add_random(&list, v, seed);
    for (size_t i = 0; good && i < scope->partition_count; i++)
        good = add_edges(&list, v, &scope->partitions[i]);
    if (!good) {
        free(list.items);
        return fail(f, STATUS_RESOURCE, "no memory for the outputs to verify");
    }
    order_sampled(&list);
    v->sampled = list.items;
    v->sampled_count = list.count;
    return expect_sampled(v, f);
}

enum status sampled_outputs_check(struct verifier *v, const float *map, struct failure *f)
{
    v->tally = error_tally_exact(0);
    for (size_t i = 0; i < v->sampled_count; i++) {
        const struct sampled_output *p = &v->sampled[i];
        const float found = map[p->index - v->first];
        if (!oracle_accepts(p->expected, found)) {
            report_wrong(v, p->index, p->expected, found, f);
            return STATUS_WRONG;
        }
        error_tally_add(&v->tally, p->expected, found);
    }
    return STATUS_OK;
}
