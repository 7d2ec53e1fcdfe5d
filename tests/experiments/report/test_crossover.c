/* Where one way of computing overtakes another, and what the parts of a training step take: claims
 * about made-up samples with known truth (make_crossover_results). */
#include "experiments/report/claims/selected_charts.h"
#include "tests/experiments/support/made_results.h"
#include "tests/experiments/support/spanish.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <string.h>

static int make_folder(NO_STATE)
{
    return make_results_by("make_crossover_results");
}

static void is_titled(const struct claim *c, const char *title)
{
    if (!c->has_answer || strcmp(c->title, title) != 0)
        fail_msg("'%s' (%s) is not '%s'", c->title, c->why, title);
}

static void is_refused(char *name, const char *chart, const char *why)
{
    const struct claim c = claim_of(name, chart, &language_english);
    assert_false(c.has_answer);
    assert_string_equal(c.why, why);
}

/* Two threads take 60 us plus 1 / 1.9 of the work: 0.915 of it at 10401 parameters. */
TEST(test_threads)
{
    struct claim c = claim_of("crossing", "training_threads", &language_english);
    is_titled(&c, "Crossover of one thread and 2 threads between 10401 and 20801 parameters");
    claim_says(&c, "A training step of mlp:50, batch 1000, 2601 parameters, takes 2.8");
    claim_says(&c, " of the time with 2 threads that it takes with one thread; of mlp:400-200, "
                   "batch 1000, 100801 parameters, 0.58");
    claim_says(&c, "It is less with one thread up to 10401 parameters and with 2 threads from "
                   "20801 on: the crossover lies between 10401 and 20801 parameters.");
    assert_int_equal(c.count, 8); /* the ends, and the two next to the crossover */
    c = claim_of("crossing", "training_threads", spanish());
    claim_says(&c, "el cruce está entre 10401 y 20801 parámetros");
}

TEST(test_inference)
{
    const struct claim c = claim_of("crossing_inference", "inference_threads", &language_english);
    is_titled(&c, "Crossover of one thread and 2 threads between 10401 and 20801 parameters");
    claim_says(&c, "The inference of mlp:50");
    is_refused("crossing_inference", "training_threads",
               "two networks with one thread and with several are needed");
}

/* Compares the GPU with the faster number of threads. */
TEST(test_devices)
{
    struct claim c = claim_of("crossing", "training_devices", &language_english);
    is_titled(&c, "Crossover of the processor and the GPU between 20801 and 30401 parameters");
    claim_says(&c, "of mlp:400-200, batch 1000, 100801 parameters, 0.4"); /* 240 / 590 */
    c = claim_of("crossing_inference", "inference_devices", &language_english);
    is_titled(&c, "Crossover of the processor and the GPU between 20801 and 30401 parameters");
    is_refused("faster", "training_devices", "no GPU was measured");
}

/* Compares a network of one hidden layer with the next larger one of two. */
TEST(test_depths)
{
    struct claim c = claim_of("crossing", "training_depth", &language_english);
    is_titled(&c, "Crossover of one hidden layer and several between 41601 and 83201 parameters");
    claim_says(&c, "A training step of mlp:1600, batch 1000, 83201 parameters, takes 2.");
    claim_says(&c, " times as long as one of mlp:400-200, 100801 parameters.");
    c = claim_of("crossing", "training_depth_gpu", &language_english);
    is_titled(&c, "From 83201 parameters on, less time with several than with one hidden layer");
    claim_says(&c, "below, the samples do not decide for every network.");
    is_refused("faster", "training_depth_gpu", "no GPU was measured");
    is_refused("crossing_inference", "training_depth",
               "networks of one hidden layer and of several are needed");
}

/* What a selection finds: by the truth of the made-up samples, with the roles that say where; NaN:
 * that role is not looked at. */
static void finds(const char *experiment, const char *chart, const char *finding, const char *role,
                  const char *label, double parameters)
{
    struct experiment *e = open_one(experiment);
    struct selection s = {.count = 0};
    const struct selected_chart *selected = selected_chart_find(chart);
    selected->select(e, selected->parameters, &language_english, &s);
    assert_null(s.lack);
    assert_string_equal(s.finding, finding);
    const struct selection_row *row = selection_find(&s, role);
    assert_non_null(row);
    assert_string_equal(row->label, label);
    assert_true(isnan(parameters) || row->x == parameters);
    selection_release(&s);
    close_one(e);
}

TEST(test_where)
{
    finds("crossing", "training_threads", "between", "low", "", 10401.0);
    finds("crossing", "training_threads", "between", "high", "", 20801.0);
    finds("crossing", "training_devices", "between", "low", "", 20801.0);
    finds("crossing", "training_depth", "between", "high", "", 83201.0);
    finds("crossing", "training_depth_gpu", "from", "high", "", 83201.0);
    finds("crossing_inference", "inference_devices", "between", "high", "", 30401.0);
}

/* No crossover is found if there is none. */
TEST(test_no_crossover)
{
    finds("faster", "training_threads", "second", "high", "", 2601.0);
    finds("slower", "inference_threads", "first", "low", "", 100801.0);
    finds("alike", "training_threads", "unseen", "second", "2 threads", NAN);
    finds("slower_at_first", "training_threads", "up_to", "low", "", 10401.0);
}

/* Differences in both directions, but not first one and then the other. */
TEST(test_changes)
{
    finds("faster_at_first", "training_threads", "apart", "nearer", "2 threads", 20801.0);
    finds("faster_at_first", "training_threads", "apart", "farther", "one thread", 30401.0);
    finds("faster_between", "training_threads", "changes", "first", "one thread", NAN);
    finds("alike_at_the_ends", "training_threads", "apart", "nearer", "one thread", 20801.0);
    finds("alike_at_the_ends", "training_threads", "apart", "farther", "2 threads", 30401.0);
}

/* With two rounds no difference can be tested; one network ran on a GPU. */
TEST(test_lacks)
{
    is_refused("few_rounds", "training_threads", "three rounds in common are needed");
    is_refused("lone_device", "training_devices",
               "two networks on the processor and on the GPU, in one batch, are needed");
    is_refused("lone_device", "training_depth_gpu",
               "networks of one hidden layer and of several are needed");
}

TEST(test_many_networks)
{
    const struct claim c = claim_of("many", "inference_threads", &language_english);
    is_titled(&c, "Less time with 2 threads than with one thread for all 70 networks");
}

/* Checks the claim about the parts of a training step, for the results of that name. */
static void parts_say(const char *results, const char *words)
{
    char name[32];
    snprintf(name, sizeof name, "%s", results);
    const struct claim c = claim_of(name, "training_parts", &language_english);
    claim_says(&c, words);
}

/* Whichever method is first in the file, the alphabetically last one is shown. */
TEST(test_methods)
{
    parts_say("methods", "; forward takes 6.");
    parts_say("methods_turned", "; forward takes 6.");
}

/* Two networks with equally many parameters: the first by name is shown, with most threads. */
TEST(test_equal_sizes)
{
    parts_say("equal_sizes", "With 2 threads, a training step of mlp:44-43 spends");
}

/* Claim and chart show the one network that was measured in two batches with most threads: neither
 * networks with fewer threads count, nor a deeper one in a single batch. */
TEST(test_fewer_threads)
{
    parts_say("fewer_threads", "With 2 threads, a training step of mlp:200-100 spends");
}

/* Points that the claim leaves out do not count, nor does a network in one batch, however many
 * threads they have. */
TEST(test_more_threads)
{
    parts_say("more_threads", "With 2 threads, a training step of mlp:200-100 spends");
}

/* The second of the four deep networks is shown; the update takes a third of a step of 100 vectors,
 * and a 21st of one of 1000. */
TEST(test_parts)
{
    struct claim c = claim_of("crossing", "training_parts", &language_english);
    is_titled(&c, "The update takes 33 % of a step at batch 100, 4.8 % at 1000");
    claim_says(&c, "With 2 threads, a training step of mlp:100-50 spends 33.");
    claim_says(&c, "] % of its time on the update of the parameters at batch 100 and 4.7");
    claim_says(&c, "] % at batch 1000, 7.0");
    claim_says(&c, "; forward takes 20.");
    claim_says(&c, ", backward 43.");
    claim_says(&c, ", the loss 3.3");
    assert_int_equal(c.count, 2);
    c = claim_of("crossing", "training_parts", spanish());
    claim_says(&c, "; la propagación hacia delante");
    is_refused("faster", "training_parts", "two batches of one network are needed");
}

const struct tests_group tests_group = {make_folder, remove_folder};
