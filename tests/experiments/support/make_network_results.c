/* make_network_results DIR: made-up samples of whole networks with known truth, for the tests of
 * analysis, charts and report. */
#include "tests/experiments/support/maker.h"

#include "experiments/common/output.h"
#include "experiments/common/results.h"
#include "harness/records/layer_record.h"
#include "harness/records/timeline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Times of one thread of the made-up machine for one image of 224 x 224; work grows with the
 * pixels. A batch of B images takes (B + 1) / 2 times as long as one image: 8.5 times at B = 16.
 * Two threads are 1.9 times as fast, the GPU 20 times. */
static const struct {
    const char *network;
    double seconds;
} truths[] = {{"resnet18", 30e-3},   {"mobilenet_v2", 6e-3}, {"alexnet_mri", 2e-3},
              {"solar_cnn", 0.6e-3}, {"mlp:50", 2e-6},       {"mlp:800-400", 80e-6}};

static const struct {
    const char *method;
    double factor; /* relative to auto */
    double ulps;
} ways[] = {{"implicit", 1.5, 3.2},
            {"onnxruntime", 1.25, 2.6},
            {"openvino", 1.3, 2.8},
            {"pytorch", 2.5, 3.1}};
static const double auto_ulps = 3.0;

static double pixels_over_224(const struct record *r)
{
    if (r->planes == 1 || r->rows < 64) /* vectors and maps have one size */
        return 1.0;
    return (double)(r->rows * r->cols) / (224.0 * 224.0);
}

static void law(struct record *r)
{
    double seconds = 0.0;
    for (size_t i = 0; i < sizeof truths / sizeof *truths; i++)
        if (strcmp(r->network, truths[i].network) == 0)
            seconds = truths[i].seconds;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        seconds *= strcmp(r->method, ways[i].method) == 0 ? ways[i].factor : 1.0;
    const double batch = 0.5 * (double)r->batch + 0.5;
    const double speed = strcmp(r->space, "cuda") == 0 ? 20.0 : pow((double)r->threads, 0.926);
    r->compute_s = seconds * pixels_over_224(r) * batch / speed;
    r->distribute_s = r->collect_s = 0.0;
    r->product_s = RECORD_NO_REAL;
    r->total_s = r->compute_s;
}

static void add(struct maker *m, struct record r, int64_t threads)
{
    r.threads = threads;
    maker_point(m, &r, law);
}

static void make_devices(struct maker *m)
{
    maker_begin(m, "devices");
    for (int64_t side = 224; side <= 896; side *= 2) {
        for (int64_t threads = 1; threads <= 2; threads++)
            add(m, maker_network("omp", "resnet18", 1, side), threads);
        struct record gpu = maker_network("cuda", "resnet18", 1, side);
        gpu.ranks = gpu.nodes = RECORD_NO_INT;
        strcpy(gpu.device, "made-up GPU");
        strcpy(gpu.throttle, "none");
        gpu.threads = RECORD_NO_INT;
        maker_point(m, &gpu, law);
    }
    maker_end(m);
}

static void make_lighter(struct maker *m)
{
    maker_begin(m, "lighter");
    for (int64_t threads = 1; threads <= 2; threads++)
        for (int64_t images = 1; images <= 16; images *= 16) {
            add(m, maker_network("omp", "resnet18", images, 224), threads);
            add(m, maker_network("omp", "mobilenet_v2", images, 224), threads);
        }
    maker_end(m);
}

static void make_batches(struct maker *m)
{
    maker_begin(m, "batch");
    for (int64_t threads = 1; threads <= 2; threads++)
        for (int64_t images = 1; images <= 32; images *= 2) {
            add(m, maker_network("omp", "resnet18", images, 224), threads);
            add(m, maker_network("omp", "alexnet_mri", images, 32), threads);
        }
    maker_end(m);
    maker_begin(m, "mlp_inference");
    for (int64_t images = 1; images <= 1024; images *= 32) {
        add(m, maker_network("omp", "mlp:50", images, 50), 2);
        add(m, maker_network("omp", "mlp:800-400", images, 50), 2);
    }
    maker_end(m);
}

static void make_peers(struct maker *m)
{
    maker_begin(m, "network_peers");
    for (int64_t images = 1; images <= 16; images *= 16) {
        struct record own = maker_network("omp", "resnet18", images, 224);
        own.error_network_ulps = auto_ulps;
        add(m, own, 1);
        strcpy(own.method, "implicit");
        own.error_network_ulps = ways[0].ulps;
        add(m, own, 1);
        for (size_t i = 1; i < sizeof ways / sizeof *ways; i++) {
            struct record r = maker_network(ways[i].method, "resnet18", images, 224);
            strcpy(r.method, ways[i].method);
            strcpy(r.isa, "a library");
            r.error_network_ulps = ways[i].ulps;
            add(m, r, 1);
        }
    }
    maker_end(m);
}

/* Ceilings of the computer whose layers are clocked: a multiply-add takes 2 ns, a byte 1 ns. */
static void make_ceilings(const struct maker *m)
{
    static const char text[] =
        "what,level,working_set_bytes,workers,bandwidth_bytes_per_s,isa,operations_per_s,host\n"
        "read,memory,1e6,1,1e9,,,clocked\nmultiply_add,,,1,,avx2,1e9,clocked\n";
    struct failure f = {0};
    if (output_write(results_file(m->folder, "ceilings.csv").text, text, strlen(text), &f) !=
        STATUS_OK)
        exit((int)STATUS_OUTPUT);
}

/* Four steps: their shares of the time, which differs between launches, and their least work. This
 * work, arithmetic or traffic, takes a half, a quarter, 0.4 and a hundredth of their own times. */
static const struct {
    const char *layer, *method;
    double share, multiply_adds_per_s, bytes_per_s;
} layers[] = {{"conv1", "implicit", 0.51, 0.25e9, 0.1e9},
              {"maxpool", "", 0.2, 0.0, 0.25e9},
              {"fc", "dots", 0.285, 0.2e9, 0.39e9},
              {"flatten", "", 0.005, 0.0, 0.01e9}};

static struct layer_record layer_row(int64_t launch, int64_t step)
{
    struct layer_record r;
    const double seconds = 30e-3 * (1.0 + 0.1 * (double)launch) * layers[step].share;
    table_blank(&layer_record_schema, &r);
    strcpy(r.space, "serial");
    strcpy(r.network, "resnet18");
    strcpy(r.host, "clocked");
    strcpy(r.isa, "avx2");
    snprintf(r.layer, sizeof r.layer, "%s", layers[step].layer);
    snprintf(r.layer_method, sizeof r.layer_method, "%s", layers[step].method);
    snprintf(r.run_id, sizeof r.run_id, "launch-%d", (int)launch);
    r.step = step;
    r.mean_s = seconds;
    r.multiply_adds = 4.0 * seconds * layers[step].multiply_adds_per_s; /* by definition */
    r.least_multiply_adds = seconds * layers[step].multiply_adds_per_s;
    r.bytes = seconds * layers[step].bytes_per_s;
    r.bytes_written = 0.5 * r.bytes;
    return r;
}

static void make_layers(struct maker *m)
{
    struct table_writer *writer;
    struct failure f = {0};
    maker_begin(m, "layers");
    add(m, maker_network("serial", "resnet18", 1, 224), 1);
    maker_end(m);
    enum status status = table_writer_open(&writer, &layer_record_schema,
                                           results_layers(m->folder, "layers").text, NULL, &f);
    for (int64_t launch = 0; launch < 9; launch++)
        for (int64_t step = 0; step < 4 && status == STATUS_OK; step++) {
            const struct layer_record r = layer_row(launch, step);
            status = table_append(writer, &r, &f);
        }
    if (status != STATUS_OK || table_writer_close(writer, &f) != STATUS_OK)
        exit((int)STATUS_OUTPUT);
    make_ceilings(m);
}

/* 500 pictures; the seconds are a hundredth of the published ones; batched takes 4 s. */
static const struct {
    const char *structure;
    double seconds;
} faces[] = {{"reload", 17.8984}, {"once", 13.5005}, {"split", 7.6071}, {"batched", 4.0}};

enum { STRUCTURES = sizeof faces / sizeof *faces };

static void law_of_faces(struct record *r)
{
    for (size_t i = 0; i < STRUCTURES; i++)
        if (strcmp(r->method, faces[i].structure) == 0)
            r->total_s = faces[i].seconds;
    r->compute_s = r->total_s;
    r->distribute_s = r->collect_s = 0.0;
    r->product_s = RECORD_NO_REAL;
}

/* Two executions of each structure, one row per second: the share of busy processors, and as many
 * MiB as seconds. */
static enum status write_timeline(struct table_writer *writer, struct failure *f)
{
    enum status status = STATUS_OK;
    for (int launch = 0; launch < 2; launch++)
        for (size_t i = 0; i < STRUCTURES; i++)
            for (int s = 1; s <= faces[i].seconds && status == STATUS_OK; s++) {
                struct timeline_row r = {
                    .seconds = s, .cpu_share = 1.5, .resident_bytes = s * 1048576.0};
                snprintf(r.label, sizeof r.label, "%s", faces[i].structure);
                status = table_append(writer, &r, f);
            }
    return status;
}

static void make_faces(struct maker *m)
{
    struct table_writer *writer;
    struct failure f = {0};
    maker_begin(m, "faces");
    for (size_t i = 0; i < STRUCTURES; i++) {
        struct record r = maker_network("omp", "resnet18+features", 500, 160);
        strcpy(r.program, "faces_omp");
        strcpy(r.operator_name, "faces");
        strcpy(r.input, "brain_planes");
        strcpy(r.method, faces[i].structure);
        r.images = 500;
        r.batch = 20;
        r.threads = 2;
        maker_point(m, &r, law_of_faces);
    }
    maker_end(m);
    enum status status = table_writer_open(&writer, &timeline_schema,
                                           results_timeline(m->folder, "faces").text, NULL, &f);
    if (status == STATUS_OK)
        status = write_timeline(writer, &f);
    if (status != STATUS_OK || table_writer_close(writer, &f) != STATUS_OK)
        exit((int)STATUS_OUTPUT);
}

/* A network that no method rounds, in the same experiment as the others. */
static void make_exact(struct maker *m)
{
    maker_begin(m, "network_peers");
    struct record exact = maker_network("omp", "mlp:50", 1, 50);
    exact.error_network_ulps = 0.0;
    add(m, exact, 1);
    maker_end(m);
}

int main(int argc, char **argv)
{
    struct maker m;
    maker_open(&m, argc, argv);
    make_devices(&m);
    make_lighter(&m);
    make_batches(&m);
    make_peers(&m);
    make_layers(&m);
    make_faces(&m);
    make_exact(&m); /* last: so the noise of all samples before stays the same */
    maker_close(&m);
    return 0;
}
