#include "harness/space/guards.h"

#include "harness/machine/memory.h"

#include <stdio.h>

enum status guards_check_lines(struct guarded *g, const struct guarded_lines *lines,
                               struct failure *f)
{
    int64_t element;
    if (!guarded_damage(g, &element))
        return STATUS_OK;
    const struct image_shape s = lines->shape;
    const int64_t line_count = lines->count > 0 ? lines->count : 1;
    const int64_t line = element < 0 ? lines->first : lines->first + line_count - 1;
    const int64_t column = element < 0 ? element : element - (line_count - 1) * s.cols;
    char plane[32] = "";
    if (s.planes > 1)
        snprintf(plane, sizeof plane, "plane %lld, ", (long long)(line / s.rows));
    return fail(f, STATUS_WRONG, "wrote outside its block at %srow %lld, column %lld of the %s",
                plane, (long long)(s.rows > 0 ? line % s.rows : 0), (long long)column, lines->what);
}

static enum status describe_floats(const char *what, size_t bytes, int64_t element,
                                   struct failure *f)
{
    return fail(f, STATUS_WRONG,
                "wrote outside its block at element %lld of the %s, which has %zu elements",
                (long long)element, what, bytes / sizeof(float));
}

enum status guards_check_floats(struct guarded *g, const char *what, struct failure *f)
{
    int64_t element;
    return guarded_damage(g, &element) ? describe_floats(what, g->bytes, element, f) : STATUS_OK;
}

/* ---- scratch ----------------------------------------------------------------------------------
 *
 * A part is followed by two guards: its own, and, right before the next part, the front guard of
 * that part. The front guard of the first part and one more behind the last part are those of the
 * whole block. */

void scratch_settle(struct scratch *s, size_t needed, size_t page, int64_t parts)
{
    const size_t guards = memory_folds() ? 0 : 2 * (size_t)GUARD_BYTES;
    const size_t padded = memory_add(memory_add(needed, guards), page - 1);
    *s = (struct scratch){.needed = needed, .parts = parts};
    if (needed > 0)
        s->step = padded == SIZE_MAX ? SIZE_MAX : padded / page * page;
}

size_t scratch_total(const struct scratch *s)
{
    return memory_multiply(s->step, (size_t)s->parts);
}

size_t scratch_bytes(const struct scratch *s)
{
    const size_t guards = s->step > 0 && !memory_folds() ? 2 * (size_t)GUARD_BYTES : 0;
    return (s->step - guards) * (size_t)s->parts;
}

enum status scratch_allocate(struct scratch *s, const char *what, struct failure *f)
{
    return guarded_allocate(&s->all, scratch_total(s), what, f);
}

void scratch_release(struct scratch *s)
{
    guarded_release(&s->all);
}

void *scratch_part(const struct scratch *s, int64_t part)
{
    return s->step > 0 && s->all.block ? (char *)s->all.block + (size_t)part * s->step : NULL;
}

/* Where the guard after a part begins, and the one in front of the next part. */
static char *after_part(const struct scratch *s, int64_t part)
{
    return (char *)scratch_part(s, part) + s->needed;
}

static char *before_next(const struct scratch *s, int64_t part)
{
    return (char *)scratch_part(s, part) + s->step - GUARD_BYTES;
}

void scratch_plant(struct scratch *s, int64_t part)
{
    if (memory_folds() || part >= s->parts || !scratch_part(s, part))
        return;
    guard_fill(after_part(s, part));
    guard_fill(before_next(s, part));
    if (part == s->parts - 1)
        guarded_plant(&s->all);
}

/* Finds the first damaged element next to a part, and restores the guard. */
static bool part_damage(struct scratch *s, int64_t part, int64_t *element)
{
    const int64_t after = guard_damage(after_part(s, part));
    const int64_t before = part > 0 ? guard_damage(before_next(s, part - 1)) : -1;
    if (after >= 0) {
        *element = (int64_t)(s->needed / sizeof(float)) + after;
        guard_fill(after_part(s, part));
    } else if (before >= 0) {
        *element = before - GUARD_ELEMENTS;
        guard_fill(before_next(s, part - 1));
    }
    return after >= 0 || before >= 0;
}

enum status scratch_check(struct scratch *s, struct failure *f)
{
    int64_t element;
    enum status status = STATUS_OK;
    if (guarded_damage(&s->all, &element))
        status = describe_floats("scratch", s->needed, element, f);
    for (int64_t i = 0; s->all.planted && s->step > 0 && i < s->parts; i++)
        if (part_damage(s, i, &element))
            status = describe_floats("scratch", s->needed, element, f);
    return status;
}
