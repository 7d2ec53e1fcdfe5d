/* The texts that people read: in English as written in the sources, or translated. The English text
 * is its own id. Values are inserted by name, "%{method} takes %{times} times as long as %{base}",
 * so that a translation can change their order. po/README.md says how ids are written. */
#ifndef MAXPOOL_MESSAGES_H
#define MAXPOOL_MESSAGES_H

#include "harness/base/text/language.h"

#include <stddef.h>
#include <stdint.h>

/* Marks a text for the catalogues if it is not an argument of a function below. It is a macro
 * because it is used in initializers. */
#define N_(id) id

struct argument {
    const char *name, *value;
};

/* WITH({"method", name}, {"times", number}): arguments by name, ended by {NULL, NULL}. It is a
 * macro because no function can create an array that lives until the end of the call. */
#define WITH(...) ((const struct argument[]){__VA_ARGS__, {NULL, NULL}})

/* Returns the text in language `l`; English if the catalogue lacks it. */
const char *message(const struct language *l, const char *id);

/* The same for a text that is translated differently in other contexts. */
const char *message_in(const struct language *l, const char *context, const char *id);

/* Returns the form of a text that `count` takes. */
const char *message_plural(const struct language *l, const char *one, const char *many,
                           unsigned long count);

/* Inserts values into a text that a function above returned; returns the length. The place
 * "%{name}" of a value that is not among the arguments remains unchanged; `arguments` may be NULL.
 * A text of more than `size` bytes ends in "...". */
size_t message_fill(char *text, size_t size, const char *pattern, const struct argument *arguments);

/* message_fill() of message(). */
size_t message_format(char *text, size_t size, const struct language *l, const char *id,
                      const struct argument *arguments);

/* Returns the digits of an integer, as a value: WITH({"n", integer_text(n).text}). */
struct integer_text {
    char text[24];
};
struct integer_text integer_text(int64_t value);

/* Puts the decimal mark of language `l` into a text that consists only of numbers. */
void number_localize(const struct language *l, char *text);

#endif
