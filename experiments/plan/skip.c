#include "experiments/plan/skip.h"

#include "experiments/common/folder_files.h"
#include "experiments/common/process.h"
#include "experiments/plan/command_line.h"
#include "experiments/plan/work.h"
#include "experiments/samples/point.h"
#include "harness/machine/memory.h"
#include "harness/space/batches.h"

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *skip_reason(const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    return length < 0 ? NULL : text;
}

/* Finds what no program would compute. If the image or operand comes from a file, its size or
 * values are not known, so nothing is found here. */
static char *skip_for_shape(const struct record *p)
{
    struct operation op;
    if (!work_has_sizes(p) && !p->network[0])
        return NULL;
    const struct refusal refusal = work_operation(p, &op);
    if (refusal.kind != REFUSAL_NONE)
        return skip_reason("%s", refusal.text);
    const struct operand *right = operation_right(&op);
    const bool known = right->identity || (right->name && strcmp(right->name, "random") == 0);
    const char *why = known && op.method ? method_refuses(op.method, &op) : NULL;
    if (why)
        return skip_reason("%s %s", op.method->name, why);
    why = known && op.kind->refuses ? op.kind->refuses(&op) : NULL;
    return why ? skip_reason("%s", why) : NULL;
}

static char *skip_for_memory(const struct record *p)
{
    if (!work_has_sizes(p))
        return NULL;
    size_t needed = work_bytes(p), available = memory_available();
    if (needed <= available)
        return NULL;
    return skip_reason("needs %s of memory, %s are free", memory_text((double)needed).text,
                       memory_text((double)available).text);
}

static char *skip_for_workers(const struct plan *plan, const struct definition *d,
                              const struct record *p)
{
    int64_t workers, most;
    if (__builtin_mul_overflow(work_or_one(p->ranks), work_or_one(p->threads), &workers) ||
        __builtin_mul_overflow(plan->settings.cores, d->oversubscribe, &most))
        return skip_reason("too many workers");
    if (point_is_on_device(p) || workers <= most)
        return NULL;
    return skip_reason("%" PRId64 " workers on %" PRId64 " cores, more than %" PRId64 " on each",
                       workers, plan->settings.cores, d->oversubscribe);
}

static bool is_file(const char *folder, const char *name)
{
    char file[PATH_MAX];
    const int length = snprintf(file, sizeof file, "%s/%s", folder, name);
    return length > 0 && (size_t)length < sizeof file && access(file, X_OK) == 0;
}

/* Why the method's products cannot be shared alone; NULL: they can. */
static const char *refuses_to_share(const struct record *p)
{
    struct operation op;
    const bool known = work_operation(p, &op).kind == REFUSAL_NONE && op.method;
    return known && point_shares_product(p) ? batches_refuse(&op) : NULL;
}

/* Finds what prevents a simulated point from running. */
static char *skip_for_simulation(const struct plan *plan, const struct planned *p)
{
    const int64_t cores = platform_cores(&p->simulated->platform);
    const char *own = plan->settings.simulated_bin;
    char program[RECORD_TEXT + 16];
    snprintf(program, sizeof program, "%s%s", own ? "" : "simgrid/", p->point.program);
    if (!process_in_path("smpirun"))
        return skip_reason("smpirun is not installed (Debian: libsimgrid-dev)");
    if (!is_file(own ? own : plan->settings.bin, program))
        return skip_reason("no program simgrid/%s here: built without SimGrid", p->point.program);
    if ((strcmp(p->point.input, "random") != 0 && !point_trains(&p->point)) ||
        p->point.threads != 1)
        return skip_reason("a simulated rank makes its own image and has one thread");
    if (refuses_to_share(&p->point))
        return skip_reason("--method %s %s (--parallel product)", p->point.method,
                           refuses_to_share(&p->point));
    if (p->point.ranks > cores)
        return skip_reason("%" PRId64 " ranks on the %" PRId64 " cores of %s", p->point.ranks,
                           cores, file_name(p->simulated->platform.path));
    return NULL;
}

/* A program lists the methods of all operators that its options select; the selected operator may
 * lack this one. */
static char *skip_for_operator(const struct record *p, const struct method_facts *method)
{
    const struct operator_row *of_program = point_program_kind(p->program).operator_row;
    const struct point_kind kind = point_planned_kind(p);
    if (!method || method->peer || !of_program || !operator_variant(of_program, 1) || !kind.space ||
        operator_method(kind.operator_row, kind.space->kind, method->name))
        return NULL;
    return skip_reason("%s has no method %s here", kind.operator_row->words.subject, method->name);
}

static char *skip_for_program(const struct plan *plan, const struct planned *p,
                              const struct program_facts *facts)
{
    const char *launcher = command_launcher_program(plan_launcher(plan, p));
    if (!p->simulated && strcmp(plan_launcher(plan, p), "simgrid") == 0)
        return skip_reason("the launcher simgrid needs a platform");
    if (facts->missing)
        return skip_reason("%s", facts->missing);
    const struct method_facts *method = program_method(facts, p->point.method);
    if (p->point.method[0] && !method)
        return skip_reason("%s has no method %s here", p->point.program, p->point.method);
    if (method && method->missing)
        return skip_reason("%s has no method %s here: %s", p->point.program, p->point.method,
                           method->missing);
    if (launcher && !process_in_path(launcher))
        return skip_reason("%s is not installed", launcher);
    return skip_for_operator(&p->point, method);
}

static char *skip_for_size(const struct sweep *sweep, const struct record *p)
{
    if (sweep->size_limit == 0 || !work_has_sizes(p))
        return NULL;
    int64_t size = p->rows > p->cols ? p->rows : p->cols;
    if (size <= sweep->size_limit)
        return NULL;
    return skip_reason("n = %" PRId64 " is beyond this sweep's limit of %" PRId64
                       ", where a sample takes too long",
                       size, sweep->size_limit);
}

/* The widest instruction set up to `limit` for which a method of ours is built; `limit` for other
 * methods. */
static enum isa built_isa(const struct record *p, enum isa limit)
{
    struct operation op;
    work_operation(p, &op);
    return op.method ? operator_isa(op.kind, op.method, limit) : limit;
}

/* A limit that does not change the method's instruction set makes no separate point. */
static char *skip_for_isa(const struct record *p)
{
    if (!p->isa_limit[0])
        return NULL;
    for (enum isa isa = ISA_BASELINE; isa < ISA_COUNT; isa++) {
        if (strcmp(p->isa_limit, isa_option(isa)) != 0)
            continue;
        if (isa_missing(isa))
            return skip_reason("%s", isa_missing(isa));
        return built_isa(p, isa) == isa
                   ? NULL
                   : skip_reason("%s has no build for %s", p->method, isa_option(isa));
    }
    return skip_reason("there is no instruction set '%s'", p->isa_limit);
}

/* Of a program of another only its workers, its size and its file are known. */
static char *skip_own(const struct plan *plan, const struct planned *p, const struct sweep *sweep)
{
    const struct own_command command = sweep_command(sweep);
    char path[PATH_MAX], *why = skip_for_size(sweep, &p->point);
    why = why ? why : skip_for_workers(plan, &plan->definitions[p->definition], &p->point);
    if (why || own_command_program(&command, path))
        return why;
    return skip_reason("no program %s here", command.words[0]);
}

char *skip_find(const struct plan *plan, const struct planned *p, const struct sweep *sweep,
                const struct program_facts *facts)
{
    const struct definition *d = &plan->definitions[p->definition];
    if (sweep->own.words)
        return skip_own(plan, p, sweep);
    char *why = skip_for_shape(&p->point);
    why = why ? why : skip_for_isa(&p->point);
    why = why ? why : skip_for_size(sweep, &p->point);
    why = why || !p->simulated ? why : skip_for_simulation(plan, p);
    why = why ? why : skip_for_program(plan, p, facts);
    if (p->simulated)
        return why;
    why = why ? why : skip_for_workers(plan, d, &p->point);
    return why ? why : skip_for_memory(&p->point);
}
