/* A point program that computes nothing: its method says how it behaves, and its samples take
 * scripted times. It stands under the name of a real one, and notes each launch in $FAKE_LOG. */
#include "harness/records/record.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *const methods[] = {
    "steady", "noisy",    "crash",  "hang", "stubborn", "silent",    "rubbish", "wrong", "usage",
    "nogpu",  "fulldisk", "orphan", "slow", "stranger", "truncated", "ended",   "step"};

static const char *option(int argc, char **argv, const char *name, const char *otherwise)
{
    for (int i = 1; i + 1 < argc; i++)
        if (strncmp(argv[i], "--", 2) == 0 && strcmp(argv[i] + 2, name) == 0)
            return argv[i + 1];
    return otherwise;
}

static int64_t number(int argc, char **argv, const char *name)
{
    return strtoll(option(argc, argv, name, "0"), NULL, 10);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static struct record make_row(int argc, char **argv, const char *method)
{
    struct record r = record_empty();
    snprintf(r.experiment, sizeof r.experiment, "%s", option(argc, argv, "experiment", ""));
    snprintf(r.program, sizeof r.program, "%s", base_name(argv[0]));
    strcpy(r.operator_name, "maxpool");
    strcpy(r.space, "serial");
    snprintf(r.method, sizeof r.method, "%s", method);
    r.planes = 1;
    r.rows = number(argc, argv, "rows");
    r.cols = number(argc, argv, "cols");
    r.kernel = number(argc, argv, "kernel-size");
    r.stride = number(argc, argv, "stride");
    r.padding = number(argc, argv, "padding");
    strcpy(r.pad_mode, "zero");
    strcpy(r.filter, "identity");
    r.seed = 35;
    r.max_value = 9;
    strcpy(r.input, "random");
    r.threads = 1;
    r.round = number(argc, argv, "round");
    snprintf(r.run_id, sizeof r.run_id, "%ld-%lld", (long)getpid(), (long long)time(NULL));
    strcpy(r.verified, strcmp(method, "wrong") == 0 ? "wrong" : "exact");
    return r;
}

static void nap(double seconds)
{
    struct timespec t = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&t, NULL);
}

static double pause_s(void)
{
    const char *text = getenv("FAKE_PAUSE");
    return text ? strtod(text, NULL) : 0;
}

/* Milliseconds times the image side; the noisy ones differ from launch to launch. */
static double scripted_s(const struct record *r)
{
    double steady = 1e-3 * (double)r->rows;
    return strcmp(r->method, "noisy") == 0 ? steady * (1 + 0.3 * (double)(r->round % 5)) : steady;
}

static int record_samples(struct record *r, const char *path, int64_t samples, bool whole)
{
    struct record_writer *w;
    struct failure f = {0};
    if (record_writer_open(&w, path, NULL, &f) != STATUS_OK) {
        fprintf(stderr, "fake: %s\n", f.message);
        return (int)f.status;
    }
    for (int64_t i = 0; i < samples && f.status == STATUS_OK; i++) {
        nap(pause_s());
        r->sample = i;
        r->warmup = 0;
        r->compute_s = r->total_s = scripted_s(r);
        strcpy(r->stop_reason, whole && i + 1 == samples ? "samples" : "");
        record_append(w, r, &f);
    }
    record_writer_close(w, &f);
    if (f.status != STATUS_OK)
        fprintf(stderr, "fake: %s\n", f.message);
    return (int)f.status;
}

static void note_launch(const struct record *r)
{
    FILE *log = getenv("FAKE_LOG") ? fopen(getenv("FAKE_LOG"), "a") : NULL;
    if (!log)
        return;
    fprintf(log, "%s %" PRId64 " %" PRId64 " %ld\n", r->method, r->rows, r->round, (long)getpid());
    fclose(log);
}

/* What does not end in samples; -1 for those that do. */
static int misbehave(const char *method)
{
    if (strcmp(method, "crash") == 0) {
        fprintf(stderr, "fake: about to crash\nfake: second line\n");
        abort();
    }
    if (strcmp(method, "stubborn") == 0)
        signal(SIGTERM, SIG_IGN);
    if (strcmp(method, "hang") == 0 || strcmp(method, "stubborn") == 0)
        nap(600);
    if (strcmp(method, "orphan") == 0 && fork() == 0)
        nap(600); /* a child that outlives it, and holds its output */
    if (strcmp(method, "ended") == 0)
        raise(SIGTERM);
    if (strcmp(method, "step") == 0)
        return 128 + SIGTERM; /* as a launcher says it of its ranks */
    if (strcmp(method, "usage") == 0) {
        fprintf(stderr, "fake: no such option\n");
        return STATUS_USAGE;
    }
    if (strcmp(method, "nogpu") == 0) {
        fprintf(stderr, "fake: no GPU here\n");
        return STATUS_UNAVAILABLE;
    }
    if (strcmp(method, "fulldisk") == 0) {
        fprintf(stderr, "fake: No space left on device\n");
        return STATUS_OUTPUT;
    }
    return strcmp(method, "silent") == 0 ? 0 : -1;
}

static int rubbish(const char *path)
{
    FILE *file = fopen(path, "a");
    for (int i = 0; i < 10000; i++)
        printf("rubbish,%d,\"\n", i);
    if (file) {
        fputs("rubbish,\"no row\n,,,\n", file);
        fclose(file);
    }
    return 0;
}

int main(int argc, char **argv)
{
    const char *method = option(argc, argv, "method", "steady");
    const char *path = option(argc, argv, "record", "/dev/stdout");
    signal(SIGXFSZ, SIG_IGN);
    if (argc == 2 && strcmp(argv[1], "--list-methods") == 0 && strstr(argv[0], "cuda")) {
        fprintf(stderr, "fake: no device\n");
        return STATUS_UNAVAILABLE;
    }
    if (argc == 2 && strncmp(argv[1], "--list-methods", 14) == 0) {
        for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
            printf("%s  a way to behave\n", methods[i]);
        puts("friend  [peer] another's way to behave");
        puts("absent  [peer] a way to behave [not available: built without it]");
        return 0;
    }
    struct record r = make_row(argc, argv, method);
    note_launch(&r);
    int status = misbehave(method);
    if (status >= 0)
        return status;
    if (strcmp(method, "rubbish") == 0)
        return rubbish(path);
    if (strcmp(method, "stranger") == 0)
        r.rows += 1; /* samples of another point than the one asked for */
    if (strcmp(method, "slow") == 0)
        nap(0.3);
    status =
        record_samples(&r, path, number(argc, argv, "samples"), strcmp(method, "truncated") != 0);
    return strcmp(method, "wrong") == 0 ? STATUS_WRONG : status;
}
