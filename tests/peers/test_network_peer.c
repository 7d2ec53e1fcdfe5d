/* Whole networks by other libraries: verified layer by layer like ours, at odd sizes, batches and
 * thread counts. A library that computes something else is caught, and what a library cannot do is
 * refused. */
#include "networks/models/models.h"
#include "networks/point/layers/layer_roof.h"
#include "networks/point/peer_run.h"
#include "serial/serial.h"
#include "tests/support/files.h"
#include "tests/support/network_cases.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BRIEF " --samples 2 --warmup 0 --relative-ci 0"

/* ---- oneDNN ---------------------------------------------------------------------------------- */

static bool lacks_onednn(void)
{
    struct outcome o = command_run("./network_serial --network mlp:9 --conv onednn" BRIEF);
    const bool lacks = o.status == 3;
    if (lacks)
        expect_in(o.err, "built without oneDNN");
    else
        assert_int_equal(o.status, 0);
    return lacks;
}

TEST(networks_are_verified_layer_by_layer)
{
    static const char *const commands[] = {
        "./network_omp --threads 2 --network resnet18 --image-size 33",
        "./network_serial --network mobilenet_v2 --image-size 33",
        "./network_omp --threads 3 --network mobilenet_v2 --image-size 33 --batch 3",
        "./network_omp --threads 2 --network solar_cnn --image-size 21 --batch 3",
        "./network_serial --network alexnet_mri --features",
        "./network_serial --network mlp:50-25-13 --batch 17"};
    if (lacks_onednn())
        skip();
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        struct outcome o =
            command_done("%s --conv onednn --verify full --layers" BRIEF, commands[i]);
        expect_in(o.out, "bound: every value");
        expect_in(o.out, "oneDNN ");
    }
}

TEST(it_is_interleaved_and_recorded)
{
    if (lacks_onednn())
        skip();
    struct outcome o = command_done("./network_serial --network solar_cnn --image-size 9 --conv "
                                    "auto,onednn --format csv --record-layers $DIR/l.csv "
                                    "--trace $DIR/t.json" BRIEF);
    expect_in(o.out, "network_serial,network,serial,auto");
    expect_in(o.out, "network_serial,network,serial,onednn");
    size_t size;
    unsigned char *layers = files_read(files_path("l.csv"), &size);
    expect_in((char *)layers, ",onednn,solar_cnn,");
    free(layers);
}

TEST(what_it_does_not_do_is_refused)
{
    if (lacks_onednn())
        skip();
    command_fails(2, "--conv onednn: the library does not train",
                  "./network_serial --network solar_cnn --image-size 9 --task "
                  "train --conv onednn --steps 1");
}

/* ---- one that is wrong ----------------------------------------------------------------------- */

/* A wrong library: all outputs are the same, whatever the layer. */
struct peer_state {
    int64_t floats[64];
    int count;
};

static bool computes_wrong(enum layer_form form)
{
    return form != FORM_COPY;
}

static enum status prepare_wrong(const struct network_peer_job *job, struct peer_state *s,
                                 const char **isa, struct failure *f)
{
    (void)f;
    assert_true(job->count <= 64);
    s->count = job->count;
    for (int i = 0; i < s->count; i++) {
        const struct peer_layer *l = &job->layers[i];
        assert_true(l->from < i && l->residual_from < i);
        s->floats[i] = l->images * l->filters * l->out_rows * l->out_cols;
    }
    *isa = "wrong";
    return STATUS_OK;
}

static enum status execute_wrong(struct peer_state *s, int layer, struct failure *f)
{
    (void)f;
    assert_in_range(layer, 0, s->count - 1);
    return STATUS_OK;
}

static const char *name_wrong(const struct peer_state *s, int layer)
{
    (void)s;
    (void)layer;
    return "wrong";
}

static enum status fetch_wrong(struct peer_state *s, int layer, float *to, struct failure *f)
{
    (void)f;
    for (int64_t i = 0; i < s->floats[layer]; i++)
        to[i] = 1e6f;
    return STATUS_OK;
}

static const struct network_peer wrong = {.computes = computes_wrong,
                                          .state_bytes = sizeof(struct peer_state),
                                          .prepare = prepare_wrong,
                                          .execute = execute_wrong,
                                          .name = name_wrong,
                                          .fetch = fetch_wrong};

/* Runs the network with the wrong peer and verifies it. Returns the status; *f holds the
 * message. */
static enum status try_wrong(const struct network *n, struct failure *f)
{
    float *parameters = make_parameters(n, 3), *images = make_images(n, 2, 4);
    const char *isa = "";
    struct peer_run *r = NULL;
    const struct verify_extent how = {.full = true};
    struct forward w = {
        .plan = {.network = n, .parameters = parameters, .batch = 2, .whole_batch = 2},
        .input = images};
    enum status status = peer_run_open(&r, &w, &wrong, 1, &isa, f);
    if (status == STATUS_OK)
        status = peer_run_batch(r, &w, f);
    if (status == STATUS_OK)
        status = forward_verify(&w, &how, f);
    peer_run_close(r);
    forward_close(&w);
    free(images);
    free(parameters);
    return status;
}

TEST(the_first_wrong_layer_is_named)
{
    const struct model_request request = {.name = "solar_cnn", .input = {0, 9, 9}};
    struct network n;
    struct failure f = {0};
    assert_int_equal(model_make(&n, &request, &f), STATUS_OK);
    assert_int_equal(try_wrong(&n, &f), STATUS_WRONG);
    expect_in(f.message, "layer conv1 (conv) is wrong");
    network_release(&n);
}

/* A clamp that cannot be fused into the layer before it has no equivalent layer in a library. */
TEST(a_step_that_is_no_layer_is_refused)
{
    struct network n;
    struct failure f = {0};
    make_every_kind(&n, 16);
    assert_int_equal(try_wrong(&n, &f), STATUS_UNAVAILABLE);
    expect_in(f.message, "is none of the library's");
    network_release(&n);
}

/* ---- roofs ----------------------------------------------------------------------------------- */

/* The ceilings of a machine with 1 GB/s and 2 GFLOP/s, and one worker. */
static struct ceilings slow_machine(enum isa isa)
{
    struct ceilings c = {0};
    struct failure f = {0};
    struct ceiling memory = ceiling_blank(), peak = ceiling_blank();
    strcpy(memory.what, "read");
    strcpy(memory.level, "memory");
    memory.working_set = 1e6;
    memory.workers = peak.workers = 1.0;
    memory.bandwidth = (struct rate){1e9, 1e9, 1e9, 1e9, 1e9};
    strcpy(peak.what, "multiply_add");
    snprintf(peak.isa, sizeof peak.isa, "%s", isa_name(isa));
    peak.operations = (struct rate){2e9, 2e9, 2e9, 2e9, 2e9};
    assert_int_equal(ceilings_add(&c, &memory, &f), STATUS_OK);
    assert_int_equal(ceilings_add(&c, &peak, &f), STATUS_OK);
    return c;
}

/* The limit of a fully connected layer depends on reading its weights once if the batch is small,
 * and on its sums if the batch is large. */
TEST(roofs_are_of_bytes_or_sums)
{
    for (int64_t batch = 1; batch <= 64; batch *= 64) {
        const struct model_request request = {.name = "mlp:800-400", .input = {0, 0, 0}};
        struct network n;
        struct failure f = {0};
        assert_int_equal(model_make(&n, &request, &f), STATUS_OK);
        float *parameters = make_parameters(&n, 3), *images = make_images(&n, batch, 4);
        struct forward w = {.plan = {.network = &n,
                                     .parameters = parameters,
                                     .batch = batch,
                                     .whole_batch = batch,
                                     .isa = ISA_BASELINE},
                            .team = {.workers = 1, .run = team_alone},
                            .input = images};
        assert_int_equal(forward_open(&w, &f), STATUS_OK);
        struct ceilings c = slow_machine(ISA_BASELINE);
        const struct layer_roofs one = {&c, 1.0}, two = {&c, 2.0};
        const double sums = (double)batch * 800 * 400;
        const double bytes = 4.0 * (800 * 400 + 400 + (double)batch * 1200);
        const double expected = (bytes > sums ? bytes : sums) * 1e-9;
        assert_true(fabs(layer_roof_s(&one, &w, 1) / expected - 1.0) < 1e-6);
        assert_true(isnan(layer_roof_s(&two, &w, 1)));
        ceilings_release(&c);
        forward_close(&w);
        network_release(&n);
        free(images);
        free(parameters);
    }
}

TEST(roofs_are_reported)
{
    char host[256] = "", text[1024];
    gethostname(host, sizeof host - 1);
    snprintf(
        text, sizeof text,
        "what,level,working_set_bytes,workers,bandwidth_bytes_per_s,isa,operations_per_s,host\n"
        "read,memory,1e6,1,1e30,,,%s\nmultiply_add,,,1,,%s,1e30,%s\n",
        host, isa_name(ISA_BASELINE), host);
    files_write("ceilings.csv", text, strlen(text));
    struct outcome o = command_done("./network_serial --network mlp:9 --isa baseline --layers "
                                    "--roof $DIR/ceilings.csv" BRIEF);
    expect_in(o.out, "GB/s   roof");
    expect_in(o.out, " 0.0%\n");
    command_prints("--roof FILE adds each layer's share",
                   "./network_serial --network mlp:9 --layers" BRIEF);
    static const char *const refused[] = {"--roof $DIR/ceilings.csv",
                                          "--layers --roof $DIR/none.csv"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        command_fails(2, i == 0 ? "give one of them too" : "no ceilings of",
                      "./network_serial --network mlp:9 %s" BRIEF, refused[i]);
    }
}

const struct tests_group tests_group = {command_setup, command_teardown};
