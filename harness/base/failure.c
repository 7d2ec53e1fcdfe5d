#include "harness/base/failure.h"

#include "harness/base/text/fit.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/resource.h>

/* Messages contain texts from files and names from users. Replaces control characters, so that a
 * message stays one line. */
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
        text_fit_arguments(f->message, sizeof f->message, format, arguments);
        va_end(arguments);
        keep_one_line(f->message);
    }
    return status;
}

enum status failure_status_of(int error, enum status usual)
{
    return error == EMFILE || error == ENFILE || error == ENOMEM ? STATUS_RESOURCE : usual;
}

const char *failure_of_write(int error)
{
    struct rlimit most;
    if (error == EFBIG && getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur != RLIM_INFINITY)
        return "the limit on file sizes is in the way (ulimit -f)";
    return strerror(error);
}
