/* What the sandbox of `study lab` costs an honest kernel: the same machine code is called in the
 * sandbox, by the same worker without it, and by plain loops of this program, interleaved, each in
 * a new random order per round. Prints times and ratios; no time decides a status.
 *
 *     lab_cost KERNEL.c [ROUNDS [THREADS [N]...]]
 *
 * The worker without a sandbox differs in nothing else: the arrays, the order through a pipe, the
 * processor that wrote the input and the state of its caches are of the same kind. Plain loops:
 * with a new input per call, on huge pages where the system has them, and on pages of 4096 bytes;
 * and a second call on the same input. They find in their caches what they have just written, as no
 * other process does; in short calls this counts. */
#include "classroom/lab/build.h"
#include "classroom/lab/checks.h"
#include "harness/base/clock.h"
#include "harness/base/statistics.h"
#include "harness/base/suite_files.h"
#include "harness/machine/memory.h"
#include "harness/point/sampling/rounds.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

enum way { SANDBOX, UNPROTECTED, PLAIN, PLAIN_SMALL_PAGES, REPEATED, WAYS };
enum { ROUNDS = 60, WARM_UP = 3 };

static const char *const names[WAYS] = {
    "in the sandbox", "the same worker without it", "plain, new input, huge pages",
    "plain, new input, small pages", "plain, same input again, huge pages"};

typedef void maxpool_function(const float *, const float *, float *, int, int, int, int, int, int,
                              int);

struct bench {
    const struct operator_row *kind;
    struct lab_build build;
    maxpool_function *function;
    struct lab_start how, unprotected;
    struct lab_runner runner, other; /* in the sandbox, and without it */
    struct lab_input input;
    struct lab_arrays shared, huge, small;
    double *seconds[WAYS], *cpu_s[WAYS], *echo_s;
};

static int stop(const struct failure *f)
{
    fprintf(stderr, "lab_cost: %s\n", f->message);
    return f->status;
}

/* Arrays of this process alone. */
static enum status open_own(struct lab_arrays *out, const size_t bytes[LAB_ARRAYS], bool small,
                            struct failure *f)
{
    enum status status = STATUS_OK;
    *out = (struct lab_arrays){.descriptor = {-1, -1, -1}};
    for (int i = 0; status == STATUS_OK && i < LAB_ARRAYS; i++) {
        out->bytes[i] = (bytes[i] + MEMORY_HUGE_PAGE - 1) / MEMORY_HUGE_PAGE * MEMORY_HUGE_PAGE;
        status = memory_allocate((void **)&out->address[i], out->bytes[i], "an array", f);
        if (status == STATUS_OK)
            madvise(out->address[i], out->bytes[i], small ? MADV_NOHUGEPAGE : MADV_HUGEPAGE);
    }
    return status;
}

static void close_own(struct lab_arrays *a)
{
    for (int i = 0; i < LAB_ARRAYS; i++)
        free(a->address[i]);
}

/* Processor seconds of this thread. */
static double thread_cpu(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Calls the function; the clocks cover nothing else. */
static void call(const struct bench *b, const struct lab_arrays *arrays, double *seconds,
                 double *cpu_s)
{
    const struct lab_order order = lab_input_order(&b->input, b->runner.threads, false, arrays);
    const int32_t *n = order.integers;
    const float *image = (const float *)arrays->address[LAB_IMAGE],
                *filter = (const float *)arrays->address[LAB_SECOND];
    const double cpu_before = thread_cpu(), began = clock_now();
    b->function(image, filter, (float *)arrays->address[LAB_MAP], n[0], n[1], n[2], n[3], n[4],
                n[5], n[6]);
    *seconds = clock_now() - began;
    *cpu_s = thread_cpu() - cpu_before;
}

/* A new image in the arrays, then a call. */
static enum status call_plain(struct bench *b, const struct lab_arrays *arrays, double *seconds,
                              double *cpu_s, struct failure *f)
{
    const struct lab_order order = lab_input_order(&b->input, b->runner.threads, false, arrays);
    const enum status status =
        lab_input_fill(&b->input, lab_fresh_seed(), lab_wide_integers, true, arrays, &order, f);
    if (status == STATUS_OK)
        call(b, arrays, seconds, cpu_s);
    return status;
}

/* The worker's processor time is that of the call and of one empty order, which is measured once
 * more and subtracted. */
static enum status call_worker(struct bench *b, struct lab_runner *runner, double *seconds,
                               double *cpu_s, double *echo_s, struct failure *f)
{
    struct lab_trial trial;
    const struct lab_order echo = {.ask = LAB_ECHO};
    const struct lab_trial_options options = {.seed = lab_fresh_seed(),
                                              .max_value = lab_wide_integers};
    double ignored;
    const double before = lab_worker_cpu(&runner->worker);
    lab_worker_clock(&runner->worker, &echo, &ignored, &ignored);
    const double between = lab_worker_cpu(&runner->worker);
    const enum status status = lab_try(runner, &b->input, &b->shared, &options, &trial, f);
    if (status == STATUS_OK && trial.verdict != LAB_CORRECT)
        return fail(f, STATUS_WRONG, "%s: %s", lab_verdict_word(trial.verdict), trial.cause);
    *seconds = trial.seconds;
    *cpu_s = lab_worker_cpu(&runner->worker) - between - (between - before);
    *echo_s = trial.echo_s;
    return status;
}

/* One call of each way, in a random order; the repeated one follows a plain one. */
static enum status one_round(struct bench *b, size_t round, size_t at, struct failure *f)
{
    enum { ORDERED = REPEATED };
    size_t order[ORDERED];
    double ignored;
    enum status status = STATUS_OK;
    rounds_order(1, round, order, ORDERED);
    for (size_t i = 0; status == STATUS_OK && i < ORDERED; i++) {
        double *to = &b->seconds[order[i]][at], *cpu = &b->cpu_s[order[i]][at];
        if (order[i] == SANDBOX)
            status = call_worker(b, &b->runner, to, cpu, &b->echo_s[at], f);
        else if (order[i] == UNPROTECTED)
            status = call_worker(b, &b->other, to, cpu, &ignored, f);
        else
            status = call_plain(b, order[i] == PLAIN ? &b->huge : &b->small, to, cpu, f);
        if (order[i] == PLAIN)
            call(b, &b->huge, &b->seconds[REPEATED][at], &b->cpu_s[REPEATED][at]);
    }
    return status;
}

/* The medians of one kind of seconds per way, and the ratios within rounds. */
static void show_kind(double *const by_way[WAYS], const char *kind, size_t rounds)
{
    double *ratio = calloc(rounds, sizeof *ratio), *copy = calloc(rounds, sizeof *copy);
    for (int w = 0; ratio && copy && w < WAYS; w++) {
        for (size_t i = 0; i < rounds; i++) {
            copy[i] = by_way[w][i];
            ratio[i] = by_way[SANDBOX][i] / by_way[w][i];
        }
        const struct summary time = summarise(copy, rounds), times = summarise(ratio, rounds);
        printf("  %-10s %-36s median %.4g ms, least %.4g ms; sandbox / this %.3f [%.3f, %.3f]\n",
               kind, names[w], 1e3 * time.median, 1e3 * time.minimum, times.median, times.lower,
               times.upper);
    }
    free(ratio);
    free(copy);
}

static void show(struct bench *b, int64_t n, size_t rounds)
{
    printf("n = %lld, %lld threads, %zu rounds\n", (long long)n, (long long)b->runner.threads,
           rounds);
    show_kind(b->seconds, "elapsed", rounds);
    if (b->runner.threads == 1) /* of a plain loop, only this thread's is known */
        show_kind(b->cpu_s, "processor", rounds);
    const struct summary echo = summarise(b->echo_s, rounds);
    printf("  handing over %.4g µs [%.4g, %.4g], least %.4g µs\n", 1e6 * echo.median,
           1e6 * echo.lower, 1e6 * echo.upper, 1e6 * echo.minimum);
}

static enum status measure(struct bench *b, int64_t n, size_t rounds, struct failure *f)
{
    size_t bytes[LAB_ARRAYS];
    struct foreign_sizes size = b->kind->foreign->usual;
    size.rows = size.cols = n;
    size.kernel = size.kernel > 0 ? size.kernel : 2;
    size.stride = size.stride > 0 ? size.stride : size.kernel;
    enum status status = lab_input_open(&b->input, b->kind, &size, 1, f);
    lab_input_bytes(&b->input, bytes);
    if (status == STATUS_OK)
        status = lab_arrays_open(&b->shared, bytes, f);
    if (status == STATUS_OK)
        status = open_own(&b->huge, bytes, false, f);
    if (status == STATUS_OK)
        status = open_own(&b->small, bytes, true, f);
    if (status == STATUS_OK)
        status = lab_runner_start(&b->runner, &b->how, &b->shared, f);
    if (status == STATUS_OK)
        status = lab_runner_start(&b->other, &b->unprotected, &b->shared, f);
    for (size_t i = 0; status == STATUS_OK && i < WARM_UP + rounds; i++)
        status = one_round(b, i, i < WARM_UP ? 0 : i - WARM_UP, f);
    if (status == STATUS_OK)
        show(b, n, rounds);
    lab_worker_end(&b->runner.worker);
    lab_worker_end(&b->other.worker);
    lab_arrays_close(&b->shared);
    close_own(&b->huge);
    close_own(&b->small);
    lab_input_close(&b->input);
    return status;
}

/* Compiles the kernel, and opens it in this process too. */
static enum status open_kernel(struct bench *b, const char *file, int64_t threads,
                               struct failure *f)
{
    static char program[PATH_MAX], unprotected[PATH_MAX], sandbox[PATH_MAX];
    if (!suite_module(program, "lab_kernel") || !suite_module(unprotected, "lab_unprotected") ||
        !suite_module(sandbox, "lab_sandbox.so"))
        return fail(f, STATUS_UNAVAILABLE,
                    "lab_kernel or lab_unprotected is not beside this program");
    const enum status status = lab_build_make(&b->build, file, lab_default_flags, f);
    if (status != STATUS_OK)
        return status;
    void *library = dlopen(b->build.timed, RTLD_NOW);
    if (library)
        *(void **)&b->function = dlsym(library, b->kind->name);
    b->runner = (struct lab_runner){.threads = threads, .planar = true};
    b->how = (struct lab_start){.program = program,
                                .sandbox = sandbox,
                                .what = b->build.timed,
                                .operator_name = b->kind->name,
                                .threads = threads,
                                .foreign = true,
                                .limits = {60.0, (int64_t)4 << 30, 1 << 20}};
    b->other = b->runner;
    b->unprotected = b->how;
    b->unprotected.program = unprotected;
    b->unprotected.foreign = false;
    return b->function ? STATUS_OK : fail(f, STATUS_USAGE, "%s: %s", file, dlerror());
}

int main(int argc, char **argv)
{
    static struct bench b; /* large */
    struct failure f = {0};
    const size_t rounds = argc > 2 ? strtoull(argv[2], NULL, 10) : ROUNDS;
    const int64_t threads = argc > 3 ? strtoll(argv[3], NULL, 10) : 1;
    static const char *const usual[] = {"1024", "2048"};
    if (argc < 2 || rounds < 6)
        return fprintf(stderr, "usage: lab_cost KERNEL.c [ROUNDS [THREADS [N]...]]\n") > 0 ? 2 : 5;
    b.kind = lab_kind_find("maxpool");
    for (int i = 0; i < WAYS; i++)
        b.seconds[i] = calloc(rounds, sizeof(double));
    for (int i = 0; i < WAYS; i++)
        b.cpu_s[i] = calloc(rounds, sizeof(double));
    b.echo_s = calloc(rounds, sizeof(double));
    enum status status = open_kernel(&b, argv[1], threads, &f);
    for (int i = 0; status == STATUS_OK && i < (argc > 4 ? argc - 4 : 2); i++)
        status = measure(&b, strtoll(argc > 4 ? argv[4 + i] : usual[i], NULL, 10), rounds, &f);
    lab_build_remove(&b.build);
    for (int i = 0; i < WAYS; i++)
        free(b.seconds[i]);
    for (int i = 0; i < WAYS; i++)
        free(b.cpu_s[i]);
    free(b.echo_s);
    return status == STATUS_OK ? 0 : stop(&f);
}
