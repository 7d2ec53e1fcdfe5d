#include "library/failure.h"

#include "include/maxpool/version.h"

#include <stdio.h>

_Static_assert((int)STATUS_OUTPUT == (int)MAXPOOL_OUTPUT,
               "both enumerations have the same numbers");

enum maxpool_status failure_give(const struct failure *f, struct maxpool_failure *out)
{
    if (f->status != STATUS_OK && out) {
        out->status = (enum maxpool_status)f->status;
        snprintf(out->message, sizeof out->message, "%s", f->message);
    }
    return (enum maxpool_status)f->status;
}

enum status failure_if_null(const void *pointer, const char *what, struct failure *f)
{
    return pointer ? STATUS_OK : fail(f, STATUS_USAGE, "%s is NULL", what);
}

const char *maxpool_status_text(enum maxpool_status status)
{
    switch (status) {
    case MAXPOOL_OK:
        return "done";
    case MAXPOOL_WRONG:
        return "wrong result";
    case MAXPOOL_USAGE:
        return "wrong argument or file";
    case MAXPOOL_UNAVAILABLE:
        return "not available here";
    case MAXPOOL_RESOURCE:
        return "a resource is lacking";
    case MAXPOOL_OUTPUT:
        return "output could not be written";
    }
    return "unknown status";
}

const char *maxpool_version(void)
{
    return MAXPOOL_VERSION;
}
