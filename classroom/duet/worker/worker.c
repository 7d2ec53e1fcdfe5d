/* The worker of `study duet`: loads two builds of libmaxpool into one process and times the same
 * operation of both alternately, with the same input, output, operands and scratch. */
#include "classroom/duet/call/arguments.h"
#include "harness/base/clock.h"
#include "harness/base/digest.h"
#include "harness/machine/memory.h"
#include "include/maxpool/maxpool.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

/* ---- a build of libmaxpool, loaded as a module of this process ---------------------------------
 */

struct build {
    void *library;
    __typeof__(maxpool_version) *version;
    __typeof__(maxpool_make_described) *make;
    __typeof__(maxpool_release) *release;
    __typeof__(maxpool_input) *input;
    __typeof__(maxpool_output) *output;
    __typeof__(maxpool_rows) *rows;
    __typeof__(maxpool_scratch) *scratch;
    __typeof__(maxpool_compute) *compute;
    __typeof__(maxpool_run) *run;
    __typeof__(maxpool_verify) *verify;
};

struct symbol {
    const char *name;
    size_t offset; /* offset in struct build */
};

static const struct symbol symbols[] = {
    {"maxpool_version", offsetof(struct build, version)},
    {"maxpool_make_described", offsetof(struct build, make)},
    {"maxpool_release", offsetof(struct build, release)},
    {"maxpool_input", offsetof(struct build, input)},
    {"maxpool_output", offsetof(struct build, output)},
    {"maxpool_rows", offsetof(struct build, rows)},
    {"maxpool_scratch", offsetof(struct build, scratch)},
    {"maxpool_compute", offsetof(struct build, compute)},
    {"maxpool_run", offsetof(struct build, run)},
    {"maxpool_verify", offsetof(struct build, verify)},
};

static enum status find_symbols(struct build *b, const char *path, struct failure *f)
{
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *const found = dlsym(b->library, symbols[i].name);
        if (!found)
            return fail(f, STATUS_USAGE,
                        "%s has no function %s: it is no libmaxpool, or an older one", path,
                        symbols[i].name);
        memcpy((char *)b + symbols[i].offset, &found, sizeof found);
    }
    return STATUS_OK;
}

/* Refuses another major or minor version: before version 1.0 a minor version may change the
 * interface. */
static enum status check_version(const struct build *b, const char *path, struct failure *f)
{
    const char *const ours = MAXPOOL_VERSION, *const theirs = b->version();
    const size_t major = strcspn(ours, ".") + 1, minor = major + strcspn(ours + major, ".");
    if (strncmp(ours, theirs, minor) == 0 && (theirs[minor] == '.' || theirs[minor] == '\0'))
        return STATUS_OK;
    return fail(f, STATUS_USAGE, "%s is version %s, and study duet speaks to version %s", path,
                theirs, ours);
}

/* Loads a library; its symbols are visible to nobody else. It stays loaded. Status 2 if it is no
 * libmaxpool or has another version of the interface. */
static enum status build_load(struct build *b, const char *path, struct failure *f)
{
    *b = (struct build){.library = dlopen(path, RTLD_NOW | RTLD_LOCAL)};
    if (!b->library)
        return fail(f, STATUS_USAGE, "%s", dlerror());
    if (find_symbols(b, path, f) != STATUS_OK)
        return f->status;
    return check_version(b, path, f);
}

/* ---- the description of a point ----------------------------------------------------------------
 */

/* A point, parsed from a line of text: an operation in the words of its record, for the library,
 * and the operands that it needs. Nothing here depends on which operator it is. */
enum { DESCRIPTION_OPERANDS = 8 };

struct description_operand {
    char name[32];
    int64_t elements;
    char values[48]; /* input, identity, or LEAST..MOST */
};

struct description {
    int64_t number;
    int64_t largest; /* of the integers of the input, from 0 */
    struct description_operand operands[DESCRIPTION_OPERANDS];
    size_t operand_count;
    char words[DUET_LINE]; /* as struct maxpool_described has them */
};

/* Parses a line of the file of points. Status 2 if it is none. */
static enum status description_parse(struct description *d, const char *line, struct failure *f)
{
    int at = 0, used = 0;
    struct description_operand *o = d->operands;
    *d = (struct description){.number = 0};
    if (sscanf(line, "%" SCNd64 " %" SCNd64 " %n", &d->number, &d->largest, &at) != 2)
        return fail(f, STATUS_USAGE, "a point is described by '%s'", line);
    for (; o < d->operands + DESCRIPTION_OPERANDS &&
           sscanf(line + at, "%31[a-z_]:%" SCNd64 ":%47s %n", o->name, &o->elements, o->values,
                  &used) == 3;
         o++)
        at += used;
    d->operand_count = (size_t)(o - d->operands);
    snprintf(d->words, sizeof d->words, "%s", line + at);
    return STATUS_OK;
}

/* Returns the next 64 random bits. Source: Steele, Lea & Flood (2014), OOPSLA, splitmix64. */
static uint64_t description_draw(uint64_t *state)
{
    return digest_mix(*state += UINT64_C(0x9e3779b97f4a7c15));
}

/* Fills with integers that are the same in every layout; `which`: 0 the input, then the operands.
 */
static void fill(float *values, int64_t count, int64_t least, int64_t most, uint64_t which)
{
    enum { SEED = 35 };
    const uint64_t span = (uint64_t)(most - least + 1);
    uint64_t state = digest_mix(SEED + which);
    for (int64_t i = 0; i < count; i++)
        values[i] = (float)(least + (int64_t)(description_draw(&state) % span));
}

/* Fill the input, or the i-th operand, with the same values in every layout. */
static void description_fill_input(const struct description *d, float *values, int64_t count)
{
    fill(values, count, 0, d->largest, 0);
}

static void fill_identity(float *values, int64_t count)
{
    const int64_t side = (int64_t)lround(sqrt((double)count));
    for (int64_t i = 0; i < count; i++)
        values[i] = i % (side + 1) == 0 ? 1.0f : 0.0f;
}

static void description_fill_operand(const struct description *d, size_t i, float *values)
{
    const struct description_operand *o = &d->operands[i];
    int64_t least, most;
    if (strcmp(o->values, "input") == 0)
        description_fill_input(d, values, o->elements);
    else if (sscanf(o->values, "%" SCNd64 "..%" SCNd64, &least, &most) == 2)
        fill(values, o->elements, least, most, i + 1);
    else
        fill_identity(values, o->elements);
}

/* ---- the session and its points ----------------------------------------------------------------
 */

enum side { A, B, SIDES };

/* Returns side number i of a round in which `first` comes first. */
static enum side side_at(enum side first, int i)
{
    return i == 0 ? first : (enum side)(SIDES - 1 - first);
}

struct session {
    struct build builds[SIDES];
    void *heap[SIDES], *pages[SIDES]; /* the gap before each module, kept until the end */
    enum side first;                  /* side whose module and operations come first */
    FILE *points, *samples;
    int64_t rounds, threads;
    double least_s;
    bool verify;
    uint64_t rng;
};

/* A point during its measurement. */
struct duet {
    const struct session *session;
    struct description what;
    struct maxpool_operand operands[DESCRIPTION_OPERANDS + 1]; /* the last one has no name */
    struct maxpool_operation *operations[SIDES];
    void *blocks[DESCRIPTION_OPERANDS + 3]; /* memory to free at the end */
    size_t block_count;
    float *input, *output;
    void *scratch;
    int64_t inputs, outputs; /* elements */
    int64_t repeats;
    uint64_t hashes[SIDES];
};

/* ---- addresses ------------------------------------------------------------------------------- */

enum { PAGE = 4096, LINE = 64 };

/* Allocates memory that begins at a random cache line of its first page. NULL, with the failure
 * set, if it cannot. */
static void *take_block(struct duet *d, size_t bytes, const char *what, uint64_t *rng,
                        struct failure *f)
{
    void *block = NULL;
    const size_t shift = description_draw(rng) % (PAGE / LINE) * LINE;
    if (memory_allocate(&block, bytes + shift, what, f) != STATUS_OK)
        return NULL;
    d->blocks[d->block_count++] = block;
    return (char *)block + shift;
}

static float *take_floats(struct duet *d, int64_t count, const char *what, uint64_t *rng,
                          struct failure *f)
{
    return take_block(d, memory_multiply((size_t)count, sizeof(float)), what, rng, f);
}

/* Leaves a random gap before a module: pages that stay mapped, and some bytes of the heap. */
static void leave_gap(struct session *s, enum side before)
{
    enum { MOST_PAGES = 1024, GRAIN = 16 };
    const size_t pages = 1 + description_draw(&s->rng) % MOST_PAGES;
    s->heap[before] = malloc(GRAIN * (1 + description_draw(&s->rng) % (PAGE / GRAIN)));
    s->pages[before] =
        mmap(NULL, pages * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

/* ---- a point --------------------------------------------------------------------------------- */

static enum status make_operands(struct duet *d, uint64_t *rng, struct failure *f)
{
    for (size_t i = 0; i < d->what.operand_count; i++) {
        const struct description_operand *o = &d->what.operands[i];
        float *values = take_floats(d, o->elements, o->name, rng, f);
        if (!values)
            return f->status;
        description_fill_operand(&d->what, i, values);
        d->operands[i] = (struct maxpool_operand){o->name, values};
    }
    return STATUS_OK;
}

/* Makes the operations of both builds. False if one of them cannot; the samples then report it. */
static bool make_operations(struct duet *d)
{
    static const char *const lacking[] = {"", "a", "b", "ab"};
    struct maxpool_failure why = {MAXPOOL_OK, ""};
    int lacks = 0;
    for (int i = 0; i < SIDES; i++) {
        const enum side side = side_at(d->session->first, i);
        const struct build *b = &d->session->builds[side];
        const struct maxpool_described what = {d->what.words, d->operands};
        b->make(&d->operations[side], &what, &why);
        lacks |= d->operations[side] ? 0 : 1 << side;
    }
    if (lacks)
        fprintf(d->session->samples, "lacks %lld %s %s\n", (long long)d->what.number,
                lacking[lacks], why.message);
    return lacks == 0;
}

static int64_t elements(struct maxpool_shape s)
{
    return s.planes * s.rows * s.cols;
}

static bool same_shape(struct maxpool_shape a, struct maxpool_shape b)
{
    return a.planes == b.planes && a.rows == b.rows && a.cols == b.cols;
}

static enum status make_arrays(struct duet *d, uint64_t *rng, struct failure *f)
{
    const struct build *a = &d->session->builds[A], *b = &d->session->builds[B];
    const size_t of_a = a->scratch(d->operations[A]), of_b = b->scratch(d->operations[B]);
    d->inputs = elements(a->input(d->operations[A]));
    d->outputs = elements(a->output(d->operations[A]));
    if (!same_shape(a->output(d->operations[A]), b->output(d->operations[B])))
        return fail(f, STATUS_WRONG, "the builds disagree about the shape of an output");
    d->input = take_floats(d, d->inputs, "the input", rng, f);
    if (d->input)
        d->output = take_floats(d, d->outputs, "the output", rng, f);
    if (d->output)
        d->scratch = take_block(d, of_a > of_b ? of_a : of_b, "the scratch", rng, f);
    if (!d->scratch)
        return f->status;
    description_fill_input(&d->what, d->input, d->inputs);
    return STATUS_OK;
}

/* ---- executions ------------------------------------------------------------------------------ */

/* Executes the operation once. With several threads, starting and ending them is part of it. */
static void execute(const struct duet *d, enum side side)
{
    const struct build *b = &d->session->builds[side];
    struct maxpool_operation *op = d->operations[side];
    if (d->session->threads == 1)
        b->compute(op, d->input, d->output, 0, b->rows(op), d->scratch);
    else
        b->run(op, d->input, d->output, d->session->threads, NULL);
}

static void poison(const struct duet *d)
{
    for (int64_t i = 0; i < d->outputs; i++)
        d->output[i] = NAN;
}

/* With one thread, reads the CPU time of the thread, which other programs do not affect; with
 * several threads, wall time. */
static double read_clock(const struct duet *d)
{
    struct timespec t;
    if (d->session->threads > 1 || clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) != 0)
        return clock_now();
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Returns seconds per execution: the mean of the repeats. */
static double sample(const struct duet *d, enum side side)
{
    poison(d);
    const double begin = read_clock(d);
    for (int64_t i = 0; i < d->repeats; i++)
        execute(d, side);
    return (read_clock(d) - begin) / (double)d->repeats;
}

static void describe_wrong(const struct duet *d, enum side side, const char *why)
{
    fprintf(d->session->samples, "wrong %lld %c %s\n", (long long)d->what.number, "ab"[side], why);
}

/* The oracle of A verifies both, so that a change in B cannot affect the oracle. */
static bool verify(const struct duet *d, enum side side)
{
    struct maxpool_failure why = {MAXPOOL_OK, ""};
    const struct build *a = &d->session->builds[A];
    if (!d->session->verify ||
        a->verify(d->operations[A], d->input, d->output, NULL, &why) == MAXPOOL_OK)
        return true;
    describe_wrong(d, side, why.message);
    return false;
}

/* First executions of both builds: they warm up, are verified, and determine the repeats of a
 * sample. */
static bool begin(struct duet *d)
{
    double fastest = INFINITY;
    for (int side = A; side < SIDES; side++) {
        d->repeats = 1;
        sample(d, (enum side)side);
        d->hashes[side] = digest_range(d->output, 0, d->outputs);
        if (!verify(d, (enum side)side))
            return false;
        fastest = fmin(fastest, sample(d, (enum side)side));
    }
    const double wanted = ceil(d->session->least_s / fmax(fastest, 1e-9));
    d->repeats = (int64_t)fmin(fmax(wanted, 1.0), 1e6);
    fprintf(d->session->samples, "result %lld %llx %llx\n", (long long)d->what.number,
            (unsigned long long)d->hashes[A], (unsigned long long)d->hashes[B]);
    return true;
}

/* Takes one sample of each build; false if an output has changed. */
static bool play_round(const struct duet *d, int64_t round, enum side first)
{
    double seconds[SIDES];
    for (int i = 0; i < SIDES; i++) {
        const enum side side = side_at(first, i);
        seconds[side] = sample(d, side);
        if (digest_range(d->output, 0, d->outputs) != d->hashes[side]) {
            describe_wrong(d, side, "its output is another one in every execution");
            return false;
        }
    }
    fprintf(d->session->samples, "sample %lld %lld %c %.9g %.9g\n", (long long)d->what.number,
            (long long)round, "ab"[first], seconds[A], seconds[B]);
    return true;
}

static void play(struct duet *d, uint64_t *rng)
{
    bool good = begin(d);
    const int64_t begins = (int64_t)(description_draw(rng) % SIDES);
    for (int64_t round = 0; good && round < d->session->rounds; round++)
        good = play_round(d, round, (enum side)((round + begins) % SIDES));
}

static void close_duet(struct duet *d)
{
    for (int side = A; side < SIDES; side++)
        if (d->operations[side])
            d->session->builds[side].release(d->operations[side]);
    for (size_t i = 0; i < d->block_count; i++)
        free(d->blocks[i]);
}

static enum status measure_point(struct session *s, const char *line, struct failure *f)
{
    struct duet d = {.session = s};
    if (description_parse(&d.what, line, f) == STATUS_OK &&
        make_operands(&d, &s->rng, f) == STATUS_OK && make_operations(&d) &&
        make_arrays(&d, &s->rng, f) == STATUS_OK)
        play(&d, &s->rng);
    close_duet(&d);
    return f->status;
}

/* ---- the session ----------------------------------------------------------------------------- */

static enum status load(struct session *s, char **argv, struct failure *f)
{
    s->first = argv[DUET_ARG_FIRST][0] == 'b' ? B : A;
    const char *const paths[SIDES] = {argv[DUET_ARG_A], argv[DUET_ARG_B]};
    for (int i = 0; i < SIDES && f->status == STATUS_OK; i++) {
        const enum side side = side_at(s->first, i);
        leave_gap(s, side);
        build_load(&s->builds[side], paths[side], f);
    }
    return f->status;
}

static enum status open_files(struct session *s, char **argv, struct failure *f)
{
    s->points = fopen(argv[DUET_ARG_POINTS], "r");
    if (!s->points)
        return fail(f, STATUS_USAGE, "%s cannot be read", argv[DUET_ARG_POINTS]);
    s->samples = fopen(argv[DUET_ARG_SAMPLES], "w");
    if (!s->samples)
        return fail(f, STATUS_OUTPUT, "%s cannot be written", argv[DUET_ARG_SAMPLES]);
    return STATUS_OK;
}

static enum status measure_points(struct session *s, struct failure *f)
{
    char *line = NULL;
    size_t size = 0;
    while (f->status == STATUS_OK && getline(&line, &size, s->points) > 0)
        measure_point(s, line, f);
    free(line);
    return f->status;
}

int main(int argc, char **argv)
{
    struct failure f = {0};
    static struct session s; /* its gaps stay until the process ends */
    if (argc != DUET_ARGS) {
        fputs("this program is started by study duet alone\n", stderr);
        return STATUS_USAGE;
    }
    s.rounds = strtoll(argv[DUET_ARG_ROUNDS], NULL, 10);
    s.threads = strtoll(argv[DUET_ARG_THREADS], NULL, 10);
    s.least_s = strtod(argv[DUET_ARG_LEAST], NULL);
    s.verify = argv[DUET_ARG_VERIFY][0] == '1';
    s.rng = strtoull(argv[DUET_ARG_SEED], NULL, 10);
    if (load(&s, argv, &f) == STATUS_OK && open_files(&s, argv, &f) == STATUS_OK)
        measure_points(&s, &f);
    if (s.points)
        fclose(s.points);
    if (s.samples && fclose(s.samples) != 0)
        fail(&f, STATUS_OUTPUT, "%s could not be written", argv[DUET_ARG_SAMPLES]);
    if (f.status != STATUS_OK)
        fprintf(stderr, "%s\n", f.message);
    return (int)f.status;
}
