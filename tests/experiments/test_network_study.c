/* Whole networks in a study: points, commands, needs, and the claims about made-up samples with
 * known truth. */
#include "experiments/common/results.h"
#include "experiments/limits/roof.h"
#include "experiments/plan/command_line.h"
#include "experiments/plan/plan.h"
#include "experiments/report/claims/claims.h"
#include "experiments/samples/point.h"
#include "networks/point/record_subject.h"
#include "peers/script_methods.h"
#include "tests/experiments/support/made_results.h"
#include "tests/experiments/support/spanish.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int make_folder(NO_STATE)
{
    return make_results_by("make_network_results");
}

/* ---- points ---------------------------------------------------------------------------------- */

static const char definition_text[] =
    "[experiment]\ntitle = T\nquestion = Q?\nsection = networks\n"
    "[points images]\nprograms = network_serial network_omp\nmethod = auto\n"
    /* the name of the batch in earlier versions */
    "network = resnet18\nsize = 65\nimages = 1 16\nthreads = 2\n"
    "[points vectors]\nprograms = network_serial\nmethod = auto\nnetwork = mlp:9-4\nbatch = 3\n"
    "[points none]\nprograms = network_serial\nmethod = auto\nnetwork = nonet\n"
    "[points faces]\nprograms = faces_serial\nmethod = all\nnetwork = resnet18+features\n"
    "size = 64\nimages = 40\n"
    "[points faces of vectors]\nprograms = faces_serial\nmethod = once\nnetwork = mlp:9\n";

static const struct planned *planned_at(const struct plan *plan, size_t i)
{
    assert_true(i < plan->count);
    return &plan->points[i];
}

/* The words of the i-th point's command, separated by blanks. */
static char *command_of(const struct plan *plan, size_t i)
{
    const struct planned *p = planned_at(plan, i);
    struct command_line line;
    const struct command_request request = {.point = &p->point,
                                            .sampling = &plan->definitions[0].sampling,
                                            .launcher = "plain",
                                            .bin = "bin",
                                            .record = "r.csv",
                                            .layers = i < 6 ? "r.layers.csv" : NULL,
                                            .timeline = i < 6 ? NULL : "r.timeline.csv",
                                            .cores = 2};
    assert_int_equal(command_line_make(&line, &request, NULL), STATUS_OK);
    char *text = command_line_text(&line);
    command_line_release(&line);
    assert_non_null(text);
    return text;
}

TEST(test_points_are_commands)
{
    struct plan plan = plan_of_text(definition_text);
    assert_int_equal(plan.count, 11);
    char *image = command_of(&plan, 3), *vector = command_of(&plan, 4);
    static const char *const wanted[] = {"bin/network_omp ",
                                         " --network resnet18 ",
                                         " --image-size 65 ",
                                         " --batch 16 ",
                                         " --threads 2 ",
                                         " --method auto ",
                                         " --record-layers r.layers.csv"};
    static const char *const refused[] = {"--rows",    "--cols",   "--planes",
                                          "--weights", "--kernel", "--filter"};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!strstr(image, wanted[i]))
            fail_msg("no '%s' in %s", wanted[i], image);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (strstr(image, refused[i]) || strstr(vector, refused[i]))
            fail_msg("%s in %s or %s", refused[i], image, vector);
    assert_non_null(strstr(vector, " --batch 3 --network mlp:9-4 "));
    assert_null(strstr(vector, "--image-size"));
    free(image);
    free(vector);
    plan_release(&plan);
}

/* Columns that follow from the network are filled in, so that plan and samples have the same
 * name. */
TEST(test_points_are_settled)
{
    struct plan plan = plan_of_text(definition_text);
    const struct record *image = &planned_at(&plan, 3)->point;
    const struct record *vector = &planned_at(&plan, 4)->point;
    char label[192], one[POINT_KEY], other[POINT_KEY];
    assert_int_equal(image->planes, 48);
    assert_int_equal(image->rows, 65);
    assert_string_equal(image->weights, "seeded");
    assert_int_equal(vector->planes, 1);
    assert_int_equal(vector->rows, 3);
    assert_int_equal(vector->cols, 50);
    point_label(image, label, sizeof label);
    assert_string_equal(label, "network_omp auto resnet18 65x65 planes=48 threads=2 batch=16");
    point_key(image, one);
    point_key(&planned_at(&plan, 2)->point, other);
    assert_string_not_equal(one, other);
    struct record sample = *image;
    sample.sample = 3;
    assert_true(point_matches(image, &sample));
    strcpy(sample.network, "mobilenet_v2");
    assert_false(point_matches(image, &sample));
    assert_non_null(planned_at(&plan, 5)->skip);
    assert_non_null(strstr(planned_at(&plan, 5)->skip, "there is no 'nonet'"));
    plan_release(&plan);
}

TEST(test_faces_are_points)
{
    struct plan plan = plan_of_text(definition_text);
    char *text = command_of(&plan, 9);
    const char *const wanted[] = {"bin/faces_serial ",         " --network resnet18 --features ",
                                  " --image-size 64 ",         " --pictures 40 ",
                                  " --structure batched ",     " --batch 20 ",
                                  " --timeline r.timeline.csv"};
    const char *const refused[] = {"--input", "--method", "--max-value", "--planes"};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!strstr(text, wanted[i]))
            fail_msg("no '%s' in %s", wanted[i], text);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (strstr(text, refused[i]))
            fail_msg("%s in %s", refused[i], text);
    free(text);
    const struct record *first = &planned_at(&plan, 6)->point;
    assert_string_equal(first->method, "reload");
    assert_string_equal(first->input, "brain_planes");
    assert_int_equal(first->planes, 120);
    assert_int_equal(first->batch, 20);
    assert_null(planned_at(&plan, 6)->skip);
    assert_non_null(strstr(planned_at(&plan, 10)->skip, "takes vectors, not pictures"));
    plan_release(&plan);
}

/* ---- needs ----------------------------------------------------------------------------------- */

static struct record network_record(const char *network, int64_t images)
{
    struct record r = record_empty();
    strcpy(r.operator_name, "network");
    strcpy(r.space, "serial");
    strcpy(r.method, "auto");
    snprintf(r.network, sizeof r.network, "%s", network);
    r.batch = images;
    return r;
}

/* The least work must allow the true time of Winograd's tiles, and does not include products with
 * elements outside the image. */
TEST(test_least_work_allows_winograd)
{
    const struct record one = network_record("resnet18", 1), many = network_record("resnet18", 16);
    const struct need need = need_of(&one, true), batch = need_of(&many, true);
    assert_true(need.per_output.multiply_adds == 1814073344.0);
    assert_true(need.least.multiply_adds < 0.5 * need.per_output.multiply_adds);
    assert_true(need.least.multiply_adds > 0.25 * need.per_output.multiply_adds);
    assert_true(batch.least.multiply_adds == 16.0 * need.least.multiply_adds);
    /* parameters once, images and outputs for each image */
    assert_true(batch.bytes_read - need.bytes_read == 15.0 * 4 * 3 * 224 * 224);
    assert_true(need.bytes_written == 4000.0);
    const struct record vectors = network_record("mlp:50-25", 8);
    const struct need dense = need_of(&vectors, true);
    assert_true(dense.least.multiply_adds == 8.0 * (50 * 50 + 50 * 25 + 25));
    assert_true(dense.least.multiply_adds == dense.per_output.multiply_adds);
}

TEST(test_networks_that_cannot_be)
{
    struct operation op;
    struct record r = network_record("resnet18", 1);
    r.rows = r.cols = INT64_C(1) << 40;
    assert_int_equal(recorded_operation(&op, recorded_row("network"), &r).kind, REFUSAL_RESOURCE);
    r = network_record("solar_cnn", 1);
    r.rows = r.cols = 3;
    assert_int_equal(recorded_operation(&op, recorded_row("network"), &r).kind, REFUSAL_USAGE);
    r = network_record("", 1);
    assert_int_equal(recorded_operation(&op, recorded_row("network"), &r).kind, REFUSAL_USAGE);
    assert_true(isnan(need_of(&r, true).bytes_read));
    assert_null(recorded_row("nothing"));
    r = network_record("resnet18+features", 2);
    assert_int_equal(recorded_operation(&op, recorded_row("network"), &r).kind, REFUSAL_NONE);
    assert_int_equal(op.map.cols, 512);
}

TEST(test_programs_of_libraries_are_peers)
{
    assert_non_null(script_method_find("network", "onnxruntime"));
    assert_non_null(script_method_find("distances", "faiss"));
    assert_null(script_method_find("matmul", "faiss"));
    assert_null(script_method_find("network", "auto"));
}

/* ---- claims ---------------------------------------------------------------------------------- */

TEST(test_claims_of_devices)
{
    struct claim c = claim_of("devices", "devices", &language_english);
    claim_says(&c, "resnet18, 224 × 224 takes 15");
    claim_says(&c, "with 2 threads; 16 times the pixels take 16");
    claim_says(&c, "the GPU takes 1.5");
    c = claim_of("devices", "devices", spanish());
    claim_says(&c, "la GPU tarda 1,5");
    assert_true(c.count >= 3);
}

TEST(test_claims_of_lighter_networks)
{
    struct claim c = claim_of("lighter", "lighter", &language_english);
    claim_says(&c, "mobilenet_v2, 224 × 224, batch 16 takes 26");
    claim_says(&c, "resnet18 takes 5.0");
    claim_says(&c, "with 6.03 times the multiply-adds");
    assert_non_null(strstr(c.title, "resnet18 takes 5"));
    c = claim_of("lighter", "lighter", spanish());
    claim_says(&c, "mobilenet_v2, 224 × 224, lote 16 tarda 26");
}

/* Two networks with the same images are two problems, so that neither is the other's baseline. */
TEST(test_networks_are_problems_of_their_own)
{
    struct experiment *e = open_one("lighter");
    size_t pairs = 0;
    for (size_t i = 0; i < e->analysis.point_count; i++)
        for (size_t j = 0; j < i; j++) {
            const struct point *p = &e->analysis.points[i], *q = &e->analysis.points[j];
            const struct record *r = &p->samples->identity, *s = &q->samples->identity;
            const bool same = strcmp(r->network, s->network) == 0 && r->batch == s->batch;
            assert_int_equal(analysis_same_problem(p, q), same);
            pairs += r->planes == s->planes && !same;
        }
    assert_true(pairs > 0);
    close_one(e);
}

TEST(test_claims_of_batches)
{
    struct claim c = claim_of("mlp_inference", "batch", &language_english);
    claim_says(&c, " for an input in a batch");
    c = claim_of("mlp_inference", "batch", spanish());
    claim_says(&c, " por entrada en un lote");
    c = claim_of("batch", "batch", &language_english);
    claim_says(&c, " for an image in a batch");
    claim_says(&c, "in a batch of 32: 1.9");
    claim_says(&c, "as fast as in a batch of 1");
    assert_null(strstr(c.answer, " to ")); /* precisely known: the middle value, without the ends */
    c = claim_of("devices", "batch", &language_english);
    claim_lacks(&c, "two batches of one network are needed");
}

TEST(test_claims_of_layers)
{
    struct claim c = claim_of("layers", "layers", &language_english);
    claim_says(&c, "Of the 4 steps of resnet18, conv1 takes the most time: 51");
    claim_says(&c, "; it alone takes at least half");
    /* flatten is further from it, but takes hardly any time */
    claim_says(&c, "maxpool is furthest from this machine's limit and reaches 25");
    claim_says(&c, "all steps together reach 41.9");
    assert_non_null(strstr(c.title, "conv1 takes 51"));
    assert_int_equal(c.count, 1);
    c = claim_of("layers", "layers", spanish());
    claim_says(&c, "maxpool es el más alejado del límite de esta máquina y alcanza el 25");
    c = claim_of("devices", "layers", spanish());
    claim_lacks(&c, "no se cronometraron capas");
}

/* Without known ceilings the time is reported without a limit. A training has no limit either,
 * since several rows of a step belong to its passes. */
TEST(test_layers_without_ceilings)
{
    struct failure f = {0};
    struct experiment *e = open_one("layers");
    assert_non_null(e->layers);
    assert_int_equal(e->layers->launches, 9);
    assert_true(fabs(e->layers->steps[2].roof.median - 0.4) < 1e-6);
    assert_true(fabs(e->layers->steps[2].roof.lower - 0.4) < 1e-6); /* launch by launch */
    free(e->layers);
    assert_int_equal(layer_times_make(&e->layers, results_layers(folder, "layers").text,
                                      &e->analysis.samples, NULL, &f),
                     STATUS_OK);
    assert_true(isnan(e->layers->steps[2].roof.median));
    assert_true(fabs(e->layers->steps[2].share.median - 0.285) < 1e-6);
    struct claim c;
    claim_make(e, "layers", &language_english, &c);
    assert_null(strstr(c.answer, "limit"));
    claim_says(&c, "takes the most time: 51");
    close_one(e);
}

TEST(test_claims_of_faces)
{
    struct claim c = claim_of("faces", "faces", &language_english);
    claim_says(&c, "resnet18+features takes 17.9");
    claim_says(&c, "once is 1.33");
    claim_says(&c, "(published: 1.33); split is 2.35");
    claim_says(&c, "(published: 2.35); batched is 4.4");
    assert_non_null(strstr(c.title, "times as fast as reload, the original"));
    assert_int_equal(c.count, 4);
    assert_int_equal(c.against, AGAINST_PUBLISHED);
    c = claim_of("faces", "faces", spanish());
    claim_says(&c, "500 imágenes de 160 × 160");
    claim_says(&c, "(publicado: 1,33)");
    c = claim_of("devices", "faces", &language_english);
    claim_lacks(&c, "the original structure and another are needed");
}

/* Time of each library over that of our fastest method, auto: 1.25, 1.3 and 2.5. */
TEST(test_claims_of_libraries)
{
    struct experiment *e = open_one("network_peers");
    assert_int_equal(e->analysis.ratio_count, 6);
    for (size_t i = 0; i < e->analysis.ratio_count; i++) {
        const struct ratio *r = &e->analysis.ratios[i];
        const char *peer = e->analysis.points[r->peer].samples->identity.method;
        const double truth = strcmp(peer, "pytorch") == 0    ? 2.5
                             : strcmp(peer, "openvino") == 0 ? 1.3
                                                             : 1.25;
        assert_true(fabs(r->value / truth - 1.0) < 0.03);
        assert_int_equal(r->methods, 2);
        assert_true(strcmp(r->shape, "resnet18 224 x 224") == 0 ||
                    strcmp(r->shape, "resnet18 224 x 224 batch 16") == 0);
    }
    struct claim c;
    claim_make(e, "peers_networks", &language_english, &c);
    claim_says(&c, "faster than the fastest library in 2 of 2");
    claim_says(&c, "(onnxruntime, resnet18 224 x 224");
    close_one(e);
}

const struct tests_group tests_group = {make_folder, remove_folder};
