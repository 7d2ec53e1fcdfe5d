/* A point program that computes nothing: the method's name determines its behaviour, and its
 * samples take scripted times. Several methods are interleaved, as in the real programs. It is
 * installed under the name of one of them, and appends a line per method and launch to
 * $FAKE_LOG. */
#include "harness/records/record.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *const methods[] = {
    "steady",    "noisy", "crash", "hang",     "stubborn", "silent", "rubbish",
    "wrong",     "usage", "nogpu", "fulldisk", "orphan",   "second", "stranger",
    "truncated", "ended", "step",  "killed",   "once",     "half",   "broken"};

enum {
    METHODS_MOST = 16,
    LONGER_THAN_TESTS_S = 3600, /* ctest ends a test earlier */
};

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
    r.sample = 0;
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

/* Milliseconds times the image side; the times of "noisy" differ from launch to launch. */
static double scripted_s(const struct record *r)
{
    double steady = 1e-3 * (double)r->rows;
    return strcmp(r->method, "noisy") == 0 ? steady * (1 + 0.3 * (double)(r->round % 5)) : steady;
}

/* Returns how often the log contained this method, point and round before this launch. */
static int launches_before(const struct record *r)
{
    FILE *log = getenv("FAKE_LOG") ? fopen(getenv("FAKE_LOG"), "r") : NULL;
    char method[RECORD_TEXT];
    int64_t rows, round;
    int n = 0;
    while (log && fscanf(log, "%255s %" SCNd64 " %" SCNd64 " %*d", method, &rows, &round) == 3)
        n += strcmp(method, r->method) == 0 && rows == r->rows && round == r->round;
    if (log)
        fclose(log);
    return n - 1;
}

/* Returns the number of lines of the log. */
static int launches_noted(void)
{
    FILE *log = getenv("FAKE_LOG") ? fopen(getenv("FAKE_LOG"), "r") : NULL;
    int n = 0;
    for (int c; log && (c = getc(log)) != EOF;)
        n += c == '\n';
    if (log)
        fclose(log);
    return n;
}

/* Waits to be killed if the log has at least $FAKE_HOLD launches. */
static void hold(void)
{
    const char *from = getenv("FAKE_HOLD");
    if (from && launches_noted() >= atoi(from))
        nap(LONGER_THAN_TESTS_S);
}

/* Returns the stop reason for the last row of a launch; "" if it has none. */
static const char *stop_reason(const struct record *r)
{
    if (strcmp(r->method, "truncated") == 0)
        return "";
    return strcmp(r->method, "half") == 0 && launches_before(r) == 0 ? "interrupted" : "samples";
}

/* What $FAKE_TROUBLE says of the machine: load, modes, trend, drift or throttle; "quiet": nothing
 * is wrong, and that is recorded. */
static void suffer(struct record *r, int64_t samples)
{
    const char *trouble = getenv("FAKE_TROUBLE");
    if (!trouble)
        return;
    const bool slow = (strcmp(trouble, "modes") == 0 && r->round % 2 == 1) ||
                      (strcmp(trouble, "drift") == 0 && r->sample >= samples / 2);
    if (strcmp(trouble, "trend") == 0)
        r->total_s *= 1.0 + 0.2 * (double)r->round;
    r->total_s *= slow ? 2.0 : 1.0;
    r->compute_s = r->total_s;
    r->launch_others_cores = r->others_cores = strcmp(trouble, "load") == 0 ? 64.0 : 0.0;
    strcpy(r->throttle, strcmp(trouble, "throttle") == 0 ? "hardware" : "none");
}

/* Writes the rows of one turn: a sample of each method. */
static void record_turn(struct record_writer *w, struct record *rows, size_t count, int64_t samples,
                        bool last, struct failure *f)
{
    nap(pause_s());
    for (size_t i = 0; i < count && f->status == STATUS_OK; i++) {
        struct record *r = &rows[i];
        r->warmup = 0;
        r->compute_s = r->total_s = scripted_s(r);
        suffer(r, samples);
        strcpy(r->stop_reason, last ? stop_reason(r) : "");
        record_append(w, r, f);
        r->sample++;
    }
}

static int record_samples(struct record *rows, size_t count, const char *path, int64_t samples)
{
    struct record_writer *w;
    struct failure f = {0};
    if (record_writer_open(&w, path, NULL, &f) != STATUS_OK) {
        fprintf(stderr, "fake: %s\n", f.message);
        return (int)f.status;
    }
    for (int64_t i = 0; i < samples && f.status == STATUS_OK; i++)
        record_turn(w, rows, count, samples, i + 1 == samples, &f);
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

/* Acts for the methods that produce no samples; returns an exit status, or -1 for the other
 * methods. */
static int misbehave(const struct record *r)
{
    const char *method = r->method;
    if (strcmp(method, "killed") == 0 || (strcmp(method, "once") == 0 && launches_before(r) == 0))
        raise(SIGKILL);
    if (strcmp(method, "crash") == 0) {
        fprintf(stderr, "fake: about to crash\nfake: second line\n");
        abort();
    }
    if (strcmp(method, "stubborn") == 0)
        signal(SIGTERM, SIG_IGN);
    if (strcmp(method, "hang") == 0 || strcmp(method, "stubborn") == 0)
        nap(LONGER_THAN_TESTS_S);
    if (strcmp(method, "orphan") == 0 && fork() == 0)
        nap(LONGER_THAN_TESTS_S); /* a child that outlives it and keeps its output open */
    if (strcmp(method, "ended") == 0)
        raise(SIGTERM);
    if (strcmp(method, "step") == 0)
        return 128 + SIGTERM; /* as a launcher reports it for its ranks */
    if (strcmp(method, "broken") == 0) {
        fprintf(stderr, "fake launcher: no such host\n");
        return 1;
    }
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

static int list_methods(const char *program)
{
    if (strstr(program, "cuda")) {
        fprintf(stderr, "fake: no device\n");
        return STATUS_UNAVAILABLE;
    }
    fprintf(stderr, "WARNING: as libraries have them\n");
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        printf("%s  a way to behave\n", methods[i]);
    puts("friend  [peer] another's way to behave");
    puts("absent  [peer] a way to behave [not available: built without it]");
    return 0;
}

/* Makes a row for each method of "a,b,c". */
static size_t make_rows(int argc, char **argv, struct record rows[METHODS_MOST])
{
    char names[METHODS_MOST * 32];
    char *rest = NULL;
    size_t count = 0;
    snprintf(names, sizeof names, "%s", option(argc, argv, "method", "steady"));
    for (char *name = strtok_r(names, ",", &rest); name && count < METHODS_MOST;
         name = strtok_r(NULL, ",", &rest))
        rows[count++] = make_row(argc, argv, name);
    return count;
}

static bool has(const struct record *rows, size_t count, const char *method)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i].method, method) == 0)
            return true;
    return false;
}

int main(int argc, char **argv)
{
    static struct record rows[METHODS_MOST];
    const char *path = option(argc, argv, "record", "/dev/stdout");
    signal(SIGXFSZ, SIG_IGN);
    if (argc == 2 && strncmp(argv[1], "--list-methods", 14) == 0)
        return list_methods(argv[0]);
    size_t count = make_rows(argc, argv, rows);
    for (size_t i = 0; i < count; i++)
        note_launch(&rows[i]);
    hold();
    for (size_t i = 0; i < count; i++) {
        int status = misbehave(&rows[i]);
        if (status >= 0)
            return status;
        if (strcmp(rows[i].method, "rubbish") == 0)
            return rubbish(path);
        if (strcmp(rows[i].method, "stranger") == 0)
            rows[i].rows += 1; /* samples of another point than the requested one */
    }
    int status = record_samples(rows, count, path, number(argc, argv, "samples"));
    if (status == 0 && has(rows, count, "half") && launches_before(&rows[0]) == 0)
        raise(SIGTERM);
    return has(rows, count, "wrong") ? STATUS_WRONG : status;
}
