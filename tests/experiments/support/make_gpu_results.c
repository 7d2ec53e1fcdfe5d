/* make_gpu_results DIR: made-up samples of the GPU experiments with known truth, for the tests of
 * analysis, charts and import. No GPU produced them, and no GPU has these properties. */
#include "tests/experiments/support/maker.h"

#include <math.h>
#include <string.h>

/* The made-up machine. */
static const double bus_bytes_per_s = 10e9, device_bytes_per_s = 400e9, device_flops = 2e12,
                    launch_s = 5e-6, pinned_speed = 2.5, copy_s = 4e-6, allocation_s = 20e-6,
                    host_window_s = 2e-6, serial_window_s = 20e-9;

static double windows(const struct record *r)
{
    const double out = floor((double)(r->rows - r->kernel) / (double)r->stride) + 1.0;
    return out * out * (double)r->planes;
}

static double slower(const struct record *r)
{
    const double kernel = strcmp(r->method, "naive") == 0  ? 1.0
                          : strcmp(r->method, "loop") == 0 ? 1.1
                                                           : 0.9;
    return kernel * (r->block == 32 ? 1.2 : 1.0);
}

static bool is_transferred(const struct record *r)
{
    return strcmp(r->filter_memory, "transferred") == 0;
}

/* The image is copied to the GPU and pooled, and the map is copied back. */
static void image_law(struct record *r)
{
    const double k = (double)r->kernel, filter = is_transferred(r) ? copy_s : 0.0;
    const double elements = (double)r->rows * (double)r->cols, out = windows(r);
    const double bus =
        bus_bytes_per_s * (strcmp(r->host_memory, "pinned") == 0 ? pinned_speed : 1.0);
    const double exposed = r->streams > 1 ? 0.5 : 1.0; /* copies in both directions overlap */
    r->distribute_s = copy_s + filter + 4.0 * elements / bus;
    r->compute_s = launch_s + slower(r) * (4.0 * (elements + out) / device_bytes_per_s +
                                           2.0 * out * k * k * k / device_flops);
    r->collect_s = copy_s + exposed * 4.0 * out / bus;
    r->total_s = r->distribute_s + r->compute_s + r->collect_s + 1e-6;
}

/* Each window is copied to the GPU, and its product back; `window` allocates memory each time. */
static void window_law(struct record *r)
{
    const double fresh = strcmp(r->offload, "window") == 0 ? allocation_s : 0.0;
    r->allocate_s = windows(r) * fresh;
    r->distribute_s = windows(r) * (copy_s * (is_transferred(r) ? 3.0 : 2.0));
    r->compute_s = windows(r) * launch_s * slower(r);
    r->collect_s = windows(r) * copy_s;
    r->total_s =
        r->allocate_s + r->distribute_s + r->compute_s + r->collect_s + windows(r) * host_window_s;
}

static void law(struct record *r)
{
    if (strcmp(r->space, "serial") == 0) {
        r->distribute_s = r->collect_s = 0.0;
        r->compute_s =
            1e-6 + windows(r) * serial_window_s * (strcmp(r->method, "fused") == 0 ? 0.1 : 1.0);
        r->product_s = strcmp(r->method, "staged") == 0 ? 0.61 * r->compute_s : RECORD_NO_REAL;
        r->total_s = r->compute_s + 1e-7;
    } else if (strcmp(r->offload, "image") == 0) {
        image_law(r);
    } else {
        window_law(r);
    }
}

static struct record on_gpu(const char *method, const char *offload, int64_t n)
{
    struct record r = maker_blank("cuda", method);
    r.ranks = r.threads = r.nodes = RECORD_NO_INT;
    r.isa[0] = '\0';
    strcpy(r.offload, offload);
    strcpy(r.filter_memory, "transferred");
    strcpy(r.device, "made-up GPU");
    strcpy(r.host_memory, "pageable");
    strcpy(r.throttle, "none");
    r.streams = 1;
    r.block = 16;
    r.rows = r.cols = n;
    r.setup_s = 0.3;
    r.first_launch_s = 0.02;
    return r;
}

static const char *const kernels[] = {"naive", "loop", "tiled"};
enum { KERNELS = sizeof kernels / sizeof *kernels };

static void add_serial(struct maker *m, const char *method, int64_t first, int64_t last)
{
    for (int64_t n = first; n <= last; n *= 2) {
        struct record r = maker_blank("serial", method);
        r.rows = r.cols = n;
        maker_point(m, &r, law);
    }
}

/* Adds the sizes of one kernel and offload, in blocks of 16 up to `most_block`. */
static void add_sizes(struct maker *m, const char *kernel, const char *offload, int64_t first,
                      int64_t most_block)
{
    const int64_t last = strcmp(offload, "image") == 0 ? 16384 : 2048;
    for (int64_t n = first; n <= last; n *= 2)
        for (int64_t block = 16; block <= most_block; block *= 2) {
            struct record r = on_gpu(kernel, offload, n);
            r.block = block;
            maker_point(m, &r, law);
        }
}

static void make_cuda_growth(struct maker *m)
{
    maker_begin(m, "cuda_growth");
    for (int i = 0; i < KERNELS; i++) {
        add_sizes(m, kernels[i], "window", 2, 32);
        add_sizes(m, kernels[i], "window-lean", 2, 32);
        add_sizes(m, kernels[i], "image", 2, 32);
    }
    add_serial(m, "literal", 2, 16384);
    maker_end(m);
}

static void make_offload(struct maker *m)
{
    maker_begin(m, "offload");
    add_sizes(m, "naive", "window", 2, 16);
    add_sizes(m, "naive", "window-lean", 2, 16);
    for (int i = 0; i < KERNELS; i++)
        add_sizes(m, kernels[i], "image", 2, 16);
    add_serial(m, "literal", 2, 16384);
    add_serial(m, "fused", 2, 16384);
    maker_end(m);
}

static void make_transfers(struct maker *m)
{
    maker_begin(m, "transfers");
    for (int i = 0; i < KERNELS; i++) {
        add_sizes(m, kernels[i], "window", 64, 16);
        add_sizes(m, kernels[i], "window-lean", 64, 16);
        add_sizes(m, kernels[i], "image", 64, 16);
    }
    add_sizes(m, "roof", "image", 64, 16);
    for (int64_t n = 64; n <= 16384; n *= 2)
        for (int way = 1; way < 4; way++) {
            struct record r = on_gpu("naive", "image", n);
            strcpy(r.host_memory, way & 1 ? "pinned" : "pageable");
            r.streams = way & 2 ? 4 : 1;
            maker_point(m, &r, law);
        }
    maker_end(m);
}

/* The same point with the filter in either kind of memory. */
static void add_both_memories(struct maker *m, const struct record *r)
{
    struct record other = *r;
    maker_point(m, r, law);
    strcpy(other.filter_memory, "constant");
    maker_point(m, &other, law);
}

static void make_filter_memory(struct maker *m)
{
    maker_begin(m, "filter_memory");
    for (int i = 0; i < KERNELS; i++) {
        for (int64_t n = 64; n <= 16384; n *= 2) {
            const struct record window = on_gpu(kernels[i], "window", n);
            const struct record image = on_gpu(kernels[i], "image", n);
            if (n <= 2048)
                add_both_memories(m, &window);
            add_both_memories(m, &image);
        }
        for (int64_t k = 4; k <= 64; k *= 2) {
            struct record r = on_gpu(kernels[i], "image", 4096);
            r.kernel = r.stride = k;
            add_both_memories(m, &r);
        }
    }
    maker_end(m);
}

static void make_speedup(struct maker *m)
{
    maker_begin(m, "speedup");
    add_serial(m, "literal", 256, 8192);
    add_serial(m, "staged", 256, 8192);
    add_serial(m, "fused", 256, 8192);
    for (int i = 0; i < KERNELS; i++)
        for (int64_t n = 256; n <= 8192; n *= 2) {
            const struct record r = on_gpu(kernels[i], "image", n);
            maker_point(m, &r, law);
        }
    maker_end(m);
}

/* A product or a convolution: tensor cores are 4 times as fast in tf32, and 8 times in bf16. */
static void product_law(struct record *r)
{
    const double n = (double)r->rows, faster = strcmp(r->math, "tf32") == 0   ? 4.0
                                               : strcmp(r->math, "bf16") == 0 ? 8.0
                                                                              : 1.0;
    r->distribute_s = copy_s + 8.0 * n * n / bus_bytes_per_s;
    r->compute_s = launch_s + 2.0 * n * n * n / (faster * device_flops);
    r->collect_s = copy_s + 4.0 * n * n / bus_bytes_per_s;
    r->total_s = r->distribute_s + r->compute_s + r->collect_s + 1e-6;
}

/* Adds a method of the product, whose results are off by `ulps`; the device "" is the GPU. */
static void add_product(struct maker *m, const char *method, const char *math, double ulps,
                        const char *device)
{
    struct record r = on_gpu(method, "", 1024);
    strcpy(r.program, "matmul_cuda");
    strcpy(r.operator_name, "matmul");
    strcpy(r.filter, "random");
    strcpy(r.verified, "bound");
    strcpy(r.math, math);
    if (*device)
        strcpy(r.device, device);
    r.pad_mode[0] = '\0';
    r.kernel = r.stride = r.padding = RECORD_NO_INT;
    r.max_value = 16777215;
    r.error_ulps_rms = ulps;
    maker_point(m, &r, product_law);
}

/* A convolution by two methods. */
static void add_convs(struct maker *m)
{
    for (int rounded = 0; rounded < 2; rounded++) {
        struct record r = on_gpu(rounded ? "tensor" : "tiled", "", 56);
        strcpy(r.program, "conv_cuda");
        strcpy(r.operator_name, "conv");
        strcpy(r.weights, "random");
        strcpy(r.verified, "bound");
        strcpy(r.math, rounded ? "tf32" : "fp32");
        r.filter[0] = '\0';
        r.kernel = 3;
        r.stride = r.padding = r.batch = r.groups = 1;
        r.channels = r.planes = r.filters = 64;
        r.error_ulps_rms = rounded ? 900.0 : 2.0;
        maker_point(m, &r, product_law);
    }
}

/* Precisions of one problem: on the GPU, and two of them emulated. */
static void make_peers(struct maker *m)
{
    maker_begin(m, "peers");
    add_product(m, "registers", "fp32", 3.0, "");
    add_product(m, "tensor", "tf32", 1000.0, "");
    add_product(m, "tensor", "bf16", 8000.0, "");
    add_product(m, "registers", "fp32", 2.5, emulated_device);
    add_product(m, "tensor", "bf16", 7900.0, emulated_device);
    add_convs(m);
    maker_end(m);
}

int main(int argc, char **argv)
{
    struct maker m;
    maker_open(&m, argc, argv);
    make_cuda_growth(&m);
    make_offload(&m);
    make_transfers(&m);
    make_filter_memory(&m);
    make_speedup(&m);
    make_peers(&m);
    maker_close(&m);
    return 0;
}
