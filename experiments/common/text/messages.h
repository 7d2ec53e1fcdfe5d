/* What people read: English as it stands in the sources, or its translation. An id is the English
 * text. Values stand in it by name, "%{method} takes %{times} times as long as %{base}", so that a
 * translation may put them in another order. docs/translation.md says how ids are written. */
#ifndef MAXPOOL_MESSAGES_H
#define MAXPOOL_MESSAGES_H

#include "experiments/common/text/language.h"

#include <stddef.h>

/* Marks a text for the catalogues where it is not an argument of a function below. A macro, since
 * it stands in initializers. */
#define N_(id) id

struct argument {
    const char *name, *value;
};

/* WITH({"method", name}, {"times", number}): arguments by name, ended by {NULL, NULL}. A macro,
 * since no function makes an array that lives as long as the call. */
#define WITH(...) ((const struct argument[]){__VA_ARGS__, {NULL, NULL}})

/* The text in the language; English where the catalogue lacks it. */
const char *message(const struct language *l, const char *id);

/* The same of a text that other contexts translate otherwise. */
const char *message_in(const struct language *l, const char *context, const char *id);

/* The form of a text that the count takes. */
const char *message_plural(const struct language *l, const char *one, const char *many,
                           unsigned long count);

/* Puts values into the places of a text that a function above returned, and returns its length.
 * The place of a value that is not among the arguments stays as it is, "%{name}"; `arguments` may
 * be NULL. What does not fit into `size` bytes is cut. */
size_t message_fill(char *text, size_t size, const char *pattern, const struct argument *arguments);

/* message_fill() of message(). */
size_t message_format(char *text, size_t size, const struct language *l, const char *id,
                      const struct argument *arguments);

/* Puts the decimal mark of the language into a text that holds numbers and nothing else. */
void number_localize(const struct language *l, char *text);

#endif
