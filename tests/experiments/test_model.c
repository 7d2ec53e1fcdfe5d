/* Platform files, and the model's predictions for them, compared with figures worked out by
 * hand. */
#include "experiments/analysis/speedup/model.h"
#include "experiments/analysis/speedup/rank_choices.h"
#include "experiments/samples/point.h"
#include "tests/support/run_program.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/maxpool-platform-XXXXXX.xml";

static int make_file(NO_STATE)
{
    const int file = mkstemps(path, 4);
    return file < 0 ? -1 : close(file);
}

static int remove_file(NO_STATE)
{
    return unlink(path);
}

static enum status read_text(struct platform *p, const char *text, struct failure *f)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    return platform_read(p, path, f);
}

#define CLUSTER                                                                                    \
    "<platform version='4.1'>\n<cluster id='c' prefix='n' suffix='' radical='0-3' speed='2Gf'\n"   \
    " core='4' bw='1GBps' lat='10us' loopback_bw='8GBps' loopback_lat='1us'"

/* ---- files ---------------------------------------------------------------------------------- */

TEST(mistakes_are_named_with_their_line)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"<platform version='4.1'>\n<cluster\n</platform>", ":3: not well-formed"},
        {"<platform>\n\n", ":3: no element found"},
        {"", ":1: no element found"},
        {"<html>\n</html>", ":1: a platform file begins with <platform>, not <html>"},
        {"<platform>\n</platform>", "has no <host> and no <cluster>"},
        {"<platform>\n<host id='a'/>\n</platform>", ":2: <host> has no speed"},
        {"<platform>\n<host id='a' speed='fast'/>\n</platform>",
         ":2: speed: 'fast' is not a quantity such as 1Gf"},
        {"<platform>\n<host id='a' speed='0'/>\n</platform>", ":2: speed must be above 0"},
        {"<platform>\n<host id='a' speed='1Gf' core='0'/>\n</platform>", ":2: core: '0'"},
        {"<platform>\n<host id='a' speed='nan'/>\n</platform>", ":2: speed: 'nan'"},
        {"<platform>\n<link id='l' bandwidth='1GB' latency='0'/>\n</platform>",
         ":2: bandwidth: '1GB' is not a quantity such as 1.25GBps"},
        {"<platform>\n<host id='a' speed='1Gf'/>\n<route src='a' dst='a'>\n<link_ctn id='x'/>\n"
         "</route></platform>",
         ":4: there is no <link id=\"x\"> above"},
        {"<platform>\n<cluster id='c' prefix='n' suffix='' radical='3-1' speed='1Gf' bw='1Gbps' "
         "lat='1us'/>\n</platform>",
         ":2: radical: '3-1' is not a list such as 0-63"},
        {CLUSTER " topology='FAT_TREE' topo_parameters='2;2;1,1;1,1'/>\n</platform>",
         ":2: topo_parameters: '2;2;1,1;1,1' does not say what 2 levels have below them"},
        {CLUSTER " topology='FAT_TREE' topo_parameters='2;2,3;1,1;1,1'/>\n</platform>",
         ":2: topo_parameters: '2;2,3;1,1;1,1' is a tree of 6 hosts, not 4"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct platform p;
        struct failure f = {0};
        const enum status status = read_text(&p, rows[i].text, &f);
        if (status != STATUS_USAGE || !strstr(f.message, rows[i].message) ||
            strncmp(f.message, path, strlen(path)) != 0)
            fail_msg("%s\n  status %d and '%s', expected '%s'", rows[i].text, (int)status,
                     f.message, rows[i].message);
    }
}

TEST(a_missing_file_is_named)
{
    struct platform p;
    struct failure f = {0};
    assert_int_equal(platform_read(&p, "no_such_cluster", &f), STATUS_USAGE);
    assert_non_null(strstr(f.message, "no_such_cluster.xml: cannot be read"));
}

/* A long name leaves space for what the model knows. */
TEST(a_long_element_is_shortened)
{
    struct platform p;
    struct failure f = {0};
    char text[800], name[600];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    snprintf(text, sizeof text, "%s/><%s/></platform>", CLUSTER, name);
    assert_int_equal(read_text(&p, text, &f), STATUS_OK);
    assert_non_null(strstr(p.unknown, ":3: the model does not know nnn"));
    assert_non_null(strstr(p.unknown, "nnn...: one <cluster>, flat or FAT_TREE, or one <host>"));
    platform_release(&p);
}

/* Platforms that SimGrid may run and the model refuses. */
TEST(unknown_shapes_are_reported)
{
    struct platform p;
    struct failure f = {0};
    assert_int_equal(
        read_text(&p, CLUSTER " topology='TORUS' topo_parameters='2,2'/></platform>", &f),
        STATUS_OK);
    assert_non_null(strstr(p.unknown, ":2: the model does not know this topology"));
    assert_int_equal(p.host_count, 4); /* ranks can be started nevertheless */
    platform_release(&p);
}

TEST(our_platforms_are_read)
{
    static const struct {
        const char *name;
        int64_t cores;
        double latency_2, latency_64; /* between hosts, when ranks use the first 2, or 64 */
    } rows[] = {
        {"ethernet_10g", 1024, 15e-6, 15e-6},
        {"infiniband", 1024, 0.5e-6, 1e-6},
        {"fat_node", 256, 0.0, 0.0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct platform p;
        struct failure f = {0};
        if (platform_read(&p, rows[i].name, &f) != STATUS_OK)
            fail_msg("%s", f.message);
        assert_string_equal(p.unknown, "");
        assert_int_equal(platform_cores(&p), rows[i].cores);
        assert_true(p.speed == 1e9);
        assert_true(p.memory_bandwidth > 0.0);
        if (p.host_count > 1) {
            assert_true(fabs(platform_latency(&p, 2) - rows[i].latency_2) < 1e-12);
            assert_true(fabs(platform_latency(&p, 64) - rows[i].latency_64) < 1e-12);
        }
        platform_release(&p);
    }
}

/* ---- predictions ---------------------------------------------------------------------------- */

/* 65 x 1000 elements, windows of 3 with a step of 2: 32 rows of 499 outputs; a halo is one row. */
static struct record problem(const char *distribution)
{
    struct record r = record_empty();
    strcpy(r.operator_name, "maxpool");
    strcpy(r.distribution, distribution);
    r.rows = 65;
    r.cols = 1000;
    r.kernel = 3;
    r.stride = 2;
    r.padding = 0;
    return r;
}

static struct prediction predict_record(const char *text, const struct record *r, int64_t ranks,
                                        bool memory)
{
    const struct row_time row = {.value = 2e-6, .interval = {1e-6, 3e-6}, .launches = 6};
    struct platform p;
    struct scaling_model m;
    struct prediction out = {0};
    struct failure f = {0};
    if (read_text(&p, text, &f) != STATUS_OK ||
        model_of_platform(&m, &p, &row, r, memory, &f) != STATUS_OK ||
        model_predict(&m, r, ranks, &out, &f) != STATUS_OK)
        fail_msg("%s", f.message);
    platform_release(&p);
    return out;
}

static struct prediction predict(const char *text, const char *distribution, int64_t ranks,
                                 bool memory)
{
    const struct record r = problem(distribution);
    return predict_record(text, &r, ranks, memory);
}

static void assert_seconds(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9 * expected + 1e-15))
        fail_msg("%.9g s, expected %.9g s", value, expected);
}

/* Hosts of twice the speed: a row takes 1 us. */
TEST(computing_is_rows_times_seconds)
{
    const struct prediction one = predict(CLUSTER "/></platform>", "generate", 1, false);
    assert_seconds(one.total_s, 32e-6);
    assert_seconds(one.total.lower, 16e-6);
    assert_seconds(one.total.upper, 48e-6);
    assert_seconds(predict(CLUSTER "/></platform>", "generate", 3, false).compute_s, 11e-6);
}

/* 8 ranks on two hosts have 4 rows each, 3 of which hide the halo: 20 us + 4000 bytes at 1 GB/s. */
TEST(a_halo_is_hidden_by_computing)
{
    const struct prediction p = predict(CLUSTER "/></platform>", "generate", 8, false);
    assert_seconds(p.distribute_s, 20e-6 + 4e-6 - 3e-6);
    assert_seconds(p.total_s, 20e-6 + 4e-6 + 1e-6);
    /* inside a host, computing 7 rows hides 1 us + 4000 bytes at 8 GB/s */
    assert_seconds(predict(CLUSTER "/></platform>", "generate", 4, false).distribute_s, 0.0);
}

/* The image has 8 bands of 9 rows: 4 are sent to the other host, 3 stay in rank 0's host. */
TEST(rank_0_sends_and_gathers)
{
    const struct prediction p = predict(CLUSTER "/></platform>", "scatter", 8, false);
    assert_seconds(p.distribute_s, 20e-6 + 4 * 9 * 4000 / 1e9);
    assert_seconds(p.collect_s, 20e-6 + 4 * 4 * 499 * 4 / 1e9);
    assert_seconds(predict(CLUSTER "/></platform>", "scatter", 2, false).distribute_s,
                   1e-6 + 33 * 4000 / 8e9);
}

/* Each row moves 2 x 1000 + 499 floats: four ranks of a host share 1 GB/s. */
TEST(ranks_of_a_host_share_its_memory)
{
    static const char text[] =
        CLUSTER "><prop id='memory_bandwidth' value='1e9'/></cluster></platform>";
    const double row_s = 4 * 2499 * 4 / 1e9;
    assert_seconds(predict(text, "generate", 4, true).compute_s, 8 * row_s);
    assert_seconds(predict(text, "generate", 4, false).compute_s, 8e-6);
}

/* 14 rows of 14 x 8 outputs. */
static struct record convolving(const char *method)
{
    struct record r = problem("scatter");
    strcpy(r.operator_name, "conv");
    strcpy(r.method, method);
    r.rows = r.cols = 14;
    r.stride = 1;
    r.padding = 1;
    r.batch = r.groups = 1;
    r.channels = r.filters = 8;
    return r;
}

/* Tiles of 4 rows make 4 units: two ranks have 8 and 6 rows, and of eight ranks four have none. A
 * method that computes single rows has 7 and 7 of them, or 2 and fewer in each of eight ranks. */
TEST(a_band_begins_at_a_whole_unit_of_the_method)
{
    static const char text[] = CLUSTER "/></platform>";
    const double row_s = 14 * 8 * 4 / 8e9; /* to send one */
    const struct record tiles = convolving("winograd4"), rows = convolving("implicit");
    const struct prediction two = predict_record(text, &tiles, 2, false);
    assert_seconds(two.compute_s, 8e-6);
    assert_seconds(two.collect_s, 1e-6 + 6 * row_s);
    assert_seconds(predict_record(text, &tiles, 8, false).compute_s, 4e-6);
    assert_seconds(predict_record(text, &rows, 2, false).compute_s, 7e-6);
    assert_seconds(predict_record(text, &rows, 2, false).collect_s, 1e-6 + 7 * row_s);
    assert_seconds(predict_record(text, &rows, 8, false).compute_s, 2e-6);
}

/* ---- fitting -------------------------------------------------------------------------------- */

enum { SIZES = 4, POINTS = 3 * SIZES };

/* Measured points of a machine that follows the model: 2 ns per output, two ranks at half speed
 * each, 5 us + bytes / 4 GB/s to scatter, 3 us + bytes / 2 GB/s to gather. */
struct made {
    struct point_samples samples[POINTS];
    struct point points[POINTS];
    struct analysis analysis;
};

static void make_point(struct made *made, size_t index, int64_t n, int64_t ranks,
                       const char *distribution)
{
    struct point *p = &made->points[index];
    struct record *r = &made->samples[index].identity;
    *r = problem(distribution);
    strcpy(r->space, "mpi");
    strcpy(r->method, "fused");
    r->rows = r->cols = n;
    r->kernel = r->stride = 2;
    r->ranks = ranks;
    r->threads = 1;
    *p = (struct point){.samples = &made->samples[index],
                        .workers = (double)ranks,
                        .windows = 0.25 * (double)(n * n)};
    const double scattered = ranks == 2 && strcmp(distribution, "scatter") == 0 ? 1.0 : 0.0;
    p->seconds[METRIC_COMPUTE].value = 2e-9 * p->windows;
    p->phase[PHASE_DISTRIBUTE] = scattered * (5e-6 + 2.0 * (double)(n * n) / 4e9);
    p->phase[PHASE_COLLECT] = scattered * (3e-6 + 0.5 * (double)(n * n) / 2e9);
}

static void make_points(struct made *made)
{
    memset(made, 0, sizeof *made);
    for (size_t i = 0; i < SIZES; i++) {
        const int64_t n = INT64_C(256) << i;
        make_point(made, 3 * i, n, 1, "scatter");
        make_point(made, 3 * i + 1, n, 2, "scatter");
        make_point(made, 3 * i + 2, n, 2, "generate");
    }
    made->analysis =
        (struct analysis){.name = "made", .points = made->points, .point_count = POINTS};
}

TEST(a_fit_finds_what_the_points_were_made_of)
{
    static struct made made;
    struct scaling_model m;
    struct failure f = {0};
    make_points(&made);
    const struct record *like = &made.samples[0].identity;
    assert_int_equal(model_fit(&m, &made.analysis, like, 2.0, 0, &f), STATUS_OK);
    assert_seconds(m.output_s, 2e-9);
    const struct message_cost *scatter = &m.costs[MESSAGE_SCATTER];
    const struct message_cost *gather = &m.costs[MESSAGE_GATHER];
    assert_true(fabs(scatter->alpha_s - 5e-6) < 1e-10 && fabs(gather->alpha_s - 3e-6) < 1e-10);
    assert_true(fabs(scatter->beta_s_per_byte * 4e9 - 1.0) < 1e-6);
    assert_true(fabs(gather->beta_s_per_byte * 2e9 - 1.0) < 1e-6);
    /* each output of 2 x 2 elements moves 5 floats, one per ns */
    assert_true(fabs(m.memory_bandwidth / (20.0 / 2e-9) - 1.0) < 1e-6);
}

/* A size that is left out of the fit is predicted from the other sizes. */
TEST(a_hidden_size_is_predicted)
{
    static struct made made;
    struct scaling_model m;
    struct prediction out;
    struct failure f = {0};
    make_points(&made);
    const struct point *hidden = &made.points[10]; /* two ranks, scatter, the largest */
    const struct record *r = &hidden->samples->identity;
    made.points[9].seconds[METRIC_COMPUTE].value = 1.0; /* would spoil a fit that used it */
    assert_int_equal(model_fit(&m, &made.analysis, r, 2.0, r->rows, &f), STATUS_OK);
    assert_int_equal(model_predict(&m, r, 2, &out, &f), STATUS_OK);
    const double total = hidden->seconds[METRIC_COMPUTE].value + hidden->phase[PHASE_DISTRIBUTE] +
                         hidden->phase[PHASE_COLLECT];
    assert_true(fabs(out.total_s / total - 1.0) < 1e-3);
}

/* Windows that share no rows have empty halo messages: no cost per byte can be determined, and none
 * must be infinite. */
TEST(empty_messages_cost_no_infinity)
{
    static struct made made;
    struct scaling_model m;
    struct prediction out;
    struct failure f = {0};
    make_points(&made);
    for (size_t i = 0; i < SIZES; i++)
        made.points[3 * i + 2].phase[PHASE_DISTRIBUTE] = 2e-6; /* time of an empty exchange */
    const struct record *like = &made.samples[2].identity;
    assert_int_equal(model_fit(&m, &made.analysis, like, 2.0, 0, &f), STATUS_OK);
    assert_int_equal(m.rank_counts, 2);
    assert_true(fabs(m.costs[MESSAGE_HALO].alpha_s - 2e-6) < 1e-12);
    assert_true(m.costs[MESSAGE_HALO].beta_s_per_byte == 0.0);
    assert_int_equal(model_predict(&m, like, 2, &out, &f), STATUS_OK);
    assert_true(isfinite(out.total_s));
}

/* The efficiency is a sawtooth, and the time rises again. Whatever efficiency is demanded, no
 * choice has more ranks than the one with the lowest time. */
TEST(choices_match)
{
    enum { RANKS = 40 };
    struct prediction at[RANKS];
    const struct rank_curve c = {at, RANKS};
    for (int rise = 0; rise < 2; rise++) {
        for (int p = 1; p <= RANKS; p++) /* 16 rows; each rank adds message costs */
            at[p - 1].total_s = ceil(16.0 / p) + rise * 0.02 * p;
        for (int twentieths = 1; twentieths < 20; twentieths++) {
            const double share = 0.05 * twentieths;
            const struct rank_choices choices = rank_choices_of(&c, share);
            assert_int_equal(choices.lowest_time, 16);
            assert_true(choices.last_paying <= 16 && choices.most_speedup_times_efficiency <= 16);
            assert_int_equal(choices.least_cost, 1);
            assert_true(choices.last_paying == 1 ||
                        rank_efficiency(&c, choices.last_paying) >= share);
            for (int64_t p = choices.last_paying + 1; p <= RANKS; p++)
                assert_true(rank_efficiency(&c, p) < share ||
                            rank_seconds(&c, p) >= rank_seconds(&c, choices.last_paying) || p > 16);
        }
        /* 9 .. 15 ranks are as slow as 8, and 16 are efficient again */
        assert_int_equal(rank_choices_of(&c, 0.75).last_paying, 16);
    }
}

/* No simulated point enters a fit, and neither does a point with more ranks than cores. */
TEST(fits_see_measured_points_alone)
{
    static struct made made;
    struct scaling_model m;
    struct failure f = {0};
    make_points(&made);
    for (size_t i = 0; i < POINTS; i += 2)
        strcpy(made.samples[i].identity.platform, "cluster");
    const struct record *like = &made.samples[1].identity;
    assert_int_equal(model_fit(&m, &made.analysis, like, 2.0, 0, &f), STATUS_OK);
    assert_int_equal(m.output_points, 2);
    assert_int_equal(model_fit(&m, &made.analysis, like, 1.0, 0, &f), STATUS_OK);
    assert_int_equal(m.costs[MESSAGE_SCATTER].points, 0);
}

/* A simulated sample with the same numbers does not complete a point that is to be measured. */
TEST(simulated_samples_are_of_no_measured_point)
{
    struct record planned = problem("generate"), sample = planned;
    assert_true(point_matches(&planned, &sample));
    strcpy(sample.platform, "cluster");
    assert_false(point_matches(&planned, &sample));
    strcpy(planned.platform, "somewhere/cluster");
    assert_true(point_matches(&planned, &sample));
}

/* ---- the study ------------------------------------------------------------------------------ */

static void refuse(const char *command, int status, const char *message)
{
    struct outcome o = run_program(command, NULL);
    if (o.status != status || !strstr(o.err, message))
        fail_msg("%s\n  status %d, expected %d and: %s\n%s", command, o.status, status, message,
                 o.err);
}

TEST(without_simgrid_there_is_a_reason)
{
    refuse("PATH=/nowhere ./study run scale --launcher simgrid --results /nowhere", 3,
           "needs smpirun, which is not installed (Debian: libsimgrid-dev)");
    refuse("./maxpool_serial -n 8 --platform x", 3, "built for a simulated cluster");
    struct outcome o = run_program("PATH=/nowhere ./study plan scale", NULL);
    assert_int_equal(o.status, 0);
    assert_non_null(strstr(o.out, "left out: smpirun is not installed"));
}

TEST(a_prediction_needs_what_it_is_made_of)
{
    char command[200];
    struct platform p;
    struct failure f = {0};
    assert_int_equal(read_text(&p, "<platform>\n<cluster/>\n</platform>", &f), STATUS_USAGE);
    snprintf(command, sizeof command, "./study predict scale --platform %s", path);
    refuse(command, 2, ".xml:2: <cluster> has no id");
    refuse("./study predict scale --platform fat_node --ranks 512", 2,
           "fat_node has 256 cores, not 512");
    refuse("./study predict threads --platform fat_node --ranks 4", 2, "no MPI points");
}

const struct tests_group tests_group = {make_file, remove_file};
