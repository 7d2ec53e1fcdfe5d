#include "harness/base/text/messages.h"

#include "harness/base/text/catalogue.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/plural.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

const char *message_in(const struct language *l, const char *context, const char *id)
{
    const char *text = l->catalogue ? catalogue_find(l->catalogue, context, id) : NULL;
    return text ? text : id;
}

const char *message(const struct language *l, const char *id)
{
    return message_in(l, NULL, id);
}

const char *message_plural(const struct language *l, const char *one, const char *many,
                           unsigned long count)
{
    const char *text = l->catalogue ? catalogue_find_plural(l->catalogue, one, count) : NULL;
    if (text)
        return text;
    return plural_form(NULL, count) == 0 ? one : many;
}

/* Returns the length of the placeholder "%{name}" that begins the text; 0 if none does. */
static size_t placeholder_length(const char *text)
{
    const char *end = strncmp(text, "%{", 2) == 0 ? strchr(text, '}') : NULL;
    return end ? (size_t)(end - text) + 1 : 0;
}

static const char *value_of(const char *placeholder, size_t length,
                            const struct argument *arguments)
{
    const size_t name = length - strlen("%{}");
    for (; arguments && arguments->name; arguments++)
        if (strlen(arguments->name) == name && strncmp(arguments->name, placeholder + 2, name) == 0)
            return arguments->value;
    return NULL;
}

/* Appends what there is space for; *cut is set where that is not all. */
static size_t append(char *text, size_t size, size_t used, const char *from, size_t length,
                     bool *cut)
{
    const size_t room = size - 1 - used;
    const size_t taken = length < room ? length : room;
    *cut = *cut || taken < length;
    memcpy(text + used, from, taken);
    return used + taken;
}

size_t message_fill(char *text, size_t size, const char *pattern, const struct argument *arguments)
{
    size_t used = 0;
    bool cut = false;
    while (*pattern) {
        const size_t placeholder = placeholder_length(pattern);
        const char *value = placeholder ? value_of(pattern, placeholder, arguments) : NULL;
        const size_t taken = placeholder ? placeholder : 1;
        used =
            append(text, size, used, value ? value : pattern, value ? strlen(value) : taken, &cut);
        pattern += taken;
    }
    text[used] = '\0';
    if (cut)
        text_mark_cut(text, size);
    return cut ? strlen(text) : used;
}

size_t message_format(char *text, size_t size, const struct language *l, const char *id,
                      const struct argument *arguments)
{
    return message_fill(text, size, message(l, id), arguments);
}

/* Replaces each point after a digit by the decimal mark, and each comma, which separates the ends
 * of an interval, by the language's separator. */
void number_localize(const struct language *l, char *text)
{
    /* Translators: the decimal mark of numbers, one character. */
    const char decimal = message_in(l, "number", ".")[0];
    /* Translators: what parts the ends of an interval, one character. */
    const char between = message_in(l, "number", ",")[0];
    for (char *at = text; *at; at++)
        if (*at == ',')
            *at = between;
        else if (*at == '.' && at > text && isdigit((unsigned char)at[-1]))
            *at = decimal;
}

struct integer_text integer_text(int64_t value)
{
    struct integer_text t;
    snprintf(t.text, sizeof t.text, "%lld", (long long)value);
    return t;
}
