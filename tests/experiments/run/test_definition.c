/* Definitions: their contents; file, line and expectation for each of their mistakes; and the plans
 * that result from them. */
#include "experiments/definition/definition.h"
#include "experiments/definition/shapes.h"
#include "experiments/plan/cost.h"
#include "experiments/plan/plan.h"
#include "experiments/samples/journal.h"
#include "experiments/samples/point.h"
#include "tests/support/unit_test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];
static char path[128], bin[128];

/* The last one has no device here. */
static const char *const programs[] = {"maxpool_serial", "maxpool_omp", "maxpool_cuda"};
enum { PROGRAMS = sizeof programs / sizeof *programs };

static int make_folder(NO_STATE)
{
    char name[160];
    strcpy(folder, "/tmp/maxpool-definition-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/drill.ini", folder);
    snprintf(bin, sizeof bin, "%s/bin", folder);
    int failed = mkdir(bin, 0777);
    for (size_t i = 0; i < PROGRAMS && failed == 0; i++) {
        snprintf(name, sizeof name, "%s/%s", bin, programs[i]);
        failed = symlink(MAXPOOL_BINARY_DIR "/bin/fake_point", name);
    }
    return failed;
}

static int remove_folder(NO_STATE)
{
    char name[160];
    for (size_t i = 0; i < PROGRAMS; i++) {
        snprintf(name, sizeof name, "%s/%s", bin, programs[i]);
        unlink(name);
    }
    rmdir(bin);
    unlink(path);
    return rmdir(folder);
}

static void put_bytes(const char *text, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fwrite(text, 1, length, file);
    fclose(file);
}

#define HEAD   "[experiment]\ntitle = T\nquestion = Q\n"
#define POINTS HEAD "[points]\nprograms = maxpool_serial\n"

static struct definition read_good(const char *text, enum scale scale, int64_t cores)
{
    struct definition d;
    struct failure f = {0};
    put_bytes(text, strlen(text));
    if (definition_read(&d, path, scale, cores, &f) != STATUS_OK)
        fail_msg("%s", f.message);
    return d;
}

/* The file is refused by a message that begins with its path and `place`. */
static void expect_refused(const char *file, const char *place, const char *says)
{
    struct definition d;
    struct failure f = {0};
    char begins[200];
    snprintf(begins, sizeof begins, "%s%s", file, place);
    assert_int_equal(definition_read(&d, file, SCALE_QUICK, 2, &f), STATUS_USAGE);
    if (strncmp(f.message, begins, strlen(begins)) != 0 || !strstr(f.message, says))
        fail_msg("'%s' is not '%s... %s'", f.message, begins, says);
}

static void expect_axis(const struct definition *d, size_t axis, const char *expected)
{
    char joined[512] = "";
    const struct texts *values = &d->sweeps[0].axes[axis].values;
    for (size_t i = 0; i < values->count; i++) {
        strcat(joined, i ? " " : "");
        strcat(joined, values->items[i]);
    }
    assert_string_equal(joined, expected);
}

TEST(test_ranges)
{
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"2..16 x2", "2 4 8 16"},
        {"2..17 x2", "2 4 8 16"},
        {"3..3 x2", "3"},
        {"10..50 +10", "10 20 30 40 50"},
        {"1..4", "1 2 3 4"},
        {"1, 7,8", "1 7 8"},
        {"1..cores x2 cores", "1 2 4 6"},
        {"cores", "6"},
        {"5 1..3 5", "5 1 2 3"},
        {"9223372036854775806..9223372036854775807", "9223372036854775806 9223372036854775807"},
        {"4611686018427387904..9223372036854775807 x2", "4611686018427387904"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text, POINTS "size = %s\n", cases[i].text);
        struct definition d = read_good(text, SCALE_FULL, 6);
        expect_axis(&d, 0, cases[i].expected);
        definition_release(&d);
    }
}

/* A byte order mark, as editors write it, and Windows line ends. */
TEST(test_byte_order_mark)
{
    struct definition d = read_good("\ufeff[experiment]\r\ntitle = T\r\nquestion = Q\r\n"
                                    "[points]\r\nprograms = maxpool_serial\r\nsize = 2 4\r\n",
                                    SCALE_FULL, 2);
    assert_string_equal(d.title, "T");
    expect_axis(&d, 0, "2 4");
    definition_release(&d);
}

TEST(test_only_regular_files)
{
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    expect_refused(path, "", "is a FIFO, not a regular file");
    assert_int_equal(unlink(path), 0);
}

TEST(test_scales_override_in_any_order)
{
    static const char text[] =
        HEAD "quick.launches = 3\nlaunches = 12\nmax_seconds = 1m30s\n"
             "charts = one two\nfigures = 28-31\nsection = growth\n"
             "[points]\nquick.size = 8\nprograms = maxpool_serial\nsize = 2 4\n"
             "full.method = staged\n";
    struct definition quick = read_good(text, SCALE_QUICK, 2);
    assert_int_equal(quick.launches, 3);
    expect_axis(&quick, 0, "8");
    assert_int_equal(quick.sweeps[0].axis_count, 1);
    assert_true(quick.sampling.max_seconds == 90);
    assert_int_equal(quick.charts.count, 2);
    assert_true(texts_have(&quick.charts, "two"));
    assert_string_equal(quick.name, "drill");
    assert_string_equal(quick.title, "T");
    assert_string_equal(quick.section, "growth");
    definition_release(&quick);
    struct definition full = read_good(text, SCALE_FULL, 2);
    assert_int_equal(full.launches, 12);
    expect_axis(&full, 0, "2 4");
    assert_int_equal(full.sweeps[0].axis_count, 2);
    definition_release(&full);
}

TEST(test_values_go_on_in_indented_lines)
{
    struct definition d =
        read_good("[experiment]\ntitle = T\nquestion = Does it\n   go on?\n; a comment\n[points]\n"
                  "  programs = maxpool_serial\nsize = 2\n",
                  SCALE_QUICK, 1);
    assert_string_equal(d.question, "Does it go on?");
    definition_release(&d);
}

/* Mistakes in a definition, the line of each, and its message. */
static const struct {
    const char *text;
    int line; /* 0: the file as a whole */
    const char *says;
} mistakes[] = {
    {POINTS "size = 2\ncolour = red\n", 7, "unknown key 'colour' in [points]"},
    {POINTS "size = 2\nmethod = literal @fast\n", 7,
     "'@fast' is not @product, @maximum or @vector"},
    {HEAD "sise = 2\n", 4, "unknown key 'sise' in [experiment]; known are title"},
    {POINTS "rows = 2\ncols = 2\nper_worker = kernel\n", 8, "is not |rows|cols|planes|"},
    {POINTS "size = 2\nper_worker = rows\n", 4, "per_worker = rows, and this section has no rows"},
    {POINTS "size = 8..2 x2\n", 6, "its first exceeds its last"},
    {POINTS "size = 2..8 x1\n", 6, "a range that ends"},
    {POINTS "size = 2..8 +0\n", 6, "a range that ends"},
    {POINTS "size = 0..8 x2\n", 6, "a range that ends"},
    {POINTS "size =\n", 6, "a list of at least one value"},
    {POINTS "size = ,\n", 6, "size: item 1 of ',' is empty"},
    {POINTS "size = 1,,2\n", 6, "size: item 2 of '1,,2' is empty"},
    {POINTS "size = 2\nmethod = literal, fused,\n", 7,
     "method: item 3 of 'literal, fused,' is empty"},
    {POINTS "size = many\n", 6, "size: 'many' is not an integer or a range"},
    {POINTS "size = 2.5\n", 6, "'2.5' is not an integer"},
    {POINTS "size = -2\n", 6, "'-2' is not an integer"},
    {POINTS "size = 0\n", 6, "'0' is not an integer of at least 1"},
    {POINTS "size = 9223372036854775808\n", 6, "is not an integer"},
    {POINTS "size = 1..5000\n", 6, "at most 1000 values"},
    {POINTS "size = 2\nsize = 3\n", 7, "'size' is already given in line 6"},
    {POINTS "size = 2\nquick.padding = x\n", 7, "'x' is not an integer"},
    {POINTS "size = 2\nfull.padding = x\n", 7, "'x' is not an integer"},
    {POINTS "size = 2\nmethod = --evil\n", 7, "'--evil' is not a value"},
    {POINTS "size = 2\nprogramme = x\n", 7, "unknown key 'programme'"},
    {HEAD "[points]\nprograms = ../evil\n", 5, "'../evil' is not a name"},
    {HEAD "charts = a/b\n", 4, "'a/b' is not a name"},
    {HEAD "launches = 0\n", 4, "at least 1"},
    {HEAD "launches = 2 3\n", 4, "at least 1"},
    {HEAD "relative_ci = 1.5\n", 4, "a number between 0 and 1"},
    {HEAD "relative_ci = nan\n", 4, "a number between 0 and 1"},
    {HEAD "time_limit = soon\n", 4, "a duration"},
    {HEAD "verify = maybe\n", 4, "'maybe' is not |full|sampled|none|"},
    {HEAD "section = cellar\n", 4, "'cellar' is not |problem|ideas|growth|"},
    {HEAD "launcher = full|plain\n", 4, "is not |plain|mpirun|srun|"},
    {HEAD "[points]\nsize = 2\n", 4, "names no programs"},
    {HEAD "[points]\nprograms = a\n", 4, "exactly one of size, rows with cols, input"},
    {HEAD "[points]\nprograms = a\nrows = 2\n", 4, "exactly one of"},
    {HEAD "[points]\nprograms = a\nsize = 2\ninput = x.png\n", 4, "exactly one of"},
    {POINTS "shapes = x\n", 6, "'x' is not a shape such as"},
    {POINTS "shapes = a:2x3x4:k0:s1:p0\n", 6, "is not a shape such as"},
    {POINTS "shapes = a/b:2x3x4:k1:s1:p0\n", 6, "is not a shape such as"},
    {POINTS "shapes = a:2x3x4:k1:s1:p0:d1\n", 6, "is not a shape such as"},
    {POINTS "shapes = a:2x3x4:k1:s1:p-1\n", 6, "is not a shape such as"},
    {POINTS "shapes = a:2x3x4:k1:s1:p0\nkernel = 2\n", 4, "shapes already set kernel"},
    {POINTS "shapes = a:2x3x4:k1:s1:p0\nsize = 2\n", 4, "exactly one of"},
    {HEAD "[point]\nprograms = a\n", 4, "unknown section [point]"},
    {"title = T\n", 1, "a key before any section"},
    {HEAD "nonsense\n", 4, "expected 'key = value'"},
    {HEAD "[unclosed\n", 4, "expected 'key = value'"},
    {"[experiment]\ntitle = T\n", 0, "has no question"},
    {"[experiment]\nquestion = Q\n", 0, "has no title"},
    {HEAD, 0, "has no [points] section"},
    {"", 0, "has no title"},
};

TEST(test_errors_name_file_and_line)
{
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        char place[20];
        snprintf(place, sizeof place, mistakes[i].line ? ":%d: " : ": ", mistakes[i].line);
        put_bytes(mistakes[i].text, strlen(mistakes[i].text));
        expect_refused(path, place, mistakes[i].says);
    }
}

TEST(test_hostile_files)
{
    static const char zero[] = HEAD "figures = a\0b\n";
    char longer[4096];
    memset(longer, 'x', sizeof longer);
    memcpy(longer, "[experiment]\ntitle = ", 21);
    put_bytes(zero, sizeof zero - 1);
    expect_refused(path, ":4: a zero byte", "");
    put_bytes(longer, sizeof longer);
    expect_refused(path, ":2: the line is too long", "");
    expect_refused("/tmp", "", "");
    expect_refused("/nowhere.ini", "", "");
}

/* ---- plans ---------------------------------------------------------------------------------- */

/* Plans the text at a scale, for two cores and the programs of a folder. */
static struct plan plan_of(const char *text, enum scale scale, const char *programs_folder)
{
    struct failure f = {0};
    struct plan plan = {.settings = {programs_folder, "", 2}};
    struct definition d = read_good(text, scale, 2);
    if (plan_add(&plan, &d, &f) != STATUS_OK)
        fail_msg("%s", f.message);
    return plan;
}

static struct plan make_plan(const char *points)
{
    char text[1024];
    snprintf(text, sizeof text, POINTS "%s", points);
    return plan_of(text, SCALE_QUICK, bin);
}

TEST(test_axes_multiply)
{
    struct plan plan = make_plan("size = 4 8\nmethod = steady noisy\nkernel = 2 3\n");
    assert_int_equal(plan.count, 8);
    for (size_t i = 0; i < plan.count; i++)
        for (size_t j = 0; j < i; j++) {
            char a[POINT_KEY], b[POINT_KEY];
            point_key(&plan.points[i].point, a);
            point_key(&plan.points[j].point, b);
            assert_string_not_equal(a, b);
        }
    plan_release(&plan);
}

TEST(test_one_point_has_one_name)
{
    /* defaults made explicit, axes of other spaces ignored */
    struct plan plan = make_plan("size = 4\nmethod = steady\nthreads = 1 2\nranks = 1 2\n"
                                 "[points again]\nprograms = maxpool_serial\nsize = 4\n"
                                 "method = steady\nkernel = 2\nstride = 2\npadding = 0\n");
    assert_int_equal(plan.count, 1);
    char key[POINT_KEY];
    point_key(&plan.points[0].point, key);
    assert_string_equal(key, "program=maxpool_serial operator=maxpool space=serial method=steady "
                             "planes=1 rows=4 cols=4 kernel=2 stride=2 padding=0 pad_mode=zero "
                             "filter=identity seed=35 max_value=9 input=random");
    plan_release(&plan);
}

/* One section defines a whole weak-scaling curve; a program without workers is its point for one
 * worker. */
TEST(test_work_grows_with_the_workers)
{
    static const struct {
        int64_t rows, planes;
    } expected[] = {{10, 1}, {10, 1}, {20, 1}, {40, 1}, {5, 3}, {5, 12}};
    struct plan plan = make_plan("rows = 10\ncols = 7\nmethod = steady\nper_worker = rows\n"
                                 "[points threads]\nprograms = maxpool_omp\nrows = 10\ncols = 7\n"
                                 "method = steady\nthreads = 1..4 x2\nper_worker = rows\n"
                                 "[points planes]\nprograms = maxpool_omp\nrows = 5\ncols = 7\n"
                                 "planes = 3\nmethod = steady\nthreads = 1 4\n"
                                 "per_worker = planes\n");
    assert_int_equal(plan.count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < plan.count; i++) {
        assert_int_equal(plan.points[i].point.rows, expected[i].rows);
        assert_int_equal(plan.points[i].point.cols, 7);
        assert_int_equal(plan.points[i].point.planes, expected[i].planes);
    }
    plan_release(&plan);
    plan = make_plan("rows = 1\ncols = 7\nmethod = steady\n[points wide]\nprograms = maxpool_omp\n"
                     "rows = 4611686018427387904\ncols = 1\nmethod = steady\nthreads = 4\n"
                     "per_worker = rows\n");
    assert_non_null(strstr(plan.points[1].skip, "cannot be counted in bytes"));
    plan_release(&plan);
}

TEST(test_all_methods_are_asked_of_the_program)
{
    struct plan plan = make_plan("size = 4\nmethod = all\n");
    assert_true(plan.count > 10);
    assert_string_equal(plan.points[0].point.method, "steady");
    plan_release(&plan);
}

static bool plans(const struct plan *plan, const char *method)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->count; i++)
        count += strcmp(plan->points[i].point.method, method) == 0;
    assert_true(count <= 1);
    return count == 1;
}

/* A group contains the methods that the method table assigns to it; a method also named explicitly
 * occurs once. */
TEST(test_groups_hold_what_the_table_says)
{
    static const char *const groups[] = {"@product", "@maximum", "@vector", "simd @vector"};
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
        char text[200];
        snprintf(text, sizeof text, POINTS "size = 8\nmethod = %s\n", groups[g]);
        struct plan plan = plan_of(text, SCALE_QUICK, MAXPOOL_BINARY_DIR "/bin");
        for (size_t i = 0; i < operator_method_count(&maxpool_operator); i++) {
            const struct method *m = maxpool_operator.method(i);
            const bool wanted = g == 0 ? m->product : g == 1 ? !m->product : m->vectors;
            if (m->kind == SPACE_HOST)
                assert_int_equal(plans(&plan, m->name), wanted);
        }
        plan_release(&plan);
    }
}

static bool runs(const struct plan *plan, const char *gradient, const char *method)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->count; i++)
        count += !plan->points[i].skip && strcmp(plan->points[i].point.gradient, gradient) == 0 &&
                 strcmp(plan->points[i].point.method, method) == 0;
    assert_true(count <= 1);
    return count == 1;
}

/* If an option selects the operator, a group and "all" contain the methods of the selected one. */
TEST(test_groups_are_those_of_the_selected_operator)
{
    static const char *const groups[] = {"@vector", "all"};
    static const char *const gradients[] = {"image", "weights"};
    static const struct operator_row *const selected[] = {&conv_data_gradient_operator,
                                                          &conv_weight_gradient_operator};
    for (size_t g = 0; g < 2; g++) {
        char text[300];
        snprintf(text, sizeof text,
                 HEAD "[points]\nprograms = conv_serial\nsize = 12\nplanes = 2\nfilters = 3\n"
                      "kernel = 3\nmethod = %s\ngradient = image weights\n",
                 groups[g]);
        struct plan plan = plan_of(text, SCALE_QUICK, MAXPOOL_BINARY_DIR "/bin");
        for (size_t i = 0; i < 2; i++) {
            size_t wanted = 0, planned = 0;
            for (size_t j = 0; j < operator_method_count(selected[i]); j++) {
                const struct method *m = selected[i]->method(j);
                const bool fits = strcmp(m->name, "depthwise") != 0; /* there is only one group */
                wanted += fits && (g == 1 || m->vectors);
                assert_int_equal(runs(&plan, gradients[i], m->name),
                                 fits && (g == 1 || m->vectors));
            }
            for (size_t j = 0; j < plan.count; j++)
                planned += !plan.points[j].skip &&
                           strcmp(plan.points[j].point.gradient, gradients[i]) == 0;
            assert_int_equal(planned, wanted);
        }
        plan_release(&plan);
    }
}

TEST(test_shapes_set_columns_together)
{
    struct plan plan = make_plan("shapes = one:5x7x9:k3:s2:p1 two:1x8x8:k2:s2:p0\n"
                                 "method = steady noisy\npad_mode = ignore\n");
    const struct record *p = &plan.points[0].point;
    assert_int_equal(plan.count, 4);
    assert_true(p->planes == 5 && p->rows == 7 && p->cols == 9);
    assert_true(p->kernel == 3 && p->stride == 2 && p->padding == 1);
    assert_string_equal(p->pad_mode, "ignore");
    plan_release(&plan);
}

/* A shape without a window, as the matrix product needs; only samples without a window match it. */
TEST(test_shapes_of_products)
{
    struct shape shape;
    struct record product = record_empty(), wider = record_empty();
    assert_true(shape_parse("batch_6:7281x6x6", &shape));
    assert_false(shape_parse("batch_6:7281x6x6:s1", &shape));
    assert_true(shape_parse("batch_6:7281x6x6", &shape));
    shape_apply(&shape, &product);
    assert_true(product.planes == 7281 && product.rows == 6 && product.cols == 6);
    assert_true(product.kernel == RECORD_NO_INT && product.padding == RECORD_NO_INT);
    assert_true(shape_is(&shape, &product));
    shape_apply(&shape, &wider);
    wider.kernel = 2;
    assert_false(shape_is(&shape, &wider));
}

/* The program lists its methods nevertheless, but its points are not run. */
TEST(test_programs_that_cannot_run)
{
    struct plan plan = plan_of(
        HEAD "[points]\nprograms = maxpool_cuda\nsize = 4\nmethod = steady\n", SCALE_QUICK, bin);
    assert_int_equal(plan.count, 1);
    assert_string_equal(plan.points[0].skip, "maxpool_cuda cannot run here: fake: no device");
    plan_release(&plan);
}

/* A peer runs if it is named; "all" does not include it. */
TEST(test_peers_are_named)
{
    struct plan all = make_plan("size = 4\nmethod = all\n");
    struct plan named = make_plan("size = 4\nmethod = friend absent\n");
    for (size_t i = 0; i < all.count; i++) {
        assert_string_not_equal(all.points[i].point.method, "friend");
        assert_string_not_equal(all.points[i].point.method, "absent");
    }
    assert_int_equal(named.count, 2);
    assert_null(named.points[0].skip);
    assert_string_equal(named.points[1].skip,
                        "maxpool_serial has no method absent here: built without it");
    plan_release(&all);
    plan_release(&named);
}

TEST(test_points_that_cannot_be)
{
    static const struct {
        const char *points, *reason;
    } cases[] = {
        {"size = 2\nkernel = 3\nmethod = steady\n", "a window of 3 x 3 does not fit"},
        {"size = 8\npadding = 2\npad_mode = ignore\nmethod = steady\n",
         "--pad-mode ignore needs a padding below"},
        {"size = 4000000000\nmethod = steady\n", "the padded image or the map"},
        {"size = 1000000\nmethod = steady\n", "of memory"},
        {"size = 8\nmethod = unheard\n", "has no method unheard here"},
        {"size = 8\nsize_limit = 7\nmethod = steady\n", "limit of 7"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct plan plan = make_plan(cases[i].points);
        assert_int_equal(plan.count, 1);
        if (!plan.points[0].skip || !strstr(plan.points[0].skip, cases[i].reason))
            fail_msg("'%s' is not '%s'", plan.points[0].skip ? plan.points[0].skip : "run",
                     cases[i].reason);
        plan_release(&plan);
    }
}

TEST(test_workers_are_limited)
{
    struct plan plan = plan_of(HEAD "oversubscribe = 4\n[points]\nprograms = maxpool_omp\n"
                                    "size = 4\nmethod = steady\nthreads = 8 9\n",
                               SCALE_QUICK, bin);
    assert_null(plan.points[0].skip);
    assert_string_equal(plan.points[1].skip, "9 workers on 2 cores, more than 4 on each");
    plan_release(&plan);
}

/* Every definition that comes with the program is valid at every scale. */
TEST(test_our_definitions)
{
    struct texts names;
    struct failure f = {0};
    assert_int_equal(definition_names(&names, definitions_folder(), &f), STATUS_OK);
    assert_true(names.count >= 15);
    for (size_t i = 0; i < SCALES * names.count; i++) {
        char *file;
        struct definition d;
        assert_int_equal(definition_find(&file, definitions_folder(), names.items[i / SCALES], &f),
                         STATUS_OK);
        if (definition_read(&d, file, (enum scale)(i % SCALES), 2, &f) != STATUS_OK)
            fail_msg("%s", f.message);
        /* whole trainings are long and have many steps; the published points have their own
         * definitions */
        if (d.sampling.epochs == 0 && i % SCALES != SCALE_THESIS)
            assert_int_equal(d.launches, 9); /* an exact interval from the second to the eighth */
        definition_release(&d);
        free(file);
    }
    texts_release(&names);
}

static void plan_all(struct plan *plan, enum scale scale)
{
    static struct programs *asked; /* once for all scales */
    struct texts names;
    struct failure f = {0};
    *plan = (struct plan){.settings = {MAXPOOL_BINARY_DIR "/bin", "", 2}, .programs = asked};
    const char *of = scale == SCALE_THESIS ? definitions_thesis_folder() : definitions_folder();
    assert_int_equal(definition_names(&names, of, &f), STATUS_OK);
    for (size_t i = 0; i < names.count; i++) {
        char *file;
        struct definition d;
        assert_int_equal(definition_find(&file, of, names.items[i], &f), 0);
        assert_int_equal(definition_read(&d, file, scale, 2, &f), STATUS_OK);
        assert_int_equal(plan_add(plan, &d, &f), STATUS_OK);
        free(file);
    }
    asked = plan->programs;
    texts_release(&names);
    assert_int_equal(plan_group(plan, true, &f), STATUS_OK);
    assert_int_equal(cost_estimate(plan, "/nowhere", &f), STATUS_OK);
}

/* Returns all definitions at a scale, planned once for all tests. */
static const struct plan *plan_at(enum scale scale)
{
    static struct plan plans[SCALES];
    if (plans[scale].count == 0)
        plan_all(&plans[scale], scale);
    return &plans[scale];
}

/* On two cores: minutes, a coffee break, a night; the published points take an hour and a half. */
TEST(test_scales_keep_their_time)
{
    static const struct {
        size_t least, most;
    } points[SCALES] = {{100, 220}, {300, 850}, {800, 2900}, {200, 900}};
    for (int scale = 0; scale < SCALES; scale++) {
        const struct plan *plan = plan_at((enum scale)scale);
        const size_t count = plan_distinct(plan);
        const double seconds = plan_seconds(plan);
        if (count < points[scale].least || count > points[scale].most)
            fail_msg("%s: %zu points", scale_names[scale], count);
        if (seconds > scale_budgets_s[scale])
            fail_msg("%s: %.0f s", scale_names[scale], seconds);
    }
}

/* Comparisons with "ours" must not depend on the scale: every method that these experiments have at
 * full scale occurs at the other scales too. */
TEST(test_scales_compare_the_same_methods)
{
    static const char *const experiments[] = {"peers", "ladder", "roofline"};
    const struct plan *full = plan_at(SCALE_FULL);
    for (size_t i = 0; i < full->count; i++) {
        const struct record *p = &full->points[i].point;
        bool asked = false;
        for (size_t e = 0; e < 3; e++)
            asked = asked || strcmp(p->experiment, experiments[e]) == 0;
        for (int scale = 0; scale < SCALE_FULL && asked; scale++) {
            bool there = strcmp(p->program, "maxpool_pytorch") == 0 || !p->method[0]; /* Python's */
            const struct plan *plan = plan_at((enum scale)scale);
            for (size_t j = 0; j < plan->count && !there; j++) {
                const struct record *other = &plan->points[j].point;
                there = strcmp(other->experiment, p->experiment) == 0 &&
                        strcmp(other->operator_name, p->operator_name) == 0 &&
                        strcmp(other->method, p->method) == 0;
            }
            if (!there)
                fail_msg("%s lacks %s %s at the scale %s", p->experiment, p->operator_name,
                         p->method, scale_names[scale]);
        }
    }
}

/* A number of combinations that would never finish is refused before the first is made. */
TEST(test_combinations_are_bounded)
{
    struct definition d = read_good(HEAD "[points]\nprograms = maxpool_serial\nmethod = steady\n"
                                         "size = 1..1000\nkernel = 1..1000\nstride = 1..1000\n",
                                    SCALE_QUICK, 2);
    struct plan plan = {.settings = {"/nowhere", "", 2}};
    struct failure f = {0};
    assert_int_equal(plan_add(&plan, &d, &f), STATUS_USAGE);
    if (!strstr(f.message, "1000000000 combinations, more than 1000000: 1 programs x 1 method x "
                           "1000 size x 1000 kernel x 1000 stride"))
        fail_msg("%s", f.message);
    plan_release(&plan);
}

/* A sweep may apply to some scales only, and a key to one. */
TEST(test_sweeps_of_a_scale)
{
    static const size_t counts[] = {2, 3, 1};
    for (int scale = 0; scale <= SCALE_FULL; scale++) {
        struct plan plan =
            plan_of(HEAD "[points]\nprograms = maxpool_serial\nmethod = steady\nsize = 4\n"
                         "standard.size = 4 5 6\n[points small]\nscales = quick\n"
                         "programs = maxpool_serial\nmethod = steady\nsize = 8\n",
                    (enum scale)scale, "/nowhere");
        assert_int_equal(plan.count, counts[scale]);
        plan_release(&plan);
    }
}

/* A file whose header names a column twice is refused, so the journal must not. */
TEST(test_journals_name_each_column_once)
{
    const struct schema *schema = journal_schema();
    for (size_t i = 0; i < schema->count; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(schema->columns[i].name, schema->columns[j].name) == 0)
                fail_msg("%s stands twice", schema->columns[i].name);
}

TEST(test_keys_distinguish_points)
{
    struct record a = record_empty(), b = record_empty();
    char key_a[POINT_KEY], key_b[POINT_KEY];
    for (size_t i = 0; i < point_column_count(); i++) { /* longer than a key: hashed */
        const struct column *column = &point_column(i)->column;
        if (column->type == COLUMN_TEXT)
            memset((char *)&a + column->offset, 'x', RECORD_TEXT - 1);
    }
    b = a;
    b.bind[RECORD_TEXT - 2] = 'y';
    point_key(&a, key_a);
    point_key(&b, key_b);
    assert_string_not_equal(key_a, key_b);
    assert_false(point_matches(&a, &b));
    strcpy(b.bind, a.bind);
    point_key(&b, key_b);
    assert_string_equal(key_a, key_b);
    assert_true(point_matches(&a, &b));
    b.threads = -3;
    point_key(&b, key_b);
    assert_string_not_equal(key_a, key_b);
}

/* In some columns a row without a value means the default: that value, and none, are one point. */
TEST(test_no_value_is_the_default)
{
    static const struct {
        const char *column, *absent, *other;
    } rows[] = {{"parallel", "all", "product"},
                {"select", "last", "best-validation"},
                {"init", "he-uniform", "tesina"},
                {"submit", "single", "graph"},
                {"overlap", "on", "off"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *const values[] = {"", rows[i].absent, rows[i].other};
        const struct record_column *c = record_column_find(rows[i].column);
        for (size_t a = 0; a < 3; a++)
            for (size_t b = 0; b < 3; b++) {
                struct record planned = record_empty(), sample = record_empty();
                char planned_key[POINT_KEY], sample_key[POINT_KEY];
                const bool same = a == b || (a < 2 && b < 2);
                strcpy((char *)&planned + c->column.offset, values[a]);
                strcpy((char *)&sample + c->column.offset, values[b]);
                point_key(&planned, planned_key);
                point_key(&sample, sample_key);
                assert_int_equal(strcmp(planned_key, sample_key) == 0, same);
                assert_int_equal(point_matches(&planned, &sample), same);
            }
    }
}

/* A different operand makes a different problem; what an earlier version did not record has its
 * default. */
TEST(test_columns_distinguish_problems)
{
    for (size_t i = 0; i < point_column_count(); i++) {
        const struct record_column *c = point_column(i);
        struct record a = record_empty(), b = record_empty();
        char *x = (char *)&a + c->column.offset, *y = (char *)&b + c->column.offset;
        const int64_t one = 101, two = 102;
        if (c->column.type == COLUMN_TEXT) {
            strcpy(x, "one");
            strcpy(y, "two");
        } else {
            memcpy(x, &one, sizeof one);
            memcpy(y, &two, sizeof two);
        }
        assert_int_equal(point_same(&a, &b, COLUMN_PARAMETER),
                         !record_column_is(c, COLUMN_PARAMETER));
    }
    struct record a = record_empty(), b = record_empty();
    strcpy(a.d_output, "one.npy");
    strcpy(b.d_output, "two.npy");
    assert_false(point_same(&a, &b, COLUMN_PARAMETER));
    strcpy(b.d_output, "one.npy");
    assert_true(point_same(&a, &b, COLUMN_PARAMETER));
    strcpy(a.task, "infer");
    assert_true(point_same(&a, &b, COLUMN_PARAMETER));
}

const struct tests_group tests_group = {make_folder, remove_folder};
