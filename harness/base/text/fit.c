#include "harness/base/text/fit.h"

#include <stdio.h>
#include <string.h>

/* Ends a text that fills all `size` bytes in the mark. */
static void mark_cut(char *text, size_t size)
{
    static const char mark[] = "...";
    size_t length = size - sizeof mark;
    while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80)
        length--; /* do not cut within a character */
    memcpy(text + length, mark, sizeof mark);
}

/* Writes behind the first `used` bytes. */
__attribute__((format(printf, 4, 0))) static void write_at(char *to, size_t used, size_t size,
                                                           const char *format, va_list arguments)
{
    const int length = vsnprintf(to + used, size - used, format, arguments);
    if (length >= 0 && (size_t)length >= size - used)
        mark_cut(to, size);
}

void text_fit_arguments(char *to, size_t size, const char *format, va_list arguments)
{
    write_at(to, 0, size, format, arguments);
}

void text_fit_append(char *to, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_at(to, strlen(to), size, format, arguments);
    va_end(arguments);
}

void text_fit_format(char *to, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text_fit_arguments(to, size, format, arguments);
    va_end(arguments);
}

void text_fit(char *to, size_t size, const char *from)
{
    text_fit_format(to, size, "%s", from);
}
