#include "classroom/duet/worker/description.h"

#include "harness/base/digest.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum status description_parse(struct description *d, const char *line, struct failure *f)
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

uint64_t description_draw(uint64_t *state)
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

void description_fill_input(const struct description *d, float *values, int64_t count)
{
    fill(values, count, 0, d->largest, 0);
}

static void fill_identity(float *values, int64_t count)
{
    const int64_t side = (int64_t)lround(sqrt((double)count));
    for (int64_t i = 0; i < count; i++)
        values[i] = i % (side + 1) == 0 ? 1.0f : 0.0f;
}

void description_fill_operand(const struct description *d, size_t i, float *values)
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
