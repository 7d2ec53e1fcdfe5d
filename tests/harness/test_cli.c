/* The point programs as a user meets them: exit status and message of every error, known answers by
 * every runnable method, formats, and files that must not be left behind. */
#include "harness/image/image.h"
#include "tests/support/command.h"
#include "tests/support/unit_test.h"

#include <pty.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define DATA  MAXPOOL_SOURCE_DIR "/tests/data/"
#define CASES MAXPOOL_SOURCE_DIR "/tests/cases/"

/* The command ends with `status`, and stderr is one line: the program's name, then the text. */
struct refusal {
    const char *command;
    int status;
    const char *message;
};

static void check_refusals(const struct refusal *rows, size_t count)
{
    int failures = 0;
    for (size_t i = 0; i < count; i++) {
        struct outcome o =
            command_run("cd $DIR; PATH=" MAXPOOL_BINARY_DIR "/bin:$PATH; %s", rows[i].command);
        const bool named = strncmp(o.err, rows[i].command, strcspn(rows[i].command, " ")) == 0;
        if (o.status != rows[i].status || !strstr(o.err, rows[i].message) || !named ||
            count_of(o.err, "\n") != 1) {
            print_error("%s\n  status %d (%d expected), message: %s  expected: %s\n",
                        rows[i].command, o.status, rows[i].status, o.err, rows[i].message);
            failures++;
        }
    }
    assert_int_equal(failures, 0);
}

static void bad_options_are_refused(NO_STATE)
{
    static const struct refusal rows[] = {
        {"maxpool_serial --frobnicate", 2, "unknown or ambiguous option '--frobnicate'"},
        {"maxpool_serial --metod=fused", 2,
         "unknown or ambiguous option '--metod=fused', did you mean '--method'?"},
        {"maxpool_serial --max-secnods 1", 2, "did you mean '--max-seconds'?"},
        {"maxpool_serial -Q", 2, "unknown option '-Q'"},
        {"maxpool_serial --pa 1", 2, "unknown or ambiguous option '--pa'"},
        {"maxpool_serial -n", 2, "option '-n' needs a value"},
        {"maxpool_serial --print=yes", 2, "option '--print' takes no value"},
        {"maxpool_serial image.png", 2, "'image.png' is not an option"},
        {"maxpool_serial --method turbo", 2, "there is no 'turbo' in maxpool_serial (try"},
        {"maxpool_serial --method litteral", 2,
         "there is no 'litteral' in maxpool_serial, did you mean 'literal'?"},
        {"maxpool_serial --relative-ci 0,05", 2,
         "--relative-ci: '0,05' is not a number; write a point: 0.05"},
        {"maxpool_serial -k 0", 2, "kernel-size must be at least 1, not 0"},
        {"maxpool_serial -s 0", 2, "stride must be at least 1, not 0"},
        {"maxpool_serial -p -1", 2, "padding must be at least 0, not -1"},
        {"maxpool_serial -k 2.5", 2, "--kernel-size: '2.5' is not an integer: give a whole number"},
        {"maxpool_serial -k 1,5", 2, "--kernel-size: '1,5' is not an integer: give a whole number"},
        {"maxpool_serial -k x", 2, "--kernel-size: 'x' is not an integer"},
        {"maxpool_serial --gray", 2, "--gray converts a picture: it needs --input"},
        {"maxpool_serial -i $CASES/digits_8x8_k2_s2.in.npy --gray", 2, "s2.in.npy is no picture"},
        {"maxpool_serial --lang fr", 2, "language must be en or es, not 'fr'"},
        {"maxpool_serial --lang", 2, "option '--lang' needs a value: en|es"},
        {"maxpool_serial --help=everything", 2, "--help takes nothing or all, not 'everything'"},
        {"maxpool_serial --help any", 2, "'any' is not an option"},
        {"maxpool_serial -n 9223372036854775808", 2, "more than a 63-bit integer holds"},
        {"maxpool_serial --pad-mode reflect", 2, "--pad-mode must be one of zero|ignore"},
        {"maxpool_serial --pages vast", 2, "--pages must be one of huge|ordinary, not 'vast'"},
        {"maxpool_serial --relative-ci nan", 2, "'nan' is not a number"},
        {"maxpool_serial --max-value 16777217", 2, "max-value must be at most 16777216"},
        {"maxpool_serial -n 4 -k 5", 2, "window of 5 x 5 does not fit the image of 4 x 4"},
        {"maxpool_serial -n 8 -k 2 -p 2 --pad-mode ignore", 2, "needs a padding below the kernel"},
        {"maxpool_serial -n 8 -k 3 -p 1 --pad-mode ignore --filter random", 2,
         "needs a filter whose values are the identity"},
        {"maxpool_serial -n 8 --method direct --filter random", 2, "needs the identity filter"},
        {"maxpool_serial -n 8 -i x.npy", 2,
         "--size describes a random image and --input names one"},
        {"maxpool_serial -n 8 -R 4 -C 4", 2, "--size already sets --rows"},
        {"maxpool_serial -R 4", 2, "--rows and --cols go together"},
        {"maxpool_serial -t 2", 2, "--threads does not apply here"},
        {"matmul_serial -k 2", 2, "--kernel-size does not apply here: the matrix product has no"},
        {"matmul_serial --pad-mode zero", 2, "--pad-mode does not apply here"},
        {"copy_serial -k 2", 2, "--kernel-size does not apply here: the copy has no windows"},
        {"copy_serial --filter random", 2, "--filter does not apply here: the copy has no filter"},
        {"copy_serial --explain", 2, "--explain does not apply here"},
        {"copy_serial --method naive", 2, "there is no 'naive' in copy_serial"},
        {"maxpool_omp -t 0", 2, "threads must be at least 1, not 0"},
        {"maxpool_serial -n 1024 --explain", 2, "--explain is for small images"},
        {"maxpool_serial -n 8 --print --format csv", 2, "--print needs --format text"},
        {"maxpool_serial --list-methods=some", 2, "--list-methods takes nothing or =all"},
        {"maxpool_serial -n 8 -k 3 --filter missing.npy", 2, "missing.npy"},
        {"maxpool_serial -n 8 -k 3 --filter " CASES "digits_8x8_k2_s2.in.npy", 2,
         "the filter must be 3 x 3, the file holds 8 x 8"},
        {"maxpool_serial -i missing.png", 2, "missing.png"},
        {"maxpool_serial -i image.jpeg", 2, "image.jpeg"},
        {"maxpool_serial -n 4611686018427387904", 4, "cannot be counted in bytes"},
        {"maxpool_serial -n 2000000000", 4, "cannot be counted in bytes"},
        {"maxpool_serial -n 1000000", 4, "4.547 TiB are needed"},
        {"maxpool_serial -n 16 -k 1 -s 1 -p 1000000", 4, "are needed"},
        {"matmul_serial -R 1 -C 1000000", 4, "no memory for the filter: 3.638 TiB are needed"},
        {"maxpool_serial -n 8 -o missing/folder/map.npy", 5, "missing/folder/map.npy"},
        {"maxpool_serial -n 8 -o map.gif", 2, "map.gif"},
        {"maxpool_serial -n 8 --planes 2 -o map.png", 2, "map.png"},
        {"maxpool_serial -n 8 --record missing/folder/samples.csv", 5,
         "missing/folder/samples.csv"},
        {"maxpool_serial -n 8 --record /dev/full", 5, "/dev/full"},
        {"maxpool_serial -n 8 --format csv > /dev/full", 5, "standard output could not be written"},
        {"maxpool_serial -n 8 > /dev/full", 5, "standard output could not be written"},
    };
    check_refusals(rows, sizeof rows / sizeof rows[0]);
}

static void bad_files_are_refused(NO_STATE)
{
    write_file("ragged.txt", "1 2 3\n4 5\n");
    write_file("nan.txt", "1 2\n3 nan\n");
    write_file("other.csv", "colour,shape\nred,round\n");
    static const struct refusal rows[] = {
        {"maxpool_serial -i ragged.txt", 2, "ragged.txt"},
        {"maxpool_serial -i nan.txt", 2, "nan.txt"},
        {"maxpool_serial -n 8 --record other.csv", 2, "other.csv"},
    };
    check_refusals(rows, sizeof rows / sizeof rows[0]);
}

/* ---- what works ------------------------------------------------------------------------------ */

/* Calls `visit` for each method that the program lists. */
static int for_each_method(const char *program,
                           int (*visit)(const char *program, const char *method, const void *),
                           const void *context)
{
    struct outcome o = command_run("./%s --list-methods", program);
    int failures = o.status != 0 || o.out[0] == 0;
    for (char *line = strtok(o.out, "\n"); line; line = strtok(NULL, "\n")) {
        char method[64];
        assert_int_equal(sscanf(line, "%63s", method), 1);
        failures += visit(program, method, context);
    }
    return failures;
}

struct known_case {
    char name[128], pad_mode[16];
    int kernel, stride, padding;
};

/* The map of the known answer, written as text, equals the committed file. */
static int check_known(const char *program, const char *method, const void *context)
{
    const struct known_case *c = context;
    char out[320];
    snprintf(out, sizeof out, "%s/known.npy", command_folder());
    struct outcome o = command_run(
        "./%s --method %s -i " CASES "%s.in.npy -k %d -s %d -p %d --pad-mode %s --samples 1 "
        "-o %s --format csv && cmp %s " CASES "%s.out.npy",
        program, method, c->name, c->kernel, c->stride, c->padding, c->pad_mode, out, out, c->name);
    const bool good = o.status == 0 && strstr(o.out, ",exact,");
    if (!good)
        print_error("%s %s %s: status %d\n%s%s\n", program, method, c->name, o.status, o.out,
                    o.err);
    return !good;
}

static void known_answers_through_every_method(NO_STATE)
{
    FILE *table = fopen(CASES "cases.tsv", "r");
    char line[256];
    int cases = 0, failures = 0;
    assert_non_null(table);
    while (fgets(line, sizeof line, table)) {
        struct known_case c;
        if (line[0] == '#' || sscanf(line, "%127s %d %d %d %15s", c.name, &c.kernel, &c.stride,
                                     &c.padding, c.pad_mode) != 5)
            continue;
        cases++;
        failures += for_each_method("maxpool_serial", check_known, &c);
        failures += for_each_method("maxpool_omp", check_known, &c);
    }
    fclose(table);
    assert_int_equal(cases, 6);
    assert_int_equal(failures, 0);
}

static void real_images_pool_and_verify(NO_STATE)
{
    static const char *const commands[] = {
        "./maxpool_serial -i " DATA "brain_axial.png --samples 3 -o $DIR/axial.png",
        "./maxpool_omp -t 3 -i " DATA "brain_sagittal.png -k 3 -s 1 -p 1 --samples 3 -o $DIR/s.npy",
        "./maxpool_omp -t 2 -i " DATA "brain_24_slices.nii.gz --samples 3 -o $DIR/slices.npy",
        "./matmul_omp -t 2 -i " DATA "brain_axial.png --samples 2 -o $DIR/product.txt",
        "./copy_omp -t 2 -i " DATA
        "brain_24_slices.nii.gz --method rows --samples 2 -o $DIR/same.npy",
    };
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        command_prints("exact: every value", "%s", commands[i]);
    }
}

/* Every plane has its own B, from the seed or a file, or all planes share one. A file with another
 * number of planes is refused; the message names both shapes. */
static void planes_are_multiplied(NO_STATE)
{
    static const char *const filters[] = {"random", "$DIR/three.npy", "$DIR/one.npy", "identity"};
    command_done("./copy_serial -n 5 --planes 3 --samples 1 -o $DIR/three.npy && "
                 "./copy_serial -n 5 --samples 1 -o $DIR/one.npy");
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
        command_prints("exact: every value",
                       "for t in 1 2 7; do ./matmul_omp -t $t -R 6 -C 5 --planes 3 "
                       "--filter %s --method all --samples 2 -o $DIR/t$t.npy && "
                       "cmp $DIR/t1.npy $DIR/t$t.npy || exit 9; done",
                       filters[i]);
    }
    command_fails(2,
                  "three.npy: the filter must be 2 planes of 5 x 5, the file holds "
                  "3 planes of 5 x 5",
                  "./matmul_serial -R 6 -C 5 --planes 2 --filter $DIR/three.npy --samples 1");
}

/* Every thread count gives the same map for the same image and a random filter. */
static void maps_do_not_depend_on_threads(NO_STATE)
{
    struct outcome o = command_done(
        "for t in 1 2 3 7; do ./maxpool_omp -t $t -R 301 -C 203 -k 3 -s 1 -p 2 --filter random "
        "--samples 1 --format csv -o $DIR/threads_$t.npy || exit 9; "
        "cmp $DIR/threads_1.npy $DIR/threads_$t.npy || exit 8; done");
    assert_null(strstr(o.out, ",wrong,"));
}

static void verdicts_say_which(NO_STATE)
{
    static const char *const rows[][2] = {
        {"./maxpool_serial -n 64 --filter random --samples 2 --format csv", ",exact,"},
        {"./maxpool_serial -n 64 --max-value 16777216 --filter random --samples 2 --format csv",
         ",bound,"},
        {"./maxpool_serial -n 64 --verify sampled --samples 2 --format csv", ",sampled_exact,"},
        {"./maxpool_serial -n 64 --verify none --samples 2 --format csv", ",none,"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct outcome o = run_program(rows[i][0], NULL);
        assert_int_equal(o.status, 0);
        if (!strstr(o.out, rows[i][1]))
            print_error("%s: no %s in\n%s", rows[i][0], rows[i][1], o.out);
        assert_non_null(strstr(o.out, rows[i][1]));
    }
}

/* The record and --format csv hold the same header and rows: warm-up first, then the samples, and
 * the stop reason in the last row. */
static void records_hold_every_execution(NO_STATE)
{
    struct outcome o =
        command_done("./maxpool_omp -t 2 -n 32 --samples 7 --warmup 2 --record $DIR/r.csv "
                     "--experiment name --round 4 --format csv > $DIR/out.csv && "
                     "cmp $DIR/r.csv $DIR/out.csv && wc -l < $DIR/r.csv && "
                     "grep -c ,samples, $DIR/r.csv && grep -c '^name,maxpool_omp,maxpool,omp,' "
                     "$DIR/r.csv");
    assert_string_equal(o.out, "10\n1\n9\n");
}

static void typed_images_are_read(NO_STATE)
{
    struct outcome o = command_fed("1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 16\n",
                                   "./maxpool_serial -i - --samples 1 --print");
    assert_int_equal(o.status, 0);
    assert_non_null(strstr(o.out, "        6        8\n       14       16\n"));
}

/* The worked example of the tesina, figures 1 and 2, as the program prints it: 4 windows, their
 * products by the identity, and their maxima. */
static void worked_windows_are_explained(NO_STATE)
{
    static const char *const reported[] = {
        "Output (0, 0): window at row 0, column 0\n        9        5                9        5\n"
        "        3        1   x B =        3        1\n  maximum 9\n",
        "Output (0, 1): window at row 0, column 2\n        2        7                2        7\n"
        "        3        4   x B =        3        4\n  maximum 7\n",
        "Output (1, 0): window at row 2, column 0\n        2        6                2        6\n"
        "        8        3   x B =        8        3\n  maximum 8\n",
        "Output (1, 1): window at row 2, column 2\n        5        9                5        9\n"
        "        7        4   x B =        7        4\n  maximum 9\n",
        "4 windows extracted, 4 values each\n"};
    struct outcome o = command_fed("9 5 2 7\n3 1 3 4\n2 6 5 9\n8 3 7 4\n",
                                   "./maxpool_serial -i - -k 2 -s 2 --samples 1 --print --explain");
    assert_int_equal(o.status, 0);
    for (size_t i = 0; i < sizeof reported / sizeof *reported; i++)
        expect_in(o.out, reported[i]);
    expect_in(o.out, "        9        7\n        8        9\n"); /* the map */
}

/* Every element of a product, term by term, and the matrix that the image is multiplied by. */
static void products_are_explained(NO_STATE)
{
    write_file("b.txt", "5 6\n7 8\n");
    struct outcome o = command_fed("1 2\n3 4\n", "./matmul_serial -i - --filter $DIR/b.txt "
                                                 "--samples 1 --print --explain");
    assert_int_equal(o.status, 0);
    expect_in(o.out, "B, the filter (2 x 2)\n        5        6\n        7        8\n");
    expect_in(o.out, "Element (0, 1): row 0 of A times column 1 of B\n");
    expect_in(o.out, "  sum 22\n");
    expect_in(o.out, "  sum 50\n");
    o = command_done("./matmul_serial -n 2 --planes 2 --filter random --samples 1 --explain");
    assert_int_equal(count_of(o.out, "Element ("), 8);
}

static void one_is_one(NO_STATE)
{
    static const struct {
        const char *command, *words;
    } rows[] = {{"./maxpool_serial -n 2 --samples 1", "1 window extracted, 4 values\n"},
                {"./maxpool_serial -n 1 -k 1 --samples 1", "1 x 1, 1 value, 4 B"},
                {"./maxpool_serial -n 4 --samples 1", "4 windows extracted, 4 values each\n"},
                {"./matmul_serial -n 1 --samples 1", "1 dot product, 1 product\n"},
                {"./conv_serial -n 8 --filters 1 --samples 1", "1 filter, kernel size 3"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        command_prints(rows[i].words, "%s", rows[i].command);
    }
}

/* Collects all that a program writes to a terminal while `typed` is typed. */
static void talk_at_a_terminal(const char *program, const char *typed, char *seen, size_t size)
{
    int terminal;
    size_t length = 0;
    const pid_t child = forkpty(&terminal, NULL, NULL, NULL);
    assert_true(child >= 0);
    if (child == 0) {
        execl(program, program, "-i", "-", "--samples", "1", (char *)NULL);
        _exit(127);
    }
    assert_int_equal(write(terminal, typed, strlen(typed)), (ssize_t)strlen(typed));
    for (ssize_t got;
         length + 1 < size && (got = read(terminal, seen + length, size - 1 - length)) > 0;)
        length += (size_t)got;
    seen[length] = '\0';
    close(terminal);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void whoever_types_is_shown_how(NO_STATE)
{
    char seen[8192];
    talk_at_a_terminal(MAXPOOL_BINARY_DIR "/bin/maxpool_serial", "1 2\n3 4\n\x04", seen,
                       sizeof seen);
    expect_in(seen, "Type the image: a row of numbers a line");
    expect_in(seen, "Ctrl-D on a line of its own ends it");
    expect_in(seen, "1 window extracted");
    struct outcome o = command_fed("1 2\n3 4\n", "./maxpool_serial -i - --samples 1");
    assert_null(strstr(o.err, "Type the image"));
}

static void interactive_asks_again(NO_STATE)
{
    struct outcome o =
        command_fed("x\nm\nzero\n2 4 4\n2 4\n1 2 3\n1 2 3 4\n5 6 7 nan\n5 6 7 8\n0\n9\n2\n2\n",
                    "./maxpool_serial --interactive --samples 1 --explain");
    assert_int_equal(o.status, 0);
    assert_non_null(strstr(o.err, "'zero' is not one size, or two"));
    assert_non_null(strstr(o.err, "'2 4 4' is not one size, or two"));
    assert_non_null(strstr(o.err, "Answer 1 or m (manual), 2 or r (random)"));
    assert_non_null(strstr(o.err, "A row is 4 finite numbers"));
    assert_non_null(strstr(o.err, "'9' is not an integer from 1 to 2"));
    assert_non_null(strstr(o.out, "        6        8\n"));
    assert_non_null(strstr(o.out, "Output (0, 1): window at row 0, column 2"));
    o = command_fed("r\n4\n", "./maxpool_serial --interactive");
    assert_int_equal(o.status, 2);
    assert_non_null(strstr(o.err, "the input ended"));
}

/* The tesina's menu: one size for N x N, padding; the padded image and the map are shown. */
static void interactive_is_a_menu(NO_STATE)
{
    struct outcome o = command_done("./maxpool_serial --interactive --samples 1 <<'ANSWERS'\n"
                                    "m\n2\n1 2\n3 4\n1\n2\n2\nANSWERS");
    assert_non_null(
        strstr(o.err, "  1  manual: type it in, row by row\n  2  random, from a seed\n"));
    assert_non_null(strstr(o.out, "Image (2 x 2)\n        1        2\n        3        4\n"));
    assert_non_null(strstr(o.out, "Padded image (4 x 4)\n"
                                  "        0        0        0        0\n"
                                  "        0        1        2        0\n"
                                  "        0        3        4        0\n"
                                  "        0        0        0        0\n"));
    assert_non_null(strstr(o.out, " (2 x 2)\n        1        2\n        3        4\n\n"));
    o = command_fed("r\n3\n\n1\n2\n1\n",
                    "./maxpool_serial --interactive --samples 1 --pad-mode ignore");
    assert_int_equal(o.status, 0);
    assert_non_null(strstr(o.out, "Padded image (5 x 5)\n"
                                  "        .        .        .        .        .\n"));
}

/* The tesina's own answers, and its last lines: windows, seconds of the products, total. */
static void interactive_takes_the_tesinas_answers(NO_STATE)
{
    static const char *const typed[] = {"1", "m", "Manual", " manual \t"};
    static const char *const random_ones[] = {"2", "r", "RANDOM", "aleatoria", ""};
    char answers[80];
    for (size_t i = 0; i < sizeof typed / sizeof *typed; i++) {
        snprintf(answers, sizeof answers, "%s\n2 3\n1 2 3\n4 5 6\n0\n2\n1\n", typed[i]);
        struct outcome o = command_fed(answers, "./maxpool_serial --interactive --samples 1");
        assert_int_equal(o.status, 0);
        assert_non_null(strstr(o.out, "Image (2 x 3)\n        1        2        3\n"));
        assert_non_null(strstr(o.out, "\nSummary\n"
                                      "  Image                     2 x 3\n"
                                      "  Kernel size               2 x 2\n"
                                      "  Stride                    1\n"
                                      "  Padding                   0\n"
                                      "  Windows                   2\n"
                                      "  Feature map               1 x 2\n"
                                      "  Time of the products      0."));
        assert_non_null(strstr(o.out, "\n  Total time                0."));
    }
    for (size_t i = 0; i < sizeof random_ones / sizeof *random_ones; i++) {
        snprintf(answers, sizeof answers, "%s\n4\n\n\n\n\n", random_ones[i]);
        struct outcome o = command_fed(answers, "./maxpool_omp -t 1 --interactive --samples 1");
        assert_int_equal(o.status, 0);
        assert_non_null(strstr(o.out, "method staged"));
        assert_non_null(strstr(o.out, "  Windows                   4\n"));
    }
    static const char *const wrong[] = {"3", "maybe", "12", "rn"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(answers, sizeof answers, "%s\n", wrong[i]);
        struct outcome o = command_fed(answers, "./maxpool_serial --interactive --samples 1");
        assert_int_equal(o.status, 2);
        assert_non_null(strstr(o.err, "Answer 1 or m"));
    }
}

/* A volume: planes x rows x columns are z, y and x. */
enum { VOLUME_Z = 5, VOLUME_Y = 3, VOLUME_X = 4 };

/* Reads plane `plane` of a file in the test's folder, which has that shape. */
static void read_plane(const char *name, int64_t plane, struct image_shape shape, float *values)
{
    struct source *source = NULL;
    char path[256];
    snprintf(path, sizeof path, "%s/%s", command_folder(), name);
    assert_int_equal(source_open_file(&source, path, NULL), STATUS_OK);
    const struct image_shape s = source_shape(source);
    assert_true(s.planes == shape.planes && s.rows == shape.rows && s.cols == shape.cols);
    const struct image_range range = {plane, 0, s.rows, 0, s.cols};
    assert_int_equal(source_read(source, &range, values, s.cols, NULL, NULL), STATUS_OK);
    source_close(source);
}

/* Compares slice i across an axis with the elements of the volume. */
static void expect_slice(float (*all)[VOLUME_Y][VOLUME_X], char axis, int64_t i)
{
    const struct image_shape shape = {1, axis == 'z' ? VOLUME_Y : VOLUME_Z,
                                      axis == 'x' ? VOLUME_Y : VOLUME_X};
    float got[VOLUME_Z * VOLUME_X];
    command_done("./copy_serial -i $DIR/volume.npy --axis %c --plane %lld "
                 "--samples 1 -o $DIR/one.npy",
                 axis, (long long)i);
    read_plane("one.npy", 0, shape, got);
    for (int64_t r = 0; r < shape.rows; r++)
        for (int64_t c = 0; c < shape.cols; c++)
            assert_true(got[r * shape.cols + c] == (axis == 'x'   ? all[r][c][i]
                                                    : axis == 'y' ? all[r][i][c]
                                                                  : all[i][r][c]));
}

static void expect_refused_slice(const char *options, const char *why)
{
    struct outcome o = command_run("./copy_serial %s", options);
    assert_int_equal(o.status, 2);
    if (!strstr(o.err, why))
        fail_msg("%s", o.err);
}

/* Slices across each axis of a volume are its elements, as numbers and as pictures; a series of
 * pictures has one scale. */
static void slices_of_a_volume(NO_STATE)
{
    static float all[VOLUME_Z][VOLUME_Y][VOLUME_X];
    const struct image_shape shape = {VOLUME_Z, VOLUME_Y, VOLUME_X};
    command_done("./copy_serial -R 3 -C 4 --planes 5 --seed 4 --max-value 99 "
                 "--samples 1 -o $DIR/volume.npy");
    for (int64_t z = 0; z < VOLUME_Z; z++)
        read_plane("volume.npy", z, shape, &all[z][0][0]);
    expect_slice(all, 'x', 0);
    expect_slice(all, 'x', VOLUME_X - 1);
    expect_slice(all, 'y', 0);
    expect_slice(all, 'y', VOLUME_Y - 1);
    expect_slice(all, 'z', 1);
    expect_slice(all, 'z', VOLUME_Z - 1);
#ifdef MAXPOOL_HAVE_PNG
    command_done("./copy_serial -i $DIR/volume.npy --axis x --samples 1 -o $DIR/s_%%02d.png && "
                 "for i in 0 3; do ./copy_serial -i $DIR/s_0$i.png --samples 1 -o $DIR/a.txt && "
                 "./copy_serial -i $DIR/volume.npy --axis x --plane $i --samples 1 -o "
                 "$DIR/b.txt && cmp $DIR/a.txt $DIR/b.txt || exit; done; test ! -e "
                 "$DIR/s_04.png");
#endif
    expect_refused_slice("-i $DIR/volume.npy --plane 5", "has 5 slices across z, 0 to 4");
    expect_refused_slice("-i $DIR/volume.npy --axis y --plane 3", "has 3 slices across y, 0 to 2");
    expect_refused_slice("-n 8 --plane 1", "--plane is of the volume of --input");
    expect_refused_slice("-n 8 --axis x", "--axis is of the volume of --input");
}

/* The example's filters are Sobel's: an impulse shows them turned by 180 degrees. The script writes
 * its five pictures, of a picture and of a slice of a volume. */
static void a_panel_of_edges(NO_STATE)
{
    command_prints("1 0 -1\n2 0 -2\n1 0 -1\n\n1 2 1\n0 0 0\n-1 -2 -1\n",
                   "printf '0 0 0\\n0 1 0\\n0 0 0\\n' >$DIR/impulse.txt && ./conv_serial "
                   "-i $DIR/impulse.txt "
                   "--weights " MAXPOOL_SOURCE_DIR
                   "/examples/sobel.npy -s 1 -p 1 --samples 1 -o $DIR/map.txt "
                   "&& cat $DIR/map.txt");
#ifdef MAXPOOL_HAVE_PNG
    struct outcome o =
        command_done("p=" MAXPOOL_SOURCE_DIR "/examples/sobel_panel.sh; $p . $DIR/panel && cd "
                     "$DIR/panel && ls | tr '\\n' ' '");
    assert_non_null(
        strstr(o.out, "\nedges_0.png edges_0_pooled.png edges_1.png image.png image_pooled.png "));
#endif
#if defined MAXPOOL_HAVE_PNG && defined MAXPOOL_HAVE_NIFTI
    command_prints(",109,91,",
                   "p=" MAXPOOL_SOURCE_DIR "/examples/sobel_panel.sh; $p . $DIR/volume_panel "
                   "$DATA/brain_24_slices.nii.gz && ./copy_serial -i "
                   "$DIR/volume_panel/edges_1.png --samples 1 --format csv");
#endif
}

/* The map of a copy, read again and written as text, equals the image. */
static void a_copy_is_the_image(NO_STATE)
{
    struct outcome o = command_run(
        "./copy_serial -R 13 -C 17 --planes 2 --seed 4 --samples 1 -o $DIR/copy.npy && "
        "./copy_omp -t 2 -i $DIR/copy.npy --method rows --samples 1 -o $DIR/twice.npy && "
        "cmp $DIR/copy.npy $DIR/twice.npy && ./maxpool_serial -R 13 -C 17 --planes 2 --seed 4 "
        "-k 1 --samples 1 -o $DIR/pooled.npy && cmp $DIR/copy.npy $DIR/pooled.npy");
    if (o.status != 0)
        print_error("%s\n", o.err);
    assert_int_equal(o.status, 0);
}

/* A colour picture gives a colour picture: pooling it is pooling its planes. With --gray it is one
 * plane, read as a gray picture of that luma would be. */
static void photos_stay_in_colour(NO_STATE)
{
    static const char *const commands[] = {
        "./copy_serial -R 10 -C 12 --planes 3 --max-value 255 --samples 1 -o $DIR/photo.png",
        "./copy_serial -i $DIR/photo.png --samples 1 -o $DIR/photo.npy",
        "./maxpool_omp -t 2 -i $DIR/photo.png --samples 1 -o $DIR/pooled.png",
        "./maxpool_serial -i $DIR/photo.npy --samples 1 -o $DIR/pooled.npy",
        "./copy_serial -i $DIR/pooled.png --samples 1 -o $DIR/back.npy",
        "cmp $DIR/back.npy $DIR/pooled.npy",
        "./copy_omp -t 3 -i $DIR/photo.png --gray --samples 1 -o $DIR/gray.png",
        "./maxpool_omp -t 2 -i $DIR/photo.png --gray --samples 1 -o $DIR/a.npy",
        "./maxpool_serial -i $DIR/gray.png --samples 1 -o $DIR/b.npy",
        "cmp $DIR/a.npy $DIR/b.npy",
        "./maxpool_serial -i $DIR/gray.png --gray --samples 1 -o $DIR/c.npy",
        "cmp $DIR/c.npy $DIR/b.npy",
    };
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        command_done("%s", commands[i]);
    }
}

/* --help is one screen: every option on it is one of --help all, and three examples follow. */
static void help_is_one_screen(NO_STATE)
{
    static const char *const programs[] = {"maxpool_serial", "maxpool_omp", "matmul_omp",
                                           "conv_serial", "copy_serial"};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        struct outcome brief = command_done("./%s --help", programs[i]);
        struct outcome all = command_done("./%s --help all", programs[i]);
        struct outcome same = command_done("./%s --help=all", programs[i]);
        assert_string_equal(all.out, same.out);
        assert_in_range(count_of(brief.out, "\n"), 24, 40);
        assert_true(count_of(all.out, "\n") > 2 * count_of(brief.out, "\n"));
        for (const char *at = brief.out; (at = strstr(at, " --")); at++) {
            char name[64];
            if (sscanf(at, " %63[-a-z]", name) == 1 && !strstr(all.out, name))
                fail_msg("%s: %s is not in --help all", programs[i], name);
        }
        const char *examples = strstr(brief.out, "\nExamples\n");
        assert_non_null(examples);
        assert_int_equal(count_of(examples, "\n"), 7);
        assert_non_null(strstr(examples, "--help all"));
    }
}

/* The language is --lang, or that of the first of LC_ALL, LC_MESSAGES and LANG that is set; what
 * machines read is English in every language. */
static void the_screen_speaks_spanish(NO_STATE)
{
    static const struct {
        const char *setting, *option;
        bool spanish;
    } cases[] = {{"LC_ALL=es_MX.UTF-8", "", true},
                 {"LC_ALL= LC_MESSAGES=es_ES LANG=C", "", true},
                 {"LC_ALL= LC_MESSAGES= LANG=es", "", true},
                 {"LC_ALL=C LC_MESSAGES=es LANG=es", "", false},
                 {"LC_ALL= LC_MESSAGES=en_US.UTF-8 LANG=es_MX.UTF-8", "", false},
                 {"LC_ALL=fr_FR.UTF-8", "", false},
                 {"LC_ALL=es/../es", "", false},
                 {"LC_ALL=C", "--lang es", true},
                 {"LC_ALL=es_MX.UTF-8", "--lang en", false},
                 {"LC_ALL=es_MX.UTF-8 MAXPOOL_LOCALE=/none", "--lang=en", false}};
    struct outcome here = command_run("./maxpool_serial --lang es --version");
    if (here.status == 3) { /* built without msgfmt */
        assert_non_null(strstr(here.err, "language es is not in this build"));
        command_prints("Usage: ", "LC_ALL=es_MX ./maxpool_serial --help");
        skip();
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct outcome o =
            command_done("%s ./maxpool_serial --help %s", cases[i].setting, cases[i].option);
        if ((strncmp(o.out, "Uso: ", 5) == 0) != cases[i].spanish)
            fail_msg("%s %s: %.40s", cases[i].setting, cases[i].option, o.out);
        o = command_done("%s ./maxpool_serial -n 16 --samples 6 --method literal,direct %s",
                         cases[i].setting, cases[i].option);
        assert_int_equal(strstr(o.out, "Verificado") != NULL, cases[i].spanish);
        assert_int_equal(strstr(o.out, "Verified") != NULL, !cases[i].spanish);
    }
    command_done(
        "for f in csv json; do for l in C es_MX.UTF-8; do LC_ALL=$l ./maxpool_serial -n 8 "
        "--samples 1 --method literal --format $f | sed 's/null//g' | "
        "tr -d '0-9a-fA-F.+-' >$DIR/words.$l || exit 1; "
        "done; cmp $DIR/words.C $DIR/words.es_MX.UTF-8 && grep -q xt $DIR/words.C || exit 1; "
        "done");
}

/* What is wrong is said in that language too, names of options and files as they are; English is
 * the default, and what a program starts speaks English. */
static void errors_speak_spanish(NO_STATE)
{
    static const struct {
        const char *command;
        int status;
        const char *says;
    } cases[] = {
        {"maxpool_serial --metod x --lang es", 2,
         "opción desconocida o ambigua '--metod'; ¿quiso decir '--method'? (vea --help)\n"},
        {"maxpool_serial --method x", 2,
         "--method: no hay 'x' en maxpool_serial (vea --list-methods)\n"},
        {"maxpool_serial -n", 2, "la opción '-n' necesita un valor: N (vea --help)\n"},
        {"maxpool_serial -n 1,5", 2, "--size: '1,5' no es un entero: dé un número entero\n"},
        {"maxpool_serial --relative-ci 1,5", 2,
         "--relative-ci: '1,5' no es un número; escriba un punto: 1.5\n"},
        {"maxpool_serial -k 0", 2, "kernel-size debe ser al menos 1, no 0\n"},
        {"maxpool_serial --verify x", 2, "--verify debe ser uno de full|sampled|none, no 'x'\n"},
        {"maxpool_serial --threads 2", 2,
         "--threads no se aplica aquí: este programa calcula con un hilo (maxpool_serial)\n"},
        {"maxpool_serial -n 4 -k 5", 2, "no cabe en la imagen de 4 x 4 con relleno 0\n"},
        {"matmul_serial -k 3", 2,
         "--kernel-size no se aplica aquí: el producto de matrices no tiene ventanas "
         "(matmul_serial)\n"},
        {"maxpool_serial -i none.png", 2, "none.png: no se puede leer: no existe\n"},
        {"maxpool_serial -n 4 -o none/map.png", 5,
         "none/map.png: no se puede escribir: no existe\n"},
        {"maxpool_serial -n 4 -o map.bmp", 2,
         "map.bmp: el nombre de una salida debe terminar en .npy, .txt o .png\n"},
        {"maxpool_serial -n 128 --explain", 2,
         "--explain es para imágenes pequeñas: imprimiría 32768 números"},
    };
    struct outcome o = command_run("./maxpool_serial --lang es --version");
    const bool catalogue = o.status == 0;
    if (!catalogue)
        skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        o = command_run("LC_ALL=es_MX.UTF-8 ./%s", cases[i].command);
        if (o.status != cases[i].status || !strstr(o.err, cases[i].says) || o.out[0])
            fail_msg("%s: status %d, %s", cases[i].command, o.status, o.err);
        o = command_run("LC_ALL=es_MX.UTF-8 MAXPOOL_LANG=en ./%s", cases[i].command);
        const bool chosen = strstr(cases[i].command, "--lang"); /* wins over the environment */
        if (o.status != cases[i].status || !strstr(o.err, cases[i].says) == chosen)
            fail_msg("%s: status %d, %s", cases[i].command, o.status, o.err);
    }
}

/* --explain speaks the language of the screen; columns keep their places. */
static void explanations_speak_spanish(NO_STATE)
{
    static const char *const cases[][2] = {
        {"maxpool_serial -n 4 --explain", "\nSalida (0, 0): ventana en la fila 0, columna 0\n"
                                          "        0        7                0        7\n"
                                          "        6        2   x B =        6        2\n"
                                          "  máximo 7\n"},
        {"maxpool_serial -n 4 --explain", "Parámetros    tamaño de kernel 2, paso 2, relleno 0, "},
        {"matmul_serial -n 2 --explain", "\nElemento (0, 0): fila 0 de A por columna 0 de B\n"
                                         "        0            1            0               0\n"
                                         "        7   x        0   =        0   suma        0\n"
                                         "  suma 0\n"},
    };
    struct outcome o = command_run("./maxpool_serial --lang es --version");
    const bool catalogue = o.status == 0;
    for (size_t i = 0; catalogue && i < sizeof cases / sizeof *cases; i++) {
        o = command_done("./%s --samples 1 --lang es", cases[i][0]);
        if (!strstr(o.out, cases[i][1]))
            fail_msg("%s: %s", cases[i][0], o.out);
    }
    if (!catalogue)
        skip();
}

/* The questions of --interactive are in that language too; their answers are the same. */
static void questions_are_asked_in_spanish(NO_STATE)
{
    struct outcome o = command_fed("x\nr\n4 6\n3\n0\n2\n2\n",
                                   "./maxpool_serial --interactive --samples 1 --lang es");
    if (o.status == 3)
        skip();
    assert_int_equal(o.status, 0);
    assert_non_null(strstr(o.err, "Semilla [35]: "));
    assert_non_null(strstr(o.err, "  Responda 1 o m (manual), 2 o r (aleatoria)."));
    assert_null(strstr(o.err, "Answer"));
    assert_non_null(strstr(o.out, "\nResumen\n"
                                  "  Imagen                    4 x 6\n"));
    assert_non_null(strstr(o.out, "\n  Tiempo de los productos   0."));
    assert_non_null(strstr(o.out, "\n  de ello product  "));
    assert_null(strstr(o.out, "of it"));
}

static void help_teaches(NO_STATE)
{
    static const char *const programs[] = {"maxpool_serial", "maxpool_omp", "matmul_serial",
                                           "matmul_omp"};
    for (int i = 0; i < 4; i++) {
        struct outcome o = command_done("./%s --help all", programs[i]);
        assert_string_equal(o.err, "");
        assert_non_null(strstr(o.out, "Examples"));
        assert_non_null(strstr(o.out, "Exit status"));
        assert_int_equal(strstr(o.out, "--stride") != NULL, i < 2);
        assert_int_equal(strstr(o.out, "--threads") != NULL, i % 2);
        assert_null(strstr(o.out, "The device")); /* no heading without an option below it */
        assert_null(strstr(o.out, "The simulation"));
        o = command_done("./%s --version", programs[i]);
        assert_int_equal(strncmp(o.out, programs[i], strlen(programs[i])), 0);
    }
}

/* Ctrl-C: the current sample is finished and recorded, the record gives the reason, and the process
 * ends by the signal. */
static void interrupts_keep_what_was_measured(NO_STATE)
{
    struct outcome o =
        command_run("$WHEN INT $DIR/int.csv 4000 ./maxpool_serial -n 256 "
                    "--samples 10000000 --max-seconds 60 --relative-ci 0 --record $DIR/int.csv");
    assert_int_equal(o.status, 130);
    assert_non_null(strstr(o.out, "interrupted; what was measured is kept"));
    o = command_run("tail -n 1 $DIR/int.csv | grep -c ,interrupted,");
    assert_string_equal(o.out, "1\n");
}

/* While an image is read there is no sample to finish: the first signal ends the process. */
static void a_signal_while_reading_ends_at_once(NO_STATE)
{
    struct outcome o =
        command_run("mkfifo $DIR/typed && { sleep 60 > $DIR/typed & s=$!; ./maxpool_serial -i - "
                    "< $DIR/typed & p=$!; sleep 1; kill -TERM $p; wait $p; echo $?; kill $s; "
                    "}");
    assert_string_equal(o.out, "143\n");
    assert_null(strstr(o.err, "maxpool_serial: "));
}

/* A picture of 64 KB that unpacks to 256 MiB of floats: the program announces it first, and stops
 * reading at the requested limit. */
static void unpacking_is_reported_and_limited(NO_STATE)
{
    struct outcome o = command_run(
        "./maxpool_serial -n 8192 -k 1 --method direct --max-value 0 --samples 1 --warmup 0 "
        "--verify none -o $DIR/zeros.png");
    const bool written = o.status == 0;
    assert_true(written || o.status == 3);
    if (!written)
        skip();
    o = command_run("./maxpool_serial -i $DIR/zeros.png --max-seconds 0.001");
    assert_int_equal(o.status, 4);
    assert_int_equal(count_of(o.err, "\n"), 2);
    assert_non_null(strstr(o.err, "that unpack to an image of 256 MiB; after --max-seconds 0.001"));
    assert_non_null(strstr(o.err, "zeros.png: it could not be unpacked within 0.001 s"));
#ifndef __SANITIZE_ADDRESS__ /* which needs more address space */
    command_fails(4, "are needed and", "ulimit -v 300000; ./maxpool_serial -i $DIR/zeros.png");
#endif
}

static void nothing_is_left_half_written(NO_STATE)
{
    struct outcome o = command_run(
        "mkdir $DIR/small && cd $DIR/small && (ulimit -f 1; trap '' XFSZ; " MAXPOOL_BINARY_DIR
        "/bin/maxpool_serial -n 512 --samples 1 -o map.npy); echo $?; ls -A");
    assert_string_equal(o.out, "5\n");
    assert_int_equal(count_of(o.err, "\n"), 1);
}

/* A program that receives two signals while it writes a map leaves no partial file. */
/* The whole map would be 140 MB of text; the signal is sent as soon as a part is written. */
static void a_signal_leaves_no_part_of_a_map(NO_STATE)
{
    struct outcome o = command_run("df -Pk $DIR | awk 'NR == 2 { exit $4 < 300000 }'");
    const bool fits = o.status == 0;
    if (!fits)
        skip();
    o = command_run(
        "mkdir $DIR/cut && cd $DIR/cut && { " MAXPOOL_BINARY_DIR
        "/bin/maxpool_serial -n 6000 -k 1 --samples 1 --verify none -o map.txt >/dev/null & p=$!; "
        "while kill -0 $p && [ -z \"$(find . -name '.maxpool-*.tmp' -size +64)\" ]; do "
        "sleep 0.02; done; kill -INT $p; sleep 0.05; kill -INT $p; wait $p; "
        "echo $?; ls -A; }");
    assert_string_equal(o.out, "130\n");
}

/* --bind is in the record, or refused with status 3 where the build has no hwloc. */
static void binding_is_recorded(NO_STATE)
{
    static const char *const bindings[] = {"core", "spread"};
    for (size_t i = 0; i < sizeof bindings / sizeof *bindings; i++) {
        struct outcome o =
            command_run("./maxpool_omp -t 2 -n 64 --samples 2 --bind %s --format csv", bindings[i]);
        char bound[40], shared[40];
        snprintf(bound, sizeof bound, ",%s,%s,plain,", bindings[i], bindings[i]);
        snprintf(shared, sizeof shared, ",%s,shared,plain,", bindings[i]);
        assert_true(o.status == 0 || o.status == 3);
        assert_int_equal(strstr(o.out, bound) || strstr(o.out, shared), o.status == 0);
    }
}

/* The record holds the pages that --pages requests and the pages obtained, just before the columns
 * of interleaving. */
static void pages_are_recorded(NO_STATE)
{
    static const struct {
        const char *option, *ends[3];
    } rows[] = {{"--pages ordinary", {",ordinary,ordinary,1,,,"}},
                {"--pages huge", {",huge,huge,1,,,", ",huge,ordinary,1,,,", ",huge,advised,1,,,"}},
                {"", {",,huge,1,,,", ",,ordinary,1,,,", ",,advised,1,,,"}}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct outcome o = command_run(
            "./maxpool_omp -t 2 -n 2048 --samples 1 %s --format csv | tail -n 1", rows[i].option);
        bool ended = false;
        for (int j = 0; j < 3 && rows[i].ends[j]; j++)
            ended = ended || strstr(o.out, rows[i].ends[j]);
        if (!ended)
            fail_msg("'%s': %s", rows[i].option, o.out);
    }
    struct outcome o = command_run("./maxpool_serial -n 2048 --samples 1 --pages ordinary");
    assert_non_null(strstr(o.out, ", pages: ordinary\n"));
}

/* More threads than cores are measured, and a message reports it. */
static void oversubscription_is_said_aloud(NO_STATE)
{
    struct outcome o = command_done("taskset -c 0 ./maxpool_omp -t 5 -n 64 --samples 2");
    assert_non_null(strstr(o.err, "5 threads share 1 core:"));
    assert_non_null(strstr(o.out, "bound: shared"));
    assert_non_null(
        strstr(o.out, "5 threads share 1 core: more workers than cores give no speedup"));
}

/* A team with fewer threads than requested is an error: part of the map would have no worker. */
static void limited_teams_are_refused(NO_STATE)
{
    command_fails(4, "OpenMP gives a team of 2 threads where 4 were asked for",
                  "OMP_THREAD_LIMIT=2 ./maxpool_omp -t 4 -n 64");
}

/* JSON: one object, every sample, no NaN; or status 3 where the build has no cJSON. */
static void json_holds_the_samples(NO_STATE)
{
    struct outcome o =
        command_run("./maxpool_serial -n 64 --samples 7 --method staged --format json");
    if (o.status == 3) {
        skip();
    }
    int samples = 0;
    assert_int_equal(o.status, 0);
    assert_int_equal(o.out[0], '{');
    assert_null(strstr(o.out, ":\tnan"));
    assert_null(strstr(o.out, "-nan"));
    assert_non_null(strstr(o.out, "\"verified\":\t\"exact\""));
    assert_non_null(strstr(o.out, "\"seed\":\t35"));
    assert_non_null(strstr(o.out, "\"quartile3\""));
    for (const char *p = o.out; (p = strstr(p, "\"start_error_s\":\tnull")); p++)
        samples++;
    assert_int_equal(samples, 7 + 1); /* the last row repeats the summary once */
}

/* Peak memory is at most image, map, scratch and 8 MiB, whatever else the program does. Sanitizers
 * use shadow memory, so the test is skipped there. */
static void memory_is_what_the_tables_declare(NO_STATE)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip();
#endif
    static const struct {
        const char *command;
        long kib; /* image + map + declared scratch */
    } rows[] = {
        {"exec ./maxpool_serial -n 2048 --samples 2", 16384 + 4096 + 4},
        {"exec ./maxpool_omp -t 2 -n 2048 --method staged --samples 2", 16384 + 4096 + 2 * 32},
        {"exec ./maxpool_serial -R 4 -C 1000000 -k 2 --samples 2", 15625 + 3907 + 512},
        {"exec ./maxpool_omp -t 2 -n 1024 -k 3 -s 1 --filter random --max-value 16777216 --samples "
         "2",
         4096 + 4096 + 8},
        {"exec ./maxpool_serial -n 2048 --verify sampled --samples 2", 16384 + 4096 + 4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct outcome o = run_program(rows[i].command, NULL);
        assert_int_equal(o.status, 0);
        if (o.peak_kib > rows[i].kib + 8192)
            print_error("%s: %ld KiB, %ld + 8192 allowed\n", rows[i].command, o.peak_kib,
                        rows[i].kib);
        assert_true(o.peak_kib <= rows[i].kib + 8192);
    }
}

/* docs/options.md equals what the programs print with --help, so that a change of either is
 * noticed. Open MPI frees some memory only when a program ends, so the leak check is off. */
static void the_page_of_options_is_up_to_date(NO_STATE)
{
    static const char script[] =
        "ASAN_OPTIONS=detect_leaks=0 " MAXPOOL_SOURCE_DIR "/scripts/options_page.sh";
    struct outcome now = command_run("%s --check %s", script, MAXPOOL_BINARY_DIR);
    if (now.status == 77) /* a program of the page was not built here */
        skip();
    if (now.status != 0)
        print_error("%s%s", now.out, now.err);
    assert_int_equal(now.status, 0);
    struct outcome other =
        command_run("%s --check %s " MAXPOOL_SOURCE_DIR "/README.md", script, MAXPOOL_BINARY_DIR);
    assert_int_equal(other.status, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(known_answers_through_every_method),
        cmocka_unit_test(real_images_pool_and_verify),
        cmocka_unit_test(photos_stay_in_colour),
        cmocka_unit_test(planes_are_multiplied),
        cmocka_unit_test(maps_do_not_depend_on_threads),
        cmocka_unit_test(verdicts_say_which),
        cmocka_unit_test(records_hold_every_execution),
        cmocka_unit_test(typed_images_are_read),
        cmocka_unit_test(worked_windows_are_explained),
        cmocka_unit_test(products_are_explained),
        cmocka_unit_test(one_is_one),
        cmocka_unit_test(whoever_types_is_shown_how),
        cmocka_unit_test(interactive_asks_again),
        cmocka_unit_test(interactive_is_a_menu),
        cmocka_unit_test(interactive_takes_the_tesinas_answers),
        cmocka_unit_test(slices_of_a_volume),
        cmocka_unit_test(a_panel_of_edges),
        cmocka_unit_test(a_copy_is_the_image),
        cmocka_unit_test(help_teaches),
        cmocka_unit_test(help_is_one_screen),
        cmocka_unit_test(the_screen_speaks_spanish),
        cmocka_unit_test(errors_speak_spanish),
        cmocka_unit_test(explanations_speak_spanish),
        cmocka_unit_test(questions_are_asked_in_spanish),
        cmocka_unit_test(interrupts_keep_what_was_measured),
        cmocka_unit_test(a_signal_while_reading_ends_at_once),
        cmocka_unit_test(unpacking_is_reported_and_limited),
        cmocka_unit_test(nothing_is_left_half_written),
        cmocka_unit_test(a_signal_leaves_no_part_of_a_map),
        cmocka_unit_test(binding_is_recorded),
        cmocka_unit_test(pages_are_recorded),
        cmocka_unit_test(oversubscription_is_said_aloud),
        cmocka_unit_test(limited_teams_are_refused),
        cmocka_unit_test(json_holds_the_samples),
        cmocka_unit_test(memory_is_what_the_tables_declare),
        cmocka_unit_test(the_page_of_options_is_up_to_date),
    };
    return cmocka_run_group_tests(tests, command_setup, command_teardown);
}
