/* The peers over the same grid of cases as our methods, serially and with OpenMP; what they refuse;
 * and that a peer which does not do its work is caught. */
#include "kernels/conv/methods.h"
#include "openmp/omp.h"
#include "peers/methods.h"
#include "peers/peers.h"
#include "serial/serial.h"
#include "tests/support/cases.h"
#include "tests/support/run_program.h"
#include "tests/support/space_check.h"
#include "tests/support/unit_test.h"

#include <float.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- threads of libraries: first, since later tests bind the process to cores ------------------
 */

/* A library that uses the same kind of threads as the team works with the team's threads: none is
 * started for a product. */
TEST(libraries_start_no_threads_of_their_own)
{
#ifndef MAXPOOL_COUNT_THREADS
    skip(); /* a sanitizer starts threads too */
#else
    static const char *const lines[] = {
        "matmul_omp -n 96 --method openblas",
        "conv_omp -n 32 --channels 4 --filters 8 -k 3 --method openblas"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char command[512];
        snprintf(command, sizeof command,
                 "LD_PRELOAD=" MAXPOOL_COUNT_THREADS
                 " ./%s -t 2 --samples 20 --warmup 1 --relative-ci 0.000001",
                 lines[i]);
        struct outcome o = run_program(command, NULL);
        const char *reported = strstr(o.err, "THREADS ");
        if (o.status != 3 && (o.status != 0 || !reported || strtol(reported + 8, NULL, 10) != 1))
            fail_msg("%s: status %d: %s", lines[i], o.status, o.err);
    }
#endif
}

/* What the lines "CORES n from c" report: the number of threads, how many of them are bound to one
 * core, and the sum of 2^c over these. */
struct seen_cores {
    int threads, bound, most;
    unsigned long long cores;
};

static struct seen_cores cores_seen(const char *text)
{
    static const char words[] = "CORES ";
    struct seen_cores seen = {0};
    for (const char *at = text; (at = strstr(at, words)); at++) {
        int count, first;
        if (sscanf(at, "CORES %d from %d", &count, &first) != 2)
            continue;
        seen.threads++;
        seen.bound += count == 1;
        seen.most = count > seen.most ? count : seen.most;
        seen.cores |= count == 1 && first < 64 ? 1ULL << first : 0;
    }
    return seen;
}

/* Each thread that a library works with has its own core if binding is requested, and all cores of
 * the process otherwise: none is left on the core of another thread. */
TEST(threads_of_libraries_have_their_cores)
{
#ifndef MAXPOOL_COUNT_THREADS
    skip();
#else
    static const char *const lines[] = {
        "matmul_omp -n 96 --method openblas", "maxpool_omp -n 64 --method onednn",
        "conv_omp -n 32 --channels 4 --filters 8 -k 3 --method openblas",
        "conv_omp -n 32 --channels 4 --filters 8 -k 3 --method onednn",
        "conv_omp -n 32 --channels 4 --filters 8 -k 3 --method libxsmm"};
    cpu_set_t mine;
    assert_int_equal(sched_getaffinity(0, sizeof mine, &mine), 0);
    if (CPU_COUNT(&mine) < 2)
        skip();
    for (size_t i = 0; i < 2 * (sizeof lines / sizeof *lines); i++) {
        char command[512];
        const bool core = i % 2;
        snprintf(command, sizeof command,
                 "LD_PRELOAD=" MAXPOOL_COUNT_THREADS " ./%s -t 2 --samples 3 --bind %s",
                 lines[i / 2], core ? "core" : "none");
        struct outcome o = run_program(command, NULL);
        const struct seen_cores seen = cores_seen(o.err);
        const bool apart = seen.bound == 2 && (seen.cores & (seen.cores - 1)) != 0;
        const bool free_of_bonds = seen.bound == 0 && seen.most == CPU_COUNT(&mine);
        if (o.status != 3 &&
            (o.status != 0 || seen.threads != 2 || !(core ? apart : free_of_bonds)))
            fail_msg("%s: status %d: %s", command, o.status, o.err);
    }
#endif
}

/* An OpenBLAS with its own threads is refused if it would need several, and works with one. */
TEST(threads_that_compete_are_refused)
{
#ifndef MAXPOOL_COUNT_THREADS
    skip();
#else
    static const char *const lines[] = {"matmul_omp -n 32",
                                        "conv_omp -n 16 --channels 4 --filters 8 -k 3"};
    struct outcome o = run_program("./matmul_omp -n 32 -t 1 --samples 2 --method openblas", NULL);
    const bool here = o.status != 3;
    if (!here)
        skip();
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        for (int threads = 1; threads <= 2; threads++) {
            char command[512];
            snprintf(command, sizeof command,
                     "LD_PRELOAD=" MAXPOOL_OWN_THREADS " ./%s -t %d --samples 2 --method openblas",
                     lines[i], threads);
            o = run_program(command, NULL);
            assert_int_equal(o.status, threads == 1 ? 0 : 3);
            if (threads == 2)
                assert_non_null(strstr(o.err, "OpenBLAS is built without OpenMP here"));
        }
#endif
}

/* ---- results --------------------------------------------------------------------------------- */

TEST(peers_pass_the_grid)
{
    assert_int_equal(check_peers(&serial_space, 1, &host_peers), 0);
    assert_int_equal(check_peers(&omp_space, 1, &host_peers), 0);
    assert_int_equal(check_peers(&omp_space, 3, &host_peers), 0);
}

TEST(verdicts_are_right)
{
    assert_int_equal(check_peer_verdicts(&omp_space, 2, &host_peers), 0);
}

/* Extreme values, denormals, -0 and neighbouring floats, padded so that every border is reached. */
TEST(identity_keeps_every_float)
{
    static const float values[] = {FLT_MAX,   -FLT_MAX,      FLT_MIN, -FLT_MIN,
                                   0x1p-149f, -0x1p-149f,    -0.0f,   0.0f,
                                   1.0f,      0x1.fffffep0f, -1.5f,   16777217.0f};
    float identity[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    struct operation op = {
        .kind = &maxpool_operator,
        .image = {1, 3, 4},
        .geometry = {1, 3, 4, 3, 1, 1, PAD_IGNORE, 0, 0},
        .operands[OPERAND_FILTER] = {.values = identity, .shape = {1, 3, 3}, .identity = true}};
    assert_int_equal(geometry_complete(&op.geometry), GEOMETRY_OK);
    op.map = (struct image_shape){1, op.geometry.out_rows, op.geometry.out_cols};
    struct source *source = case_source(op.image, values);
    struct job job = {.operation = &op, .source = source, .min_cost = 1.0};
    for (size_t i = 0; i < host_peers.count; i++) {
        struct resources resources = {0};
        struct instance *instance;
        struct phases phases;
        int64_t first, count;
        op.method = &host_peers.rows[i].method;
        job.peer = peer_of(&host_peers, &host_peers.rows[i]);
        if (!job.peer || host_peers.rows[i].kind != op.kind)
            continue;
        assert_int_equal(serial_space.open(&job, &instance, &resources, NULL), STATUS_OK);
        assert_int_equal(serial_space.execute(instance, &phases, NULL), STATUS_OK);
        assert_int_equal(count_wrong_pooled(&op.geometry, values, NULL,
                                            serial_space.map(instance, &first, &count)),
                         0);
        serial_space.close(instance);
    }
    source_close(source);
}

/* ---- seeded faults -------------------------------------------------------------------------- */

static enum status do_nothing(struct peer_state *s, struct failure *f)
{
    (void)s;
    (void)f;
    return STATUS_OK;
}

/* A peer that skips its work, after it computed the result once in prepare, is caught: the map, or
 * the library's own copy of it, was poisoned, so neither can pass for the result. */
TEST(idle_peers_are_caught)
{
    for (size_t i = 0; i < host_peers.count; i++) {
        const struct peer_row *row = &host_peers.rows[i];
        const struct peer *peer = peer_of(&host_peers, row);
        if (!peer || !peer->execute || row->kind != &maxpool_operator)
            continue;
        struct peer idle = *peer;
        int64_t cases;
        idle.execute = do_nothing;
        const int64_t failures = check_one_peer(&serial_space, 1, &row->method, &idle, &cases);
        assert_true(cases > 0);
        assert_true(failures >= cases);
    }
}

static bool is_of_conv(const struct operator_row *kind)
{
    return kind == &conv_operator || kind == &conv_data_gradient_operator ||
           kind == &conv_weight_gradient_operator;
}

/* The same for a convolution and both its gradients, with every peer that computes them. */
TEST(idle_convolutions_are_caught)
{
    int64_t of_gradients = 0;
    for (size_t i = 0; i < host_peers.count; i++) {
        const struct peer_row *row = &host_peers.rows[i];
        const struct peer *peer = peer_of(&host_peers, row);
        if (!peer || !is_of_conv(row->kind))
            continue;
        struct peer idle = *peer;
        const struct job job = {.threads = 1};
        const struct conv_case *c = &conv_cases[0];
        while (strcmp(c->name, "prime_channels") != 0)
            c++;
        idle.execute = do_nothing;
        const int64_t failures =
            check_conv_kind_by(&serial_space, &job, row->kind, &row->method, &idle, c);
        assert_int_not_equal(failures, 0); /* -1: refused */
        of_gradients += failures > 0 && row->kind != &conv_operator;
    }
    assert_true(!find_peer(&host_peers, &conv_operator, "onednn") || of_gradients == 6);
}

/* ---- what is refused ------------------------------------------------------------------------ */

struct refused {
    const char *method; /* tested only if its library is present */
    const char *command, *message;
    int status;
};

TEST(what_they_cannot_do_is_refused)
{
    static const struct refused rows[] = {
        {"onednn", "./maxpool_serial -n 8 -k 3 -p 1 --method onednn", "--pad-mode ignore", 2},
        {"onednn", "./maxpool_omp -n 8 -k 3 -p 1 --method onednn-blocked", "--pad-mode ignore", 2},
        {"onednn", "./maxpool_serial -n 8 --filter random --method onednn-reordered",
         "needs the identity filter", 2},
        {"libxsmm",
         "./maxpool_serial -n 8 --filter random -p 1 -k 2 --method libxsmm "
         "--pad-mode ignore",
         "identity", 2},
        {"libxsmm", "./conv_serial -n 8 --bias random --method libxsmm", "adds no bias", 2},
        {"libxsmm", "./conv_serial -n 8 --channels 4 --groups 2 --method libxsmm", "no groups", 2},
        {"libxsmm", "./conv_serial -n 8 --activation relu --method libxsmm", "no activation", 2},
        {"libxsmm", "./conv_serial -n 8 --gradient image --method libxsmm",
         "the data gradient of a convolution has no 'libxsmm'", 2},
        {"openblas", "./conv_serial -n 8 --gradient weights --method openblas",
         "the weight gradient of a convolution has no 'openblas'", 2},
        {"onednn", "./conv_serial -n 8 --activation relu --method onednn", "no activation", 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!find_peer(&host_peers, &maxpool_operator, rows[i].method) &&
            !find_peer(&host_peers, &conv_operator, rows[i].method))
            continue;
        struct outcome o = run_program(rows[i].command, NULL);
        assert_int_equal(o.status, rows[i].status);
        assert_non_null(strstr(o.err, rows[i].message));
    }
}

/* ---- what is limited ------------------------------------------------------------------------- */

/* Runs the peer of an operator, if it is present, with --isa, and expects the status and the text
 * in its row or message. `kept_from`: the text must not occur. */
static void expect_limit(const struct operator_row *kind, const char *method, const char *command,
                         int status, const char *reported, const char *kept_from)
{
    char line[256];
    if (!find_peer(&host_peers, kind, method))
        return;
    snprintf(line, sizeof line, "%s --method %s --samples 2 --format csv", command, method);
    struct outcome o = run_program(line, NULL);
    if (o.status != status || (!strstr(o.out, reported) && !strstr(o.err, reported)) ||
        (kept_from && strstr(o.out, kept_from)))
        fail_msg("%s: status %d: %s%s", line, o.status, o.out, o.err);
}

/* --isa limits the libraries that can be limited, which then name the code of that set. A library
 * that keeps to wider code is refused, as one is that takes no limit. */
TEST(limits_are_kept_or_refused)
{
    static const char conv[] = "./conv_serial -n 16 --channels 8 --filters 16 -p 1";
    static const char product[] = "./matmul_serial -n 64 --filter random";
    char line[256];
    if (isa_missing(ISA_AVX2))
        skip();
    snprintf(line, sizeof line, "%s --isa avx2", conv);
    expect_limit(&conv_operator, "onednn-blocked", line, 0, ":avx2", "avx512");
    expect_limit(&conv_operator, "libxsmm", line, 2, "chooses its code by itself", NULL);
    snprintf(line, sizeof line, "%s --isa baseline", conv);
    expect_limit(&conv_operator, "onednn", line, 3, "does not keep to it", NULL);
    snprintf(line, sizeof line, "env -u OPENBLAS_CORETYPE %s --isa avx2", product);
    expect_limit(&matmul_operator, "openblas", line, 0, " Haswell", NULL);
    snprintf(line, sizeof line, "env OPENBLAS_CORETYPE=Sandybridge %s --isa avx2", product);
    expect_limit(&matmul_operator, "openblas", line, 3, "does not keep to it", NULL);
}

/* ---- a library looked for where the program runs --------------------------------------------- */

static void expect_of(const char *program, const char *environment, int status,
                      const char *reported)
{
    char command[256];
    snprintf(command, sizeof command,
             "env -u MAXPOOL_PYTHON %s %s --samples 2 --format csv --method mkl", environment,
             program);
    struct outcome o = run_program(command, NULL);
    if (o.status != status || (!strstr(o.out, reported) && !strstr(o.err, reported)))
        fail_msg("%s: status %d: %s%s", command, o.status, o.out, o.err);
}

static void expect_mkl(const char *environment, int status, const char *reported)
{
    expect_of("./matmul_serial -n 23 --filter random", environment, status, reported);
}

static void expect_mkl_conv(const char *environment, int status, const char *reported)
{
    expect_of("./conv_serial -n 9 --channels 4 --groups 2 --bias random", environment, status,
              reported);
}

TEST(mkl_is_looked_for)
{
    expect_mkl("MAXPOOL_MKL=./fake_mkl.so", 0, ",oneMKL 7.5,");
    expect_mkl("MAXPOOL_MKL=./fake_mkl.so", 0, ",exact,");
    expect_mkl("MAXPOOL_MKL=./fake_mkl.so FAKE_MKL_WRONG=1", 1, "wrong result at");
    expect_mkl("MAXPOOL_MKL=./no_such_library.so", 3, "--method mkl: no libmkl_rt here");
    expect_mkl("MAXPOOL_MKL=./peer_none.so", 3, "MAXPOOL_MKL names it");
    expect_mkl("MAXPOOL_MKL=/etc/passwd", 3, "MAXPOOL_MKL names it: /etc/passwd: ");
    expect_mkl_conv("MAXPOOL_MKL=./fake_mkl.so", 0, ",oneMKL 7.5,");
    expect_mkl_conv("MAXPOOL_MKL=./fake_mkl.so", 0, ",exact,");
    expect_mkl_conv("MAXPOOL_MKL=./fake_mkl.so FAKE_MKL_WRONG=1", 1, "wrong result at");
    expect_mkl_conv("MAXPOOL_MKL=./no_such_library.so", 3, "--method mkl: no libmkl_rt here");
    struct outcome o = run_program("env MAXPOOL_MKL=./no_such_library.so ./matmul_serial "
                                   "--list-methods=all",
                                   NULL);
    assert_non_null(strstr(o.out, "oneMKL's sgemm [not available: no libmkl_rt here"));
}

/* Peers are listed only with =all, and marked; those that this build lacks, with the reason. */
TEST(they_are_listed)
{
    struct outcome all = run_program("./maxpool_omp --list-methods=all", NULL);
    struct outcome runnable = run_program("./maxpool_omp --list-methods", NULL);
    for (size_t i = 0; i < host_peers.count; i++) {
        const struct method *m = &host_peers.rows[i].method;
        char line[128];
        if (host_peers.rows[i].kind != &maxpool_operator)
            continue;
        snprintf(line, sizeof line, "\n%-16s  [peer] ", m->name);
        assert_non_null(strstr(all.out, line));
        assert_null(strstr(runnable.out, line));
        if (m->unavailable)
            assert_non_null(strstr(all.out, m->unavailable));
    }
}

int main(void)
{
    setenv("MAXPOOL_MKL", MAXPOOL_BINARY_DIR "/bin/fake_mkl.so", 1);
    return tests_run();
}
