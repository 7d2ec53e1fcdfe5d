/* Compares published numbers with made-up measurements of known truth: value, interval, ratio and
 * trust word of each kind of measure. Every number and figure is in the table exactly once; a bad
 * counterpart is refused with file, line and column. */
#include "experiments/common/frame.h"
#include "experiments/common/results.h"
#include "experiments/published/suite.h"
#include "harness/base/text/messages.h"
#include "harness/records/timeline.h"
#include "harness/records/training_record.h"
#include "tests/experiments/support/made_results.h"
#include "tests/experiments/support/maker.h"
#include "tests/experiments/support/spanish.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- samples with a regular scatter ---------------------------------------------------------- */

enum { LAUNCHES = 9, SAMPLES = 10 };

/* Launch i takes 1 + (i - 4) / 1000 times the time. The interval of nine medians is from the second
 * to the eighth: 3 thousandths to either side. */
static const double half_width = 0.003;

struct writing {
    struct record_writer *writer;
    const char *experiment;
};

static void begin_in(struct writing *w, const char *place, const char *experiment)
{
    struct failure f = {0};
    w->experiment = experiment;
    assert_int_equal(
        record_writer_open(&w->writer, results_own_samples(place, experiment).text, NULL, &f), 0);
}

static void begin(struct writing *w, const char *experiment)
{
    begin_in(w, folder, experiment);
}

static void end(struct writing *w)
{
    struct failure f = {0};
    assert_int_equal(record_writer_close(w->writer, &f), 0);
}

/* Writes the samples of a point: `seconds` in total, of which the product takes the fraction
 * `share`, and the update the fraction `update`; from launch to launch both grow by `drift`. */
static void add_drifting(struct writing *w, struct record r, double seconds, double share,
                         double update, double drift)
{
    struct failure f = {0};
    snprintf(r.experiment, sizeof r.experiment, "%s", w->experiment);
    for (int launch = 0; launch < LAUNCHES; launch++) {
        const double own = seconds * (1.0 + 0.001 * (launch - 4));
        const double factor = 1.0 + drift * (launch - 4);
        snprintf(r.run_id, sizeof r.run_id, "%s-%d", w->experiment, launch);
        r.round = launch;
        for (int i = -1; i < SAMPLES; i++) {
            r.warmup = i < 0;
            r.sample = i < 0 ? 0 : i;
            r.total_s = r.compute_s = own;
            r.product_s = share * factor * own;
            r.distribute_s = r.collect_s = 0.0;
            r.forward_s = 0.6 * own;
            r.update_s = update * factor * own;
            strcpy(r.stop_reason, i == SAMPLES - 1 ? "relative_ci" : "");
            assert_int_equal(record_append(w->writer, &r, &f), 0);
        }
    }
}

static void add_with(struct writing *w, struct record r, double seconds, double share,
                     double update)
{
    add_drifting(w, r, seconds, share, update, 0.0);
}

static void add(struct writing *w, struct record r, double seconds, double share)
{
    add_with(w, r, seconds, share, 0.25);
}

/* Two sizes: the larger one is reported. */
static void add_pooling(void)
{
    struct writing w;
    begin(&w, "tesina_speedup");
    for (int64_t n = 1024; n <= 2048; n *= 2) {
        struct record r = maker_blank("serial", "staged");
        r.rows = r.cols = n;
        add(&w, r, n == 1024 ? 0.01 : 0.04, n == 1024 ? 0.5 : 0.7);
    }
    end(&w);
    begin(&w, "tesina_processes");
    for (int64_t ranks = 1; ranks <= 2; ranks++) {
        struct record r = maker_blank("mpi", "literal");
        r.ranks = ranks;
        add(&w, r, ranks == 1 ? 0.08 : 0.05, 0.5);
    }
    end(&w);
}

/* A window takes 6 us in Python, and a thousandth of that with vectors. */
static void add_technologies(void)
{
    static const char *const steps[][2] = {
        {"python", "python"}, {"numba", "numba"}, {"serial", "literal"}, {"serial", "simd"}};
    struct writing w;
    begin(&w, "tesina_technologies");
    for (int i = 0; i < 4; i++) {
        struct record r = maker_blank(steps[i][0], steps[i][1]);
        r.rows = r.cols = 128;
        add(&w, r, 64.0 * 64.0 * 6e-6 * pow(0.1, i), 0.0);
    }
    end(&w);
}

/* The GPU takes longer for the network with fewer parameters, and less time for the other. */
static void add_networks(void)
{
    static const char *const networks[] = {"mlp:3200", "mlp:800-400-208"};
    struct writing w;
    begin(&w, "solar_mlp_training");
    for (size_t i = 0; i < 2; i++) {
        struct record r = maker_network("omp", networks[i], 1000, 50);
        strcpy(r.task, "train");
        strcpy(r.data, "random");
        add(&w, r, i ? 0.2 : 0.5, 0.0);
        strcpy(r.program, "network_cuda");
        strcpy(r.space, "cuda");
        strcpy(r.method, "own");
        r.ranks = r.threads = r.nodes = RECORD_NO_INT;
        add(&w, r, i ? 0.1 : 0.6, 0.0);
    }
    struct record r = maker_network("omp", "mlp:800-400-208", 100, 50);
    strcpy(r.task, "train");
    add(&w, r, 0.01, 0.0);
    end(&w);
    begin(&w, "solar_threads");
    r = maker_network("omp", "solar_cnn", 512, 50);
    strcpy(r.task, "train");
    for (r.threads = 1; r.threads <= 2; r.threads++)
        add(&w, r, 1.2 / (double)r.threads, 0.0);
    end(&w);
}

/* Ten days with the same number of samples, whose mean square error equals the epoch's: the squares
 * vary by a quarter at batch 100, and not at all at batch 1000. */
static void add_days(struct table_writer *w, struct training_record r)
{
    struct failure f = {0};
    const double square = r.test_error * r.test_error;
    strcpy(r.what, "day");
    r.count = 100;
    for (r.step = 1; r.step <= 10; r.step++) {
        const double change = r.images == 100 ? 0.25 : 0.0;
        r.test_error = sqrt(square * (r.step % 2 ? 1.0 + change : 1.0 - change));
        assert_int_equal(table_append(w, &r, &f), 0);
    }
}

static struct training_record training_row(const char *launch, int64_t images)
{
    struct training_record r;
    table_blank(&training_record_schema, &r);
    strcpy(r.program, "network_omp");
    strcpy(r.network, "mlp:100-50");
    strcpy(r.data, "solar");
    strcpy(r.what, "epoch");
    snprintf(r.run_id, sizeof r.run_id, "%s-%d", launch, (int)images);
    r.images = images;
    return r;
}

/* A training that was interrupted in its second epoch: its days belong to an epoch that was never
 * scored. */
static void add_interrupted(struct table_writer *w, int64_t images)
{
    struct failure f = {0};
    struct training_record r = training_row("interrupted", images);
    r.epoch = 1;
    r.persistence = 0.1;
    r.test_error = 0.09;
    assert_int_equal(table_append(w, &r, &f), 0);
    r.epoch = 2;
    r.test_error = 0.08;
    add_days(w, r);
}

/* Two epochs of eight whole steps and one step of the remaining images. */
static void add_epochs(struct table_writer *w, int64_t images)
{
    struct failure f = {0};
    struct training_record r = training_row("batch", images);
    for (r.epoch = 1; r.epoch <= 2; r.epoch++) {
        r.step = 9 * r.epoch;
        r.seconds = 1.0;
        r.wall_seconds = 1.002;
        r.whole_steps = 8;
        r.rest_seconds = 0.2;
        r.persistence = 0.1;
        r.test_error = images == 100 ? 0.04 : 0.05;
        r.test_absolute_error = 0.03;
        r.test_mean = 0.5;
        assert_int_equal(table_append(w, &r, &f), 0);
    }
    r.epoch = 2;
    add_days(w, r);
}

/* A step takes 0.1 s. */
static void add_forecasts(void)
{
    struct failure f = {0};
    struct writing w;
    struct table_writer *rows_of;
    begin(&w, "solar_accuracy");
    assert_int_equal(table_writer_open(&rows_of, &training_record_schema,
                                       results_training(folder, "solar_accuracy").text, NULL, &f),
                     0);
    for (int64_t images = 100; images <= 1000; images *= 10) {
        struct record r = maker_network("omp", "mlp:100-50", images, 50);
        strcpy(r.task, "train");
        strcpy(r.data, "solar");
        add(&w, r, 0.1, 0.0);
        add_interrupted(rows_of, images);
        add_epochs(rows_of, images);
    }
    assert_int_equal(table_writer_close(rows_of, &f), 0);
    end(&w);
}

static void add_memory(const char *label, double bytes)
{
    struct failure f = {0};
    struct table_writer *w;
    assert_int_equal(table_writer_open(&w, &timeline_schema,
                                       results_timeline(folder, "faces_structures").text, NULL, &f),
                     0);
    for (int i = -1; i <= 1; i++) {
        struct timeline_row row = {.seconds = i + 2.0, .cpu_share = 1.0};
        snprintf(row.label, sizeof row.label, "%s", label);
        row.resident_bytes = bytes * (1.0 + 0.1 * i);
        assert_int_equal(table_append(w, &row, &f), 0);
    }
    assert_int_equal(table_writer_close(w, &f), 0);
}

static void add_faces(void)
{
    static const char *const structures[] = {"reload", "once", "split"};
    struct writing w;
    begin(&w, "faces_structures");
    for (size_t i = 0; i < 3; i++) {
        struct record r = maker_network("omp", "resnet18", 20, 224);
        r.images = 500; /* 20 of them go through the network at once */
        strcpy(r.program, "faces_omp");
        strcpy(r.operator_name, "faces");
        strcpy(r.method, structures[i]);
        add(&w, r, 178.984 / (double)(i + 1), 0.0);
    }
    end(&w);
    add_memory("reload", 512.0 * 1048576.0);
    add_memory("once", 256.0 * 1048576.0);
}

static struct frame rows;

static const char *const published_csv = "%s/bin/study reproduce %s --format csv -o %s/%s.csv";

static int make_folder(NO_STATE)
{
    char results[64];
    if (make_results_by("make_training_results") != 0)
        return -1;
    add_pooling();
    add_technologies();
    add_networks();
    add_forecasts();
    add_faces();
    snprintf(results, sizeof results, "--results %s", folder);
    if (run(published_csv, MAXPOOL_BINARY_DIR, results, folder, "rows") != 0)
        return -1;
    return read_made_csv(&rows, "rows");
}

static int release(NO_STATE)
{
    frame_release(&rows);
    return remove_folder(state);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static size_t find_row(const struct frame *f, const char *id)
{
    size_t found = f->rows;
    for (size_t i = 0; i < f->rows; i++)
        if (strcmp(frame_field(f, i, 0), id) == 0) {
            assert_int_equal(found, f->rows); /* once */
            found = i;
        }
    if (found == f->rows)
        fail_msg("no row %s", id);
    return found;
}

/* The verdict of the claim that has the part in its text. */
static const char *verdict_on(const struct frame *f, const char *part)
{
    const ptrdiff_t quantity = frame_find(f, "quantity"), state = frame_find(f, "state");
    for (size_t i = 0; i < f->rows; i++)
        if (strncmp(frame_field(f, i, 0), "claims:", 7) == 0 &&
            strstr(frame_field(f, i, (size_t)quantity), part))
            return frame_field(f, i, (size_t)state);
    fail_msg("no claim '%s'", part);
    return "";
}

static size_t column(const char *name)
{
    const ptrdiff_t place = frame_find(&rows, name);
    assert_true(place >= 0);
    return (size_t)place;
}

static void is_near(const char *id, const char *name, double value)
{
    const double printed = frame_number(&rows, find_row(&rows, id), column(name));
    if (isnan(value) ? !isnan(printed) : !(fabs(printed - value) <= 1e-6 * fabs(value)))
        fail_msg("%s: %s is %g, not %g", id, name, printed, value);
}

static void is_text(const char *id, const char *name, const char *value)
{
    const char *printed = frame_field(&rows, find_row(&rows, id), column(name));
    if (strcmp(printed, value) != 0)
        fail_msg("%s: %s is '%s', not '%s'", id, name, printed, value);
}

static void has_text(const char *id, const char *name, const char *part)
{
    const char *printed = frame_field(&rows, find_row(&rows, id), column(name));
    if (!strstr(printed, part))
        fail_msg("%s: %s is '%s', without '%s'", id, name, printed, part);
}

/* Checks value, interval and unit; `scatter`: half the interval over the value, NaN: no
 * interval. */
static void is_measured(const char *id, double value, double scatter, const char *unit)
{
    is_text(id, "state", "measured");
    is_near(id, "ours", value);
    is_near(id, "lower", value * (1.0 - scatter));
    is_near(id, "upper", value * (1.0 + scatter));
    is_text(id, "ours_unit", unit);
}

static void is_compared(const char *id, double ratio, double scatter)
{
    is_near(id, "ratio", ratio);
    is_near(id, "ratio_lower", ratio * (1.0 - scatter));
    is_near(id, "ratio_upper", ratio * (1.0 + scatter));
}

/* A number is named by its published file and its line. */
static void test_times(NO_STATE)
{
    is_measured("faces:3", 178.984, half_width, "s");
    is_near("faces:3", "ratio", NAN); /* equal protocol, or no ratio */
    has_text("faces:3", "sentence", "No ratio: other data, another network.");
    is_text("faces:3", "published", "1789.84");
    is_text("faces:3", "trust", "PRECISE");
    is_measured("faces:5", 89.492, half_width, "s");
    is_text("faces:5", "experiment", "faces_structures");
    is_measured("tesina:20", 0.04, half_width, "s"); /* compute; without a unit to compare with */
    is_near("tesina:20", "ratio", NAN);
    is_measured("tesina:19", 0.028, half_width, "s"); /* product */
}

/* A ratio is paired within rounds, so that differences between rounds cancel. */
static void test_ratios(NO_STATE)
{
    is_measured("solar_mlp:73", 2.5, 0.0, "");
    is_text("solar_mlp:73", "trust", "PRECISE");
    has_text("solar_mlp:73", "sentence", "The programs compute 166401 parameters."); /* published */
    is_measured("solar_mlp:74", 0.4, 0.0, "");
    is_measured("tesina:54", 1.6, 0.0, ""); /* two ranks over one */
}

static void test_shares(NO_STATE)
{
    is_measured("tesina:21", 0.7, 0.0, ""); /* of the larger image */
    is_compared("tesina:21", 0.7 / 0.61, 0.0);
    is_measured("solar_mlp:95", 0.25, 0.0, ""); /* of the update, equal in all samples */
    is_near("tesina:26", "ours", 1.0 / (0.3 + 0.7 / 640.0));
    is_near("tesina:26", "ratio", 1.0 / (0.3 + 0.7 / 640.0) / 2.5578);
}

/* The same number gives the same ratio, whether it is printed as 0.61 or as 61 %. */
static void test_units_are_converted(NO_STATE)
{
    struct frame f;
    assert_int_equal(run("rm -rf %s/u && cp -r %s %s/u && sed -i '/parallel fraction p,,/ "
                         "{ s/fraction p,,/fraction p,%%,/; s/,0.61,/,61,/ }' %s/u/tesina.csv && "
                         "%s/bin/study reproduce --published %s/u --results %s --format csv -o "
                         "%s/units.csv",
                         folder, published_folder(), folder, folder, MAXPOOL_BINARY_DIR, folder,
                         folder, folder),
                     0);
    assert_int_equal(read_made_csv(&f, "units"), 0);
    const size_t row = find_row(&f, "tesina:21");
    assert_string_equal(frame_field(&f, row, column("published")), "61");
    assert_true(fabs(frame_number(&f, row, column("ratio")) - 0.7 / 0.61) < 1e-6);
    frame_release(&f);
}

/* The share of the update is a fourth with either batch: 1, which is not above 1. */
static void test_one_is_not_above_one(NO_STATE)
{
    assert_string_equal(verdict_on(&rows, "The update (Adam)"), "disagrees");
}

/* Times that were throttled are SUSPECT: those of one rank, of a batch of 1000, and of the serial
 * program. */
static void make_doubtful(const char *place)
{
    struct writing w;
    struct record r = maker_blank("mpi", "literal");
    assert_int_equal(run("mkdir -p %s", place), 0);
    begin_in(&w, place, "tesina_processes");
    r.ranks = 2;
    add(&w, r, 0.05, 0.5);
    strcpy(r.throttle, "hardware_thermal");
    r.ranks = 1;
    add(&w, r, 0.08, 0.5);
    end(&w);
    begin_in(&w, place, "solar_mlp_training");
    for (int64_t batch = 100; batch <= 1000; batch *= 10) {
        r = maker_network("omp", "mlp:800-400-208", batch, 50);
        strcpy(r.task, "train");
        strcpy(r.throttle, batch == 1000 ? "hardware_thermal" : "none");
        add_with(&w, r, 0.2, 0.0, batch == 1000 ? 0.125 : 0.5);
    }
    end(&w);
    begin_in(&w, place, "tesina_speedup");
    r = maker_blank("serial", "staged");
    strcpy(r.throttle, "hardware_thermal");
    add(&w, r, 0.01, 0.625);
    end(&w);
}

/* A speedup and a ratio are as doubtful as the more doubtful of their two points. What is SUSPECT
 * is shown, has no ratio and decides nothing. */
static void test_suspect_decides_nothing(NO_STATE)
{
    struct frame f;
    char place[100];
    snprintf(place, sizeof place, "%s/doubtful", folder);
    make_doubtful(place);
    assert_int_equal(run("%s/bin/study reproduce --results %s --format csv -o %s/doubtful.csv",
                         MAXPOOL_BINARY_DIR, place, folder),
                     0);
    assert_int_equal(read_made_csv(&f, "doubtful"), 0);
    const size_t speedup = find_row(&f, "tesina:54"), share = find_row(&f, "tesina:21");
    assert_true(fabs(frame_number(&f, speedup, column("ours")) - 1.6) < 1e-6);
    assert_string_equal(frame_field(&f, speedup, column("trust")), "SUSPECT");
    assert_true(fabs(frame_number(&f, share, column("ours")) - 0.625) < 1e-6);
    assert_string_equal(frame_field(&f, share, column("trust")), "SUSPECT");
    assert_string_equal(frame_field(&f, share, column("ratio")), "");
    assert_string_equal(verdict_on(&f, "The update (Adam)"), "undecided"); /* 4 */
    assert_string_equal(verdict_on(&f, "The products take 61 %"), "undecided");
    const size_t parts = find_row(&f, "figures_without_numbers:50"); /* of both batches */
    assert_string_equal(frame_field(&f, parts, column("state")), "measured");
    assert_string_equal(frame_field(&f, parts, column("trust")), "SUSPECT");
    frame_release(&f);
}

/* The share of the products, and that of the update with two batches, drift by a hundredth from
 * launch to launch. */
static void make_drifting(const char *place)
{
    struct writing w;
    struct record r = maker_blank("serial", "staged");
    assert_int_equal(run("mkdir -p %s", place), 0);
    begin_in(&w, place, "tesina_speedup");
    add_drifting(&w, r, 0.01, 0.61, 0.0, 0.01);
    end(&w);
    begin_in(&w, place, "solar_mlp_training");
    for (int64_t batch = 100; batch <= 1000; batch *= 10) {
        r = maker_network("omp", "mlp:800-400-208", batch, 50);
        strcpy(r.task, "train");
        add_drifting(&w, r, 0.2, 0.0, batch == 100 ? 0.51 : 0.5, 0.01);
    }
    end(&w);
}

/* Amdahl's speedups at the ends of the share's interval are the ends of its own. Of two shares
 * whose intervals overlap, neither is larger. */
static void test_intervals_of_shares(NO_STATE)
{
    struct frame f;
    char place[100];
    snprintf(place, sizeof place, "%s/drifting", folder);
    make_drifting(place);
    assert_int_equal(run("%s/bin/study reproduce --results %s --format csv -o %s/drifting.csv",
                         MAXPOOL_BINARY_DIR, place, folder),
                     0);
    assert_int_equal(read_made_csv(&f, "drifting"), 0);
    const size_t share = find_row(&f, "tesina:21"), speedup = find_row(&f, "tesina:26");
    static const char *const ends[] = {"lower", "ours", "upper"};
    double before = 0.0;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const double part = frame_number(&f, share, column(ends[i])),
                     of_part = 1.0 / (1.0 - part + part / 640.0);
        assert_true(part > before);
        assert_true(fabs(frame_number(&f, speedup, column(ends[i])) / of_part - 1.0) < 1e-6);
        before = part;
    }
    assert_string_equal(verdict_on(&f, "The update (Adam)"), "undecided"); /* 1.02 */
    frame_release(&f);
}

static void test_memory(NO_STATE)
{
    is_measured("faces:8", 512.0 * 1048576.0, NAN, "B");
    is_near("faces:8", "ratio", NAN);
    is_measured("faces:9", 256.0 * 1048576.0, NAN, "B");
    is_measured("figures_without_numbers:67", 1.1 * 512.0 * 1048576.0, NAN, "B"); /* the peak */
    is_measured("figures_without_numbers:68", 1.1 * 256.0 * 1048576.0, NAN, "B");
    is_text("figures_without_numbers:69", "state", "missing"); /* no timeline of split */
}

/* make_training_results writes seven launches of 50 epochs with six seeds; an epoch of launch i
 * takes 0.5 s and i hundredths more, and the accuracies of the seeds are a hundredth apart. Of the
 * first 25 epochs, 24 has the least validation loss. It tries 60 learning rates, and the 31st is
 * suggested. */
static void test_trainings(NO_STATE)
{
    const double learned = 1.0 - exp(-0.12 * 25.0), selected = 1.0 - exp(-0.12 * 24.0);
    is_near("tesina_training:67", "ours", 1.0 / 3.0 + 0.6 * selected);
    is_near("tesina_training:67", "lower", 1.0 / 3.0 + 0.6 * selected - 0.025);
    is_near("tesina_training:67", "upper", 1.0 / 3.0 + 0.6 * selected + 0.025);
    is_near("tesina_training:67", "ratio", NAN);
    is_text("tesina_training:67", "trust", ""); /* trust words are of times */
    has_text("tesina_training:67", "sentence", "No ratio: other data.");
    is_near("tesina_training:69", "ours", 1.0 / 3.0 + 0.6 * (1.0 - exp(-0.12 * 50.0)));
    is_near("tesina_training:68", "ours", 25.0 * 0.5 * 1.03);
    is_near("tesina_training:68", "lower", 25.0 * 0.5);
    is_near("tesina_training:68", "upper", 25.0 * 0.5 * 1.06);
    is_near("tesina_training:68", "ratio", 25.0 * 0.5 * 1.03 / 24.87);
    is_near("tesina_training:70", "ours", 50.0 * 0.5 * 1.03);
    is_near("tesina_training:71", "ours", 1.1 * (1.0 - 0.99 * learned));
    is_near("tesina_training:72", "ours", 1.0 / 3.0 + 0.6 * learned);
    is_near("tesina_training:73", "ours", 2.0 * 1.2 * (1.0 - 0.98 * learned));
    is_near("tesina_training:74", "ours", 1.0 / 3.0 + 0.63 * learned);
    is_near("tesina_training:76", "ours", 0.5 * 1.03);
    is_near("tesina_training:76", "ratio", NAN);
    is_near("tesina_training:89", "ours", 3.0);
    is_near("tesina_training:30", "ours", 1e-7);
    is_near("tesina_training:31", "ours", 1e-7 * pow(10.0, 5.9));
    is_near("tesina_training:32", "ours", 60.0);
    is_near("tesina_training:35", "ours", 1e-4);
    is_text("tesina_training:83", "state", "missing"); /* 100 epochs */
}

/* The gap between the steps of an epoch is 0.002 s. */
static void test_totals_over_parts(NO_STATE)
{
    is_near("solar_time_ratios:4", "ours", 2.004);
    is_near("solar_time_ratios:4", "ratio", NAN);
    has_text("solar_time_ratios:4", "sentence", "No ratio: another unit.");
    is_near("solar_time_ratios:7", "ours", 1.002);
    is_near("solar_time_ratios:8", "ours", (1.002 - 0.2) / 8.0 / 0.1);
    is_text("solar_time_ratios:9", "state", "missing"); /* needs a GPU */
}

static void test_what_was_not_measured(NO_STATE)
{
    is_text("tesina:2", "state", "answer");
    is_near("tesina:2", "ours", 4.0);
    is_text("solar_cnn:2", "ours", "48x48x32");
    is_text("tesina:17", "state", "absent");
    is_text("tesina:57", "state", "missing"); /* 16 ranks */
    has_text("tesina:57", "sentence", "study run --thesis tesina_processes");
    has_text("resnet_devices:14", "sentence", "It needs a GPU");
    has_text("faces:15", "sentence", "garbled"); /* from its note */
    is_text("tesina_training:36", "state", "answer");
    is_near("tesina_training:36", "ours", 3.0);
    is_text("solar_mlp:77", "state", "missing"); /* figure 4.9: not a known answer, but of a GPU */
    has_text("solar_mlp:77", "sentence", "The programs compute 166401 parameters.");
    has_text("solar_mlp:77", "sentence", "It needs a GPU");
    is_text("solar_mlp:75", "state", "missing");
    has_text("solar_mlp:75", "sentence", "'study run --thesis solar_mlp_training' measures it.");
    is_text("solar_mlp:63", "sentence", "");
}

/* The counterpart does not repeat what describe_missing() says. */
static void test_a_gpu_is_asked_for_once(NO_STATE)
{
    static const char *const said = "It needs a GPU";
    size_t asked = 0;
    for (size_t i = 0; i < rows.rows; i++) {
        const char *first = strstr(frame_field(&rows, i, column("sentence")), said);
        if (first && strstr(first + 1, said))
            fail_msg("%s: '%s' twice", frame_field(&rows, i, 0), said);
        asked += first != NULL;
    }
    assert_true(asked > 0);
}

static void test_figures(NO_STATE)
{
    is_text("figures_without_numbers:8", "state", "measured");
    has_text("figures_without_numbers:8", "ours", "alexnet_tesina is right on");
    has_text("figures_without_numbers:8", "sentence", "medians of 6 trainings");
    has_text("figures_without_numbers:8", "sentence", "least validation loss");
    is_text("figures_without_numbers:21", "state", "missing"); /* needs a GPU */
    has_text("figures_without_numbers:46", "ours", "a skill of 0.6 at batch 100");
    has_text("figures_without_numbers:46", "sentence",
             "(RMSE 0.04, MAE 0.03, nRMSE 8.0 %); skill 0.5");
    has_text("figures_without_numbers:51", "ours", "at batch 100; 0.5");
    has_text("figures_without_numbers:51", "ours", "0.60 [0.56, 0.64] at batch 100"); /* by hand */
    has_text("figures_without_numbers:46", "sentence", "skill 0.60 [0.56, 0.64] at batch 100");
    has_text("figures_without_numbers:46", "sentence",
             "minus that at 1000, on the same days, is 0.0623 to 0.138: these two trained "
             "networks differ significantly. Intervals are over the 10 days");
    has_text("figures_without_numbers:50", "ours",
             "The update takes 25 % of a step at batch 100, 25 % at 1000");
    is_measured("figures_without_numbers:60", 2.0, 0.0, ""); /* two threads, each half */
}

/* A finding about both devices is reported for a figure of the GPU only if it rests on a GPU's
 * points; it is also reported for a printed number of parameters. */
static void test_findings_of_devices(NO_STATE)
{
    static const char *const crossover =
        "Crossover of the processor and the GPU between 166401 and 444817 parameters";
    static const char *const ids[] = {"figures_without_numbers:55", "figures_without_numbers:56",
                                      "solar_mlp:91", "solar_mlp:92"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        is_text(ids[i], "state", "measured");
        is_text(ids[i], "ours", crossover);
        is_near(ids[i], "ratio", NAN);
    }
    is_text("figures_without_numbers:58", "state", "missing"); /* only one pair of networks */
    has_text("figures_without_numbers:58", "sentence", "It needs a GPU");
    assert_int_equal(run("mkdir %s/processor && grep -v ,network_cuda, %s/solar_mlp_training.csv > "
                         "%s/processor/solar_mlp_training.csv && %s/bin/study reproduce --results "
                         "%s/processor --format csv -o %s/processor.csv",
                         folder, folder, folder, MAXPOOL_BINARY_DIR, folder, folder),
                     0);
    struct frame processor;
    assert_int_equal(read_made_csv(&processor, "processor"), 0);
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        assert_string_equal(frame_field(&processor, find_row(&processor, ids[i]), column("state")),
                            "missing");
    frame_release(&processor);
}

/* A finding that rests on no points of the required kind does not count. */
static void test_findings_of_points(NO_STATE)
{
    struct frame other;
    assert_int_equal(
        run("rm -rf %s/p && cp -r %s %s/p && sed -i 's/,,claim "
            "training_parts,/,program=network_cuda "
            "task=train,claim training_parts,/' %s/p/counterparts.csv && %s/bin/study reproduce "
            "--published %s/p --results %s --format csv -o %s/other.csv",
            folder, published_folder(), folder, folder, MAXPOOL_BINARY_DIR, folder, folder, folder),
        0);
    assert_int_equal(read_made_csv(&other, "other"), 0);
    assert_string_equal(
        frame_field(&other, find_row(&other, "figures_without_numbers:50"), column("state")),
        "missing");
    frame_release(&other);
}

/* The catalogue translates the suite's own sentences, like all others. */
static void test_sentences_are_translated(NO_STATE)
{
    if (strcmp(message_in(spanish(), "counterpart", "No time is published."),
               "No hay tiempo publicado.") != 0)
        fail_msg("the catalogue has no sentences of counterparts.csv");
    assert_int_equal(run("%s/bin/study reproduce --results %s --lang es --format markdown -o "
                         "%s/page.md",
                         MAXPOOL_BINARY_DIR, folder, folder),
                     0);
    char *page = read_file("page.md");
    assert_non_null(
        strstr(page, "Lo nuestro es un paso de entrenamiento de la red de 50 neuronas"));
    assert_null(strstr(page, "Ours is a training step of the network of 50 neurons"));
    free(page);
}

/* A figure has the network and the batches that it draws, not those of another one. */
static void test_figures_have_their_own_batches(NO_STATE)
{
    static const struct {
        const char *id; /* figures 4.3, 4.15 and 4.16 */
        double value;
    } figures[] = {{"figures_without_numbers:52", 2.0},
                   {"figures_without_numbers:64", 32.0},
                   {"figures_without_numbers:65", 1.0}};
    struct writing w;
    struct frame f;
    char place[100];
    snprintf(place, sizeof place, "%s/batches", folder);
    assert_int_equal(run("mkdir -p %s", place), 0);
    begin_in(&w, place, "solar_mlp_training");
    for (int64_t batch = 100; batch <= 1000; batch *= 10)
        for (int large = 0; large < 2; large++) {
            struct record r =
                maker_network("omp", large ? "mlp:3200-1600-832" : "mlp:50", batch, 50);
            strcpy(r.task, "train");
            add(&w, r, (batch == 100 ? 0.1 : 0.5) * (large ? 100.0 / (double)batch : 1.0), 0.0);
        }
    end(&w);
    begin_in(&w, place, "solar_cnn_inference");
    for (int64_t batch = 2; batch <= 1024; batch *= 2) {
        struct record r = maker_network("omp", "solar_cnn", batch, 50);
        strcpy(r.task, "infer");
        add(&w, r, batch < 512 ? 0.1 : 0.01 * (double)batch, 0.0);
    }
    end(&w);
    assert_int_equal(run("%s/bin/study reproduce --results %s --format csv -o %s/batches.csv",
                         MAXPOOL_BINARY_DIR, place, folder),
                     0);
    assert_int_equal(read_made_csv(&f, "batches"), 0);
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        const double ours = frame_number(&f, find_row(&f, figures[i].id), column("ours"));
        if (!(fabs(ours - figures[i].value) < 1e-6))
            fail_msg("%s: %g, not %g", figures[i].id, ours, figures[i].value);
    }
    frame_release(&f);
}

/* What the page says of the published numbers, counted again from the rows and the counterparts. */
static void test_counts(NO_STATE)
{
    enum { RESULTS, SETTINGS, RECOMPUTED, FACTS, OTHER, ABSENT, MISSING, SHOWN, KINDS };
    const struct published_suite *suite = published_suite(NULL);
    size_t n[KINDS] = {0};
    char text[600];
    assert_non_null(suite);
    for (size_t i = 0; i < suite->published.count; i++) {
        const struct counterpart *c = &suite->counterparts.all[suite->counterparts.of[i]];
        const char *own = frame_field(&rows, i, column("state"));
        const bool measured = strcmp(own, "measured") == 0, answer = strcmp(own, "answer") == 0;
        if (suite->published.rows[i].figure)
            n[SHOWN] += measured || answer;
        else
            n[answer                                    ? RECOMPUTED
              : strcmp(own, "fact") == 0                ? FACTS
              : strcmp(own, "absent") == 0              ? ABSENT
              : !measured                               ? MISSING
              : *frame_field(&rows, i, column("ratio")) ? RESULTS
              : *c->cells[COUNTERPART_COMPARE]          ? OTHER
                                                        : SETTINGS]++;
    }
    assert_true(n[RESULTS] > 0 && n[SETTINGS] > 0 && n[OTHER] > 0);
    snprintf(text, sizeof text,
             "Results compared with ours here: %zu; settings that were run here: %zu; recomputed "
             "without a clock: %zu; none of these: %zu (facts about the documents: %zu; results of "
             "another protocol or SUSPECT, shown without a ratio: %zu; not measurable here: %zu; "
             "not measured: %zu). Figures without printed numbers: 70; with an answer here: %zu.",
             n[RESULTS], n[SETTINGS], n[RECOMPUTED], n[FACTS] + n[OTHER] + n[ABSENT] + n[MISSING],
             n[FACTS], n[OTHER], n[ABSENT], n[MISSING], n[SHOWN]);
    assert_int_equal(run("%s/bin/study reproduce --results %s --format markdown -o %s/page.md",
                         MAXPOOL_BINARY_DIR, folder, folder),
                     0);
    char *page = read_file("page.md");
    if (!strstr(page, text))
        fail_msg("the page does not have '%s'", text);
    free(page);
}

/* ---- all rows -------------------------------------------------------------------------------- */

/* Each id occurs once, whatever was measured; without results, nothing is measured. */
static void test_every_row_once(NO_STATE)
{
    struct published p;
    struct failure f = {0};
    struct frame bare;
    char id[80];
    assert_int_equal(published_read(&p, published_folder(), &f), STATUS_OK);
    assert_int_equal(p.count, 439 + 70);
    assert_true(rows.rows >= p.count + 60); /* and the claims */
    for (size_t i = 0; i < p.count; i++) {
        snprintf(id, sizeof id, "%s:%d", p.rows[i].file, (int)p.rows[i].line);
        assert_int_equal(find_row(&rows, id), i);
    }
    published_release(&p);
    assert_int_equal(run("mkdir -p %s/bare && cd %s/bare && %s/bin/study reproduce --format csv -o "
                         "%s/bare.csv",
                         folder, folder, MAXPOOL_BINARY_DIR, folder),
                     0);
    assert_int_equal(read_made_csv(&bare, "bare"), 0);
    assert_int_equal(bare.rows, rows.rows);
    for (size_t i = 0; i < bare.rows; i++) {
        assert_string_equal(frame_field(&bare, i, 0), frame_field(&rows, i, 0));
        assert_string_not_equal(frame_field(&bare, i, column("state")), "measured");
        if (strncmp(frame_field(&bare, i, 0), "claims:", 7) == 0 &&
            !*frame_field(&bare, i, column("published")))
            assert_string_equal(frame_field(&bare, i, column("state")), "not comparable");
    }
    frame_release(&bare);
}

/* All formats have the published digits. */
static void test_formats(NO_STATE)
{
    static const char *const formats[] = {"text", "html", "markdown", "latex"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        assert_int_equal(run("%s/bin/study reproduce --results %s --format %s -o %s/page",
                             MAXPOOL_BINARY_DIR, folder, formats[i], folder),
                         0);
        char *page = read_file("page");
        if (!strstr(page, "1641.84765625") || !strstr(page, "PRECISE") || strstr(page, "%{"))
            fail_msg("%s: a number or a word is missing", formats[i]);
        free(page);
    }
    assert_int_equal(
        run("%s/bin/study reproduce --format pdf 2> %s/said", MAXPOOL_BINARY_DIR, folder),
        STATUS_USAGE);
    assert_int_equal(run("%s/bin/study reproduce --results %s/nothing 2> %s/said",
                         MAXPOOL_BINARY_DIR, folder, folder),
                     STATUS_USAGE);
}

/* A known answer with as many digits as were printed, though truncated there: 0.9 of 273, and
 * 2.562496. */
static void test_answers_have_decimals(NO_STATE)
{
    static const char *const printed[] = {"| 245 images known answer |",
                                          "| 4 windows known answer |",
                                          "The programs compute 2.562497 times."};
    assert_int_equal(run("%s/bin/study reproduce --results %s --format markdown -o %s/page.md",
                         MAXPOOL_BINARY_DIR, folder, folder),
                     0);
    char *page = read_file("page.md");
    for (size_t i = 0; i < sizeof printed / sizeof *printed; i++)
        if (!strstr(page, printed[i]))
            fail_msg("no '%s' is reported", printed[i]);
    assert_null(strstr(page, "246 images"));
    free(page);
}

/* The committed page agrees with the committed samples, and no label of a point is cut. */
static void test_committed_page(NO_STATE)
{
    assert_int_equal(
        run("grep -q '[.][.][.]' %s/docs/details/reproduction_*.md", MAXPOOL_SOURCE_DIR), 1);
    assert_int_equal(
        run("%s/scripts/reproduction_page.sh --check %s", MAXPOOL_SOURCE_DIR, MAXPOOL_BINARY_DIR),
        0);
    assert_int_equal(run("cp -r %s/docs %s/typed && grep -q '1789.84' "
                         "%s/typed/details/reproduction_*.md && "
                         "sed -i 's/1789.84/1789.85/' %s/typed/details/reproduction_*.md",
                         MAXPOOL_SOURCE_DIR, folder, folder, folder),
                     0);
    assert_int_equal(run("%s/scripts/reproduction_page.sh --check %s %s/typed > /dev/null 2>&1",
                         MAXPOOL_SOURCE_DIR, MAXPOOL_BINARY_DIR, folder),
                     1);
}

/* The page is written next to the report, which links to it. */
static void test_report(NO_STATE)
{
    static const char *const texts[][2] = {
        {"report.html", "<a href=\"reproduction.html\">"},
        {"reproduction.html", "Published numbers: 439. "},
        {"reproduction.html", "<a href=\"report.html\">"},
        {"report.md", "](reproduction.html)"},
        {"report.md", "the tesina's Python loop to vector"},
        {"reproduction.html", "563 MiB"},
        {"report.md", "Peak memory in MiB: reload 563, once 282."},
        {"report.md", "| simd, maxpool\\_serial | 6"},
        {"reproduction.html", "1641.84765625 MB"},
        {"reproduction.html", "<section id=\"solar\">"},
        {"reproduction.html", "<section id=\"glossary\">"},
        {"reproduction.tex", "1641.84765625 MB"},
        {"reproduction.tex", "\\end{longtable}"}};
    assert_int_equal(run("%s/bin/study report --charts none --results %s > %s/said 2>&1",
                         MAXPOOL_BINARY_DIR, folder, folder),
                     0);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *page = read_file(texts[i][0]);
        if (!strstr(page, texts[i][1]))
            fail_msg("%s has no '%s'", texts[i][0], texts[i][1]);
        free(page);
    }
}

/* ---- bad counterparts ------------------------------------------------------------------------ */

static void test_bad_counterparts_are_refused(NO_STATE)
{
    static const struct {
        const char *from, *to, *said;
    } cases[] = {
        {"{cores},ratio,", "{cores} 2,ratio,", "column 'measure': 'amdahl {cores} 2' has too many"},
        {",slowest,", ",slow,", "column 'measure': 'slow' is no measure"},
        {"phase update", "phase lunch", "column 'measure': 'phase lunch' names no phase"},
        {"rates first", "rates third", "column 'measure': 'rates third' is not 'rates'"},
        {"claim confusion", "claim confused", "column 'measure': 'claim confused' names no chart"},
        {"loss {epochs}", "loss {part}", "column 'measure': 'loss {part}' has a word that is no"},
        {"rows=10000", "rowz=10000", "column 'point': 'program=matmul_omp rowz=10000' names no"},
        {"rows=10000", "rows=many", "column 'point': 'program=matmul_omp rows=many' has a value"},
        {"rows=10000", "rows=", "column 'point': 'program=matmul_omp rows=' has a word"},
        {"task=infer,slowest,limit", "task=infer,count,limit", "column 'compare': 'limit'"},
        {"task=infer,slowest,limit", "task=infer,slowest,bound", "column 'compare': 'bound'"},
        {"matmul_omp rows=10000,total", "matmul_omp rows=10000,ratio", "has not as many points"},
        {"share 0.5267 0.8604,tesina", "share 0.5267,tesina", "column 'answer': 'share 0.5267'"},
        {"image_ratio,result,", "image_ratio,ratio,", "column 'protocol': 'unit' does not suit"},
        {"no longer falls.,unit", "no longer falls.,", "column 'protocol': '' does not suit"},
        {"no longer falls.,unit", "no longer falls.,clock", "column 'protocol': 'clock' has an"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(run("rm -rf %s/p && cp -r %s %s/p && sed -i '0,/%s/ s/%s/%s/' "
                             "%s/p/counterparts.csv",
                             folder, published_folder(), folder, cases[i].from, cases[i].from,
                             cases[i].to, folder),
                         0);
        const int status = run("%s/bin/study reproduce --published %s/p > %s/out 2> %s/said",
                               MAXPOOL_BINARY_DIR, folder, folder, folder);
        char *said = read_file("said");
        if (status != STATUS_USAGE || !strstr(said, cases[i].said) ||
            !strstr(said, "/p/counterparts.csv:"))
            fail_msg("%s became %s: status %d, %s", cases[i].from, cases[i].to, status, said);
        free(said);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_ratios),
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_units_are_converted),
        cmocka_unit_test(test_one_is_not_above_one),
        cmocka_unit_test(test_suspect_decides_nothing),
        cmocka_unit_test(test_intervals_of_shares),
        cmocka_unit_test(test_figures_have_their_own_batches),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_trainings),
        cmocka_unit_test(test_what_was_not_measured),
        cmocka_unit_test(test_figures),
        cmocka_unit_test(test_findings_of_devices),
        cmocka_unit_test(test_findings_of_points),
        cmocka_unit_test(test_sentences_are_translated),
        cmocka_unit_test(test_every_row_once),
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_report),
        cmocka_unit_test(test_committed_page),
        cmocka_unit_test(test_bad_counterparts_are_refused),
        cmocka_unit_test(test_totals_over_parts),
        cmocka_unit_test(test_a_gpu_is_asked_for_once),
        cmocka_unit_test(test_answers_have_decimals),
    };
    return tests_end(cmocka_run_group_tests(tests, make_folder, release));
}
