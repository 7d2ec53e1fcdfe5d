#include "harness/failure.h"

#include <stdarg.h>
#include <stdio.h>

enum status fail(struct failure *f, enum status status, const char *format, ...)
{
    if (f && f->status == STATUS_OK) {
        va_list arguments;
        va_start(arguments, format);
        f->status = status;
        vsnprintf(f->message, sizeof f->message, format, arguments);
        va_end(arguments);
    }
    return status;
}
