#include "networks/training/checkpoint.h"

#include "networks/parameters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 64-bit integers are stored as floats that hold 16 bits each. */
enum { PIECES = 4, PIECE_BITS = 16 };

/* The facts in the file's order, and the options that set them. Files of earlier versions end
 * before the hash of the data, or before the hash of the augmentation. */
enum {
    UPDATES,
    SEED,
    BATCH,
    SHARDS,
    SAMPLES,
    ORDER,
    DROPOUT,
    DATA,
    AUGMENT,
    FACTS,
    FACTS_LEAST = DATA
};
static const char *const options[FACTS] = {NULL,    "seed",    "batch", "shards", "data",
                                           "order", "dropout", "data",  "augment"};

static const char state_name[] = "training.state";

static void list_facts(const struct checkpoint_facts *facts, int64_t updates, uint64_t *out)
{
    out[UPDATES] = (uint64_t)updates;
    out[SEED] = facts->seed;
    out[BATCH] = (uint64_t)facts->batch;
    out[SHARDS] = (uint64_t)facts->shards;
    out[SAMPLES] = (uint64_t)facts->samples;
    out[ORDER] = facts->seeded_order;
    out[DROPOUT] = facts->drops;
    out[DATA] = facts->data;
    out[AUGMENT] = facts->augmentation;
}

static void to_floats(const uint64_t *facts, float *out)
{
    for (int i = 0; i < FACTS * PIECES; i++)
        out[i] = (float)(facts[i / PIECES] >> (i % PIECES * PIECE_BITS) & 0xffff);
}

/* Status 2 if a value cannot come from to_floats(). */
static enum status from_floats(const char *path, const float *values, int facts, uint64_t *out,
                               struct failure *f)
{
    const float most = (float)((1 << PIECE_BITS) - 1);
    memset(out, 0, FACTS * sizeof *out);
    for (int i = 0; i < facts * PIECES; i++) {
        if (!(values[i] >= 0.0f && values[i] <= most && values[i] == truncf(values[i])))
            return fail(f, STATUS_USAGE,
                        "--resume %s: training.state: value %d is %g, not a whole number from 0 to "
                        "%g",
                        path, i, (double)values[i], (double)most);
        out[i / PIECES] |= (uint64_t)values[i] << (i % PIECES * PIECE_BITS);
    }
    if (out[UPDATES] > INT64_MAX)
        return fail(f, STATUS_USAGE, "--resume %s: training.state: %llu steps are not a count",
                    path, (unsigned long long)out[UPDATES]);
    return STATUS_OK;
}

/* The prefix of the names of moment i's tensors. */
static void prefix_of(const struct optimizer *o, int i, char *prefix, size_t size)
{
    snprintf(prefix, size, "%s.%d.", o->name, i + 1);
}

enum status checkpoint_write(const char *path, const struct checkpoint_of *what,
                             const struct checkpoint_facts *facts, struct failure *f)
{
    const struct network *n = what->network;
    const struct trainer_state *s = what->state;
    const size_t each = parameters_tensors(n), lists = (size_t)what->optimizer->moments + 1;
    uint64_t list[FACTS];
    float state[FACTS * PIECES];
    char prefix[64];
    struct safetensors_tensor *tensors = calloc(each * lists + 1, sizeof *tensors);
    if (!tensors)
        return fail(f, STATUS_RESOURCE, "%s: no memory for its header", path);
    size_t count = parameters_list(n, "", s->parameters, tensors);
    for (int i = 0; i < what->optimizer->moments; i++) {
        prefix_of(what->optimizer, i, prefix, sizeof prefix);
        count += parameters_list(n, prefix, s->moments[i], tensors + count);
    }
    list_facts(facts, s->updates, list);
    to_floats(list, state);
    tensors[count] =
        (struct safetensors_tensor){.dimensions = 1, .shape = {FACTS * PIECES}, .values = state};
    snprintf(tensors[count].name, sizeof tensors[count].name, "%s", state_name);
    const enum status status = safetensors_write(path, tensors, count + 1, f);
    free(tensors);
    return status;
}

static enum status other_fact(const char *path, int i, uint64_t held, uint64_t wanted,
                              struct failure *f)
{
    if (i == DATA)
        return fail(f, STATUS_USAGE,
                    "--resume %s: it was trained with other --data: as many samples, other values",
                    path);
    if (i == AUGMENT)
        return fail(f, STATUS_USAGE, "--resume %s: it was trained with another --augment", path);
    return fail(f, STATUS_USAGE, "--resume %s: it was trained with another --%s (%llu, not %llu)",
                path, options[i], (unsigned long long)held, (unsigned long long)wanted);
}

/* The number of facts in the tensor; 0 if it holds no state of a training. */
static int facts_of(const struct safetensors_entry *e)
{
    if (!e || e->dimensions != 1)
        return 0;
    const int64_t facts = e->shape[0] / PIECES;
    return e->shape[0] % PIECES == 0 && facts >= FACTS_LEAST && facts <= FACTS ? (int)facts : 0;
}

static enum status read_state(const struct safetensors *file, struct trainer_state *s,
                              const struct checkpoint_facts *facts, struct failure *f)
{
    float state[FACTS * PIECES];
    uint64_t held[FACTS], wanted[FACTS];
    const struct safetensors_entry *e = safetensors_find(file, state_name);
    const int count = facts_of(e);
    if (count == 0)
        return fail(f, STATUS_USAGE,
                    "--resume %s: this file does not say where a training was; "
                    "--weights takes its parameters alone",
                    file->path);
    enum status status = safetensors_read(file, e, state, NULL, f);
    if (status == STATUS_OK)
        status = from_floats(file->path, state, count, held, f);
    if (status != STATUS_OK)
        return status;
    list_facts(facts, 0, wanted);
    for (int i = UPDATES + 1; i < FACTS; i++)
        if ((i < count || i == AUGMENT) &&
            held[i] != wanted[i]) /* earlier versions had no augmentation */
            return other_fact(file->path, i, held[i], wanted[i], f);
    s->updates = (int64_t)held[UPDATES];
    return STATUS_OK;
}

static bool holds_moments(const struct safetensors *file, const struct optimizer *o)
{
    char prefix[64];
    const size_t length = (size_t)snprintf(prefix, sizeof prefix, "%s.1.", o->name);
    for (size_t i = 0; i < file->count; i++)
        if (strncmp(file->entries[i].name, prefix, length) == 0)
            return true;
    return false;
}

static enum status check_optimizer(const struct safetensors *file, const struct optimizer *o,
                                   struct failure *f)
{
    for (int i = 0; i < optimizer_count && !holds_moments(file, o); i++)
        if (holds_moments(file, optimizers[i]))
            return fail(f, STATUS_USAGE,
                        "--resume %s: it was trained with another --optimizer (%s, not %s)",
                        file->path, optimizers[i]->name, o->name);
    return STATUS_OK;
}

enum status checkpoint_read(const char *path, const struct checkpoint_of *what,
                            const struct checkpoint_facts *facts, struct failure *f)
{
    const struct network *n = what->network;
    struct trainer_state *s = what->state;
    struct safetensors file;
    char prefix[64];
    enum status status = safetensors_open(&file, path, f);
    if (status != STATUS_OK)
        return status;
    status = check_optimizer(&file, what->optimizer, f);
    if (status == STATUS_OK)
        status = read_state(&file, s, facts, f);
    if (status == STATUS_OK)
        status = parameters_read_from(&file, n, "", s->parameters, NULL, f);
    for (int i = 0; status == STATUS_OK && i < what->optimizer->moments; i++) {
        prefix_of(what->optimizer, i, prefix, sizeof prefix);
        status = parameters_read_from(&file, n, prefix, s->moments[i], NULL, f);
    }
    safetensors_close(&file);
    return status;
}
