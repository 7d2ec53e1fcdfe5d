#include "harness/base/failure.h"

#include <stdarg.h>
#include <stdio.h>

/* Texts of files and names of users stand in messages: whatever they hold, it stays one line. */
static void keep_one_line(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == '\x7f')
            *text = '?';
}

enum status fail(struct failure *f, enum status status, const char *format, ...)
{
    if (f && f->status == STATUS_OK) {
        va_list arguments;
        va_start(arguments, format);
        f->status = status;
        vsnprintf(f->message, sizeof f->message, format, arguments);
        va_end(arguments);
        keep_one_line(f->message);
    }
    return status;
}
