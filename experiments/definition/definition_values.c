#include "experiments/definition/definition_values.h"

#include "experiments/common/results.h"
#include "harness/base/text/decimal_point.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/integer.h"
#include "harness/base/text/word_list.h"
#include "harness/records/record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES_MAX = 1000 /* of one axis */ };

struct place {
    char text[1000];
};

/* Where the value is: "FILE:LINE: key", or the option that it comes from. */
static struct place place_of(const struct value *v)
{
    struct place at;
    if (v->entry->line == 0)
        text_fit(at.text, sizeof at.text, v->entry->key);
    else
        text_fit_format(at.text, sizeof at.text, "%s:%d: %s", v->source->path, v->entry->line,
                        v->entry->key);
    return at;
}

enum status value_refuse(const struct value *v, const char *token, const char *expected)
{
    return fail(v->source->failure, STATUS_USAGE, "%s: '%s' is not %s", place_of(v).text, token,
                expected);
}

/* Splits the value; an empty list, or one with an empty item, is an error. */
static enum status split(const struct value *v, const char *separators, struct texts *out)
{
    const size_t empty = word_list_empty_item(v->entry->value);
    if (!*v->entry->value)
        return value_refuse(v, "", "a list of at least one value");
    if (empty > 0)
        return fail(v->source->failure, STATUS_USAGE, "%s: item %zu of '%s' is empty",
                    place_of(v).text, empty, v->entry->value);
    char *copy = strdup(v->entry->value), *rest = NULL;
    bool good = copy != NULL;
    for (char *token = good ? strtok_r(copy, separators, &rest) : NULL; token && good;
         token = strtok_r(NULL, separators, &rest))
        good = texts_add(out, token);
    free(copy);
    return good ? STATUS_OK : definition_out_of_memory(v->source);
}

/* Parses "123" or "cores" at *text and moves *text behind it. */
static bool take_integer(const char **text, int64_t cores, int64_t *value)
{
    static const char word[] = "cores";
    if (strncmp(*text, word, sizeof word - 1) == 0) {
        *text += sizeof word - 1;
        *value = cores;
        return true;
    }
    return integer_take(text, 0, INT64_MAX, value);
}

static bool is_integer(const char *text, int64_t cores, int64_t *value)
{
    return take_integer(&text, cores, value) && *text == '\0';
}

/* A range with its step: "2..16384" "x2". */
struct range {
    int64_t first, last;
    bool geometric;
    int64_t step;
};

static bool is_range(const char *text, int64_t cores, struct range *range)
{
    range->geometric = false;
    range->step = 1;
    if (!take_integer(&text, cores, &range->first) || strncmp(text, "..", 2) != 0)
        return false;
    return is_integer(text + 2, cores, &range->last);
}

/* Whether the token is a step: the token after a range may be one, "x2" or "+10". */
static bool is_step(const char *text, struct range *range)
{
    if (*text != 'x' && *text != '+')
        return false;
    range->geometric = *text == 'x';
    return is_integer(text + 1, 0, &range->step);
}

static enum status add_integer(const struct value *v, int64_t least, int64_t number,
                               struct texts *out)
{
    char text[32], expected[64];
    snprintf(text, sizeof text, "%" PRId64, number);
    snprintf(expected, sizeof expected, "an integer of at least %" PRId64, least);
    if (number < least)
        return value_refuse(v, text, expected);
    if (out->count >= VALUES_MAX)
        return value_refuse(v, v->entry->value, "a list of at most 1000 values");
    if (!texts_have(out, text) && !texts_add(out, text))
        return definition_out_of_memory(v->source);
    return STATUS_OK;
}

static enum status add_range(const struct value *v, int64_t least, const char *token,
                             const struct range *range, struct texts *out)
{
    if (range->first > range->last)
        return value_refuse(v, token, "a range with a value in it: its first exceeds its last");
    if (range->step < (range->geometric ? 2 : 1) || (range->geometric && range->first < 1))
        return value_refuse(v, token, "a range that ends: steps are x2 or more, or +1 or more");
    int64_t number = range->first;
    bool within = true;
    while (within) {
        enum status status = add_integer(v, least, number, out);
        if (status != STATUS_OK)
            return status;
        within = !(range->geometric ? __builtin_mul_overflow(number, range->step, &number)
                                    : __builtin_add_overflow(number, range->step, &number)) &&
                 number <= range->last;
    }
    return STATUS_OK;
}

static enum status expand_integers(const struct value *v, int64_t least, const struct texts *tokens,
                                   struct texts *out)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < tokens->count && status == STATUS_OK; i++) {
        const char *token = tokens->items[i];
        struct range range;
        int64_t number;
        if (is_integer(token, v->cores, &number)) {
            status = add_integer(v, least, number, out);
        } else if (is_range(token, v->cores, &range)) {
            if (i + 1 < tokens->count && is_step(tokens->items[i + 1], &range))
                i++;
            status = add_range(v, least, token, &range, out);
        } else {
            status =
                value_refuse(v, token, "an integer or a range such as 2..1024 x2 or 10..50 +10");
        }
    }
    return status;
}

enum status value_integers(const struct value *v, int64_t least, struct texts *out)
{
    struct texts tokens = {0};
    enum status status = split(v, " \t,", &tokens);
    if (status == STATUS_OK)
        status = expand_integers(v, least, &tokens, out);
    texts_release(&tokens);
    return status;
}

/* The words become values of options, so none may look like an option itself. */
enum status value_words(const struct value *v, enum words words, struct texts *out)
{
    enum status status = split(v, words == WORDS_OF_LISTS ? " \t" : " \t,", out);
    for (size_t i = 0; i < out->count && status == STATUS_OK; i++) {
        if (words == WORDS_NAMES && !results_name_is_safe(out->items[i]))
            status = value_refuse(v, out->items[i], "a name of letters, digits, '_' and '-'");
        else if (out->items[i][0] == '-' || strlen(out->items[i]) >= RECORD_TEXT)
            status = value_refuse(v, out->items[i], "a value of that option");
    }
    return status;
}

enum status value_text(const struct value *v, char **field)
{
    if (!*v->entry->value)
        return value_refuse(v, "", "a text");
    free(*field);
    *field = strdup(v->entry->value);
    return *field ? STATUS_OK : definition_out_of_memory(v->source);
}

enum status value_choice(const struct value *v, const char *choices, char **field)
{
    char wanted[64];
    int length = snprintf(wanted, sizeof wanted, "|%s|", v->entry->value);
    if ((size_t)length >= sizeof wanted || !strstr(choices, wanted) || strchr(v->entry->value, '|'))
        return value_refuse(v, v->entry->value, choices);
    return value_text(v, field);
}

enum status value_ratio(const struct value *v, double *field)
{
    char *end;
    *field = strtod(v->entry->value, &end);
    if (end == v->entry->value || *end || !(*field > 0 && *field < 1)) {
        char expected[100];
        snprintf(expected, sizeof expected, "a number between 0 and 1%s",
                 point_hint_of(v->entry->value).text);
        return value_refuse(v, v->entry->value, expected);
    }
    return STATUS_OK;
}

enum status value_count(const struct value *v, int64_t least, int64_t *field)
{
    if (!is_integer(v->entry->value, v->cores, field) || *field < least)
        return value_refuse(v, v->entry->value,
                            least > 0 ? "an integer of at least 1" : "an integer of at least 0");
    return STATUS_OK;
}

enum status definition_check_integers(const char *option, const char *list, int64_t least,
                                      int64_t cores, struct failure *f)
{
    char key[64];
    struct texts values = {0};
    struct definition_source source = {.path = key, .failure = f};
    struct entry entry = {.key = key, .value = strdup(list)};
    snprintf(key, sizeof key, "%s", option);
    const struct value v = {&source, &entry, cores};
    const enum status status =
        entry.value ? value_integers(&v, least, &values) : definition_out_of_memory(&source);
    free(entry.value);
    texts_release(&values);
    return status;
}
