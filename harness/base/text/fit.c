#include "harness/base/text/fit.h"

#include <stdio.h>
#include <string.h>

void text_mark_cut(char *text, size_t size)
{
    static const char mark[] = "...";
    const size_t room = size < sizeof mark ? size : sizeof mark;
    size_t length = size - room;
    while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80)
        length--; /* do not cut within a character */
    memcpy(text + length, mark + sizeof mark - room, room);
}

/* Writes behind the first `used` bytes. Returns whether it fits. */
__attribute__((format(printf, 4, 0))) static bool write_at(char *to, size_t used, size_t size,
                                                           const char *format, va_list arguments)
{
    const int length = vsnprintf(to + used, size - used, format, arguments);
    const bool cut = length >= 0 && (size_t)length >= size - used;
    if (cut)
        text_mark_cut(to, size);
    return !cut;
}

void text_fit_arguments(char *to, size_t size, const char *format, va_list arguments)
{
    write_at(to, 0, size, format, arguments);
}

bool text_fit_append(char *to, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const bool fits = write_at(to, strlen(to), size, format, arguments);
    va_end(arguments);
    return fits;
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

struct brief_text text_brief(const char *text, size_t most)
{
    struct brief_text brief;
    text_fit(brief.text, most + 1, text);
    return brief;
}
