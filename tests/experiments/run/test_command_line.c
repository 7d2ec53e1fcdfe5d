/* Options of the study, and the command lines that it composes. */
#include "experiments/common/arguments.h"
#include "experiments/common/progress.h"
#include "experiments/common/results.h"
#include "experiments/plan/command_line.h"
#include "tests/support/unit_test.h"

#include <fcntl.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TEST(test_durations)
{
    static const struct {
        const char *text;
        double seconds; /* 0: refused */
    } cases[] = {
        {"90", 90},   {"90s", 90}, {"10m", 600}, {"1h30m", 5400}, {"1.5h", 5400}, {"0.5", 0.5},
        {"", 0},      {"0", 0},    {"-5", 0},    {"soon", 0},     {"10x", 0},     {"1h30x", 0},
        {"1e999", 0}, {" 5", 0},   {"5 ", 0},    {"nan", 0},      {"inf", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double seconds = -1;
        bool good = duration_parse(cases[i].text, &seconds);
        if (good != (cases[i].seconds > 0) || (good && seconds != cases[i].seconds))
            fail_msg("'%s' gave %g", cases[i].text, seconds);
    }
}

/* The options of a command of these tests. */
struct taken {
    bool flag;
    const char *text;
    int64_t count;
    struct numbered_part chunk;
};

static enum status parse(struct taken *t, char **argv, int *operands, struct failure *f)
{
    const struct option_row options[] = {
        {"flag", VALUE_FLAG, NULL, "", .target = &t->flag},
        {"text", VALUE_TEXT, "T", "", .target = &t->text},
        {"count", VALUE_INT, "N", "", .target = &t->count, .least = 1, .letter = 'n'},
        {"chunk", VALUE_PART, "I/N", "", .target = &t->chunk},
    };
    const struct usage usage = {"NAME [NAME]", "", options, 4, 1, 2};
    int argc = 0;
    bool help;
    while (argv[argc])
        argc++;
    *f = (struct failure){0};
    *t = (struct taken){0};
    return arguments_parse(&usage, argc, argv, operands, &help, f);
}

TEST(test_options_and_operands_mix)
{
    struct taken t;
    struct failure f;
    int operands;
    char *argv[] = {"c",       "a",   "--count=7", "--flag", "--text", "-x",
                    "--chunk", "2/3", "--",        "--b",    NULL};
    assert_int_equal(parse(&t, argv, &operands, &f), STATUS_OK);
    assert_int_equal(operands, 2);
    assert_string_equal(argv[1], "a");
    assert_string_equal(argv[2], "--b");
    assert_true(t.flag && t.count == 7 && t.chunk.index == 2 && t.chunk.count == 3);
    assert_string_equal(t.text, "-x");
}

TEST(test_bad_options_are_named)
{
    static const struct {
        char *argument, *says;
    } cases[] = {
        {"--colour", "unknown option '--colour'"},
        {"--c", "option '--c' is ambiguous: --count, --chunk ('study c --help' lists them)"},
        {"-x", "unknown option '-x'"},
        {"--count=0", "c: count must be at least 1, not 0"},
        {"--count=1x", "--count: '1x' is not an integer"},
        {"--count=9223372036854775808", "more than a 63-bit integer holds"},
        {"--count", "option '--count' needs a value: N ('study c --help' lists them)"},
        {"--flag=1", "option '--flag' takes no value"},
        {"--chunk=4/3", "1 <= I <= N"},
        {"--chunk=0/3", "1 <= I <= N"},
        {"--chunk=2", "1 <= I <= N"},
        {"--count=1,5", "--count: '1,5' is not an integer: give a whole number"},
        {"--lang=fr", "language must be en or es, not 'fr'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct taken t;
        struct failure f;
        int operands;
        char *argv[] = {"c", "a", cases[i].argument, NULL};
        assert_int_equal(parse(&t, argv, &operands, &f), STATUS_USAGE);
        if (!strstr(f.message, cases[i].says))
            fail_msg("'%s' is not '%s'", f.message, cases[i].says);
    }
    struct taken t;
    struct failure f;
    int operands;
    char *none[] = {"c", NULL}, *many[] = {"c", "1", "2", "3", NULL};
    assert_int_equal(parse(&t, none, &operands, &f), STATUS_USAGE);
    assert_int_equal(parse(&t, many, &operands, &f), STATUS_USAGE);
    assert_non_null(strstr(f.message, "'3' is one argument too many"));
}

/* Short forms as in the point programs: letters, and the first letters of names; nothing after
 * --help is read. */
TEST(test_short_forms)
{
    struct taken t;
    struct failure f;
    int operands;
    char *argv[] = {"c", "-n", "7", "a", "--te", "x", NULL}, *joined[] = {"c", "-n8", "a", NULL};
    char *helped[] = {"c", "--help", "--colour", NULL};
    assert_int_equal(parse(&t, argv, &operands, &f), STATUS_OK);
    assert_true(t.count == 7 && operands == 1);
    assert_string_equal(t.text, "x");
    assert_string_equal(argv[1], "a");
    assert_int_equal(parse(&t, joined, &operands, &f), STATUS_OK);
    assert_true(t.count == 8 && operands == 1);
    assert_int_equal(parse(&t, helped, &operands, &f), STATUS_OK);
}

static void expect_command_here(const char *launcher, int64_t ranks, int64_t threads, int64_t here,
                                const char *begins)
{
    struct record point = record_empty();
    struct sampling sampling = {
        .samples = 10, .warmup = 1, .relative_ci = 0.02, .max_seconds = 0.5, .verify = "full"};
    struct command_line line;
    strcpy(point.experiment, "drill");
    strcpy(point.program, "maxpool_mpi");
    strcpy(point.input, "it's here.png");
    point.ranks = ranks;
    point.threads = threads;
    point.round = 3;
    struct command_request request = {.point = &point,
                                      .sampling = &sampling,
                                      .bin = "/opt/my bin",
                                      .launcher = launcher,
                                      .cores = 4,
                                      .here = here,
                                      .record = "drill.csv"};
    assert_int_equal(command_line_make(&line, &request, NULL), STATUS_OK);
    char *text = command_line_text(&line), expected[512];
    snprintf(expected, sizeof expected,
             "%s'/opt/my bin/maxpool_mpi' --input 'it'\\''s here.png' --threads %d --warmup 1 "
             "--samples 10 --relative-ci 0.02 --max-seconds 0.5 --verify full --experiment drill "
             "--round 3 --record drill.csv",
             begins, (int)threads);
    assert_string_equal(text, expected);
    free(text);
    command_line_release(&line);
}

static void expect_command(const char *launcher, int64_t ranks, int64_t threads, const char *begins)
{
    expect_command_here(launcher, ranks, threads, 0, begins);
}

TEST(test_launchers)
{
    expect_command("plain", 1, 1, "");
    expect_command("mpirun", 4, 1, "mpirun -np 4 ");
    expect_command("mpirun", 2, 2, "mpirun -np 2 --bind-to none ");
    expect_command("mpirun", 16, 1, "mpirun -np 16 --oversubscribe --bind-to none ");
    /* planned for more cores than exist: the launcher must be told, and binds as planned */
    expect_command_here("mpirun", 4, 1, 2, "mpirun -np 4 --oversubscribe ");
    expect_command_here("mpirun", 2, 1, 2, "mpirun -np 2 ");
    expect_command("srun", 1, 2, "srun --ntasks=1 --cpus-per-task=2 ");
    expect_command("srun", 4, 2, "srun --ntasks=4 --cpus-per-task=2 --overcommit ");
}

/* A column that the plan sets becomes an option of the command; one that it leaves open does
 * not. */
TEST(test_columns_become_options)
{
    struct record point = record_empty();
    struct sampling sampling = {
        .samples = 10, .warmup = 1, .relative_ci = 0.02, .max_seconds = 0.5, .verify = "full"};
    struct command_line line;
    strcpy(point.program, "maxpool_serial");
    strcpy(point.pages_asked, "ordinary");
    strcpy(point.isa_limit, "avx2");
    struct command_request request = {
        .point = &point, .sampling = &sampling, .bin = "bin", .launcher = "plain", .cores = 4};
    assert_int_equal(command_line_make(&line, &request, NULL), STATUS_OK);
    char *text = command_line_text(&line);
    assert_non_null(strstr(text, " --isa avx2 --pages ordinary "));
    assert_null(strstr(text, "--bind"));
    free(text);
    command_line_release(&line);
}

TEST(test_names_that_are_safe_in_files)
{
    assert_true(results_name_is_safe("matmul_growth-2"));
    static const char *const unsafe[] = {"", "..", "a/b", "-a", "a b", "a.csv", "a\n"};
    for (size_t i = 0; i < sizeof unsafe / sizeof *unsafe; i++)
        assert_false(results_name_is_safe(unsafe[i]));
}

TEST(test_bars)
{
    assert_string_equal(progress_bar(0, 4).text, "[                    ]");
    assert_string_equal(progress_bar(1, 4).text, "[#####               ]");
    assert_string_equal(progress_bar(4, 4).text, "[####################]");
    assert_string_equal(progress_bar(9, 4).text, "[####################]");
    assert_string_equal(progress_bar(0, 0).text, "[                    ]");
}

/* What two of four items write to standard error, which is `to`; the text is read from `from`. */
static void show_progress(int to, int from, char *text, size_t size)
{
    const int kept = dup(STDERR_FILENO);
    assert_true(dup2(to, STDERR_FILENO) >= 0);
    struct progress p = progress_begin(4, 60);
    p.said = -1e9; /* a line is due */
    progress_advance(&p, 20);
    progress_advance(&p, 20);
    progress_show(&p, "work");
    assert_true(dup2(kept, STDERR_FILENO) >= 0);
    close(kept);
    const ssize_t got = read(from, text, size - 1);
    assert_true(got > 0);
    text[got] = '\0';
}

/* On a terminal a line has a bar and stays where it is; in a file it is a line of its own. */
TEST(test_progress_has_a_bar_on_a_terminal)
{
    char text[512];
    int ends[2], terminal, program;
    assert_int_equal(openpty(&terminal, &program, NULL, NULL, NULL), 0);
    show_progress(program, terminal, text, sizeof text);
    assert_non_null(
        strstr(text, "\r[##########          ] 2/4, 0:00 gone, about 0:20 left: work\033[K"));
    assert_null(strchr(text, '\n'));
    assert_int_equal(pipe(ends), 0);
    show_progress(ends[1], ends[0], text, sizeof text);
    assert_string_equal(text, "study: 2/4, 0:00 gone, about 0:20 left: work\n");
}

/* Items that come on top count, and are estimated by those before. */
TEST(test_progress_can_grow)
{
    struct progress p = progress_begin(4, 60);
    p.began -= 100; /* seconds ago */
    for (int i = 0; i < 4; i++)
        progress_advance(&p, 15);
    progress_extend(&p, 3);
    assert_true(p.done == 4 && p.count == 7);
    assert_true(p.left_s >= 75.0);
}
