#include "harness/point/options.h"

#include "harness/machine/simulation.h"
#include "kernels/methods.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum value_kind { VALUE_FLAG, VALUE_INT, VALUE_REAL, VALUE_TEXT, VALUE_OPTIONAL, VALUE_CHOICE };

/* Which programs an option is for; 0: all. */
enum {
    FOR_MAXPOOL = 1,
    FOR_THREADS = 2,
    FOR_PROCESSES = 4,
    FOR_DEVICE = 8,
    FOR_HOST = 16,
    FOR_SIMULATION = 32
};

struct option_row {
    const char *name;
    char letter; /* 0: none */
    enum value_kind kind;
    const char *argument; /* as the help shows it; for a choice the words, parted by | */
    size_t offset;        /* of the field in struct options */
    double least, most;   /* of a number */
    unsigned only;
    const char *group; /* heading of the help, on the first row of each group */
    const char *help;
};

#define FIELD(name) offsetof(struct options, name)

static const double int_most = 9223372036854774784.0; /* largest double below 2^63 */

/* Seeds are the one number that may use all 63 bits, so sizes too are read as 63-bit integers. */
static const struct option_row rows[] = {
    {"size", 'n', VALUE_INT, "N", FIELD(size), 1, int_most, 0, "The image",
     "random image of N x N cells (default 1024)"},
    {"rows", 'R', VALUE_INT, "R", FIELD(rows), 1, int_most, 0, NULL, "random image of R rows"},
    {"cols", 'C', VALUE_INT, "C", FIELD(cols), 1, int_most, 0, NULL, "... and C columns"},
    {"planes", 0, VALUE_INT, "P", FIELD(planes), 1, int_most, 0, NULL,
     "planes of the random image: channels x batch (default 1)"},
    {"input", 'i', VALUE_TEXT, "FILE", FIELD(input), 0, 0, 0, NULL,
     "image from a .png, .jpg, .npy, .nii, .nii.gz or .txt file, or - to type a matrix in; "
     "not together with -n"},
    {"seed", 0, VALUE_INT, "S", FIELD(seed), 0, int_most, 0, NULL,
     "of the random image and the random filter (default 35)"},
    {"max-value", 0, VALUE_INT, "V", FIELD(max_value), 0, 16777216, 0, NULL,
     "random cells are integers 0 .. V (default 9)"},
    {"interactive", 0, VALUE_FLAG, NULL, FIELD(interactive), 0, 0, 0, NULL,
     "asks for the size, the cells or their seed, and the hyper-parameters"},
    {"kernel-size", 'k', VALUE_INT, "K", FIELD(kernel), 1, int_most, FOR_MAXPOOL, "The operator",
     "side of the window (default 2)"},
    {"stride", 's', VALUE_INT, "S", FIELD(stride), 1, int_most, FOR_MAXPOOL, NULL,
     "cells from one window to the next (default K)"},
    {"padding", 'p', VALUE_INT, "P", FIELD(padding), 0, int_most, FOR_MAXPOOL, NULL,
     "cells added on every side (default 0)"},
    {"pad-mode", 0, VALUE_CHOICE, "zero|ignore", FIELD(pad_mode), 0, 0, FOR_MAXPOOL, NULL,
     "added cells are 0 and take part, or never win (as in PyTorch)"},
    {"filter", 0, VALUE_TEXT, "identity|random|FILE.npy", FIELD(filter), 0, 0, 0, NULL,
     "the matrix B that every window (matmul: the image) is multiplied by"},
    {"method", 0, VALUE_TEXT, "NAME[,NAME...]|all", FIELD(method), 0, 0, 0, NULL,
     "one of the methods below; several take turns, sample by sample, on one image, and are "
     "compared; all: every one that runs here"},
    {"list-methods", 0, VALUE_OPTIONAL, "all", FIELD(list_methods), 0, 0, 0, NULL,
     "lists the runnable methods, one a line; =all adds those not available here, and why"},
    {"isa", 0, VALUE_CHOICE, "baseline|avx2|avx512", FIELD(isa), 0, 0, FOR_HOST, NULL,
     "widest instruction set to use (default: the widest there is)"},
    {"threads", 't', VALUE_INT, "T", FIELD(threads), 1, 65536, FOR_THREADS, "The workers",
     "OpenMP threads, under MPI per rank (default: OMP_NUM_THREADS, or all cores; under MPI 1)"},
    {"bind", 0, VALUE_CHOICE, "none|core", FIELD(bind), 0, 0, FOR_HOST, NULL,
     "core: each worker stays on a core of its own"},
    {"pages", 0, VALUE_CHOICE, "huge|ordinary", FIELD(pages), 0, 0, FOR_HOST, NULL,
     "memory pages of large images, maps and scratch: huge where the system has them (default)"},
    {"distribute", 0, VALUE_CHOICE, "generate|scatter", FIELD(distribute), 0, 0, FOR_PROCESSES,
     NULL,
     "each rank makes its own rows (default), or rank 0 sends them and gathers the map (default "
     "for files)"},
    {"offload", 0, VALUE_CHOICE, "image|window|window-lean", FIELD(offload), 0, 0,
     FOR_MAXPOOL | FOR_DEVICE, "The device",
     "the image goes to the GPU at once (default); or each window by itself, as in the tesina, "
     "with "
     "arrays, stream and events of its own (window) or kept (window-lean)"},
    {"filter-memory", 0, VALUE_CHOICE, "transferred|constant", FIELD(filter_memory), 0, 0,
     FOR_DEVICE, NULL,
     "the filter is sent each time (default), or set once in constant memory (up to 128 x 128)"},
    {"block", 0, VALUE_CHOICE, "16|32", FIELD(block), 0, 0, FOR_DEVICE, NULL,
     "threads a side of a block (default 16)"},
    {"host-memory", 0, VALUE_CHOICE, "pageable|pinned", FIELD(host_memory), 0, 0, FOR_DEVICE, NULL,
     "pinned memory is copied faster, and beside kernels (default pageable)"},
    {"streams", 0, VALUE_INT, "N", FIELD(device.streams), 1, 64, FOR_DEVICE, NULL,
     "copies of some chunks of rows run beside the kernels of others, N at a time (default 1)"},
    {"device-memory", 0, VALUE_INT, "BYTES", FIELD(device.memory_bytes), 1, int_most, FOR_DEVICE,
     NULL,
     "image and map take at most that much of the GPU's, in chunks of rows (default: what is "
     "free)"},
    {"warm-cache", 0, VALUE_FLAG, NULL, FIELD(device.warm_cache), 0, 0, FOR_DEVICE, NULL,
     "leaves the GPU's L2 cache as the last sample left it; otherwise it is flushed"},
    {"device", 0, VALUE_INT, "D", FIELD(device.device), 0, 1023, FOR_DEVICE, NULL,
     "which GPU, counted from 0 (default 0)"},
    {"warmup", 0, VALUE_INT, "W", FIELD(warmup), 0, 1000000, 0, "The measurement",
     "executions before the timed ones (default 1)"},
    {"samples", 0, VALUE_INT, "N", FIELD(samples), 1, 10000000, 0, NULL,
     "timed executions at most (default 100)"},
    {"relative-ci", 0, VALUE_REAL, "X", FIELD(relative_ci), 0, 1, 0, NULL,
     "stop when half the median's 95 % interval is within X of it (default 0.02)"},
    {"max-seconds", 0, VALUE_REAL, "S", FIELD(max_seconds), 0, 1e9, 0, NULL,
     "stop after S seconds (default 10)"},
    {"verify", 0, VALUE_CHOICE, "full|sampled|none", FIELD(verify), 0, 0, 0, NULL,
     "how each result is held against the oracle (default full)"},
    {"platform", 0, VALUE_TEXT, "NAME", FIELD(platform), 0, 0, FOR_SIMULATION, "The simulation",
     "name that the record gives to the simulated machine"},
    {"row-seconds", 0, VALUE_REAL, "S", FIELD(row_s), 0, 1e9, FOR_SIMULATION, NULL,
     "computing a row of the map takes S seconds (default: what it takes here); smpirun also "
     "needs --cfg=smpi/simulate-computation:no"},
    {"fold", 0, VALUE_FLAG, NULL, FIELD(fold), 0, 0, FOR_SIMULATION, NULL,
     "images are neither made nor computed, so that many ranks fit into this memory; needs "
     "--row-seconds and --verify none"},
    {"output", 'o', VALUE_TEXT, "FILE", FIELD(output), 0, 0, 0, "What comes out",
     "writes the map: .npy, .txt, or .png (one plane, values scaled)"},
    {"record", 0, VALUE_TEXT, "FILE.csv", FIELD(record), 0, 0, 0, NULL,
     "appends one row per execution"},
    {"per-rank", 0, VALUE_TEXT, "FILE.csv", FIELD(per_rank), 0, 0, FOR_PROCESSES, NULL,
     "appends one row per sample, warm-up ones too, and rank: its own times"},
    {"format", 0, VALUE_CHOICE, "text|csv|json", FIELD(format), 0, 0, 0, NULL,
     "what is printed; csv is the record's header and rows (default text)"},
    {"print", 0, VALUE_FLAG, NULL, FIELD(print), 0, 0, 0, NULL, "shows the image and the map"},
    {"explain", 0, VALUE_FLAG, NULL, FIELD(explain), 0, 0, FOR_MAXPOOL, NULL,
     "shows each window, its product and its maximum (small images)"},
    {"show-indices", 0, VALUE_FLAG, NULL, FIELD(show_indices), 0, 0, FOR_DEVICE, NULL,
     "shows which elements each GPU thread made (small products)"},
    {"kernel-facts", 0, VALUE_FLAG, NULL, FIELD(kernel_facts), 0, 0, FOR_DEVICE, NULL,
     "shows registers, shared memory and theoretical occupancy of the kernels"},
    {"experiment", 0, VALUE_TEXT, "NAME", FIELD(experiment), 0, 0, 0, NULL,
     "name that the record gives to these samples"},
    {"round", 0, VALUE_INT, "R", FIELD(round), 0, int_most, 0, NULL,
     "number that the record gives to this launch (default 0)"},
    {"help", 'h', VALUE_FLAG, NULL, FIELD(help), 0, 0, 0, NULL, "this text"},
    {"version", 'V', VALUE_FLAG, NULL, FIELD(version), 0, 0, 0, NULL, "version and commit"},
};

enum { ROWS = sizeof rows / sizeof rows[0], FIRST_CODE = 256 };
_Static_assert(ROWS <= 64, "struct options marks the rows given in 64 bits");

static const struct options defaults = {.size = 1024,
                                        .planes = 1,
                                        .kernel = 2,
                                        .filter = "identity",
                                        .seed = 35,
                                        .max_value = 9,
                                        .device = {.streams = 1},
                                        .warmup = 1,
                                        .samples = 100,
                                        .relative_ci = 0.02,
                                        .max_seconds = 10.0};

/* ---- reading values ---------------------------------------------------------------------------
 */

static enum status read_int(const struct option_row *row, const char *text, int64_t *out,
                            struct failure *f)
{
    char *end;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    if (end == text || *end != 0)
        return fail(f, STATUS_USAGE, "--%s: '%s' is not an integer", row->name, text);
    if (errno == ERANGE)
        return fail(f, STATUS_USAGE, "--%s: %s is more than a 63-bit integer holds", row->name,
                    text);
    if ((double)value < row->least)
        return fail(f, STATUS_USAGE, "%s must be at least %.0f, not %lld", row->name, row->least,
                    value);
    if ((double)value > row->most && row->most < int_most)
        return fail(f, STATUS_USAGE, "%s must be at most %.0f, not %lld", row->name, row->most,
                    value);
    *out = value;
    return STATUS_OK;
}

static enum status read_real(const struct option_row *row, const char *text, double *out,
                             struct failure *f)
{
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end != 0 || !isfinite(value))
        return fail(f, STATUS_USAGE, "--%s: '%s' is not a number", row->name, text);
    if (!(value >= row->least && value <= row->most))
        return fail(f, STATUS_USAGE, "%s must be between %g and %g, not %s", row->name, row->least,
                    row->most, text);
    *out = value;
    return STATUS_OK;
}

/* Index of `text` among words parted by '|'. */
static enum status read_choice(const struct option_row *row, const char *text, int64_t *out,
                               struct failure *f)
{
    const size_t length = strlen(text);
    int64_t index = 0;
    for (const char *word = row->argument; word; index++) {
        const size_t span = strcspn(word, "|");
        if (span == length && strncmp(word, text, span) == 0) {
            *out = index;
            return STATUS_OK;
        }
        word = word[span] ? word + span + 1 : NULL;
    }
    return fail(f, STATUS_USAGE, "--%s must be one of %s, not '%s'", row->name, row->argument,
                text);
}

static enum status set_value(struct options *o, const struct option_row *row, const char *text,
                             struct failure *f)
{
    void *field = (char *)o + row->offset;
    switch (row->kind) {
    case VALUE_FLAG:
        *(bool *)field = true;
        return STATUS_OK;
    case VALUE_INT:
        return read_int(row, text, field, f);
    case VALUE_REAL:
        return read_real(row, text, field, f);
    case VALUE_CHOICE:
        return read_choice(row, text, field, f);
    case VALUE_TEXT:
    case VALUE_OPTIONAL:
        *(const char **)field = text ? text : "";
        return STATUS_OK;
    }
    return STATUS_OK;
}

/* ---- the command line -------------------------------------------------------------------------
 */

static bool applies(const struct option_row *row, const struct program *program)
{
    if ((row->only & FOR_MAXPOOL) && program->kind != OPERATOR_MAXPOOL)
        return false;
    if ((row->only & FOR_PROCESSES) && !program->space->processes)
        return false;
    const bool device = program->space->kind == SPACE_CUDA;
    if ((row->only & FOR_DEVICE && !device) || (row->only & FOR_HOST && device))
        return false;
    if ((row->only & FOR_SIMULATION) && !simulation_is_here())
        return false;
    return !(row->only & FOR_THREADS) || program->space->has_threads;
}

static enum status refuse(const struct option_row *row, const struct program *program,
                          struct failure *f)
{
    if (row->only & FOR_SIMULATION)
        return fail(f, STATUS_UNAVAILABLE,
                    "--%s needs a program built for a simulated cluster, with smpicc (Debian: "
                    "libsimgrid-dev)",
                    row->name);
    const bool device = program->space->kind == SPACE_CUDA;
    const char *why = row->only & FOR_DEVICE && !device ? "this program uses no GPU"
                      : row->only & FOR_HOST            ? "this program computes on a GPU"
                      : row->only & FOR_MAXPOOL         ? "the matrix product has no windows"
                      : row->only & FOR_PROCESSES       ? "this program is one process"
                                                        : "this program computes with one thread";
    return fail(f, STATUS_USAGE, "--%s does not apply here: %s (%s)", row->name, why,
                program->name);
}

/* getopt's two forms of the table. Codes of long options are FIRST_CODE + row. */
static void build_getopt(struct option *longs, char *shorts)
{
    *shorts++ = ':';
    for (int i = 0; i < ROWS; i++) {
        const int argument = rows[i].kind == VALUE_FLAG       ? no_argument
                             : rows[i].kind == VALUE_OPTIONAL ? optional_argument
                                                              : required_argument;
        longs[i] = (struct option){rows[i].name, argument, NULL, FIRST_CODE + i};
        if (rows[i].letter) {
            *shorts++ = rows[i].letter;
            if (argument == required_argument)
                *shorts++ = ':';
        }
    }
    longs[ROWS] = (struct option){NULL, 0, NULL, 0};
    *shorts = 0;
}

static int row_of(int code)
{
    if (code >= FIRST_CODE)
        return code - FIRST_CODE;
    for (int i = 0; i < ROWS; i++)
        if (rows[i].letter == code)
            return i;
    return -1;
}

static enum status complain(int code, char **argv, struct failure *f)
{
    if (code == ':')
        return fail(f, STATUS_USAGE, "option '%s' needs a value (try --help)", argv[optind - 1]);
    if (optopt > 0 && optopt < FIRST_CODE)
        return fail(f, STATUS_USAGE, "unknown option '-%c' (try --help)", optopt);
    if (optopt >= FIRST_CODE)
        return fail(f, STATUS_USAGE, "option '--%s' takes no value", rows[row_of(optopt)].name);
    return fail(f, STATUS_USAGE, "unknown or ambiguous option '%s' (try --help)", argv[optind - 1]);
}

enum status options_parse(struct options *o, const struct program *program, int argc, char **argv,
                          struct failure *f)
{
    struct option longs[ROWS + 1];
    char shorts[2 * ROWS + 2];
    *o = defaults;
    build_getopt(longs, shorts);
    opterr = 0;
    optind = 1;
    for (int code; (code = getopt_long(argc, argv, shorts, longs, NULL)) != -1;) {
        if (code == '?' || code == ':')
            return complain(code, argv, f);
        const int i = row_of(code);
        if (!applies(&rows[i], program))
            return refuse(&rows[i], program, f);
        enum status status = set_value(o, &rows[i], optarg, f);
        if (status != STATUS_OK)
            return status;
        o->given |= UINT64_C(1) << i;
    }
    if (optind < argc)
        return fail(f, STATUS_USAGE, "'%s' is not an option (an image is given with -i FILE)",
                    argv[optind]);
    return STATUS_OK;
}

bool options_given(const struct options *o, const char *name)
{
    for (int i = 0; i < ROWS; i++)
        if (strcmp(rows[i].name, name) == 0)
            return (o->given >> i & 1) != 0;
    return false;
}

/* ---- what must agree --------------------------------------------------------------------------
 */

/* The first of the options named (up to a NULL) that was given, or NULL. */
static const char *first_given(const struct options *o, const char *const *names)
{
    for (; *names; names++)
        if (options_given(o, *names))
            return *names;
    return NULL;
}

static enum status check_image(const struct options *o, struct failure *f)
{
    static const char *const random_only[] = {"size", "rows", "cols", "planes", "max-value", NULL};
    static const char *const sizes[] = {"rows", "cols", NULL};
    static const char *const asked[] = {"input", "size", "rows", "cols", NULL};
    const char *other;
    if (o->input && (other = first_given(o, random_only)))
        return fail(f, STATUS_USAGE,
                    "--%s describes a random image and --input names one: give "
                    "one of them",
                    other);
    if (options_given(o, "size") && (other = first_given(o, sizes)))
        return fail(f, STATUS_USAGE, "--size already sets --%s: give one of them", other);
    if (options_given(o, "rows") != options_given(o, "cols"))
        return fail(f, STATUS_USAGE, "--rows and --cols go together");
    if (o->interactive && (other = first_given(o, asked)))
        return fail(f, STATUS_USAGE, "--interactive asks for the image: it excludes --%s", other);
    return STATUS_OK;
}

/* A file, or what is typed in, is in one place; a random image can be made anywhere. */
static enum status settle_distribution(struct options *o, struct failure *f)
{
    const bool elsewhere = o->input || o->interactive;
    if (!options_given(o, "distribute"))
        o->distribute = elsewhere ? DISTRIBUTE_SCATTER : DISTRIBUTE_GENERATE;
    if (elsewhere && o->distribute == DISTRIBUTE_GENERATE)
        return fail(f, STATUS_USAGE,
                    "--distribute generate is for random images: an image from --%s is scattered",
                    o->input ? "input" : "interactive");
    return STATUS_OK;
}

static enum status check_output(const struct options *o, struct failure *f)
{
    static const char *const text_only[] = {"print", "explain", "show-indices", "kernel-facts",
                                            NULL};
    const char *text = first_given(o, text_only);
    if (o->format != FORMAT_TEXT && text)
        return fail(f, STATUS_USAGE, "--%s needs --format text", text);
    if (o->list_methods && o->list_methods[0] && strcmp(o->list_methods, "all") != 0)
        return fail(f, STATUS_USAGE, "--list-methods takes nothing or =all, not '%s'",
                    o->list_methods);
    return STATUS_OK;
}

/* Where nothing is computed nothing can be verified or shown, and time must come from somewhere. */
static enum status check_fold(const struct options *o, struct failure *f)
{
    static const char *const excluded[] = {"input", "interactive", "output",
                                           "print", "explain",     NULL};
    const char *other;
    if (!o->fold)
        return STATUS_OK;
    if ((other = first_given(o, excluded)))
        return fail(f, STATUS_USAGE, "--fold computes nothing: it excludes --%s", other);
    if (!(o->row_s > 0.0))
        return fail(f, STATUS_USAGE, "--fold computes nothing: it needs --row-seconds above 0");
    if (o->verify != VERIFY_NONE)
        return fail(f, STATUS_USAGE, "--fold computes nothing: it needs --verify none");
    return STATUS_OK;
}

/* A method as the list shows it, of either operator. */
struct listed {
    enum space_kind kind;
    const char *name, *idea, *unavailable;
};

static size_t method_count(enum operator_kind kind)
{
    return kind == OPERATOR_MAXPOOL ? maxpool_method_count : matmul_method_count;
}

static struct listed method_at(enum operator_kind kind, size_t i)
{
    if (kind == OPERATOR_MAXPOOL) {
        const struct maxpool_method *m = &maxpool_methods[i];
        return (struct listed){m->kind, m->name, m->idea, m->unavailable};
    }
    const struct matmul_method *m = &matmul_methods[i];
    return (struct listed){m->kind, m->name, m->idea, m->unavailable};
}

const char *options_method(const struct program *program, size_t i)
{
    for (size_t row = 0; row < method_count(program->kind); row++) {
        const struct listed m = method_at(program->kind, row);
        if (m.kind == program->space->kind && !m.unavailable && i-- == 0)
            return m.name;
    }
    return NULL;
}

static const char *default_method(const struct program *program)
{
    size_t i = 0;
    while (i + 1 < method_count(program->kind) &&
           method_at(program->kind, i).kind != program->space->kind)
        i++;
    return method_at(program->kind, i).name;
}

/* The block's side is a word, the others are numbers already. */
static enum status settle_device(struct options *o, struct failure *f)
{
    o->device.offload = (enum offload)o->offload;
    o->device.filter_memory = (enum filter_memory)o->filter_memory;
    o->device.host_memory = (enum host_memory)o->host_memory;
    o->device.block = o->block == 0 ? 16 : 32;
    if (o->device.offload == OFFLOAD_IMAGE)
        return STATUS_OK;
    if (o->device.streams > 1)
        return fail(f, STATUS_USAGE,
                    "--streams overlaps chunks of the image: it needs --offload image");
    if (o->device.memory_bytes > 0)
        return fail(f, STATUS_USAGE,
                    "--device-memory is for chunks of the image: it needs --offload image");
    return STATUS_OK;
}

enum status options_settle(struct options *o, const struct program *program, struct failure *f)
{
    enum status status = check_image(o, f);
    if (status == STATUS_OK)
        status = check_output(o, f);
    if (status == STATUS_OK)
        status = check_fold(o, f);
    if (status == STATUS_OK)
        status = settle_distribution(o, f);
    if (status == STATUS_OK)
        status = settle_device(o, f);
    if (!options_given(o, "rows"))
        o->rows = o->cols = o->size;
    if (!options_given(o, "stride"))
        o->stride = o->kernel;
    if (!o->method)
        o->method = default_method(program);
    return status;
}

void options_share(struct options *o, const struct processes *p)
{
    for (int i = 0; i < ROWS; i++)
        if (rows[i].kind == VALUE_INT)
            processes_share(p, (char *)o + rows[i].offset, sizeof(int64_t));
}

/* ---- help -------------------------------------------------------------------------------------
 */

enum { HELP_COLUMN = 34, HELP_WIDTH = 96 };

/* Prints text from the current column on, wrapped at words and indented to `indent`. */
static void print_wrapped(FILE *out, const char *text, int column, int indent)
{
    for (const char *word = text; *word;) {
        const int length = (int)strcspn(word, " ");
        if (column > indent && column + 1 + length > HELP_WIDTH) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        }
        column += fprintf(out, "%s%.*s", column > indent ? " " : "", length, word);
        word += length;
        word += *word == ' ';
    }
    fputc('\n', out);
}

static void print_row(FILE *out, const struct option_row *row)
{
    char left[80];
    const char *format = row->kind == VALUE_FLAG       ? "--%s%s"
                         : row->kind == VALUE_OPTIONAL ? "--%s[=%s]"
                                                       : "--%s %s";
    snprintf(left, sizeof left, format, row->name, row->argument ? row->argument : "");
    int used =
        row->letter ? fprintf(out, "  -%c, %s", row->letter, left) : fprintf(out, "      %s", left);
    if (used >= HELP_COLUMN) {
        fputc('\n', out);
        used = 0;
    }
    fprintf(out, "%*s", HELP_COLUMN - used, "");
    print_wrapped(out, row->help, HELP_COLUMN, HELP_COLUMN);
}

static void print_examples(FILE *out, const struct program *program)
{
    const bool pool = program->kind == OPERATOR_MAXPOOL;
    const char *name = program->name;
    fprintf(out, "\nExamples\n");
    const bool device = program->space->kind == SPACE_CUDA;
    fprintf(out, "  %s -n 4096 --method %s\n", name, device ? "tiled" : pool ? "fused" : "blocked");
    if (pool) {
        fprintf(out, "  %s -i brain.png -k 3 -s 2 -p 1 --pad-mode ignore -o pooled.png\n", name);
        fprintf(out, "  %s -n 4 --print --explain\n", name);
    }
    if (program->space->has_threads)
        fprintf(out, "  %s -n 8192 -t 4 --bind core --record samples.csv\n", name);
    if (device && pool)
        fprintf(out, "  %s -n 512 --offload window --filter-memory constant\n", name);
    if (device)
        fprintf(out, "  %s -n 16384 --host-memory pinned --streams 4 --kernel-facts\n", name);
    if (program->space->processes)
        fprintf(out, "  mpirun -np 4 %s -n 8192\n", name);
    fprintf(out, "  %s -n 512 --filter random --format csv > samples.csv\n", name);
}

/* The rows that apply, each group under its heading; a group of none has none. */
static void print_groups(FILE *out, const struct program *program)
{
    const char *heading = NULL;
    for (int i = 0; i < ROWS; i++) {
        if (rows[i].group)
            heading = rows[i].group;
        if (!applies(&rows[i], program))
            continue;
        if (heading)
            fprintf(out, "\n%s\n", heading);
        heading = NULL;
        print_row(out, &rows[i]);
    }
}

void options_help(FILE *out, const struct program *program)
{
    const bool pool = program->kind == OPERATOR_MAXPOOL;
    fprintf(out, "Usage: %s [OPTION]...\n", program->name);
    print_wrapped(out,
                  pool ? "Measures max pooling: every k x k window of the image is multiplied by a "
                         "filter matrix (the identity), and the maximum of the product goes into "
                         "the feature map. Every execution is verified and becomes one sample."
                       : "Measures the matrix product C = A B: A is the image, B the filter "
                         "(identity unless asked otherwise). Every execution is verified and "
                         "becomes one sample.",
                  0, 0);
    print_groups(out, program);
    fprintf(out, "\nMethods (default: the first)\n");
    options_list_methods(out, program, false);
    print_examples(out, program);
    fprintf(out, "\nExit status: 0 done and verified, 1 a result was wrong, 2 bad option or input, "
                 "3 not available\nhere, 4 memory or another resource lacking, 5 output could not "
                 "be written.\n");
}

/* A peer is marked, so that a reader, or the study, can tell it from a method of ours. */
static void print_method(FILE *out, const char *name, const char *mark, const char *idea,
                         const char *unavailable)
{
    fprintf(out, "%-16s  %s%s", name, mark, idea);
    if (unavailable)
        fprintf(out, " [not available: %s]", unavailable);
    fputc('\n', out);
}

/* The peers of the program, of its operator. */
static void list_peers(FILE *out, const struct program *program)
{
    const bool pool = program->kind == OPERATOR_MAXPOOL;
    for (const struct maxpool_method *m = program->peers->maxpool; pool && m->name; m++)
        print_method(out, m->name, "[peer] ", m->idea, m->unavailable);
    for (const struct matmul_method *m = program->peers->matmul; !pool && m->name; m++)
        print_method(out, m->name, "[peer] ", m->idea, m->unavailable);
}

void options_list_methods(FILE *out, const struct program *program, bool all)
{
    for (size_t i = 0; i < method_count(program->kind); i++) {
        const struct listed m = method_at(program->kind, i);
        if (m.kind == program->space->kind && (all || !m.unavailable))
            print_method(out, m.name, "", m.idea, m.unavailable);
    }
    if (all && program->peers)
        list_peers(out, program);
}
