/* Claims about the forecasts of made-up trainings: to which parameters the days belong, and what
 * the days allow to claim. */
#include "experiments/common/results.h"
#include "experiments/report/claims/claims.h"
#include "experiments/report/claims/forecast_skill.h"
#include "harness/records/training_record.h"
#include "tests/experiments/support/made_results.h"
#include "tests/experiments/support/maker.h"
#include "tests/experiments/support/spanish.h"
#include "tests/support/expect_part.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAST_EPOCH = 30, OF_A_DAY = 100 };

static const char name[] = "forecasts";

/* Opens the experiment anew, with one sample, to write its trainings. */
static struct table_writer *begin(void)
{
    struct failure f = {0};
    struct table_writer *w;
    struct record r = maker_network("omp", "mlp:100-50", 100, 50);
    assert_int_equal(run("rm -f %s/%s.*csv", folder, name), 0);
    struct maker m = maker_begin(folder, name);
    strcpy(r.task, "train");
    strcpy(r.data, "solar");
    strcpy(r.experiment, name);
    strcpy(r.run_id, "run");
    r.round = 0;
    r.total_s = r.compute_s = 1e-3;
    maker_append(m.writer, &r, 0, 1);
    maker_end(&m);
    assert_int_equal(table_writer_open(&w, &training_record_schema,
                                       results_training(folder, name).text, NULL, &f),
                     STATUS_OK);
    return w;
}

static struct training_record row_of(const char *launch, int64_t batch, int64_t epoch, double error)
{
    struct training_record r;
    table_blank(&training_record_schema, &r);
    strcpy(r.program, "network_omp");
    strcpy(r.network, "mlp:100-50");
    strcpy(r.data, "solar");
    snprintf(r.run_id, sizeof r.run_id, "%s-%d", launch, (int)batch);
    r.images = batch;
    r.epoch = epoch;
    r.persistence = 0.1;
    r.test_error = error;
    return r;
}

static void add_score(struct table_writer *w, struct training_record r)
{
    struct failure f = {0};
    strcpy(r.what, "epoch");
    r.test_absolute_error = 0.7 * r.test_error;
    r.test_mean = 0.5;
    assert_int_equal(table_append(w, &r, &f), STATUS_OK);
}

/* Adds days of a hundred samples and a last one of `last`. The squared errors are alternately
 * larger and smaller by the fraction `change`. */
static void add_days(struct table_writer *w, struct training_record r, int days, int64_t last,
                     double change)
{
    struct failure f = {0};
    const double square = r.test_error * r.test_error;
    strcpy(r.what, "day");
    for (r.step = 1; r.step <= days; r.step++) {
        r.count = r.step == days ? last : OF_A_DAY;
        r.test_error = sqrt(square * (r.step % 2 ? 1.0 + change : 1.0 - change));
        assert_int_equal(table_append(w, &r, &f), STATUS_OK);
    }
}

/* Adds a whole training with ten days of equally many samples. */
static void add_training(struct table_writer *w, int64_t batch, double error, double change)
{
    const struct training_record r = row_of("whole", batch, LAST_EPOCH, error);
    add_score(w, r);
    add_days(w, r, 10, OF_A_DAY, change);
}

/* Closes the trainings, and returns the claim about them. */
static struct claim end(struct table_writer *w)
{
    struct failure f = {0};
    assert_int_equal(table_writer_close(w, &f), STATUS_OK);
    return claim_of(name, "forecast", &language_english);
}

/* An interrupted training has days of parameters that were never scored, whether it stopped in the
 * last epoch or before, and whether its file has it first or last. */
static void days_are_of_the_scored_parameters(NO_STATE)
{
    struct table_writer *w = begin();
    add_score(w, row_of("early", 100, 4, 0.08));
    add_days(w, row_of("early", 100, 5, 0.08), 10, OF_A_DAY, 0.5);
    add_score(w, row_of("late", 100, LAST_EPOCH - 1, 0.05));
    add_days(w, row_of("late", 100, LAST_EPOCH, 0.05), 10, OF_A_DAY, 0.5);
    add_training(w, 100, 0.04, 0.25);
    add_days(w, row_of("whole", 100, LAST_EPOCH + 1, 0.04), 10, OF_A_DAY, 0.9);
    add_score(w, row_of("again", 100, LAST_EPOCH - 1, 0.05));
    add_days(w, row_of("again", 100, LAST_EPOCH, 0.05), 10, OF_A_DAY, 0.5);
    expect_part(end(w).answer, "skill 0.60 [0.56, 0.64] at batch 100"); /* by hand */
}

/* Without days of the last epoch there is no interval. */
static void days_of_an_earlier_epoch_are_forgotten(NO_STATE)
{
    struct table_writer *w = begin();
    add_score(w, row_of("first", 100, 10, 0.06));
    add_days(w, row_of("first", 100, 10, 0.06), 10, OF_A_DAY, 0.25);
    add_score(w, row_of("second", 100, LAST_EPOCH, 0.04));
    const struct claim c = end(w);
    expect_part(c.answer, "skill 0.6 at batch 100");
    expect_no_part(c.answer, "Intervals");
}

/* Repeating the same training changes nothing, with days or without. */
static void a_repeated_training_keeps_its_days(NO_STATE)
{
    struct table_writer *w = begin();
    add_score(w, row_of("older", 100, LAST_EPOCH, 0.04));
    add_training(w, 100, 0.04, 0.25);
    add_score(w, row_of("again", 100, LAST_EPOCH, 0.04));
    add_days(w, row_of("again", 100, LAST_EPOCH, 0.04), 10, OF_A_DAY, 0.25);
    add_score(w, row_of("newer", 100, LAST_EPOCH, 0.04));
    const struct claim c = end(w);
    expect_part(c.answer, "skill 0.60 [0.56, 0.64] at batch 100");
    expect_part(c.answer, "over the 10 days");
}

/* A day with fewer samples than the others has less weight. Both intervals were computed by hand;
 * with equal weights the second would be [0.561, 0.639]. */
static void a_short_day_weighs_less(NO_STATE)
{
    static const struct {
        double last, lower, upper;
    } cases[] = {{OF_A_DAY, 0.562, 0.638}, {24, 0.563, 0.637}};
    enum { DAYS = 10 };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct skill_days days = {.count = DAYS};
        for (int d = 0; d < DAYS; d++) {
            days.samples[d] = d + 1 < DAYS ? OF_A_DAY : cases[i].last;
            days.squares[d] = days.samples[d] * 0.04 * 0.04 * (d % 2 ? 0.75 : 1.25);
            days.expected[d] = days.samples[d] * 0.1 * 0.1;
        }
        const struct interval found = skill_interval(0.6, &days);
        assert_true(fabs(found.lower - cases[i].lower) < 5e-4 &&
                    fabs(found.upper - cases[i].upper) < 5e-4);
    }
}

/* Two days are too few for an interval; of more than 128 not all are kept. */
static void of_too_few_and_too_many_days_nothing_is_said(NO_STATE)
{
    static const struct {
        int days;
        bool said;
    } cases[] = {{2, false}, {3, true}, {128, true}, {129, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct training_record r = row_of("whole", 100, LAST_EPOCH, 0.04);
        struct table_writer *w = begin();
        add_score(w, r);
        add_days(w, r, cases[i].days, OF_A_DAY, 0.2);
        const struct claim c = end(w);
        (cases[i].said ? expect_no_part : expect_part)(c.answer, "skill 0.6 at batch 100");
        (cases[i].said ? expect_part : expect_no_part)(c.answer, "Intervals are over");
    }
}

/* The longest answer is complete in both languages. */
static void eight_batches_have_room(NO_STATE)
{
    struct table_writer *w = begin();
    for (int i = 0; i < 8; i++)
        add_training(w, 125 << i, 0.0407 + 0.00011 * i, 0.23);
    struct claim c = end(w);
    expect_part(c.answer, "at batch 125 (RMSE 0.0407, MAE 0.0285, nRMSE 8.1 %); ");
    expect_part(c.answer, "at batch 16000 (RMSE ");
    expect_part(c.answer, "; other seeds of the training were not tried.");
    c = claim_of(name, "forecast", spanish());
    expect_part(c.answer, "; no se probaron otras semillas del entrenamiento.");
}

/* The best of several batches is named if the days show that it is best. At batch 100 the squares
 * vary by a quarter: its interval excludes a skill of 0.5, but not one of 0.59. */
static void a_best_batch_is_seen(NO_STATE)
{
    struct table_writer *w = begin();
    add_training(w, 100, 0.04, 0.25);
    add_training(w, 1000, 0.05, 0.0);
    struct claim c = end(w);
    expect_part(c.title, "mlp:100-50 forecasts with a skill of 0.6 at batch 100");
    expect_part(c.plain, "Its error is about 60 % smaller than");
    expect_part(c.answer, "is 0.0623 to 0.138: these two trained networks differ significantly.");
    c = claim_of(name, "forecast", spanish());
    expect_part(c.answer, "estas dos redes entrenadas difieren de forma significativa");
}

static void no_best_batch_is_named_without_a_difference(NO_STATE)
{
    struct table_writer *w = begin();
    add_training(w, 100, 0.04, 0.25);
    add_training(w, 1000, 0.041, 0.0);
    struct claim c = end(w);
    expect_part(c.title, "mlp:100-50 forecasts with a skill of 0.59 to 0.6");
    expect_no_part(c.title, "at batch");
    expect_part(c.plain,
                "With each of these batches its error is at least about 59 % smaller than");
    expect_part(c.answer, ": these two trained networks do not differ significantly.");
    w = begin();
    add_score(w, row_of("older", 100, LAST_EPOCH, 0.04));
    add_score(w, row_of("older", 1000, LAST_EPOCH, 0.05));
    c = end(w); /* no days: the difference is not known */
    expect_part(c.title, "mlp:100-50 forecasts with a skill of 0.5 to 0.6");
    expect_part(c.plain,
                "With each of these batches its error is at least about 50 % smaller than");
}

/* Three batches make three pairs: a difference that one pair alone would show does not show. */
static void all_pairs_of_batches_are_looked_at(NO_STATE)
{
    struct table_writer *w = begin();
    add_training(w, 100, 0.04, 0.25); /* 0.6 within 0.0377; as one of three pairs 0.0489 */
    add_training(w, 1000, 0.0443, 0.0);
    expect_part(end(w).title, "at batch 100");
    w = begin();
    add_training(w, 100, 0.04, 0.25);
    add_training(w, 500, 0.0443, 0.0);
    add_training(w, 1000, 0.0443, 0.0);
    const struct claim c = end(w);
    expect_no_part(c.title, "at batch");
    expect_part(c.answer, "differ significantly");
}

/* With a negative skill the error is larger. */
static void what_is_worse_is_larger(NO_STATE)
{
    static const struct {
        double small, large, change; /* errors; of persistence 0.1 */
        const char *plain;
    } cases[] = {
        {0.112, 0.125, 0.001, "Its error is about 12 % larger than that of the forecast of no"},
        {0.105, 0.1051, 0.25, "It is not seen that its error differs from that of the forecast"},
        {0.15, 0.151, 0.25,
         "With each of these batches its error is at least about 50 % larger than that"},
        {0.099, 0.101, 0.25, "It is not seen that its error differs"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct table_writer *w = begin();
        add_training(w, 100, cases[i].small, cases[i].change);
        add_training(w, 1000, cases[i].large, 0.0);
        expect_part(end(w).plain, cases[i].plain);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(days_are_of_the_scored_parameters),
        cmocka_unit_test(days_of_an_earlier_epoch_are_forgotten),
        cmocka_unit_test(a_repeated_training_keeps_its_days),
        cmocka_unit_test(a_short_day_weighs_less),
        cmocka_unit_test(of_too_few_and_too_many_days_nothing_is_said),
        cmocka_unit_test(eight_batches_have_room),
        cmocka_unit_test(a_best_batch_is_seen),
        cmocka_unit_test(no_best_batch_is_named_without_a_difference),
        cmocka_unit_test(all_pairs_of_batches_are_looked_at),
        cmocka_unit_test(what_is_worse_is_larger),
    };
    return cmocka_run_group_tests(tests, make_empty_folder, remove_folder);
}
