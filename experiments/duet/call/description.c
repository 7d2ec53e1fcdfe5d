#include "experiments/duet/call/description.h"

#include "harness/base/digest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- parsing --------------------------------------------------------------------------------- */

struct number_row {
    const char *name;
    size_t offset; /* offset in struct description */
};

static const struct number_row numbers[] = {
    {"planes", offsetof(struct description, planes)},
    {"rows", offsetof(struct description, rows)},
    {"cols", offsetof(struct description, cols)},
    {"kernel", offsetof(struct description, kernel)},
    {"stride", offsetof(struct description, stride)},
    {"padding", offsetof(struct description, padding)},
    {"batch", offsetof(struct description, batch)},
    {"channels", offsetof(struct description, channels)},
    {"filters", offsetof(struct description, filters)},
    {"groups", offsetof(struct description, groups)},
    {"max_value", offsetof(struct description, max_value)},
};

static const char *const operators[] = {[MAXPOOL_POOL] = "maxpool",
                                        [MAXPOOL_MULTIPLY] = "matmul",
                                        [MAXPOOL_CONVOLVE] = "conv",
                                        [MAXPOOL_DISTANCES] = "distances"};

/* The meaning of a word in a text column. */
struct word_row {
    const char *name, *value;
    size_t offset; /* offset of a bool in struct description ... */
    bool sets;     /* ... and the value that it gets */
};

static const struct word_row words[] = {
    {"pad_mode", "zero", offsetof(struct description, ignores_padding), false},
    {"pad_mode", "ignore", offsetof(struct description, ignores_padding), true},
    {"filter", "identity", offsetof(struct description, random_filter), false},
    {"filter", "random", offsetof(struct description, random_filter), true},
    {"weights", "random", offsetof(struct description, random_filter), true},
    {"bias", "none", offsetof(struct description, bias), false},
    {"bias", "random", offsetof(struct description, bias), true},
    {"against", "random", offsetof(struct description, itself), false},
    {"against", "itself", offsetof(struct description, itself), true},
};

static bool take_operator(struct description *d, const char *value)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (strcmp(operators[i], value) == 0) {
            d->of = (enum maxpool_operator)i;
            return true;
        }
    return false;
}

static bool take_number(struct description *d, const char *name, const char *value)
{
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char *end;
        if (strcmp(numbers[i].name, name) != 0)
            continue;
        errno = 0;
        const int64_t number = strtoll(value, &end, 10);
        memcpy((char *)d + numbers[i].offset, &number, sizeof number);
        return errno == 0 && end != value && !*end;
    }
    return false;
}

static bool take_word(struct description *d, const char *name, const char *value)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].name, name) == 0 && strcmp(words[i].value, value) == 0) {
            *((bool *)((char *)d + words[i].offset)) = words[i].sets;
            return true;
        }
    return false;
}

struct description description_blank(void)
{
    return (struct description){.planes = 1, .batch = 1, .groups = 1, .max_value = 9};
}

bool description_take(struct description *d, const char *name, const char *value)
{
    if (strcmp(name, "operator") == 0)
        return take_operator(d, value);
    if (strcmp(name, "method") == 0)
        return (size_t)snprintf(d->method, sizeof d->method, "%s", value) < sizeof d->method;
    return take_number(d, name, value) || take_word(d, name, value);
}

enum status description_parse(struct description *d, const char *line, struct failure *f)
{
    char text[1024], *rest = NULL;
    *d = description_blank();
    snprintf(text, sizeof text, "%s", line);
    const char *word = strtok_r(text, " \n", &rest);
    d->number = word ? strtoll(word, NULL, 10) : 0;
    while ((word = strtok_r(NULL, " \n", &rest))) {
        char name[64];
        const size_t length = strcspn(word, "=");
        snprintf(name, sizeof name, "%.*s", (int)length, word);
        if (!word[length] || !description_take(d, name, word + length + 1))
            return fail(f, STATUS_USAGE, "a point is described by '%.200s'", word);
    }
    return STATUS_OK;
}

/* ---- operands -------------------------------------------------------------------------------- */

int64_t description_first(const struct description *d)
{
    switch (d->of) {
    case MAXPOOL_POOL:
        return d->random_filter ? d->kernel * d->kernel : 0;
    case MAXPOOL_MULTIPLY:
        return d->cols * d->cols;
    case MAXPOOL_CONVOLVE:
        return d->filters * (d->channels / d->groups) * d->kernel * d->kernel;
    case MAXPOOL_DISTANCES:
        return d->rows * d->cols;
    default:
        return 0;
    }
}

int64_t description_bias(const struct description *d)
{
    return d->bias ? d->filters : 0;
}

uint64_t description_draw(uint64_t *state)
{
    return digest_mix(*state += UINT64_C(0x9e3779b97f4a7c15));
}

static void fill(float *values, int64_t count, int64_t least, int64_t most, uint64_t *state)
{
    const uint64_t span = (uint64_t)(most - least + 1);
    for (int64_t i = 0; i < count; i++)
        values[i] = (float)(least + (int64_t)(description_draw(state) % span));
}

void description_fill_input(const struct description *d, float *values, int64_t count,
                            uint64_t *state)
{
    fill(values, count, 0, d->max_value, state);
}

void description_fill_operands(const struct description *d, struct description_operands *operands,
                               uint64_t *state)
{
    enum { LARGEST = 9 };
    const int64_t first = description_first(d);
    const bool points = d->of == MAXPOOL_DISTANCES;
    if (d->of == MAXPOOL_MULTIPLY && !d->random_filter)
        for (int64_t i = 0; i < first; i++)
            operands->first[i] = i % (d->cols + 1) == 0 ? 1.0f : 0.0f;
    else
        fill(operands->first, first, points ? 0 : -LARGEST, points ? d->max_value : LARGEST, state);
    fill(operands->bias, description_bias(d), -LARGEST, LARGEST, state);
}
