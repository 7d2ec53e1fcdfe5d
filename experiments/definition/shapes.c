#include "experiments/definition/shapes.h"

#include "experiments/common/results.h"
#include "harness/base/text/integer.h"

#include <string.h>

const char shape_form[] = "a shape such as alexnet_1:1536x55x55:k3:s2:p0";

/* Parses the text `before` and an integer of at least `least` at *text, and moves *text behind
 * them. */
static bool take(const char **text, const char *before, int64_t least, int64_t *value)
{
    const size_t length = strlen(before);
    if (strncmp(*text, before, length) != 0)
        return false;
    *text += length;
    return integer_take(text, least, INT64_MAX, value);
}

/* Parses the window, if any, and the filters and groups of a convolution, if they follow. */
static bool take_window(const char **text, struct shape *out)
{
    if (**text == '\0')
        return true;
    if (!take(text, ":k", 1, &out->kernel) || !take(text, ":s", 1, &out->stride) ||
        !take(text, ":p", 0, &out->padding))
        return false;
    if (**text == '\0')
        return true;
    out->groups = 1;
    return take(text, ":f", 1, &out->filters) &&
           (**text == '\0' || take(text, ":g", 1, &out->groups));
}

bool shape_parse(const char *text, struct shape *out)
{
    const size_t length = strcspn(text, ":");
    *out =
        (struct shape){.kernel = RECORD_NO_INT, .stride = RECORD_NO_INT, .padding = RECORD_NO_INT};
    if (length == 0 || length >= sizeof out->name)
        return false;
    memcpy(out->name, text, length);
    text += length;
    return results_name_is_safe(out->name) && take(&text, ":", 1, &out->planes) &&
           take(&text, "x", 1, &out->rows) && take(&text, "x", 1, &out->cols) &&
           take_window(&text, out) && *text == '\0';
}

void shape_apply(const struct shape *shape, struct record *point)
{
    if (shape->filters > 0) {
        point->channels = shape->planes;
        point->filters = shape->filters;
        point->groups = shape->groups;
    } else {
        point->planes = shape->planes;
    }
    point->rows = shape->rows;
    point->cols = shape->cols;
    point->kernel = shape->kernel;
    point->stride = shape->stride;
    point->padding = shape->padding;
}

bool shape_is(const struct shape *shape, const struct record *point)
{
    const bool same_planes = shape->filters > 0 ? point->channels == shape->planes &&
                                                      point->filters == shape->filters &&
                                                      point->groups == shape->groups
                                                : point->planes == shape->planes;
    return same_planes && point->rows == shape->rows && point->cols == shape->cols &&
           point->kernel == shape->kernel && point->stride == shape->stride &&
           point->padding == shape->padding;
}
