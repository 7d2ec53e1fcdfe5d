#include "harness/base/text/wording.h"

#include "harness/base/text/catalogue.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/messages.h"
#include "harness/base/text/screen.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* A text of the catalogue has placeholders %{1}, %{2} and so on for its values, in this order. */
enum { VALUES_MAX = 9, VALUE_SIZE = 1200, DEPTH_MAX = 3, PLACEHOLDER_LENGTH = sizeof "%{1}" - 1 };

struct value {
    const char *text;
    size_t length;
};

struct match {
    const char *sentence;
    const char *pattern, *translation; /* NULL: none was found */
    size_t literal_length;             /* letters of the pattern outside its placeholders */
    struct value values[VALUES_MAX];
    size_t count;
};

static bool is_placeholder(const char *pattern)
{
    return strncmp(pattern, "%{", 2) == 0 && pattern[2] && pattern[3] == '}';
}

static size_t literal_span(const char *pattern)
{
    size_t length = 0;
    while (pattern[length] && !is_placeholder(pattern + length))
        length++;
    return length;
}

/* Whether the sentence is the pattern with values in its placeholders; m->values then holds them.
 */
static bool fits(const char *pattern, const char *sentence, struct match *m)
{
    m->count = m->literal_length = 0;
    while (*pattern) {
        const bool placeholder = is_placeholder(pattern);
        pattern += placeholder ? PLACEHOLDER_LENGTH : 0;
        const size_t length = literal_span(pattern);
        const char *at = sentence;
        if (placeholder && length == 0 && !*pattern)
            at += strlen(at);
        while (placeholder && *at && strncmp(at, pattern, length) != 0)
            at++;
        if (strncmp(at, pattern, length) != 0 || (placeholder && m->count == VALUES_MAX))
            return false;
        if (placeholder)
            m->values[m->count++] = (struct value){sentence, (size_t)(at - sentence)};
        sentence = at + length;
        pattern += length;
        m->literal_length += length;
    }
    return *sentence == '\0';
}

static void compare(const char *pattern, const char *translation, void *data)
{
    struct match *best = data, m = {.sentence = best->sentence};
    if (!fits(pattern, m.sentence, &m) ||
        (best->pattern && m.literal_length <= best->literal_length))
        return;
    m.pattern = pattern;
    m.translation = translation;
    *best = m;
}

static bool translate(const struct language *l, const char *context, const char *sentence,
                      int depth, char *text, size_t size);

/* Inserts the values into the translation; a value that is itself a text of the catalogue is
 * translated. */
static void fill(const struct language *l, const char *context, const struct match *m, int depth,
                 char *text, size_t size)
{
    static const char *const names[VALUES_MAX] = {"1", "2", "3", "4", "5", "6", "7", "8", "9"};
    char values[VALUES_MAX][VALUE_SIZE], value[VALUE_SIZE];
    struct argument arguments[VALUES_MAX + 1] = {{NULL, NULL}};
    for (size_t i = 0; i < m->count; i++) {
        snprintf(value, sizeof value, "%.*s", (int)m->values[i].length, m->values[i].text);
        translate(l, context, value, depth + 1, values[i], VALUE_SIZE);
        arguments[i] = (struct argument){names[i], values[i]};
    }
    message_fill(text, size, m->translation, arguments);
}

/* The text that fits best: the one with the most letters outside its placeholders. */
static struct match best_match(const struct language *l, const char *context, const char *sentence)
{
    struct match best = {.sentence = sentence};
    if (l->catalogue && *sentence)
        catalogue_walk(l->catalogue, context, compare, &best);
    return best;
}

/* What follows "NAME: ", which is how messages of programs begin; NULL: they do not begin so. */
static const char *behind_name(const char *sentence)
{
    const char *colon = strstr(sentence, ": ");
    return colon && strcspn(sentence, " ") >= (size_t)(colon - sentence) ? colon + 2 : NULL;
}

static bool translate_match(const struct language *l, const char *context,
                            const struct match *whole, int depth, char *text, size_t size);

/* Translates a sentence whose part behind a name is `rest`. */
static bool translate_behind_name(const struct language *l, const char *context,
                                  const char *sentence, const struct match *rest, int depth,
                                  char *text, size_t size)
{
    char translated[VALUE_SIZE], name[VALUE_SIZE];
    if (!translate_match(l, context, rest, depth + 1, translated, sizeof translated))
        return false;
    snprintf(name, sizeof name, "%.*s", (int)(rest->sentence - sentence), sentence);
    message_fill(text, size, "%{name}%{rest}", WITH({"name", name}, {"rest", translated}));
    return true;
}

/* Translates a sentence whose best match is `whole`. A text of what follows a name goes before a
 * shorter one of the whole. */
static bool translate_match(const struct language *l, const char *context,
                            const struct match *whole, int depth, char *text, size_t size)
{
    snprintf(text, size, "%s", whole->sentence);
    if (!l->catalogue || depth > DEPTH_MAX)
        return false;
    const char *behind = behind_name(whole->sentence);
    const struct match rest = behind ? best_match(l, context, behind) : (struct match){NULL};
    if (whole->pattern && whole->literal_length >= rest.literal_length) {
        fill(l, context, whole, depth, text, size);
        return true;
    }
    return behind && translate_behind_name(l, context, whole->sentence, &rest, depth, text, size);
}

/* Translates a sentence. Returns false, with the text unchanged, if the catalogue has no match. */
static bool translate(const struct language *l, const char *context, const char *sentence,
                      int depth, char *text, size_t size)
{
    const struct match whole = best_match(l, context, sentence);
    return translate_match(l, context, &whole, depth, text, size);
}

void wording_translate(const struct language *l, const char *context, const char *sentence,
                       char *text, size_t size)
{
    translate(l, context, sentence, 0, text, size);
}

struct screen_wording wording_on_screen(const char *reason)
{
    struct screen_wording wording;
    wording_translate(screen_language(), "reason", reason, wording.text, sizeof wording.text);
    return wording;
}

void wording_complain(const char *program, const char *message)
{
    fprintf(stderr, "%s: %s\n", program, wording_on_screen(message).text);
}

void wording_warn(const char *program, const char *format, ...)
{
    char message[VALUE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    text_fit_arguments(message, sizeof message, format, arguments);
    va_end(arguments);
    wording_complain(program, message);
}
