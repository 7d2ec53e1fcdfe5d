/* Texts in a limited number of bytes: one that does not fit is cut between two characters (UTF-8)
 * and ends in "...", or in as many dots as fit, so that nobody takes it for whole. */
#ifndef MAXPOOL_FIT_H
#define MAXPOOL_FIT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* Copies a text. */
void text_fit(char *to, size_t size, const char *from);

/* A text as part of a message, so that it leaves space for what follows: its first bytes, 3 to 1000
 * at most. */
struct brief_text {
    char text[1001];
};
struct brief_text text_brief(const char *text, size_t most);

/* Ends a text in "..." that has `size` bytes and should have more. */
void text_mark_cut(char *text, size_t size);

/* Writes a text by its format, without the truncation of snprintf(). */
void text_fit_format(char *to, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void text_fit_arguments(char *to, size_t size, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/* Writes it behind the text that is there. Returns whether it fits. */
bool text_fit_append(char *to, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
