#include "classroom/lab/grade.h"

#include "harness/base/regular_file.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/word_list.h"

#include <ini.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the file -------------------------------------------------------------------------------- */

struct rubric_reading {
    struct lab_rubric *rubric;
    char wrong[256]; /* describes the first wrong line */
};

static int refuse(struct rubric_reading *in, const char *name, const char *value, const char *why)
{
    if (!in->wrong[0])
        text_fit_format(in->wrong, sizeof in->wrong, "%s = %s: %s", name, value, why);
    return 0;
}

static bool parse_number(const char *text, double *number)
{
    char *end;
    *number = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*number) && *number >= 0.0;
}

static int take_points(struct rubric_reading *in, const char *name, const char *value)
{
    struct lab_rubric *r = in->rubric;
    double points, ratio;
    if (!parse_number(name, &points))
        return refuse(in, name, value, "points are a number of at least 0");
    if (strcmp(value, "correct") == 0) {
        r->correct = points;
        return 1;
    }
    if (!parse_number(value, &ratio) || ratio <= 0.0)
        return refuse(in, name, value, "expected a ratio above 0, or 'correct'");
    if (r->count == LAB_STEPS)
        return refuse(in, name, value, "too many steps of points");
    r->steps[r->count].points = points;
    r->steps[r->count++].ratio = ratio;
    return 1;
}

static int take_size(struct rubric_reading *in, const char *name, const char *value)
{
    struct lab_rubric *r = in->rubric;
    const struct {
        const char *name;
        int64_t *target;
    } sizes[] = {{"size", &r->size},     {"threads", &r->threads}, {"kernel", &r->kernel},
                 {"stride", &r->stride}, {"padding", &r->padding}, {"planes", &r->planes}};
    double number;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (strcmp(name, sizes[i].name) == 0) {
            if (!parse_number(value, &number) || number != floor(number) || number > 1e6)
                return refuse(in, name, value, "expected a whole number");
            *sizes[i].target = (int64_t)number;
            return 1;
        }
    return refuse(
        in, name, value,
        "[kernel] has operator, method, against, size, threads, kernel, stride, padding, planes");
}

static int take_line(void *user, const char *section, const char *name, const char *value)
{
    struct rubric_reading *in = user;
    struct lab_rubric *r = in->rubric;
    if (strcmp(section, "points") == 0)
        return take_points(in, name, value);
    if (strcmp(section, "kernel") != 0)
        return refuse(in, name, value, "a rubric has the sections [kernel] and [points]");
    if (strcmp(name, "operator") == 0)
        return snprintf(r->operator_name, sizeof r->operator_name, "%s", value) > 0;
    if (strcmp(name, "method") == 0)
        return snprintf(r->method, sizeof r->method, "%s", value) > 0;
    if (strcmp(name, "against") == 0)
        return snprintf(r->against, sizeof r->against, "%s", value) > 0;
    return take_size(in, name, value);
}

/* Checks that the operator has the method. */
static enum status check_method(const struct lab_rubric *r, const char *path, const char *key,
                                const char *method, struct failure *f)
{
    return operator_method(operator_find(r->operator_name), SPACE_HOST, method)
               ? STATUS_OK
               : fail(f, STATUS_USAGE, "%s: %s = %s: %s has no such method", path, key, method,
                      r->operator_name);
}

/* Fills `methods`. */
static enum status join_methods(struct lab_rubric *r, const char *path, struct failure *f)
{
    char names[sizeof r->against];
    enum status status = check_method(r, path, "method", r->method, f);
    snprintf(r->methods, sizeof r->methods, "%s", r->method);
    snprintf(names, sizeof names, "%s", r->against);
    for (char *rest = NULL, *name = strtok_r(names, ", ", &rest); name && status == STATUS_OK;
         name = strtok_r(NULL, ", ", &rest)) {
        status = check_method(r, path, "against", name, f);
        if (strcmp(name, r->method) != 0)
            word_list_add(r->methods, sizeof r->methods, ",", name);
    }
    return status;
}

static enum status check_names(struct lab_rubric *r, const char *path, struct failure *f)
{
    if (!lab_kind_find(r->operator_name))
        return fail(f, STATUS_USAGE, "%s: operator = %s: the laboratory has %s", path,
                    r->operator_name, lab_kind_names().text);
    if (r->count == 0 && r->correct <= 0.0)
        return fail(f, STATUS_USAGE, "%s: [points] gives none", path);
    return join_methods(r, path, f);
}

/* Opens the file; a failure names the option too. */
static enum status open_rubric(FILE **text, const char *option, const char *path, struct failure *f)
{
    int64_t ignored;
    struct failure why = {.status = STATUS_OK};
    const enum status status = regular_stream(path, text, &ignored, &why);
    return status == STATUS_OK ? STATUS_OK : fail(f, status, "%s %s", option, why.message);
}

enum status lab_rubric_read(struct lab_rubric *r, const char *option, const char *path,
                            struct failure *f)
{
    FILE *text;
    struct rubric_reading in = {.rubric = r};
    *r = (struct lab_rubric){.operator_name = "maxpool", .method = "literal"};
    const enum status status = open_rubric(&text, option, path, f);
    if (status != STATUS_OK)
        return status;
    const int line = ini_parse_file(text, take_line, &in);
    fclose(text);
    if (line != 0)
        return fail(f, STATUS_USAGE, "%s:%d: %s", path, line,
                    in.wrong[0] ? in.wrong : "expected 'key = value' or '[section]'");
    return check_names(r, path, f);
}

/* ---- the grade ------------------------------------------------------------------------------- */

static double points_at(const struct lab_rubric *r, double ratio)
{
    double points = r->correct;
    for (size_t i = 0; i < r->count; i++)
        if (ratio <= r->steps[i].ratio)
            points = fmax(points, r->steps[i].points);
    return points;
}

struct lab_grade lab_grade_of(const struct lab_rubric *r, const struct lab_timing *timing)
{
    return lab_grade_by(r, timing ? &timing->candidates[1].ratio : NULL);
}

struct lab_grade lab_grade_by(const struct lab_rubric *r, const struct summary *times)
{
    struct lab_grade g = {
        .most = points_at(r, 0.0), .decided = true, .ratio = NAN, .lower = NAN, .upper = NAN};
    if (!times)
        return g;
    g.ratio = 1.0 / times->median;
    g.lower = 1.0 / times->upper;
    g.upper = 1.0 / times->lower;
    g.points = points_at(r, g.upper);
    g.perhaps = points_at(r, g.lower);
    g.decided = g.points >= g.perhaps; /* without an interval (NaN bounds) nothing is decided yet */
    if (!(g.lower <= g.upper))
        g.decided = r->count == 0;
    return g;
}
