#include "experiments/plan/plan.h"

#include "experiments/common/process.h"
#include "experiments/common/results.h"
#include "experiments/definition/shapes.h"
#include "experiments/plan/command_line.h"
#include "experiments/samples/journal.h"
#include "experiments/samples/point.h"
#include "harness/machine/memory.h"
#include "kernels/geometry.h"
#include "kernels/methods.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { POINTS_MAX = 20000, PROGRAMS_MAX = 32, METHODS_MAX = 64 };

/* ---- programs ------------------------------------------------------------------------------- */

/* A method that a program names. */
struct method_facts {
    char name[64];
    char missing[128]; /* why it cannot run there; "" where it can */
    bool peer;         /* another library's: no part of "all" */
};

/* What a program can do, asked of itself once. */
struct program_facts {
    char name[RECORD_TEXT];
    char missing[RECORD_TEXT]; /* why it cannot run; "" where it can */
    struct method_facts methods[METHODS_MAX];
    size_t method_count;
};

/* Programs asked so far, while one definition is multiplied out. */
struct programs {
    const char *bin;
    struct program_facts facts[PROGRAMS_MAX];
    size_t count;
};

/* One line of a list: "NAME  [peer] IDEA [not available: WHY]", both brackets optional. */
static bool take_method(struct method_facts *m, const char *line)
{
    static const char without[] = " [not available: ";
    const size_t length = strcspn(line, " \t");
    if (length == 0 || length >= sizeof m->name)
        return false;
    const char *idea = line + length + strspn(line + length, " \t");
    const char *why = strstr(idea, without);
    *m = (struct method_facts){.peer = strncmp(idea, "[peer]", 6) == 0};
    snprintf(m->name, sizeof m->name, "%.*s", (int)length, line);
    if (why)
        snprintf(m->missing, sizeof m->missing, "%.*s", (int)strcspn(why + sizeof without - 1, "]"),
                 why + sizeof without - 1);
    return true;
}

static void take_methods(struct program_facts *facts, char *output)
{
    char *rest = NULL;
    for (char *line = strtok_r(output, "\n", &rest); line && facts->method_count < METHODS_MAX;
         line = strtok_r(NULL, "\n", &rest))
        facts->method_count += take_method(&facts->methods[facts->method_count], line);
}

/* Runs the program with one option. False, and `missing` says why, where it cannot run here. */
static bool answers(struct program_facts *facts, const char *bin, const char *option,
                    struct process_result *result)
{
    char path[PATH_MAX], word[32];
    char *argv[] = {path, word, NULL};
    const struct process_limits limits = {.seconds = 10, .grace_seconds = 1, .death_signal = 9};
    struct failure f = {0};
    snprintf(path, sizeof path, "%s%s%s", bin, *bin ? "/" : "", facts->name);
    snprintf(word, sizeof word, "%s", option);
    if (process_run(argv, &limits, result, &f) != STATUS_OK) {
        snprintf(facts->missing, sizeof facts->missing, "%.200s", f.message);
    } else if (result->end == PROCESS_NOT_STARTED) {
        snprintf(facts->missing, sizeof facts->missing, "no program %.150s here", facts->name);
    } else if (result->end != PROCESS_EXITED || result->exit_status != 0) {
        result->output[strcspn(result->output, "\n")] = '\0';
        snprintf(facts->missing, sizeof facts->missing, "%.80s cannot run here: %.150s",
                 facts->name, result->output);
    }
    return !facts->missing[0];
}

/* A program that cannot run here refuses to list what it runs, as one for GPUs where there is none;
 * one that can tells of its peers too. */
static void ask(struct program_facts *facts, const char *bin)
{
    struct process_result result;
    if (answers(facts, bin, "--list-methods", &result) &&
        answers(facts, bin, "--list-methods=all", &result))
        take_methods(facts, result.output);
}

static const struct program_facts *program_find(struct programs *programs, const char *name)
{
    static const struct program_facts too_many = {.missing = "too many programs in one definition"};
    for (size_t i = 0; i < programs->count; i++)
        if (strcmp(programs->facts[i].name, name) == 0)
            return &programs->facts[i];
    if (programs->count == PROGRAMS_MAX)
        return &too_many;
    struct program_facts *facts = &programs->facts[programs->count++];
    memset(facts, 0, sizeof *facts);
    snprintf(facts->name, sizeof facts->name, "%s", name);
    ask(facts, programs->bin);
    return facts;
}

static const struct method_facts *find_method(const struct program_facts *facts, const char *name)
{
    for (size_t i = 0; i < facts->method_count; i++)
        if (strcmp(facts->methods[i].name, name) == 0)
            return &facts->methods[i];
    return NULL;
}

static bool is_among_all(const struct method_facts *m)
{
    return !m->peer && !m->missing[0];
}

/* ---- points that cannot be ------------------------------------------------------------------ */

static bool is_pooling(const struct record *p)
{
    return strcmp(p->operator_name, "matmul") != 0;
}

static bool has_sizes(const struct record *p)
{
    return p->rows != RECORD_NO_INT && p->cols != RECORD_NO_INT;
}

static enum geometry_status geometry_of(const struct record *p, struct geometry *g)
{
    *g = (struct geometry){.planes = p->planes,
                           .rows = p->rows,
                           .cols = p->cols,
                           .kernel = p->kernel,
                           .stride = p->stride,
                           .padding = p->padding,
                           .pad_mode = strcmp(p->pad_mode, "ignore") == 0 ? PAD_IGNORE : PAD_ZERO};
    return geometry_complete(g);
}

static char *reason(const char *format, ...) __attribute__((format(printf, 1, 2)));

static char *reason(const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    return length < 0 ? NULL : text;
}

static char *skip_for_shape(const struct record *p)
{
    struct geometry g;
    if (!has_sizes(p) || !is_pooling(p))
        return NULL;
    switch (geometry_of(p, &g)) {
    case GEOMETRY_NO_FIT:
        return reason("a %" PRId64 " x %" PRId64 " window does not fit the padded image", p->kernel,
                      p->kernel);
    case GEOMETRY_PAD_TOO_WIDE:
        return reason("padding %" PRId64 " is not below the kernel size %" PRId64
                      ", as pad mode ignore needs",
                      p->padding, p->kernel);
    case GEOMETRY_OVERFLOW:
        return reason("the sizes exceed 63 bits");
    default:
        return NULL;
    }
}

/* Bytes of what every program holds: image and map, and for matmul the filter. */
static size_t bytes_needed(const struct record *p)
{
    const size_t cell = sizeof(float), rows = (size_t)p->rows, cols = (size_t)p->cols;
    size_t image = memory_multiply(cell, memory_multiply(rows, cols));
    struct geometry g;
    if (!is_pooling(p))
        return memory_add(memory_multiply(2, image),
                          memory_multiply(cell, memory_multiply(cols, cols)));
    if (geometry_of(p, &g) != GEOMETRY_OK)
        return 0;
    size_t map = memory_multiply(cell, (size_t)g.out_rows * (size_t)g.out_cols);
    return memory_multiply((size_t)p->planes, memory_add(image, map));
}

static char *skip_for_memory(const struct record *p)
{
    if (!has_sizes(p))
        return NULL;
    size_t needed = bytes_needed(p), available = memory_available();
    char needed_text[32], available_text[32];
    if (needed <= available)
        return NULL;
    memory_text(needed_text, sizeof needed_text, (double)needed);
    memory_text(available_text, sizeof available_text, (double)available);
    return reason("needs %s of memory, %s are free", needed_text, available_text);
}

static int64_t or_one(int64_t value)
{
    return value == RECORD_NO_INT ? 1 : value;
}

static char *skip_for_workers(const struct plan *plan, const struct definition *d,
                              const struct record *p)
{
    int64_t workers, most;
    if (__builtin_mul_overflow(or_one(p->ranks), or_one(p->threads), &workers) ||
        __builtin_mul_overflow(plan->settings.cores, d->oversubscribe, &most))
        return reason("too many workers");
    if (strcmp(p->space, "cuda") == 0 || workers <= most)
        return NULL;
    return reason("%" PRId64 " workers on %" PRId64 " cores, more than %" PRId64 " on each",
                  workers, plan->settings.cores, d->oversubscribe);
}

static bool is_file(const char *folder, const char *name)
{
    char file[PATH_MAX];
    const int length = snprintf(file, sizeof file, "%s/%s", folder, name);
    return length > 0 && (size_t)length < sizeof file && access(file, X_OK) == 0;
}

/* What keeps a simulated point from being run. */
static char *skip_for_simulation(const struct plan *plan, const struct planned *p)
{
    const int64_t cores = platform_cores(&p->simulated->platform);
    const char *slash = strrchr(p->simulated->platform.path, '/');
    char program[RECORD_TEXT + 16];
    snprintf(program, sizeof program, "simgrid/%s", p->point.program);
    if (!process_in_path("smpirun"))
        return reason("smpirun is not installed (Debian: libsimgrid-dev)");
    if (!is_file(plan->settings.bin, program))
        return reason("no program %s here: built without SimGrid", program);
    if (strcmp(p->point.input, "random") != 0 || p->point.threads != 1)
        return reason("a simulated rank makes its own image and has one thread");
    if (p->point.ranks > cores)
        return reason("%" PRId64 " ranks on the %" PRId64 " cores of %s", p->point.ranks, cores,
                      slash ? slash + 1 : p->simulated->platform.path);
    return NULL;
}

static char *skip_for_program(const struct plan *plan, const struct planned *p,
                              const struct program_facts *facts)
{
    const char *launcher = command_launcher_program(plan_launcher(plan, p));
    if (!p->simulated && strcmp(plan_launcher(plan, p), "simgrid") == 0)
        return reason("the launcher simgrid needs a platform");
    if (facts->missing[0])
        return reason("%s", facts->missing);
    const struct method_facts *method = find_method(facts, p->point.method);
    if (p->point.method[0] && !method)
        return reason("%s has no method %s here", p->point.program, p->point.method);
    if (method && method->missing[0])
        return reason("%s has no method %s here: %s", p->point.program, p->point.method,
                      method->missing);
    if (launcher && !process_in_path(launcher))
        return reason("%s is not installed", launcher);
    return NULL;
}

static char *skip_for_size(const struct sweep *sweep, const struct record *p)
{
    if (sweep->size_limit == 0 || !has_sizes(p))
        return NULL;
    int64_t size = p->rows > p->cols ? p->rows : p->cols;
    if (size <= sweep->size_limit)
        return NULL;
    return reason("n = %" PRId64 " is beyond this sweep's limit of %" PRId64
                  ", where a sample takes too long",
                  size, sweep->size_limit);
}

/* The widest set up to `limit` that a method of ours is built for; `limit` for others. */
static enum isa built_isa(const struct record *p, enum isa limit)
{
    const struct maxpool_method *pooling = maxpool_method_find(SPACE_HOST, p->method);
    const struct matmul_method *product = matmul_method_find(SPACE_HOST, p->method);
    if (is_pooling(p))
        return pooling ? maxpool_method_isa(pooling, limit) : limit;
    return product ? matmul_method_isa(product, limit) : limit;
}

/* A limit that changes nothing makes no point of its own. */
static char *skip_for_isa(const struct record *p)
{
    if (!p->isa_limit[0])
        return NULL;
    for (enum isa isa = ISA_BASELINE; isa < ISA_COUNT; isa++) {
        if (strcmp(p->isa_limit, isa_option(isa)) != 0)
            continue;
        if (isa_missing(isa))
            return reason("%s", isa_missing(isa));
        return built_isa(p, isa) == isa
                   ? NULL
                   : reason("%s has no build for %s", p->method, isa_option(isa));
    }
    return reason("there is no instruction set '%s'", p->isa_limit);
}

/* ---- time ----------------------------------------------------------------------------------- */

/* Arithmetic operations of one sample, roughly: the product of every window, or of the matrices. */
static double operations(const struct record *p)
{
    struct geometry g;
    if (!has_sizes(p))
        return 1e8;
    if (!is_pooling(p))
        return 2.0 * (double)p->rows * (double)p->cols * (double)p->cols;
    if (geometry_of(p, &g) != GEOMETRY_OK)
        return 0;
    double k = (double)p->kernel;
    double windows = (double)g.planes * (double)g.out_rows * (double)g.out_cols;
    return windows * (strcmp(p->method, "direct") == 0 ? k * k : 2 * k * k * k + 2 * k * k);
}

/* Seconds of one launch: start, filling, verification by an oracle, warm-up and samples. */
static double estimate(const struct plan *plan, const struct definition *d, const struct record *p)
{
    const double start_s = 0.01, operations_per_s = 1e9, cells_per_s = 2e8;
    double workers = (double)(or_one(p->threads) * or_one(p->ranks));
    double cores = (double)plan->settings.cores;
    if (p->platform[0]) /* mostly the ranks' copies of the program */
        return 0.2 + 0.015 * workers;
    double speed = workers < cores ? workers : cores;
    double one = operations(p) / operations_per_s / speed;
    double all = one * (double)d->sampling.samples;
    double sampling = all < d->sampling.max_seconds ? all : d->sampling.max_seconds;
    double cells = has_sizes(p) ? (double)p->rows * (double)p->cols : 1e6;
    double oracle = strcmp(d->sampling.verify, "full") == 0 ? one * speed : 0;
    return start_s + 2 * cells / cells_per_s + oracle + one * (double)(d->sampling.warmup + 1) +
           sampling;
}

/* ---- multiplying out ------------------------------------------------------------------------ */

/* One definition on its way into the plan. */
struct expansion {
    struct plan *plan;
    size_t definition;
    const struct sweep *sweep;
    struct programs *programs;
    struct failure *failure;
};

static void set_column(struct record *p, int column, const char *text)
{
    const struct column *c = point_record_column((size_t)column);
    char *field = (char *)p + c->offset;
    if (c->type == COLUMN_TEXT) {
        snprintf(field, c->size, "%s", text);
    } else {
        int64_t number = strtoll(text, NULL, 10);
        memcpy(field, &number, sizeof number);
    }
}

static void default_text(char *field, const char *text)
{
    if (!*field)
        snprintf(field, RECORD_TEXT, "%s", text);
}

static void default_int(int64_t *field, int64_t value)
{
    if (*field == RECORD_NO_INT)
        *field = value;
}

/* Makes explicit what the programs would take by default, so that a point has one name. */
static void settle(struct record *p, int64_t cores)
{
    unsigned kind = point_program_kind(p->program);
    default_text(p->filter, "identity");
    if (!p->input[0]) {
        default_text(p->input, "random");
        default_int(&p->seed, 35);
        default_int(&p->max_value, 9);
    }
    if (kind & POINT_MAXPOOL) {
        if (strcmp(p->input, "random") == 0)
            default_int(&p->planes, 1);
        default_int(&p->kernel, 2);
        default_int(&p->stride, p->kernel);
        default_int(&p->padding, 0);
        default_text(p->pad_mode, "zero");
    }
    if ((kind & POINT_ANY_SPACE) == POINT_OMP)
        default_int(&p->threads, cores);
    if ((kind & POINT_ANY_SPACE) == POINT_CUDA) {
        if (kind & POINT_MAXPOOL)
            default_text(p->offload, "image");
        default_text(p->filter_memory, "transferred");
        default_text(p->host_memory, "pageable");
        default_int(&p->block, 16);
        default_int(&p->streams, 1);
    }
    if ((kind & POINT_ANY_SPACE) == POINT_MPI) {
        default_int(&p->ranks, cores);
        default_int(&p->threads, 1);
    }
}

/* What one worker brings, times the workers; the largest number, which no memory holds, where that
 * overflows. */
static void grow_with_workers(const struct sweep *sweep, struct record *p)
{
    if (!sweep->per_worker)
        return;
    const struct column *c = point_record_column((size_t)point_column_find(sweep->per_worker));
    int64_t each, all;
    memcpy(&each, (const char *)p + c->offset, sizeof each);
    if (each == RECORD_NO_INT)
        return;
    if (__builtin_mul_overflow(or_one(p->ranks), or_one(p->threads), &all) ||
        __builtin_mul_overflow(all, each, &all))
        all = INT64_MAX;
    memcpy((char *)p + c->offset, &all, sizeof all);
}

static bool is_planned(const struct plan *plan, size_t definition, const struct record *point)
{
    for (size_t i = plan->count; i > 0 && plan->points[i - 1].definition == definition; i--) {
        const struct record *other = &plan->points[i - 1].point;
        if (point_matches(other, point) && point_matches(point, other))
            return true;
    }
    return false;
}

static enum status reserve(struct plan *plan, struct failure *f)
{
    if (plan->count >= POINTS_MAX)
        return fail(f, STATUS_USAGE, "more than %d points", POINTS_MAX);
    if (plan->count % 64 != 0)
        return STATUS_OK;
    struct planned *grown = realloc(plan->points, (plan->count + 64) * sizeof *grown);
    if (!grown)
        return fail(f, STATUS_RESOURCE, "not enough memory for the plan");
    plan->points = grown;
    return STATUS_OK;
}

/* Images of all ranks that half of the free memory does not hold are folded, or those beyond the
 * sweep's limit. */
static bool must_fold(const struct sweep *sweep, const struct record *p)
{
    const int64_t size = p->rows > p->cols ? p->rows : p->cols;
    if (sweep->compute_limit >= 0)
        return size > sweep->compute_limit;
    const size_t held = strcmp(p->distribution, "scatter") == 0 ? 4 : 2;
    return memory_multiply(held, bytes_needed(p)) > memory_available();
}

static enum status set_up_simulated(const struct expansion *e, struct planned *p)
{
    if (!p->point.platform[0])
        return STATUS_OK;
    p->simulated = calloc(1, sizeof *p->simulated);
    if (!p->simulated)
        return fail(e->failure, STATUS_RESOURCE, "not enough memory for the plan");
    struct failure why = {0};
    p->simulated->folded = must_fold(e->sweep, &p->point);
    enum status status = platform_read(&p->simulated->platform, p->point.platform, &why);
    if (status == STATUS_UNAVAILABLE) { /* this build cannot; others' points are not to blame */
        p->skip = reason("%s", why.message);
        return STATUS_OK;
    }
    return status == STATUS_OK ? status : fail(e->failure, status, "%s", why.message);
}

static enum status add_point(const struct expansion *e, struct record point)
{
    struct plan *plan = e->plan;
    const struct definition *d = &plan->definitions[e->definition];
    const struct program_facts *facts = program_find(e->programs, point.program);
    if (!point.method[0] && facts->method_count > 0)
        snprintf(point.method, sizeof point.method, "%s", facts->methods[0].name);
    settle(&point, plan->settings.cores);
    grow_with_workers(e->sweep, &point);
    if (is_planned(plan, e->definition, &point))
        return STATUS_OK;
    enum status status = reserve(plan, e->failure);
    if (status != STATUS_OK)
        return status;
    struct planned *p = &plan->points[plan->count++];
    *p = (struct planned){.point = point, .definition = e->definition};
    status = set_up_simulated(e, p);
    if (status != STATUS_OK)
        return status;
    p->skip = p->skip ? p->skip : skip_for_shape(&p->point); /* what no machine would run, first */
    p->skip = p->skip ? p->skip : skip_for_isa(&p->point);
    p->skip = p->skip ? p->skip : skip_for_size(e->sweep, &p->point);
    p->skip = p->skip || !p->simulated ? p->skip : skip_for_simulation(plan, p);
    p->skip = p->skip ? p->skip : skip_for_program(plan, p, facts);
    if (!p->simulated) {
        p->skip = p->skip ? p->skip : skip_for_workers(plan, d, &p->point);
        p->skip = p->skip ? p->skip : skip_for_memory(&p->point);
    }
    p->estimate_s = estimate(plan, d, &p->point);
    return STATUS_OK;
}

static enum status expand(const struct expansion *e, size_t axis, const struct record *point);

/* One value of an axis; "all" methods are those that the program names. */
static enum status expand_value(const struct expansion *e, size_t axis, const struct record *point,
                                const char *value)
{
    int column = e->sweep->axes[axis].column;
    struct record next = *point;
    const struct program_facts *facts = program_find(e->programs, point->program);
    if (column == AXIS_SIZE) {
        next.rows = next.cols = strtoll(value, NULL, 10);
    } else if (column == AXIS_SHAPES) {
        struct shape shape;
        if (shape_parse(value, &shape)) /* the definition was refused otherwise */
            shape_apply(&shape, &next);
    } else if (column == point_column_find("method") && strcmp(value, "all") == 0 &&
               facts->method_count > 0) {
        enum status status = STATUS_OK;
        for (size_t i = 0; i < facts->method_count && status == STATUS_OK; i++) {
            if (!is_among_all(&facts->methods[i]))
                continue;
            snprintf(next.method, sizeof next.method, "%s", facts->methods[i].name);
            status = expand(e, axis + 1, &next);
        }
        return status;
    } else {
        set_column(&next, column, value);
    }
    return expand(e, axis + 1, &next);
}

/* Multiplies the axes from `axis` on; those that the program does not have are passed over. */
static enum status expand(const struct expansion *e, size_t axis, const struct record *point)
{
    if (axis == e->sweep->axis_count)
        return add_point(e, *point);
    const struct axis_values *values = &e->sweep->axes[axis];
    unsigned kind = point_program_kind(point->program);
    if (values->column >= 0 && !point_column_applies(&point_columns[values->column], kind))
        return expand(e, axis + 1, point);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < values->values.count && status == STATUS_OK; i++)
        status = expand_value(e, axis, point, values->values.items[i]);
    return status;
}

/* "maxpool_omp" is the operator maxpool in the space omp. */
static void name_program(struct record *p, const char *program)
{
    unsigned kind = point_program_kind(program);
    size_t length = strcspn(program, "_");
    snprintf(p->program, sizeof p->program, "%s", program);
    if ((kind & POINT_ANY_OPERATOR) != POINT_ANY_OPERATOR)
        snprintf(p->operator_name, sizeof p->operator_name, "%.*s", (int)length, program);
    if ((kind & POINT_ANY_SPACE) != POINT_ANY_SPACE)
        snprintf(p->space, sizeof p->space, "%s", program + length + 1);
}

static enum status add_sweeps(struct expansion *e)
{
    const struct definition *d = &e->plan->definitions[e->definition];
    enum status status = STATUS_OK;
    for (size_t i = 0; i < d->sweep_count && status == STATUS_OK; i++) {
        e->sweep = &d->sweeps[i];
        for (size_t j = 0; j < e->sweep->programs.count && status == STATUS_OK; j++) {
            struct record point = record_empty();
            snprintf(point.experiment, sizeof point.experiment, "%s", d->name);
            name_program(&point, e->sweep->programs.items[j]);
            status = expand(e, 0, &point);
        }
    }
    return status;
}

enum status plan_add(struct plan *plan, struct definition *definition, struct failure *f)
{
    struct definition *grown =
        realloc(plan->definitions, (plan->definition_count + 1) * sizeof *grown);
    struct programs *programs = calloc(1, sizeof *programs);
    if (grown)
        plan->definitions = grown;
    if (!grown || !programs) {
        free(programs);
        definition_release(definition);
        return fail(f, STATUS_RESOURCE, "not enough memory for the plan");
    }
    plan->definitions[plan->definition_count] = *definition;
    *definition = (struct definition){0};
    programs->bin = plan->settings.bin;
    struct expansion e = {plan, plan->definition_count++, NULL, programs, f};
    enum status status = add_sweeps(&e);
    free(programs);
    return status;
}

/* ---- corrections by what was measured ------------------------------------------------------- */

struct calibration {
    struct plan *plan;
    size_t definition;
    double measured_s, estimated_s; /* of the launches of this definition that are known */
};

static bool calibrate_row(const struct journal_row *row, void *context)
{
    struct calibration *c = context;
    if (strcmp(row->status, "done") != 0 || !(row->seconds > 0) ||
        strcmp(row->scale, scale_names[c->plan->definitions[c->definition].scale]) != 0)
        return true;
    for (size_t i = 0; i < c->plan->count; i++) {
        struct planned *p = &c->plan->points[i];
        if (p->definition != c->definition || !point_matches(&p->point, &row->point))
            continue;
        c->measured_s += row->seconds;
        c->estimated_s += estimate(c->plan, &c->plan->definitions[c->definition], &p->point);
        p->estimate_s = -row->seconds; /* known: told from the others by its sign, below */
        break;
    }
    return true;
}

enum status plan_calibrate(struct plan *plan, const char *results, struct failure *f)
{
    for (size_t d = 0; d < plan->definition_count; d++) {
        struct calibration c = {plan, d, 0, 0};
        struct results_path journal = results_journal(results, plan->definitions[d].name);
        enum status status = journal_read(journal.text, calibrate_row, &c, NULL, f);
        if (status != STATUS_OK)
            return status;
        double factor = c.estimated_s > 0 ? c.measured_s / c.estimated_s : 1;
        for (size_t i = 0; i < plan->count; i++) {
            struct planned *p = &plan->points[i];
            if (p->definition == d)
                p->estimate_s = p->estimate_s < 0 ? -p->estimate_s : p->estimate_s * factor;
        }
    }
    return STATUS_OK;
}

/* ---- the whole ------------------------------------------------------------------------------ */

const char *plan_launcher(const struct plan *plan, const struct planned *point)
{
    const char *asked = plan->settings.launcher;
    if (!*asked)
        asked = plan->definitions[point->definition].launcher;
    return command_launcher(asked, &point->point);
}

int64_t plan_launches(const struct plan *plan, const struct planned *point)
{
    return point->simulated ? 1 : plan->definitions[point->definition].launches;
}

double plan_seconds(const struct plan *plan)
{
    double sum = 0;
    for (size_t i = 0; i < plan->count; i++)
        if (!plan->points[i].skip)
            sum += plan->points[i].estimate_s * (double)plan_launches(plan, &plan->points[i]);
    return sum;
}

int64_t plan_rounds(const struct plan *plan)
{
    int64_t most = 0;
    for (size_t i = 0; i < plan->definition_count; i++)
        if (plan->definitions[i].launches > most)
            most = plan->definitions[i].launches;
    return most;
}

void plan_order(const struct plan *plan, int64_t seed, int64_t round, size_t *order)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t i = 0; i < plan->count; i++)
        order[i] = i;
    if (!random)
        return; /* in the plan's own order, then */
    gsl_rng_set(random, (unsigned long)(seed + 1) * 1000003u + (unsigned long)round);
    gsl_ran_shuffle(random, order, plan->count, sizeof *order);
    gsl_rng_free(random);
}

void plan_release(struct plan *plan)
{
    for (size_t i = 0; i < plan->count; i++) {
        free(plan->points[i].skip);
        if (plan->points[i].simulated)
            platform_release(&plan->points[i].simulated->platform);
        free(plan->points[i].simulated);
    }
    for (size_t i = 0; i < plan->definition_count; i++)
        definition_release(&plan->definitions[i]);
    free(plan->points);
    free(plan->definitions);
    *plan = (struct plan){0};
}
