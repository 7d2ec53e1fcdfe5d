/* Compares every CUDA method, offload, filter memory, block and way to feed the device with the
 * oracles, over the common grid of edge cases and over cases of its own. A plain program, so that
 * the same one runs on the CPU emulation and on a GPU, where it needs only a compiler.
 *   cuda_grid [--first] [--without-poison] [PART]...
 * Parts: image window product chunks conv large distances, all of these by default; brief, a few
 * cases of each method.
 * --first stops at the first case that fails. --without-poison does not overwrite the device's
 * arrays after allocation: for a tool that reports reads before the first write. */
#include "cuda/cuda_space.h"
#include "tests/support/space_check.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool stop_at_first;
static struct space space; /* the CUDA space; does not poison with --without-poison */

/* Returns the failures of a case, which were printed already. With --first it exits if there are
 * any. */
static int64_t counted(int64_t failures)
{
    if (failures > 0 && stop_at_first)
        exit(1);
    return failures;
}

enum { WINDOWS_MOST = 64 }; /* windows of a case that are offloaded one by one */

/* ---- cases beyond the common grid ------------------------------------------------------------ */

/* Called for every case: the common grid, windows of 1 to 40, maps around the size of a tile, gaps,
 * planes. `turn` is a running number, for what is tried on some cases only. */
typedef int64_t case_check(const struct pool_case *c, int64_t turn);

static int64_t check_sizes(case_check *check)
{
    int64_t failures = 0;
    for (int64_t k = 1; k <= 40; k++) {
        const bool ignore = k % 2 == 0;
        char name[32];
        snprintf(name, sizeof name, "window_of_%d", (int)k);
        const struct pool_case c = {name,      1,         k + 5,     k + 4,
                                    k,         1 + k % 4, k % 3 % k, ignore ? PAD_IGNORE : PAD_ZERO,
                                    k % 5 == 0};
        failures += check(&c, k / 2);
    }
    return failures;
}

static int64_t check_tile_edges(case_check *check)
{
    static const int64_t sides[] = {15, 16, 17, 31, 32, 33, 65};
    int64_t failures = 0;
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        const int64_t n = sides[i];
        const struct pool_case cases[] = {
            {"tile_edge", 1, 2 * n, 2 * n + 1, 2, 2, 0, PAD_ZERO, false},
            {"tile_edge_overlap", 1, n, n, 3, 1, 1, PAD_ZERO, true},
            {"tile_edge_any", 1, n + 3, n + 5, 4, 1, 0, PAD_ZERO, false},
            {"tile_edge_gaps", 1, 7 * n, 9, 5, 7, 2, PAD_IGNORE, true},
            {"strips_of_3", 1, 3 * n, 3 * n + 1, 3, 3, 0, PAD_ZERO, false},
            {"strips_of_4", 2, n, 4 * n, 4, 4, 4, PAD_ZERO, true},
            {"strips_padded", 1, n + 1, 4 * n, 2, 2, 4, PAD_ZERO, true},
            {"fours_apart", 1, 2 * n, 4 * n, 2, 4, 0, PAD_ZERO, false},
            {"by_3_of_5", 1, 3 * n, 3 * n, 5, 3, 1, PAD_ZERO, false},
        };
        for (size_t j = 0; j < sizeof cases / sizeof cases[0]; j++)
            failures += check(&cases[j], (int64_t)(i + j));
    }
    return failures;
}

static int64_t check_cases(case_check *check)
{
    static const struct pool_case more[] = {
        {"planes", 19, 9, 7, 2, 2, 0, PAD_ZERO, false},
        {"planes_gaps", 3, 20, 26, 3, 5, 1, PAD_ZERO, true},
        {"stride_of_tile", 1, 70, 70, 3, 4, 0, PAD_ZERO, false},
        {"far_stride", 1, 300, 5, 2, 97, 1, PAD_IGNORE, true},
        {"all_padding", 1, 2, 2, 2, 3, 9, PAD_ZERO, true},
        {"tile_to_the_padding", 1, 64, 32, 3, 1, 1, PAD_ZERO, false},
        {"strip_to_the_padding", 1, 24, 16, 3, 3, 4, PAD_ZERO, false},
    };
    int64_t failures = 0;
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++)
        failures += check(&more[i], (int64_t)i);
    failures += check_tile_edges(check);
    for (size_t i = 0; i < pool_case_count; i++)
        failures += check(&pool_cases[i], (int64_t)i);
    return failures + check_sizes(check);
}

/* ---- parts ----------------------------------------------------------------------------------- */

static struct job job_of(enum offload offload, enum filter_memory memory, int64_t block)
{
    return (struct job){
        .device = {.offload = offload, .filter_memory = memory, .block = block, .streams = 1}};
}

/* Checks one method with a filter of integers, and with the identity if the case allows no other or
 * if `both`. */
static int64_t check_method(const struct job *job, const struct method *m,
                            const struct pool_case *c, bool both)
{
    int64_t failures = 0;
    if (both || c->pad_mode != PAD_ZERO)
        failures += counted(check_pooling(&space, job, m, c, true));
    if (c->pad_mode == PAD_ZERO)
        failures += counted(check_pooling(&space, job, m, c, false));
    return failures;
}

static int64_t check_methods(const struct job *job, const struct pool_case *c, bool both)
{
    int64_t failures = 0;
    for (size_t i = 0; i < operator_method_count(&maxpool_operator); i++)
        if (maxpool_operator.method(i)->kind == SPACE_CUDA)
            failures += check_method(job, maxpool_operator.method(i), c, both);
    return failures;
}

static int64_t block_of(int64_t turn)
{
    return turn % 2 == 0 ? 16 : 32;
}

/* Checks both filter memories, each with one of the blocks, and with the identity one of them; only
 * one of them for large windows, which have many tiles. */
static int64_t check_image(const struct pool_case *c, int64_t turn)
{
    int64_t failures = 0;
    for (int memory = FILTER_TRANSFERRED; memory <= FILTER_CONSTANT; memory++) {
        const struct job job =
            job_of(OFFLOAD_IMAGE, (enum filter_memory)memory, block_of(turn + memory));
        if (c->kernel <= 20 || turn % 2 == memory)
            failures += check_methods(&job, c, turn % 2 == memory);
    }
    return failures;
}

static int64_t check_window(const struct pool_case *c, int64_t turn)
{
    const struct geometry g = case_geometry(c);
    int64_t failures = 0;
    if (g.planes * g.out_rows * g.out_cols > WINDOWS_MOST)
        return 0;
    for (int memory = FILTER_TRANSFERRED; memory <= FILTER_CONSTANT; memory++) {
        struct job job =
            job_of(OFFLOAD_WINDOW, (enum filter_memory)memory, block_of(turn + memory));
        failures += check_methods(&job, c, turn % 2 == memory);
        job.device.offload = OFFLOAD_WINDOW_LEAN;
        job.device.host_memory = HOST_PINNED;
        job.device.warm_cache = true;
        failures += check_methods(&job, c, turn % 2 != memory);
    }
    return failures;
}

/* Checks pinned memory, streams that overlap, and a device whose memory holds only part of the
 * image. The cutting does not depend on the method, so each case tries one method, in rotation. */
static int64_t check_chunks(const struct pool_case *c, int64_t turn)
{
    static const char *const names[] = {"naive", "loop", "tiled", "roof"};
    const struct method *m = operator_method(&maxpool_operator, SPACE_CUDA, names[turn % 4]);
    const struct geometry g = case_geometry(c);
    const int64_t row_bytes = 4 * (g.kernel * g.cols + g.out_cols);
    int64_t failures = 0;
    if (c->kernel > 12) /* only the halo grows */
        return 0;
    for (int64_t streams = 1; streams <= 3; streams++) {
        struct job job = job_of(OFFLOAD_IMAGE, FILTER_TRANSFERRED, 16);
        job.device.host_memory = streams == 2 ? HOST_PAGEABLE : HOST_PINNED;
        job.device.streams = streams;
        failures += check_method(&job, m, c, streams == 2);
        job.device.memory_bytes = 3 * streams * row_bytes;
        failures += check_method(&job, m, c, streams == 3);
    }
    return failures;
}

/* Tensor cores multiply rounded operands from compute capability 8.0 on. */
static bool is_served(const struct method *m)
{
#ifdef MAXPOOL_HIP
    return !m->tensor;
#else
    struct cudaDeviceProp p;
    return !m->tensor || (cudaGetDeviceProperties(&p, 0) == cudaSuccess && p.major >= 8);
#endif
}

/* Checks one method with one stream, or with two and, if it fits there, the filter in constant
 * memory. */
static int64_t check_multiply(const struct method *m, const struct product_case *c, int64_t block,
                              int64_t streams)
{
    struct job job = job_of(OFFLOAD_IMAGE, FILTER_TRANSFERRED, block);
    const int64_t elements = (c->own ? c->planes : 1) * c->cols * case_product_cols(c);
    const bool fits = elements <= CONSTANT_ORDER * CONSTANT_ORDER;
    job.device.streams = streams;
    job.device.filter_memory = streams > 1 && fits ? FILTER_CONSTANT : FILTER_TRANSFERRED;
    if (!is_served(m))
        return 0;
    return counted(m->tensor && streams > 1 ? check_rounded_product(&space, &job, m, c)
                                            : check_product(&space, &job, m, c));
}

/* The same with every method: one block with one stream, the other block with two, which of them
 * in turn. */
static int64_t check_multiplies(const struct product_case *c, int64_t turn)
{
    int64_t failures = 0;
    for (size_t i = 0; i < operator_method_count(&matmul_operator); i++) {
        const struct method *m = matmul_operator.method(i);
        for (int64_t streams = 1; m->kind == SPACE_CUDA && streams <= 2; streams++)
            failures += check_multiply(m, c, block_of(turn + streams - 1), streams);
    }
    return failures;
}

static int64_t product_part(void)
{
    static const struct product_case more[] = {
        {"tile", 16, 16, 1, false, 0},
        {"tile_and_one", 17, 33, 1, false, 0},
        {"below_tile", 31, 15, 1, false, 0},
        {"batch_of_large_tiles", 5, 132, 3, true, 0}, /* planes aligned to 16 bytes */
        {"batch_of_odd_ones", 131, 5, 3, true, 0},    /* and only to 4 */
        {"planes_in_pieces", 20, 400, 3, true, 24},   /* of the terms, where these are many */
        {"planes_in_odd_pieces", 17, 300, 3, true, 33},
        {"two_tiles", 64, 32, 1, false, 0},
        {"large_tile", 128, 128, 1, false, 0},
        {"above_large_tile", 129, 132, 1, false, 0},
        {"ragged_large_tile", 130, 143, 1, false, 0},
        {"few_rows", 3, 260, 1, false, 0},
        {"one_row", 1, 130, 1, false, 300},
        {"one_column", 300, 9, 1, false, 1},
        {"large_tiles_with_edges", 250, 20, 1, false, 252},
        {"large_tiles_of_odd_rows", 251, 17, 1, false, 255},
        {"wide_tile", 64, 32, 1, false, 128},
        {"wide_tile_less_one", 63, 17, 1, false, 127},
        {"wide_tiles_down", 190, 16, 1, false, 120},
        {"wide_tiles_with_edges", 189, 17, 1, false, 249},
        {"batch_of_wide_tiles", 60, 20, 3, true, 124},
        {"batch_in_constant_memory", 9, 11, 13, true, 0},
        {"tile_by_wide", 16, 16, 1, false, 40},
        {"large_tile_by_narrow", 128, 132, 1, false, 12},
        {"unaligned_inner", 129, 131, 1, false, 132},
        {"unaligned_cols", 129, 132, 1, false, 131},
        {"planes_aligned_apart", 6, 36, 3, true, 140},
        {"in_pieces", 40, 600, 1, false, 64},
        {"in_odd_pieces", 33, 517, 1, false, 35},
        {"large_tiles_in_pieces", 129, 290, 1, false, 132},
    };
    enum { MORE = sizeof more / sizeof more[0] };
    int64_t failures = 0;
    for (size_t j = 0; j < MORE + product_case_count; j++)
        failures += check_multiplies(j < MORE ? &more[j] : &product_cases[j - MORE], (int64_t)j);
    return failures;
}

/* ---- convolution and distances --------------------------------------------------------------- */

/* Checks a method of convolution with one memory and one block: whole and, for some cases, cut into
 * rows with two streams. */
static int64_t check_convolution(const struct method *m, const struct conv_case *c, int64_t turn)
{
    const int64_t weights = c->filters * (c->channels / c->groups) * c->kernel * c->kernel;
    const bool fits = weights <= CONSTANT_ORDER * CONSTANT_ORDER;
    struct job job = job_of(OFFLOAD_IMAGE, turn % 2 && fits ? FILTER_CONSTANT : FILTER_TRANSFERRED,
                            block_of(turn / 2));
    if (!is_served(m))
        return 0;
    int64_t failures = counted(check_conv(&space, &job, m, c));
    if (m->tensor)
        failures += counted(check_rounded_conv(&space, &job, m, c));
    if (turn % 3 > 0)
        return failures;
    job.device.streams = 2;
    job.device.host_memory = HOST_PINNED;
    return failures + counted(check_conv(&space, &job, m, c));
}

/* Maps that fill tiles of 64 and 128 exactly, or have one output more or less; a last step of one
 * term or of all; images that share a tile. */
static const struct conv_case conv_edges[] = {
    {"conv_tile", 1, 4, 8, 8, 64, 2, 1, 0, 1, true},
    {"conv_tile_to_the_last", 1, 16, 8, 8, 64, 1, 1, 0, 1, false},
    {"conv_tile_and_one", 1, 1, 5, 13, 65, 3, 1, 1, 1, true},
    {"conv_tile_less_one", 1, 17, 7, 9, 63, 1, 1, 0, 1, true},
    {"conv_images_in_a_tile", 5, 3, 5, 5, 9, 3, 2, 1, 1, true},
    {"conv_large_tile", 1, 2, 16, 9, 129, 3, 1, 1, 1, false},
    {"conv_groups_of_tiles", 2, 6, 6, 5, 15, 3, 1, 1, 3, true},
    {"conv_one_term", 1, 1, 9, 9, 5, 1, 1, 0, 1, false},
    {"conv_pieces_of_terms", 2, 20, 7, 7, 9, 3, 1, 1, 1, true},
};

static int64_t check_convolutions(const struct method *m)
{
    enum { EDGES = sizeof conv_edges / sizeof conv_edges[0] };
    int64_t failures = 0;
    for (size_t i = 0; i < EDGES; i++)
        failures += check_convolution(m, &conv_edges[i], (int64_t)i);
    for (size_t i = 0; i < conv_case_count; i++)
        failures += check_convolution(m, &conv_cases[i], (int64_t)i);
    return failures;
}

/* Maps of so many outputs and filters that `tiled` computes tiles of 128 x 128, or of 64 filters x
 * 128 pixels: exactly one, one output or filter less, several with an edge; maps whose rows, whose
 * maps, and of which neither are a multiple of four; a last step of one term or of all; every size
 * of windows. */
static int64_t check_large_tiles(const struct method *m)
{
    static const struct conv_case cases[] = {
        {"large_tile", 1, 4, 8, 16, 128, 2, 1, 0, 1, true},
        {"large_tile_exactly", 2, 16, 8, 8, 128, 1, 1, 0, 1, true},
        {"large_tile_less_one", 1, 17, 1, 127, 127, 1, 1, 0, 1, true},
        {"large_tile_of_rows", 1, 3, 9, 12, 101, 3, 1, 1, 1, false},
        {"large_tile_of_maps", 2, 5, 6, 10, 97, 3, 1, 1, 1, true},
        {"large_tiles_of_odd_rows", 3, 2, 9, 9, 230, 3, 1, 1, 1, true},
        {"large_tiles_apart", 2, 3, 23, 17, 128, 3, 2, 1, 1, true},
        {"large_tiles_of_groups", 2, 4, 8, 13, 256, 5, 1, 2, 2, true},
        {"large_tile_one_term", 1, 1, 10, 20, 113, 1, 1, 0, 1, false},
        {"large_tile_of_aligned_rows", 1, 20, 8, 16, 101, 1, 1, 0, 1, true},
        {"wide_tile", 1, 4, 8, 16, 64, 2, 1, 0, 1, true},
        {"wide_tile_exactly", 2, 16, 8, 8, 64, 1, 1, 0, 1, true},
        {"wide_tile_less_one", 1, 17, 1, 127, 63, 1, 1, 0, 1, true},
        {"wide_tile_of_rows", 1, 3, 9, 12, 64, 3, 1, 1, 1, false},
        {"wide_tiles_of_odd_rows", 3, 2, 9, 9, 50, 3, 1, 1, 1, true},
        {"wide_tiles_down", 2, 3, 8, 8, 190, 3, 1, 1, 1, true},
        {"wide_tiles_apart", 2, 3, 23, 17, 64, 3, 2, 1, 1, true},
        {"wide_tiles_of_groups", 2, 4, 8, 13, 126, 5, 1, 2, 2, true},
        {"wide_tile_of_aligned_rows", 1, 20, 8, 16, 61, 1, 1, 0, 1, true},
    };
    int64_t failures = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int64_t streams = 1; streams <= 2; streams++) {
            struct job job = job_of(OFFLOAD_IMAGE, FILTER_TRANSFERRED, 16);
            job.device.streams = streams;
            job.device.host_memory = streams > 1 ? HOST_PINNED : HOST_PAGEABLE;
            failures += counted(check_conv(&space, &job, m, &cases[i]));
        }
    return failures;
}

static int64_t conv_part(void)
{
    int64_t failures = 0;
    for (size_t i = 0; i < operator_method_count(&conv_operator); i++)
        if (conv_operator.method(i)->kind == SPACE_CUDA)
            failures += check_convolutions(conv_operator.method(i));
    return failures;
}

/* So many pairs that `tiled` computes tiles of 128 x 128: exactly one, one point less, several with
 * an edge; points with themselves, also in chunks of 150 rows, two tiles that begin in the middle
 * of a tile of the whole map. */
static int64_t check_large_pairs(const struct method *m)
{
    static const struct points_case cases[] = {
        {"points_large_exactly", 128, 0, 16},     {"points_large_less_one", 127, 255, 1},
        {"points_large_apart", 250, 384, 33},     {"points_large_themselves", 300, 0, 17},
        {"points_large_themselves_2", 256, 0, 5},
    };
    int64_t failures = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int64_t streams = 1; streams <= 2; streams++) {
            struct job job = job_of(OFFLOAD_IMAGE, FILTER_TRANSFERRED, 16);
            job.device.streams = streams;
            failures += counted(check_distances(&space, &job, m, &cases[i]));
            job.device.memory_bytes = 200000;
            failures += counted(check_distances(&space, &job, m, &cases[i]));
        }
    return failures;
}

static int64_t large_part(void)
{
    const int64_t failures =
        check_large_tiles(operator_method(&conv_operator, SPACE_CUDA, "tiled"));
    return failures + check_large_pairs(operator_method(&distances_operator, SPACE_CUDA, "tiled"));
}

static int64_t check_pairs(const struct method *m, const struct points_case *c, int64_t turn)
{
    const int64_t elements = (c->m > 0 ? c->m : c->n) * c->dimensions;
    const bool fits = elements <= CONSTANT_ORDER * CONSTANT_ORDER;
    struct job job = job_of(OFFLOAD_IMAGE, turn % 2 && fits ? FILTER_CONSTANT : FILTER_TRANSFERRED,
                            block_of(turn / 2));
    int64_t failures = counted(check_distances(&space, &job, m, c));
    job.device.streams = 3;
    return failures + counted(check_distances(&space, &job, m, c));
}

static int64_t distances_part(void)
{
    static const struct points_case edges[] = {
        {"points_tile", 64, 0, 16},
        {"points_tile_and_one", 65, 129, 17},
        {"points_tile_less_one", 63, 127, 15},
        {"points_few", 2, 3, 40},
        {"points_large_tile", 128, 130, 33},
    };
    enum { EDGES = sizeof edges / sizeof edges[0] };
    int64_t failures = 0;
    for (size_t j = 0; j < EDGES + points_case_count; j++)
        for (size_t i = 0; i < operator_method_count(&distances_operator); i++)
            if (distances_operator.method(i)->kind == SPACE_CUDA)
                failures +=
                    check_pairs(distances_operator.method(i),
                                j < EDGES ? &edges[j] : &points_cases[j - EDGES], (int64_t)(i + j));
    return failures;
}

static int64_t image_part(void)
{
    return check_cases(check_image);
}

static int64_t window_part(void)
{
    return check_cases(check_window);
}

static int64_t chunks_part(void)
{
    return check_cases(check_chunks);
}

/* Windows that overlap and windows that do not, an edge, padding; and a product with an edge. */
static int64_t brief_part(void)
{
    static const struct pool_case cases[] = {
        {"brief_overlap", 1, 21, 19, 3, 1, 1, PAD_ZERO, false},
        {"brief_apart", 2, 36, 44, 2, 2, 0, PAD_ZERO, false},
        {"brief_large", 1, 40, 37, 7, 3, 0, PAD_ZERO, false},
    };
    static const struct product_case product = {"brief", 35, 50, 1, false, 0};
    static const struct points_case points = {"brief", 66, 0, 17};
    int64_t failures = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        failures += check_image(&cases[i], (int64_t)i);
    for (size_t i = 0; i < operator_method_count(&matmul_operator); i++)
        if (matmul_operator.method(i)->kind == SPACE_CUDA)
            for (int64_t streams = 1; streams <= 2; streams++)
                failures += check_multiply(matmul_operator.method(i), &product, 16, streams);
    for (size_t i = 0; i < operator_method_count(&conv_operator); i++)
        if (conv_operator.method(i)->kind == SPACE_CUDA)
            failures += check_convolution(conv_operator.method(i), &conv_edges[2], 0);
    for (size_t i = 0; i < operator_method_count(&distances_operator); i++)
        if (distances_operator.method(i)->kind == SPACE_CUDA)
            failures += check_pairs(distances_operator.method(i), &points, 0);
    return failures;
}

static const struct {
    const char *name;
    int64_t (*check)(void);
    bool by_default;
} parts[] = {{"image", image_part, true},         {"window", window_part, true},
             {"chunks", chunks_part, true},       {"product", product_part, true},
             {"conv", conv_part, true},           {"large", large_part, true},
             {"distances", distances_part, true}, {"brief", brief_part, false}};

/* True if one of the words is that name. */
static bool is_among(int count, char **words, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(words[i], name) == 0)
            return true;
    return false;
}

static void leave_as_is(struct instance *instance)
{
    (void)instance;
}

int main(int argc, char **argv)
{
    int64_t failures = 0;
    int options = 1;
    while (options < argc && argv[options][0] == '-')
        options++;
    stop_at_first = is_among(options - 1, argv + 1, "--first");
    space = cuda_space;
    if (is_among(options - 1, argv + 1, "--without-poison"))
        space.poison = leave_as_is;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const bool asked = options == argc
                               ? parts[i].by_default
                               : is_among(argc - options, argv + options, parts[i].name);
        if (!asked)
            continue;
        const int64_t found = parts[i].check();
        printf("%-8s %lld failures\n", parts[i].name, (long long)found);
        failures += found;
    }
    return failures > 0;
}
