/* Texts in a limited number of bytes, at least 4: one that does not fit is cut between two
 * characters (UTF-8) and ends in "...", so that nobody takes it for whole. */
#ifndef MAXPOOL_FIT_H
#define MAXPOOL_FIT_H

#include <stdarg.h>
#include <stddef.h>

/* Copies a text. */
void text_fit(char *to, size_t size, const char *from);

/* Writes a text by its format, without the truncation of snprintf(). */
void text_fit_format(char *to, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void text_fit_arguments(char *to, size_t size, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/* Writes it behind the text that is there. */
void text_fit_append(char *to, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
