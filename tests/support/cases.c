#include "tests/support/cases.h"

#include "kernels/conv/oracle.h"
#include "kernels/oracle.h"
#include "tests/support/right_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

const struct pool_case pool_cases[] = {
    {"one_pixel", 1, 1, 1, 1, 1, 0, PAD_ZERO, false},
    {"one_pixel_padded", 1, 1, 1, 3, 2, 1, PAD_ZERO, true},
    {"window_is_image", 1, 5, 5, 5, 5, 0, PAD_ZERO, false},
    {"window_is_padded_image", 1, 3, 3, 5, 1, 1, PAD_ZERO, true},
    {"window_exceeds_image", 1, 2, 3, 4, 1, 2, PAD_IGNORE, true},
    {"stride_gt_window", 1, 17, 19, 2, 5, 0, PAD_ZERO, false},
    {"overlap", 1, 13, 29, 3, 1, 0, PAD_ZERO, false},
    {"overlap_even", 1, 16, 33, 4, 2, 0, PAD_ZERO, false},
    {"pad_every_edge", 1, 7, 9, 3, 1, 2, PAD_ZERO, true},
    {"pad_every_edge_ignored", 1, 7, 9, 3, 1, 2, PAD_IGNORE, true},
    {"padding_wider_than_window", 1, 4, 5, 2, 1, 6, PAD_ZERO, true},
    {"padding_all_around_strided", 2, 6, 5, 3, 4, 5, PAD_ZERO, true},
    {"all_negative", 1, 12, 10, 2, 2, 0, PAD_ZERO, true},
    {"all_negative_padded", 1, 12, 10, 3, 2, 1, PAD_ZERO, true},
    {"all_negative_ignored", 1, 12, 10, 3, 2, 1, PAD_IGNORE, true},
    {"one_row", 1, 1, 257, 1, 3, 0, PAD_ZERO, false},
    {"one_row_padded", 1, 1, 129, 3, 1, 1, PAD_IGNORE, true},
    {"one_column", 1, 257, 1, 1, 2, 0, PAD_ZERO, false},
    {"one_column_padded", 1, 65, 1, 3, 2, 1, PAD_ZERO, true},
    {"many_planes", 37, 4, 4, 2, 2, 0, PAD_ZERO, false},
    {"many_planes_overlap", 11, 5, 6, 3, 1, 1, PAD_IGNORE, true},
    {"uneven_tail", 1, 31, 35, 4, 3, 0, PAD_ZERO, false},
    {"more_threads_than_rows", 1, 5, 100, 2, 2, 0, PAD_ZERO, false},
    {"wide", 1, 3, 3000, 3, 1, 1, PAD_ZERO, true},
    {"prime", 1, 53, 71, 7, 5, 3, PAD_ZERO, false},
    {"prime_ignored", 3, 23, 41, 5, 3, 2, PAD_IGNORE, true},
    {"kernel_1", 1, 9, 17, 1, 1, 0, PAD_ZERO, false},
    {"kernel_5", 1, 20, 45, 5, 1, 2, PAD_ZERO, false},
    {"kernel_6", 1, 26, 40, 6, 2, 1, PAD_IGNORE, true},
    {"kernel_8", 1, 40, 56, 8, 8, 0, PAD_ZERO, false},
    {"kernel_11", 2, 33, 47, 11, 4, 2, PAD_ZERO, false},
    {"kernel_17", 1, 40, 40, 17, 1, 0, PAD_ZERO, false},
};
const size_t pool_case_count = sizeof pool_cases / sizeof pool_cases[0];

const struct product_case product_cases[] = {
    {"one_value", 1, 1, 1, false, 0},
    {"one_row", 1, 130, 1, false, 0},
    {"one_column", 67, 1, 1, false, 0},
    {"small", 3, 5, 1, false, 0},
    {"square", 64, 64, 1, false, 0},
    {"prime", 53, 71, 1, false, 0},
    {"tall", 300, 17, 1, false, 0},
    {"wide", 7, 300, 1, false, 0},
    {"above_a_tile", 129, 257, 1, false, 0},
    {"below_a_tile", 127, 255, 1, false, 0},
    {"batch_by_one", 13, 33, 7, false, 0},
    {"batch_by_own", 13, 33, 7, true, 0},
    {"batch_of_values", 1, 1, 37, true, 0},
    {"batch_of_fours", 4, 4, 101, true, 0},
    {"batch_of_eights", 8, 8, 23, true, 0},
    {"more_workers_than_planes", 5, 16, 2, true, 0},
    {"batch_that_is_packed", 7, 386, 2, true, 0},
    {"one_column_of_b", 53, 71, 1, false, 1},
    {"one_row_of_b", 37, 1, 1, false, 45},
    {"narrow_b", 67, 130, 1, false, 9},
    {"wide_b", 11, 17, 1, false, 300},
    {"inner_above_a_panel", 29, 431, 1, false, 66},
    {"rows_and_cols_alike", 64, 5, 1, false, 64},
    {"square_a", 33, 33, 1, false, 8},
    {"batch_by_one_narrow_b", 13, 33, 7, false, 5},
    {"batch_by_own_wide_b", 4, 4, 23, true, 8},
    {"batch_by_own_narrow_b", 9, 35, 5, true, 20},
};
const size_t product_case_count = sizeof product_cases / sizeof product_cases[0];

const struct copy_case copy_cases[] = {
    {"one_value", 1, 1, 1},     {"one_row", 1, 1, 257},
    {"one_column", 1, 257, 1},  {"prime", 1, 53, 71},
    {"many_planes", 37, 4, 4},  {"planes_of_one_row", 11, 1, 5},
    {"wide", 1, 3, 3000},       {"more_threads_than_rows", 1, 5, 100},
    {"uneven_planes", 3, 7, 9},
};
const size_t copy_case_count = sizeof copy_cases / sizeof copy_cases[0];

const struct conv_case conv_cases[] = {
    {"one_pixel", 1, 1, 1, 1, 1, 1, 1, 0, 1, false},
    {"kernel_is_image", 1, 3, 5, 5, 4, 5, 1, 0, 1, true},
    {"padding_wider_than_kernel", 1, 2, 4, 3, 3, 3, 1, 5, 1, true},
    {"stride_gt_kernel", 2, 3, 17, 13, 5, 2, 5, 1, 1, false},
    {"one_channel", 1, 1, 19, 23, 7, 3, 1, 1, 1, false},
    {"prime_channels", 1, 13, 11, 10, 17, 3, 1, 1, 1, true},
    {"groups", 2, 12, 9, 14, 8, 3, 2, 1, 4, true},
    {"groups_of_one_filter", 1, 6, 8, 8, 3, 5, 1, 2, 3, false},
    {"last_tile_of_one", 1, 4, 9, 33, 13, 3, 1, 1, 1, true},
    {"batch_of_one", 1, 8, 14, 14, 24, 3, 1, 1, 1, true},
    {"batch_of_three", 3, 5, 5, 9, 6, 3, 1, 1, 1, true},
    {"more_workers_than_rows", 1, 3, 4, 9, 5, 3, 1, 0, 1, true},
    {"wide", 1, 2, 3, 211, 3, 3, 1, 1, 1, false},
    {"tall", 1, 2, 97, 2, 3, 3, 1, 1, 1, false},
    {"pointwise", 2, 37, 7, 7, 26, 1, 1, 0, 1, true},
    {"pointwise_apart", 2, 16, 9, 9, 8, 1, 2, 0, 1, false},
    {"pointwise_left", 1, 18, 14, 14, 40, 1, 1, 0, 1, true},  /* pixels after the last vector */
    {"pointwise_joined", 1, 24, 9, 11, 37, 1, 1, 0, 1, true}, /* vectors cross rows */
    {"pointwise_kept", 1, 9, 5, 24, 20, 1, 1, 0, 1, true},    /* tiles copy their elements */
    {"pointwise_joined_of_sixteen", 1, 27, 8, 31, 25, 1, 1, 0, 1, true}, /* vectors, at last */
    {"pointwise_row_of_seven", 1, 70, 3, 56, 26, 1, 1, 0, 1, true}, /* one wide tile and others */
    {"pointwise_scattered", 1, 101, 3, 18, 40, 1, 1, 0, 1, true},   /* two panels of terms */
    {"pointwise_wide", 1, 6, 3, 43, 58, 1, 1, 0, 2, true},
    {"pointwise_apart_wide", 1, 5, 13, 75, 11, 1, 2, 0, 1, true},
    {"pointwise_apart_filters", 2, 21, 13, 14, 70, 1, 2, 0, 1, true},
    {"pointwise_apart_groups", 1, 8, 9, 7, 36, 1, 2, 0, 2, true},
    {"pointwise_packed", 1, 203, 13, 5, 133, 1, 1, 0, 1, true}, /* two panels of terms */
    {"pointwise_packed_apart", 2, 11, 13, 9, 128, 1, 2, 0, 1, true},
    {"pointwise_padded", 1, 3, 6, 37, 9, 1, 1, 2, 1, true},
    {"few_terms_apart", 1, 3, 13, 71, 35, 3, 2, 1, 1, true},
    {"many_channels_apart", 2, 19, 11, 10, 6, 3, 2, 1, 1, true},
    {"first_layer", 1, 3, 41, 37, 16, 7, 2, 3, 1, true},
    {"several_panels_of_terms", 1, 91, 6, 5, 14, 3, 1, 1, 1, true},
    {"several_panels_apart", 1, 91, 9, 9, 5, 3, 2, 1, 1, true},
    {"whole_band", 1, 420, 3, 52, 2, 3, 1, 0, 1, true}, /* a row as long as the copy has room for */
    {"window_wider_than_a_panel", 1, 2, 24, 23, 3, 21, 1, 3, 1, false},
    {"several_panels_of_pixels", 1, 3, 31, 43, 12, 3, 1, 0, 1, true},
    {"filters_distributed", 1, 2, 5, 5, 122, 3, 1, 1, 1, true},
    {"several_blocks_of_filters", 1, 5, 6, 9, 131, 3, 1, 1, 1, false},
    {"depthwise", 1, 7, 15, 40, 7, 3, 1, 1, 7, true},
    {"depthwise_apart", 2, 5, 16, 67, 5, 3, 2, 1, 5, false},
    {"depthwise_uneven", 1, 5, 17, 33, 5, 3, 1, 1, 5, true}, /* rows at a time: 6, 6 and 5 */
    {"depthwise_wide_window", 1, 3, 20, 18, 3, 7, 3, 4, 3, true},
    {"depthwise_narrow", 1, 4, 7, 7, 4, 3, 1, 1, 4, true},
    {"depthwise_short_apart", 2, 9, 9, 14, 9, 3, 2, 1, 9, true},
    {"depthwise_one_row_of_one", 1, 1, 1, 40, 1, 3, 1, 1, 1, true},
    {"depthwise_short_wide_window", 1, 3, 10, 9, 3, 5, 1, 2, 3, false},
    {"depthwise_one_strip", 2, 3, 6, 8, 3, 3, 1, 1, 3, true},
    {"depthwise_strips_overlap", 1, 3, 31, 19, 3, 3, 1, 1, 3, true}, /* two bands, of 16 and 15 */
    {"depthwise_strips_inside", 1, 2, 15, 27, 2, 3, 1, 0, 2, true},
    {"depthwise_strips_padded", 1, 2, 3, 26, 2, 3, 1, 2, 2, false},
    {"depthwise_strips_apart", 1, 3, 18, 14, 3, 3, 2, 1, 3, true},        /* bands of 3 rows */
    {"depthwise_strips_apart_padded", 1, 2, 33, 36, 2, 3, 2, 2, 2, true}, /* bands of 9 rows */
    {"depthwise_seven", 1, 1, 10, 7, 1, 3, 1, 1, 1, false}, /* a vector reaches into the next row */
    {"depthwise_thin", 1, 1, 9, 3, 1, 3, 1, 1, 1, false},   /* a vector is longer than two rows */
    {"depthwise_slides_of_one", 1, 2, 7, 13, 2, 3, 1, 1, 2, true},    /* vectors of a row: one */
    {"depthwise_slides_of_four", 1, 2, 6, 61, 2, 3, 1, 1, 2, true},   /* four */
    {"depthwise_slides_of_seven", 1, 2, 5, 109, 2, 3, 1, 1, 2, true}, /* four and three */
    {"depthwise_slides_apart", 1, 2, 9, 141, 2, 3, 2, 1, 2, true},    /* three and two */
    {"depthwise_strips_of_line", 1, 2, 17, 131, 2, 3, 1, 1, 2, true}, /* too long to be joined */
    {"no_padding_odd", 1, 4, 12, 15, 6, 3, 1, 0, 1, false},
    {"rows_of_tiles", 1, 19, 21, 15, 6, 3, 1, 1, 1, true}, /* several in one vector */
    {"rows_of_tiles_in_pairs", 1, 2, 19, 31, 5, 3, 1, 1, 1, true},
    {"rows_of_tiles_alone", 1, 2, 9, 16, 5, 3, 1, 1, 1, false}, /* a column too many to join more */
    {"rows_of_tiles_cut", 1, 2, 33, 13, 5, 3, 1, 1, 1, true},   /* chunks begin within a row */
    {"rows_of_two_tiles", 1, 35, 19, 7, 18, 3, 1, 1, 1, false},
    {"rows_of_tiles_padded", 1, 2, 9, 14, 4, 3, 1, 2, 1, true},
    {"rows_of_tiles_apart", 1, 3, 21, 29, 5, 3, 2, 1, 1, true},
    {"small_maps", 18, 5, 4, 4, 6, 3, 1, 1, 1, true},
    {"small_maps_of_groups", 9, 4, 4, 5, 6, 3, 1, 1, 2, false},
    {"small_maps_apart", 8, 3, 8, 9, 35, 3, 2, 1, 1, true},
    {"small_maps_without_padding", 17, 2, 6, 6, 3, 3, 1, 0, 1, false},
    {"small_narrow_maps", 9, 3, 5, 3, 4, 3, 1, 1, 1, true},
    {"small_maps_of_several_chunks", 35, 2, 4, 5, 3, 3, 1, 1, 1, true},
};
const size_t conv_case_count = sizeof conv_cases / sizeof conv_cases[0];

const struct conv_case *conv_case_of(const char *name)
{
    for (size_t i = 0; i < conv_case_count; i++)
        if (strcmp(conv_cases[i].name, name) == 0)
            return &conv_cases[i];
    abort();
}

const struct points_case points_cases[] = {
    {"one_point", 1, 0, 1},
    {"one_against_many", 1, 131, 3},
    {"many_against_one", 67, 1, 5},
    {"one_dimension", 37, 0, 1},
    {"odd", 41, 67, 13},
    {"itself", 83, 0, 29},
    {"blocks_that_face_each_other", 251, 0, 4},
    {"blocks_of_odd_number", 190, 0, 3},
    {"more_workers_than_rows", 3, 50, 7},
};
const size_t points_case_count = sizeof points_cases / sizeof points_cases[0];

struct geometry case_geometry(const struct pool_case *c)
{
    struct geometry g = {.planes = c->planes,
                         .rows = c->rows,
                         .cols = c->cols,
                         .kernel = c->kernel,
                         .stride = c->stride,
                         .padding = c->padding,
                         .pad_mode = c->pad_mode};
    if (geometry_complete(&g) != GEOMETRY_OK)
        abort();
    return g;
}

/* Returns integers low .. low + span from the random stream. */
static float *random_integers(int64_t count, int64_t low, int64_t span, uint64_t seed)
{
    float *values = malloc((size_t)count * sizeof *values);
    random_elements(seed, span, 0, count, values);
    for (int64_t i = 0; i < count; i++)
        values[i] += (float)low;
    return values;
}

float *case_image(const struct pool_case *c, uint64_t seed)
{
    return random_integers(c->planes * c->rows * c->cols, -9, c->all_negative ? 8 : 18, seed);
}

float *case_filter(int64_t order, bool identity, uint64_t seed)
{
    float *values = random_integers(order * order, -9, 18, seed);
    for (int64_t i = 0; identity && i < order * order; i++)
        values[i] = i / order == i % order ? 1.0f : 0.0f;
    return values;
}

int64_t count_wrong_pooled(const struct geometry *g, const float *image, const float *filter,
                           const float *map)
{
    const double *right = right_map(g, image, filter);
    int64_t wrong = 0;
    for (int64_t i = 0; i < g->planes * g->out_rows * g->out_cols; i++)
        wrong += !oracle_accepts((struct expectation){right[i], 0.0}, map[i]);
    return wrong;
}

/* Counts the outputs of one row that are not as expected. */
static int64_t count_wrong_row(int64_t cols, struct expectation *e, const float *map)
{
    int64_t wrong = 0;
    for (int64_t j = 0; j < cols; j++) {
        e[j].bound = 0.0;
        wrong += !oracle_accepts(e[j], map[j]);
    }
    return wrong;
}

int64_t case_product_cols(const struct product_case *c)
{
    return c->filter_cols > 0 ? c->filter_cols : c->cols;
}

int64_t count_wrong_product(const struct product_case *c, const float *a, const float *b,
                            const float *map)
{
    const int64_t cols = case_product_cols(c);
    struct view filter = {.data = b, .row_stride = cols, .rows = c->cols};
    struct expectation *e = malloc((size_t)cols * sizeof *e);
    int64_t wrong = 0;
    for (int64_t r = 0; r < c->planes * c->rows; r++) {
        filter.data = b + (c->own ? r / c->rows * c->cols * cols : 0);
        oracle_dots(a + r * c->cols, &filter, c->cols, 0, cols, e);
        wrong += count_wrong_row(cols, e, map + r * cols);
    }
    free(e);
    return wrong;
}

int64_t count_wrong_copied(const struct copy_case *c, const float *image, const float *map)
{
    int64_t wrong = 0;
    for (int64_t i = 0; i < c->planes * c->rows * c->cols; i++)
        wrong += !(map[i] == image[i]);
    return wrong;
}

float *case_values(int64_t count, uint64_t seed)
{
    return random_integers(count, -9, 18, seed);
}

float *case_thirds(int64_t count, unsigned seed, bool integers)
{
    float *values = malloc((size_t)count * sizeof *values);
    if (!values)
        abort();
    for (int64_t i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        values[i] = (float)(int)((seed >> 16) % 19u) - 9.0f;
        values[i] /= integers ? 1.0f : 3.0f;
    }
    return values;
}

struct conv_shape case_conv_shape(const struct conv_case *c)
{
    struct conv_shape s = {.batch = c->batch,
                           .channels = c->channels,
                           .rows = c->rows,
                           .cols = c->cols,
                           .filters = c->filters,
                           .groups = c->groups,
                           .kernel = c->kernel,
                           .stride = c->stride,
                           .padding = c->padding};
    if (conv_complete(&s) != CONV_OK)
        abort();
    return s;
}

/* Counts the wrong outputs of one image of the batch; the map begins with its first output. */
static int64_t count_wrong_image(const struct conv_operands *o, conv_bound_function *bound,
                                 const float *map)
{
    const struct conv_shape *s = o->shape;
    int64_t wrong = 0;
    for (int64_t f = 0; f < s->filters; f++)
        for (int64_t y = 0; y < s->out_rows; y++)
            for (int64_t x = 0; x < s->out_cols; x++, map++) {
                struct expectation e = oracle_conv(o, f, y, x);
                e.bound = bound ? bound(o, f, y, x) : 0.0;
                wrong += !oracle_accepts(e, *map);
            }
    return wrong;
}

int64_t count_wrong_convolved(const struct conv_case *c, const float *image, const float *weights,
                              const float *bias, conv_bound_function *bound, const float *map)
{
    const struct conv_shape s = case_conv_shape(c);
    int64_t wrong = 0;
    for (int64_t n = 0; n < s.batch; n++) {
        const struct conv_operands o = {.shape = &s,
                                        .image = {.data = image + n * s.channels * s.rows * s.cols,
                                                  .row_stride = s.cols,
                                                  .rows = s.rows,
                                                  .plane_stride = s.rows * s.cols},
                                        .weights = weights,
                                        .bias = bias};
        wrong += count_wrong_image(&o, bound, map + n * s.filters * s.out_rows * s.out_cols);
    }
    return wrong;
}

int64_t count_wrong_distances(const struct points_case *c, const float *x, const float *y,
                              const float *map)
{
    const int64_t d = c->dimensions, m = c->m > 0 ? c->m : c->n;
    int64_t wrong = 0;
    for (int64_t i = 0; i < c->n; i++)
        for (int64_t j = 0; j < m; j++) {
            double sum = 0.0;
            for (int64_t k = 0; k < d; k++) {
                const double difference = (double)x[i * d + k] - (double)y[j * d + k];
                sum += difference * difference;
            }
            wrong += !(map[i * m + j] == (float)sqrt(sum));
        }
    return wrong;
}

struct source *case_source(struct image_shape shape, const float *elements)
{
    const size_t bytes = (size_t)(shape.planes * shape.rows * shape.cols) * sizeof *elements;
    float *copy = malloc(bytes);
    struct source *source;
    struct failure f = {0};
    memcpy(copy, elements, bytes);
    if (source_open_memory(&source, shape, copy, "case", &f) != STATUS_OK)
        abort();
    return source;
}

enum { GUARD = 64, PATTERN = 0xa5 };

float *guarded_new(size_t count)
{
    unsigned char *block = malloc(count * sizeof(float) + 2 * GUARD);
    memset(block, PATTERN, GUARD);
    memset(block + GUARD, 0xff, count * sizeof(float)); /* NaN */
    memset(block + GUARD + count * sizeof(float), PATTERN, GUARD);
    return (float *)(void *)(block + GUARD);
}

bool guarded_intact(const float *values, size_t count)
{
    const unsigned char *before = (const unsigned char *)values - GUARD;
    const unsigned char *after = (const unsigned char *)(values + count);
    bool intact = true;
    for (int i = 0; i < GUARD; i++)
        intact = intact && before[i] == PATTERN && after[i] == PATTERN;
    return intact;
}

void guarded_free(float *values)
{
    free((unsigned char *)values - GUARD);
}

float *fenced_room(size_t count)
{
    static char *arena;
    static size_t size;
    static bool at_the_end;
    const size_t page = 4096, bytes = count * sizeof(float);
    if (!arena || bytes > size) {
        if (arena)
            munmap(arena - page, size + 2 * page);
        size = (bytes + page) / page * page;
        arena = mmap(NULL, size + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (arena == MAP_FAILED || mprotect(arena + page, size, PROT_READ | PROT_WRITE) != 0)
            abort();
        arena += page;
    }
    at_the_end = !at_the_end;
    return (float *)(void *)(at_the_end ? arena + size - bytes : arena);
}
