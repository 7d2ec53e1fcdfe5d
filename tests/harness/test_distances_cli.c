/* The distance programs as a user meets them: known answers by every method, with threads and
 * ranks; the nearest points; nearly equal points far from the origin; bad input with its status and
 * message; and the contents of records and summaries. */
#include "tests/support/command.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const methods[] = {"literal", "symmetric", "blocked", "gram"};

enum { METHODS = sizeof methods / sizeof *methods };

static const char *const programs[] = {
    "./distances_serial",
#ifdef MAXPOOL_HAVE_OPENMP
    "./distances_omp -t 3",
#endif
#ifdef MAXPOOL_MPIEXEC
    MAXPOOL_MPIEXEC " 3 ./distances_mpi",
#endif
};

enum { PROGRAMS = sizeof programs / sizeof *programs };

/* ---- known answers ------------------------------------------------------------------------------
 */

/* Right triangles with integer sides. */
static void known_answers_are_met(NO_STATE)
{
    write_file("x.txt", "0 0\n3 4\n-5 12\n");
    write_file("y.txt", "0 0\n8 15\n");
    for (int p = 0; p < PROGRAMS; p++)
        for (int m = 0; m < METHODS; m++) {
            char text[256];
            command_done("%s -i $DIR/x.txt --method %s --samples 2 -o $DIR/d.txt", programs[p],
                         methods[m]);
            read_file("d.txt", text, sizeof text);
            assert_string_equal(text, "0 5 13\n5 0 11.313708\n13 11.313708 0\n");
            if (strcmp(methods[m], "symmetric") == 0)
                continue;
            command_done(
                "%s -i $DIR/x.txt --against $DIR/y.txt --method %s --samples 2 -o $DIR/d.txt",
                programs[p], methods[m]);
            read_file("d.txt", text, sizeof text);
            assert_string_equal(text, "0 17\n5 12.083046\n13 13.341664\n");
        }
}

static void nearest_points_are_written(NO_STATE)
{
    char text[256];
    write_file("x.txt", "0\n10\n11\n13\n");
    write_file("y.txt", "12\n1\n12\n");
    for (int p = 0; p < PROGRAMS; p++) {
        command_done("%s -i $DIR/x.txt --nearest 2 -o $DIR/n.txt --samples 1 --method gram",
                     programs[p]);
        read_file("n.txt", text, sizeof text);
        assert_string_equal(text, "1 2\n2 3\n1 3\n2 1\n\n10 11\n1 3\n1 2\n2 3\n");
        command_done("%s -i $DIR/x.txt --against $DIR/y.txt --nearest 3 -o $DIR/n.txt "
                     "--samples 1 --method blocked",
                     programs[p]);
        read_file("n.txt", text, sizeof text);
        assert_string_equal(text, "1 0 2\n0 2 1\n0 2 1\n0 2 1\n\n1 12 12\n2 2 9\n1 1 10\n1 1 12\n");
    }
}

/* Returns the number of pairs that a method recomputed, or -1 if the method recomputes none. */
static int64_t again_of(const char *csv, const char *method)
{
    char cell[CELL_BYTES];
    command_cell(csv, method, "recomputed", cell);
    return cell[0] ? atoll(cell) : -1;
}

/* Coordinates of 1e4 +- 1e-2: the textbook's sum of squares has no correct digit. After subtracting
 * a centre near the points, which every rank must know, no pair cancels. */
static void points_far_from_the_origin_are_right(NO_STATE)
{
    char points[4096] = "";
    unsigned seed = 7;
    for (int i = 0; i < 40; i++)
        for (int k = 0; k < 8; k++) {
            seed = seed * 1664525u + 1013904223u;
            const double value = 1e4 + 2e-2 * ((double)(seed >> 8) / 16777216.0 - 0.5);
            snprintf(points + strlen(points), sizeof points - strlen(points), "%.6f%s", value,
                     k < 7 ? " " : "\n");
        }
    write_file("far.txt", points);
    for (int p = 0; p < PROGRAMS; p++) {
        struct outcome o =
            command_done("%s -i $DIR/far.txt --method all --samples 2 --format csv", programs[p]);
        assert_non_null(strstr(o.out, ",bound,"));
        assert_null(strstr(o.out, ",wrong,"));
        assert_int_equal(again_of(o.out, "gram"), 0);
    }
}

static void maps_do_not_depend_on_workers(NO_STATE)
{
    for (int m = 0; m < METHODS; m++) {
        command_done("./distances_serial -n 230 --dimensions 9 --method %s "
                     "--samples 1 -o $DIR/a.npy",
                     methods[m]);
        for (int p = 1; p < PROGRAMS; p++) {
            command_done("%s -n 230 --dimensions 9 --method %s --samples 1 -o $DIR/b.npy "
                         "&& cmp $DIR/a.npy $DIR/b.npy",
                         programs[p], methods[m]);
        }
    }
}

/* A panel holds two points of 350,000 coordinates: the ranks receive five points in three
 * panels. */
static void maps_do_not_depend_on_panels(NO_STATE)
{
#ifdef MAXPOOL_MPIEXEC
    static const char options[] = "-n 5 --dimensions 350000 --max-value 1 --samples 1 --warmup 0";
    command_done("./distances_serial %s --method gram -o $DIR/a.npy", options);
    struct outcome o = command_done(MAXPOOL_MPIEXEC
                                    " 2 ./distances_mpi %s --method symmetric,literal,blocked,gram "
                                    "-o $DIR/b.npy && cmp $DIR/a.npy $DIR/b.npy",
                                    options);
    assert_int_equal(count_of(o.out, " exact "), METHODS);
#else
    skip();
#endif
}

/* ---- bad input and what is reported ------------------------------------------------------------
 */

/* The distances between points three and four apart, explained to a reader. */
static void distances_are_explained(NO_STATE)
{
    write_file("pair.txt", "1 2\n4 6\n");
    struct outcome o =
        command_done("./distances_serial -i $DIR/pair.txt --samples 1 --print --explain");
    assert_non_null(strstr(o.out, "Distance (0, 1): point 0 of X and point 1 of Y\n"
                                  "        1            4           -3                  9\n"
                                  "        2   -        6   =       -4   squared       16\n"
                                  "  sum 25, root 5\n"));
    assert_non_null(strstr(o.out, "        0        5\n        5        0\n"));
}

static void bad_input_is_refused(NO_STATE)
{
    static const struct {
        const char *options;
        int status;
        const char *message;
    } rows[] = {
        {"-n 8 --dimensions 0", 2, "dimensions must be at least 1"},
        {"-n 8 --dimensions 2 -C 3", 2, "--size already sets --cols"},
        {"-R 8 -C 2 --dimensions 2", 2, "--dimensions goes with --size"},
        {"-n 8 --against missing.npy", 2, "missing.npy"},
        {"-n 8 --against random --method symmetric", 2, "themselves alone"},
        {"-n 8 --nearest 3", 2, "--nearest is what --output writes"},
        {"-n 8 --nearest 8 -o x.npy", 2, "compared with 7 others"},
        {"-n 8 --kernel-size 3", 2, "--kernel-size does not apply here"},
        {"-n 3000000000 --dimensions 1", 4, "cannot be counted"},
        {"-n 4000000 --dimensions 1", 4, "memory"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct outcome o = command_run("./distances_serial %s", rows[i].options);
        if (o.status != rows[i].status || !strstr(o.err, rows[i].message))
            fail_msg("%s\n  status %d (%d expected): %s  expected: %s", rows[i].options, o.status,
                     rows[i].status, o.err, rows[i].message);
    }
    write_file("x.txt", "1 2 3\n");
    write_file("y.txt", "1 2\n");
    command_fails(2, "must be 1 x 3, the file holds 1 x 2",
                  "./distances_serial -i $DIR/x.txt --against $DIR/y.txt");
    command_fails(2, "--nearest does not apply here", "./maxpool_serial -n 8 --nearest 2 -o x.npy");
}

static void gram_reports_what_it_repaired(NO_STATE)
{
    write_file("x.txt", "0 0\n1000 1000\n1000.001 1000\n0.001 0\n");
    struct outcome o = command_done("./distances_serial -i $DIR/x.txt --method gram --samples 3");
    assert_non_null(strstr(o.out, "Recomputed    gram: "));
    assert_null(strstr(o.out, "gram: 0 pairs"));
    o = command_done(
        "./distances_serial -n 50 --dimensions 20 --method gram --samples 3 --format csv");
    assert_non_null(strstr(o.out, ",50,20,,,,,,35,9,random,")); /* rows, cols ... */
    assert_non_null(strstr(o.out, ",exact,"));
}

/* Two neighbouring points both belong to the last of three ranks; no other pair cancels. */
static void pairs_done_again_are_those_of_all_ranks(NO_STATE)
{
    write_file("x.txt", "0 0\n1000 0\n0 1000\n1000 1000\n400 900\n400 900.001\n");
    for (int p = 0; p < PROGRAMS; p++) {
        command_prints("Recomputed    gram: 2 pairs that cancelled",
                       "%s -i $DIR/x.txt --method gram --samples 2", programs[p]);
        struct outcome o = command_done(
            "%s -i $DIR/x.txt --method gram,blocked --samples 2 --format csv", programs[p]);
        assert_int_equal(again_of(o.out, "gram"), 2);
        assert_int_equal(again_of(o.out, "blocked"), -1);
    }
}

/* The file of the other points has its own column. */
static void records_name_the_other_points(NO_STATE)
{
    static const char *const given[][2] = {{"", "itself"}, {" --against random", "random"}};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        char against[CELL_BYTES], filter[CELL_BYTES];
        struct outcome o = command_done("./distances_serial -n 6 --dimensions 3%s --method blocked "
                                        "--samples 1 --format csv",
                                        given[i][0]);
        command_cell(o.out, "blocked", "against", against);
        command_cell(o.out, "blocked", "filter", filter);
        assert_string_equal(against, given[i][1]);
        assert_string_equal(filter, "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers_are_met),
        cmocka_unit_test(nearest_points_are_written),
        cmocka_unit_test(distances_are_explained),
        cmocka_unit_test(points_far_from_the_origin_are_right),
        cmocka_unit_test(maps_do_not_depend_on_workers),
        cmocka_unit_test(maps_do_not_depend_on_panels),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(gram_reports_what_it_repaired),
        cmocka_unit_test(pairs_done_again_are_those_of_all_ranks),
        cmocka_unit_test(records_name_the_other_points),
    };
    return cmocka_run_group_tests(tests, command_setup, command_teardown);
}
