#include "experiments/lab/compiled/hot_loop.h"

#include "experiments/lab/compiled/counting.h"
#include "kernels/operators.h"

#include <stdlib.h>

/* ---- the loop -------------------------------------------------------------------------------- */

/* Instructions [first, last] of the text: a backward jump and everything from its target to it. */
struct loop {
    size_t first, last;
    double weight; /* instructions executed in it */
};

/* The text and how often its blocks were executed. */
struct execution {
    const struct lab_assembly *text;
    const uint64_t *counts; /* per block */
};

static double count_of(const struct execution *e, size_t i)
{
    return (double)e->counts[e->text->items[i].block];
}

static bool closes_loop(const struct execution *e, size_t i)
{
    const ptrdiff_t target = e->text->items[i].target;
    return target >= 0 && target <= (ptrdiff_t)i && count_of(e, i) > 0.0;
}

/* Whether the loop contains no other executed loop. */
static bool is_innermost(const struct execution *e, const struct loop *l)
{
    for (size_t i = l->first; i < l->last; i++)
        if (closes_loop(e, i) && e->text->items[i].target >= (ptrdiff_t)l->first)
            return false;
    return true;
}

static double executed(const struct execution *e, size_t first, size_t last)
{
    double sum = 0.0;
    for (size_t i = first; i <= last && i < e->text->count; i++)
        sum += count_of(e, i);
    return sum;
}

/* Finds the innermost loop that executes the most instructions; weight 0 if there is none. */
static struct loop find_loop(const struct execution *e)
{
    struct loop best = {0, 0, 0.0};
    for (size_t i = 0; i < e->text->count; i++) {
        if (!closes_loop(e, i))
            continue;
        struct loop l = {(size_t)e->text->items[i].target, i, 0.0};
        l.weight = executed(e, l.first, l.last);
        if (l.weight > best.weight && is_innermost(e, &l))
            best = l;
    }
    return best;
}

/* ---- what it does ---------------------------------------------------------------------------- */

/* Returns the line with the most executed instructions of a range; with `computing`, only
 * instructions that compute floats count, if there are any. */
static int line_of(const struct execution *e, size_t first, size_t last, bool computing)
{
    double most = 0.0;
    int line = 0;
    for (size_t i = first; i <= last && i < e->text->count; i++) {
        double sum = 0.0;
        for (size_t j = first; j <= last && j < e->text->count; j++)
            if (e->text->items[j].line == e->text->items[i].line &&
                (!computing || e->text->items[j].lanes > 0))
                sum += count_of(e, j);
        if (sum > most && e->text->items[i].line > 0) {
            most = sum;
            line = e->text->items[i].line;
        }
    }
    return line > 0 || !computing ? line : line_of(e, first, last, false);
}

/* Returns the vector width of most arithmetic in a range. */
static int lanes_of(const struct execution *e, size_t first, size_t last)
{
    enum { WIDEST = 16 };
    double executed[WIDEST + 1] = {0};
    int most = 0;
    for (size_t i = first; i <= last && i < e->text->count; i++)
        executed[e->text->items[i].lanes] += count_of(e, i);
    for (int lanes = 1; lanes <= WIDEST; lanes++)
        if (executed[lanes] > 0.0 && (most == 0 || executed[lanes] > executed[most]))
            most = lanes;
    return most;
}

static double multiplications(const struct execution *e, size_t first, size_t last)
{
    double sum = 0.0;
    for (size_t i = first; i <= last && i < e->text->count; i++)
        if (e->text->items[i].multiplies)
            sum += e->text->items[i].lanes * count_of(e, i);
    return sum;
}

static double stack_moves(const struct execution *e, size_t first, size_t last)
{
    double sum = 0.0;
    for (size_t i = first; i <= last && i < e->text->count; i++)
        if (e->text->items[i].touches_stack)
            sum += count_of(e, i);
    return sum;
}

void lab_hot_loop_of(struct lab_hot_loop *out, const struct lab_assembly *text,
                     const uint64_t *counts, double needed)
{
    const struct execution execution = {text, counts}, *const e = &execution;
    const size_t end = text->count - 1;
    const struct loop l = find_loop(e);
    const bool looped = l.weight > 0.0;
    const size_t first = looped ? l.first : 0, last = looped ? l.last : end;
    const double passes = looped ? count_of(e, l.first) : 1.0, weight = executed(e, first, last);
    *out = (struct lab_hot_loop){.known = executed(e, 0, end) > 0.0,
                                 .looped = looped,
                                 .line = line_of(e, first, last, true),
                                 .lanes = lanes_of(e, first, last),
                                 .share = weight / executed(e, 0, end),
                                 .instructions = weight / passes,
                                 .multiply_adds = multiplications(e, first, last) / passes,
                                 .stack_moves = stack_moves(e, first, last) / passes,
                                 .executed_per_needed = multiplications(e, 0, end) / needed};
}

/* ---- the counted call ------------------------------------------------------------------------ */

static double multiply_adds(const struct lab_kind *kind, const struct lab_size *size)
{
    struct operation op;
    struct failure ignored = {0};
    return lab_operation(&op, kind, size, &ignored) == STATUS_OK
               ? op.kind->need(&op, true).per_output.multiply_adds
               : 0.0;
}

/* A small image: eight rows of outputs, whose widths are multiples of every vector, or fewer rows
 * and columns if that is too much work. */
static struct lab_size small_image(const struct lab_kind *kind, const struct lab_size *size)
{
    static const double most = 70e3; /* multiply-adds */
    enum { WIDE = 256, NARROW = 64, HIGH = 8, LOW = 2, FEW = 4 };
    struct lab_size s = *size;
    int64_t wide = WIDE, high = HIGH;
    s.batch = s.batch > 0 ? 1 : 0;
    s.planes = operator_find(kind->name)->image_channels && s.planes > FEW ? FEW : s.planes;
    s.filters = s.filters < FEW ? s.filters : FEW;
    s.padding = 0;
    for (;;) {
        s.rows = s.kernel + (high - 1) * s.stride;
        s.cols = s.kernel + (wide - 1) * s.stride;
        if (multiply_adds(kind, &s) <= most || (high == LOW && wide == NARROW))
            return s;
        high = high > LOW ? high / 2 : high;
        wide = high == LOW && wide > NARROW ? wide / 2 : wide;
    }
}

static struct lab_size small_matrix(const struct lab_size *size)
{
    enum { ROWS = 32, COLUMNS = 64 };
    struct lab_size s = *size;
    s.rows = ROWS;
    s.cols = COLUMNS;
    s.filters = s.filters > 0 ? ROWS : 0;
    return s;
}

static enum status count(struct lab_hot_loop *out, const struct lab_kind *kind,
                         const struct lab_size *size, const struct lab_start *how,
                         const struct lab_assembly *text, uint64_t seed, struct failure *f)
{
    struct lab_input in;
    bool counted = false;
    uint64_t *counts = calloc(text->blocks, sizeof *counts);
    if (!counts)
        return fail(f, STATUS_RESOURCE, "no memory for counts");
    enum status status = lab_input_open(&in, kind, size, seed, f);
    if (status == STATUS_OK)
        status = lab_count(&in, how, seed, counts, text->blocks, &counted, f);
    if (counted)
        lab_hot_loop_of(out, text, counts, multiply_adds(kind, size));
    lab_input_close(&in);
    free(counts);
    return status;
}

enum status lab_hot_loop_find(struct lab_hot_loop *out, const struct lab_kind *kind,
                              const struct lab_size *size, const struct lab_start *how,
                              const struct lab_build *b, const char *flags, uint64_t seed,
                              struct failure *f)
{
    struct lab_assembly text;
    struct lab_start counted = *how;
    char library[PATH_MAX];
    const struct lab_size small = size->kernel > 0 ? small_image(kind, size) : small_matrix(size);
    *out = (struct lab_hot_loop){.known = false};
    if (!lab_build_counting(b, flags, &text, library))
        return STATUS_OK;
    counted.what = library;
    const enum status status = count(out, kind, &small, &counted, &text, seed, f);
    lab_assembly_release(&text);
    return status;
}
