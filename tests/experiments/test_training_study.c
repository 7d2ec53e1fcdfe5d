/* Trainings in a study: points, commands, needs, the file of training curves, and the claims about
 * made-up ones with known truth. */
#include "experiments/analysis/selections/training_curve.h"
#include "experiments/plan/command_line.h"
#include "experiments/plan/plan.h"
#include "experiments/plan/work.h"
#include "experiments/report/claims/claims.h"
#include "experiments/report/claims/forecast_skill.h"
#include "experiments/samples/point.h"
#include "harness/records/training_record.h"
#include "tests/experiments/support/made_results.h"
#include "tests/experiments/support/spanish.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int make_folder(NO_STATE)
{
    return make_results_by("make_training_results");
}

/* ---- points ---------------------------------------------------------------------------------- */

static const char definition_text[] =
    "[experiment]\ntitle = T\nquestion = Q?\nsection = training\ntraining = 1\nlayers = 1\n"
    "epochs = 3\nfind_learning_rate = 1\nlearning_rate = 0.002\n"
    "[points training]\nprograms = network_serial\nmethod = auto\ntask = train\ndata = solar\n"
    "augment = rotate,flip,crop\n"
    "network = mlp:9-4\nbatch = 32\n"
    "[points inference]\nprograms = network_serial\nmethod = auto\nnetwork = mlp:9-4\nbatch = 32\n"
    "[points none]\nprograms = network_serial\nmethod = auto\ntask = train\nnetwork = resnet18\n"
    "[points library]\nprograms = network_pytorch\nmethod = pytorch\ntask = train\n"
    "network = mlp:9-4\nbatch = 32\n";

static struct plan make_plan(void)
{
    const struct plan plan = plan_of_text(definition_text);
    assert_int_equal(plan.count, 4);
    return plan;
}

/* The words of the i-th point's command, separated by blanks. */
static char *command_of(const struct plan *plan, size_t i)
{
    const struct sampling sampling = plan_sampling(plan, &i, 1);
    struct command_line line;
    const struct command_request request = {.point = &plan->points[i].point,
                                            .sampling = &sampling,
                                            .launcher = "plain",
                                            .bin = "bin",
                                            .record = "r.csv",
                                            .layers = "r.layers.csv",
                                            .training = "r.training.csv",
                                            .cores = 2};
    assert_int_equal(command_line_make(&line, &request, NULL), STATUS_OK);
    char *text = command_line_text(&line);
    command_line_release(&line);
    assert_non_null(text);
    return text;
}

TEST(test_trainings_are_commands)
{
    static const char *const of_training[] = {" --task train ",
                                              " --data solar ",
                                              " --optimizer adam ",
                                              " --shards 8 ",
                                              " --epochs 3 ",
                                              " --learning-rate 0.002 ",
                                              " --augment rotate,flip,crop ",
                                              " --find-learning-rate ",
                                              " --record-training r.training.csv"};
    struct plan plan = make_plan();
    char *training = command_of(&plan, 0), *inference = command_of(&plan, 1);
    for (size_t i = 0; i < sizeof of_training / sizeof *of_training; i++) {
        if (!strstr(training, of_training[i]))
            fail_msg("no '%s' in %s", of_training[i], training);
        if (strstr(inference, of_training[i]))
            fail_msg("'%s' in %s", of_training[i], inference);
    }
    assert_null(strstr(training, "--input"));
    assert_null(strstr(training, "--strategy")); /* only for ranks */
    assert_non_null(strstr(training, "--record-layers r.layers.csv"));
    assert_non_null(strstr(inference, "--record-layers r.layers.csv"));
    assert_null(strstr(inference, "--task"));
    char *library = command_of(&plan, 3); /* a library: neither shards nor ranks */
    assert_non_null(strstr(library, " --task train --data random --optimizer adam "));
    assert_null(strstr(library, "--shards"));
    assert_null(strstr(library, "--strategy"));
    free(library);
    free(training);
    free(inference);
    plan_release(&plan);
}

/* Samples of inference and of training belong to different points, even with the same network and
 * batch. */
TEST(test_trainings_are_points_of_their_own)
{
    struct plan plan = make_plan();
    const struct record *training = &plan.points[0].point, *inference = &plan.points[1].point;
    char label[192];
    assert_string_equal(training->input, "solar");
    assert_string_equal(training->optimizer, "adam");
    assert_int_equal(training->shards, 8);
    assert_string_equal(inference->task, "infer");
    assert_string_equal(inference->optimizer, "");
    struct record sample = *training;
    sample.step = 4;
    sample.seed = 35;
    assert_true(point_matches(training, &sample));
    assert_false(point_matches(inference, &sample));
    assert_false(point_same_network(training, inference));
    point_label(training, label, sizeof label);
    assert_string_equal(label, "network_serial auto mlp:9-4 32x50 input=solar batch=32 task=train "
                               "data=solar augment=rotate,flip,crop");
    point_label(inference, label, sizeof label);
    assert_string_equal(label, "network_serial auto mlp:9-4 32x50 batch=32");
    assert_null(plan.points[0].skip);
    assert_non_null(plan.points[2].skip);
    assert_non_null(strstr(plan.points[2].skip, "bn1 is a batch norm"));
    plan_release(&plan);
}

/* ---- needs ----------------------------------------------------------------------------------- */

static struct record record_of(const char *network, int64_t images, const char *task)
{
    struct record r = record_empty();
    strcpy(r.operator_name, "network");
    strcpy(r.space, "omp");
    strcpy(r.method, "auto");
    strcpy(r.optimizer, "adam");
    snprintf(r.network, sizeof r.network, "%s", network);
    snprintf(r.task, sizeof r.task, "%s", task);
    r.batch = images;
    r.rows = images;
    r.cols = 50;
    r.planes = 1;
    return r;
}

/* A step computes forward, and the gradients of the weights and of all inputs except the first. */
TEST(test_steps_need_more_than_inference)
{
    const struct record step = record_of("mlp:50-25", 8, "train");
    const struct record run = record_of("mlp:50-25", 8, "infer");
    const double forward = 8.0 * (50 * 50 + 50 * 25 + 25), first = 8.0 * 50 * 50;
    assert_true(need_of(&run, true).per_output.multiply_adds == forward);
    assert_true(need_of(&step, true).per_output.multiply_adds == 3.0 * forward - first);
}

/* Parameters, gradients, Adam's state, packed weights, and the copies restored after a warm-up:
 * eight times the parameters, in each process. */
TEST(test_memory_of_trainings)
{
    struct record r = record_of("mlp:25600-12800-6656", 100, "train");
    const double parameters = point_parameter_bytes(&r);
    assert_true(fabs(parameters / 4.0 / 414e6 - 1.0) < 0.01);
    const double bytes = (double)work_bytes(&r);
    assert_true(bytes > 8.0 * parameters && bytes < 8.1 * parameters);
    r.ranks = 3;
    assert_true((double)work_bytes(&r) == 3.0 * bytes);
    strcpy(r.optimizer, "sgd"); /* its state is one value per parameter, not two; so is the copy */
    assert_true((double)work_bytes(&r) < 3.0 * (6.1 * parameters));
    strcpy(r.task, "infer");
    assert_true((double)work_bytes(&r) < 2.1 * parameters);
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Three layers forward and backward, and the update: each is clocked in the four steps, and not
 * while learning rates are tried or steps verified. */
static void expect_layers(void)
{
    static const char *const passes[] = {",4,", ",forward,", ",backward,,,,,", ",update,,,,,\n"};
    static const size_t times[] = {7, 3, 3, 1};
    char *rows = read_file("own.layers.csv");
    for (size_t i = 0; i < 4; i++) {
        size_t count = 0;
        for (const char *at = strstr(rows, "\n"); (at = strstr(at, passes[i])); at++)
            count++;
        if (i == 0 ? count < times[i] : count != times[i])
            fail_msg("%zu rows with '%s' in %s", count, passes[i], rows);
    }
    free(rows);
}

/* Checks that every row has the launch's batch, and keeps the hash of the last epoch. */
static bool take_hash(const void *row, int64_t line, void *context)
{
    const struct training_record *r = row;
    (void)line;
    assert_int_equal(r->images, 4096);
    if (strcmp(r->what, "epoch") == 0)
        memcpy(context, r->parameters_hash, RECORD_TEXT);
    return true;
}

/* The file of a program is read by column name: one row per epoch, in order, and the confusion
 * matrix at the end. */
TEST(test_programs_write_training_curves)
{
    assert_int_equal(run("%s/bin/network_serial --network mlp:9-4 --task train --data solar "
                         "--batch 4096 --epochs 2 --find-learning-rate --record-training "
                         "%s/own.training.csv --record-layers %s/own.layers.csv --record "
                         "%s/own.csv >%s/said 2>&1",
                         MAXPOOL_BINARY_DIR, folder, folder, folder, folder),
                     0);
    struct training_curve c;
    struct experiment e = {.name = "own"};
    snprintf(e.training_path, sizeof e.training_path, "%s/own.training.csv", folder);
    assert_true(training_curve_read(&c, &e));
    assert_string_equal(c.network, "mlp:9-4");
    assert_int_equal(c.epochs, 2);
    assert_int_equal(c.launches, 1);
    assert_true(c.seconds[0][0] > 0.0 && c.seconds[1][0] > 0.0);
    assert_true(
        isnan(training_curve_accuracy(&c, 2).value)); /* its targets are values, not classes */
    assert_true(c.rates > 10 && c.learning_rate == 1e-3);
    char *rows = read_file("own.training.csv"), *steps = read_file("own.csv");
    assert_null(strstr(rows, "confusion"));
    char hash[RECORD_TEXT] = "";
    struct failure f = {0};
    char file[600];
    snprintf(file, sizeof file, "%s/own.training.csv", folder);
    assert_int_equal(table_read(file, &training_record_schema, take_hash, hash, NULL, &f),
                     STATUS_OK);
    assert_int_equal(strlen(hash), 16);
    assert_non_null(strstr(steps, hash)); /* the last step has the last epoch's hash too */
    free(rows);
    free(steps);
    expect_layers();
    assert_int_equal(run("%s/bin/network_serial --network mlp:9-4 --record-training %s/x.csv "
                         ">%s/said 2>&1",
                         MAXPOOL_BINARY_DIR, folder, folder),
                     2);
}

TEST(test_training_curves)
{
    struct training_curve c;
    struct experiment *e = open_one("mri_training");
    assert_true(training_curve_read(&c, e));
    assert_int_equal(c.epochs, 50);
    assert_int_equal(c.launches, 6);
    assert_int_equal(training_curve_tested(&c), 118);
    assert_int_equal(training_curve_hits(&c), 115);
    const struct estimate s = training_curve_seconds(&c, 50); /* 25, 25.25 .. 26.25 */
    assert_true(fabs(s.value - 25.625) < 1e-9);
    assert_true(fabs(s.interval.lower - 25.0) < 1e-9 && fabs(s.interval.upper - 26.25) < 1e-9);
    close_one(e);
    e = open_one("cnn_batch");
    assert_false(training_curve_read(&c, e));
    close_one(e);
}

/* Wilson's interval of 81 of 263: Newcombe (1998), Statistics in Medicine 17, 857-872, table I. */
TEST(test_intervals_of_shares)
{
    const struct interval i = share_interval(81.0, 263.0);
    assert_true(fabs(i.lower - 0.2553) < 1e-4 && fabs(i.upper - 0.3662) < 1e-4);
}

/* A day with fewer samples than the others has less weight. Both intervals were computed by hand;
 * with equal weights the second would be [0.561, 0.639]. */
TEST(test_short_days_weigh_less)
{
    static const struct {
        double last, lower, upper;
    } cases[] = {{100, 0.562, 0.638}, {24, 0.563, 0.637}};
    enum { DAYS = 10 };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct skill_days days = {.count = DAYS};
        for (int d = 0; d < DAYS; d++) {
            days.samples[d] = d + 1 < DAYS ? 100 : cases[i].last;
            days.squares[d] = days.samples[d] * 0.04 * 0.04 * (d % 2 ? 0.75 : 1.25);
            days.expected[d] = days.samples[d] * 0.1 * 0.1;
        }
        const struct interval found = skill_interval(0.6, &days);
        assert_true(fabs(found.lower - cases[i].lower) < 5e-4 &&
                    fabs(found.upper - cases[i].upper) < 5e-4);
    }
}

/* ---- claims ---------------------------------------------------------------------------------- */

TEST(test_claims_of_training_curves)
{
    struct claim c = claim_of("mri_training", "training_curve", &language_english);
    claim_says(&c, "After 25 epochs, 12.8 [12.5, 13.1] s, alexnet_mri is right on 90 [84, 94] %");
    claim_says(&c, "; after 50, 25.6 [25.0, 26.2] s, on 97 [93, 99] %");
    claim_says(&c, "of 118 images");
    claim_says(&c, "87.88 % in 24.87 s");
    assert_null(strstr(c.answer, "after 100"));
    assert_non_null(strstr(c.title, "97 % of unseen images after 50 epochs"));
    assert_int_equal(c.count, 1);
    c = claim_of("mri_training", "training_curve", spanish());
    claim_says(&c, "tras 50, 25,6 [25,0; 26,2] s, en el 97 [93; 99] %");
    c = claim_of("cnn_batch", "training_curve", &language_english);
    claim_lacks(&c, "no training was recorded");
}

/* The same training, had it always answered the last of its three classes: 40 of 118. */
TEST(test_chance_is_named)
{
    assert_int_equal(
        run("cd %s && cp mri_training.csv mri_chance.csv && awk -F, -v OFS=, 'NR == 1 { for (i = "
            "1; "
            "i <= NF; i++) at[$i] = i } NR > 1 && $at[\"what\"] == \"epoch\" { "
            "$at[\"test_accuracy\"] = 40 / 118 } NR > 1 && $at[\"what\"] == \"confusion\" { "
            "$at[\"count\"] = $at[\"right\"] < 3 && $at[\"said\"] == 2 ? ($at[\"right\"] == 0 ? 38 "
            ": 40) : 0 } 1' "
            "mri_training.training.csv > mri_chance.training.csv",
            folder),
        0);
    struct claim c = claim_of("mri_chance", "training_curve", &language_english);
    claim_says(&c, "26.0 to 42.8 % of 118 images");
    claim_says(&c, ", no better than chance (3 classes: 33 %)");
    assert_non_null(strstr(c.title, "alexnet_mri is at chance level after 50 epochs"));
    c = claim_of("mri_chance", "confusion", &language_english);
    claim_says(&c, ", no better than chance (3 classes: 33 %)");
    assert_non_null(strstr(c.title, "40 of 118 unseen images in their class: chance level"));
    claim_says(&c, "; no image is taken for axial.");
    c = claim_of("mri_chance", "training_curve", spanish());
    claim_says(&c, ", no mejor que el azar (3 clases: 33 %)");
    assert_non_null(strstr(c.title, "al nivel del azar"));
    c = claim_of("mri_training", "training_curve", &language_english);
    claim_says(&c, " (chance: 33 %)");
    assert_null(strstr(c.answer, "no better"));
    assert_int_equal(run("rm %s/mri_chance.*", folder), 0);
}

TEST(test_claims_of_classes)
{
    struct claim c = claim_of("mri_training", "confusion", &language_english);
    claim_says(&c, "puts 115 of 118 unseen images in their class, 97 [93, 99] %");
    claim_says(&c, "most often coronal is taken for sagittal, 2 times.");
    c = claim_of("mri_training", "learning_rate", &language_english);
    claim_says(
        &c,
        "0.0001 makes the loss of alexnet_mri fall fastest; the network was trained with 0.0001");
    c = claim_of("cnn_batch", "learning_rate", spanish());
    assert_string_equal(c.why, "no se probaron tasas de aprendizaje");
}

TEST(test_claims_of_steps)
{
    struct claim c = claim_of("mlp_training", "training_size", &language_english);
    claim_says(&c, "A training step of mlp:50");
    claim_says(&c, "a step of mlp:800-400");
    claim_says(&c, "with 139 times as many parameters");
    /* inference of the same batches is a different claim */
    c = claim_of("cnn_batch", "training_batch", &language_english);
    claim_says(&c, "in a batch of 512: 4.9");
    claim_says(&c, "of training for an ");
    struct claim inference = claim_of("cnn_batch", "batch", &language_english);
    assert_null(strstr(inference.answer, "training"));
    c = claim_of("cnn_strategies", "training_phases", &language_english);
    claim_says(&c, "with 4 ranks that all hold the parameters: 3.3"); /* 1 / (0.25 + 0.05) */
    claim_says(&c, "17 % of it is exposed communication time");
    claim_says(&c, "on rank 0 alone, it takes 1.8"); /* 0.55 / 0.3 */
    claim_says(&c, "55 % of that is exchange");
    c = claim_of("training_layers", "training_layers", &language_english);
    claim_says(&c, "Of the 3 steps of solar_cnn, dense1 takes the most time: 60");
}

/* The table below a claim about training contains only steps, though inference was measured too. */
TEST(test_tables_of_steps)
{
    struct claim c;
    struct experiment *e = open_one("cnn_batch");
    claim_make(e, "training_batch", &language_english, &c);
    assert_int_equal(c.count, 2);
    for (size_t i = 0; i < c.count; i++)
        assert_true(point_trains(&c.rows[i]->samples->identity));
    close_one(e);
}

const struct tests_group tests_group = {make_folder, remove_folder};
