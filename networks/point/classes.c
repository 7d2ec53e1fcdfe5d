#include "networks/point/classes.h"

#include "harness/base/regular_file.h"
#include "harness/base/utf8.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 4096 };

enum status classes_check(int64_t top, const char *names, int64_t classes, struct failure *f)
{
    if (names && top == 0)
        return fail(f, STATUS_USAGE,
                    "--class-names names the classes that --top prints: give both");
    if (top > classes)
        return fail(f, STATUS_USAGE, "--top %lld is more than the outputs of the network, %lld",
                    (long long)top, (long long)classes);
    return STATUS_OK;
}

/* ---- names ------------------------------------------------------------------------------------
 */

/* Removes the blanks at both ends of a line. */
static char *trim(char *line)
{
    line += strspn(line, " \t");
    size_t length = strlen(line);
    while (length > 0 && strchr(" \t\r\n", line[length - 1]))
        line[--length] = 0;
    return line;
}

static enum status add(struct classes *c, const char *name, const char *path, struct failure *f)
{
    if (!name[0])
        return fail(f, STATUS_USAGE, "%s: line %lld: a class has no name", path,
                    (long long)c->count + 1);
    c->names[c->count] = strdup(name);
    if (!c->names[c->count])
        return fail(f, STATUS_RESOURCE, "%s: no memory for its names", path);
    c->count++;
    return STATUS_OK;
}

static enum status read_lines(struct classes *c, FILE *stream, const char *path, int64_t count,
                              struct failure *f)
{
    char line[LINE + 2];
    enum status status = STATUS_OK;
    while (status == STATUS_OK && fgets(line, sizeof line, stream)) {
        if (!strchr(line, '\n') && !feof(stream))
            status = fail(f, STATUS_USAGE, "%s: line %lld: more than %d bytes", path,
                          (long long)c->count + 1, LINE);
        else if (c->count == count)
            status = fail(f, STATUS_USAGE, "%s: more names than the %lld classes", path,
                          (long long)count);
        else
            status = add(c, trim(line), path, f);
    }
    if (status == STATUS_OK && ferror(stream))
        status = fail(f, STATUS_USAGE, "%s: cannot be read", path);
    if (status == STATUS_OK && c->count < count)
        status = fail(f, STATUS_USAGE, "%s: names %lld classes, and the network has %lld", path,
                      (long long)c->count, (long long)count);
    return status;
}

enum status classes_read(struct classes *c, const char *path, int64_t count, struct failure *f)
{
    FILE *stream;
    int64_t bytes;
    *c = (struct classes){0};
    enum status status = regular_stream(path, &stream, &bytes, f);
    if (status != STATUS_OK)
        return status;
    c->names = calloc((size_t)count, sizeof *c->names);
    status = c->names ? read_lines(c, stream, path, count, f)
                      : fail(f, STATUS_RESOURCE, "%s: no memory for its names", path);
    fclose(stream);
    return status;
}

void classes_release(struct classes *c)
{
    for (int64_t i = 0; i < c->count; i++)
        free(c->names[i]);
    free(c->names);
    *c = (struct classes){0};
}

/* ---- the most likely --------------------------------------------------------------------------
 */

/* True if class a comes before b: its output is larger, or equal and its index smaller. */
static bool is_before(const float *outputs, int64_t a, int64_t b)
{
    return outputs[a] > outputs[b] || (!(outputs[a] < outputs[b]) && a < b);
}

/* The class that comes after `last`; -1: the first of all. */
static int64_t next_class(const float *outputs, int64_t count, int64_t last)
{
    int64_t best = -1;
    for (int64_t i = 0; i < count; i++)
        if ((last < 0 || is_before(outputs, last, i)) && (best < 0 || is_before(outputs, i, best)))
            best = i;
    return best;
}

/* The sum of exp(x - most). */
static double sum_exponentials(const float *outputs, int64_t count, double most)
{
    double sum = 0.0;
    for (int64_t i = 0; i < count; i++)
        sum += exp((double)outputs[i] - most);
    return sum;
}

void classes_print_top(FILE *out, const float *outputs, int64_t count, int64_t top,
                       const struct classes *c)
{
    int64_t last = next_class(outputs, count, -1);
    const double most = (double)outputs[last], sum = sum_exponentials(outputs, count, most);
    for (int64_t i = 0; i < top; i++) {
        const double share = exp((double)outputs[last] - most) / sum;
        char name[512] = "";
        if (c->names)
            utf8_clean(c->names[last], name, sizeof name, true);
        fprintf(out, "%5lld  %8.4f %%  %12.6g  %lld%s%s\n", (long long)i + 1, 100.0 * share,
                (double)outputs[last], (long long)last, name[0] ? "  " : "", name);
        last = next_class(outputs, count, last);
    }
}
