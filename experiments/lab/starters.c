#include "experiments/lab/starters.h"

#include "experiments/common/output.h"
#include "harness/base/suite_files.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The starter for each suffix: C's is used for C++, too. */
static const struct {
    const char *suffix, *starter;
    bool cpp;
} suffixes[] = {
    {".c", ".c", false},     {".cc", ".c", true},   {".cpp", ".c", true},  {".cxx", ".c", true},
    {".f90", ".f90", false}, {".py", ".py", false}, {".cu", ".cu", false},
};

static int suffix_of(const char *file)
{
    const char *dot = strrchr(file, '.');
    for (size_t i = 0; dot && i < sizeof suffixes / sizeof *suffixes; i++)
        if (strcmp(dot, suffixes[i].suffix) == 0)
            return (int)i;
    return -1;
}

/* Returns the text of a file, or NULL. */
static char *read_text(const char *path, size_t *length)
{
    enum { MOST = 1 << 16 };
    FILE *in = fopen(path, "r");
    char *text = in ? malloc(MOST) : NULL;
    *length = text ? fread(text, 1, MOST, in) : 0;
    if (in)
        fclose(in);
    return text;
}

/* Writes the starter. For C++ adds extern "C", so that the function keeps its C name. */
static enum status write_text(const char *file, const char *text, size_t length, bool cpp,
                              struct failure *f)
{
    struct output o;
    enum status status = output_open(&o, file, f);
    if (status != STATUS_OK)
        return status;
    if (!cpp) {
        fwrite(text, 1, length, o.stream);
        return output_close(&o, f);
    }
    const char *function = strstr(text, "\nvoid ");
    const size_t before = function ? (size_t)(function + 1 - text) : 0;
    fwrite(text, 1, before, o.stream);
    fputs("extern \"C\" ", o.stream);
    fwrite(text + before, 1, length - before, o.stream);
    return output_close(&o, f);
}

enum status lab_starter_write(const char *operator_name, const char *file, struct failure *f)
{
    const int which = suffix_of(file);
    char path[PATH_MAX], name[64];
    size_t length;
    if (which < 0)
        return fail(f, STATUS_USAGE,
                    "%s: there are starters in .c, .cc, .cpp, .cxx, .f90, .cu and .py", file);
    if (access(file, F_OK) == 0)
        return fail(f, STATUS_USAGE, "%s exists already; a starter would overwrite it", file);
    snprintf(name, sizeof name, "labs/starters/%.40s%s", operator_name, suffixes[which].starter);
    char *text = read_text(suite_share(path, name), &length);
    if (!text)
        return fail(f, STATUS_USAGE, "no starter of %s for %s (%s: %s)", operator_name, file, path,
                    strerror(errno));
    const enum status status = write_text(file, text, length, suffixes[which].cpp, f);
    free(text);
    return status;
}

enum status lab_data_copy(const char *name, const char *path, struct failure *f)
{
    char from[PATH_MAX], shared[80];
    size_t length;
    snprintf(shared, sizeof shared, "labs/%.60s", name);
    char *text = read_text(suite_share(from, shared), &length);
    const enum status status = text ? output_write(path, text, length, f)
                                    : fail(f, STATUS_UNAVAILABLE, "%s: %s", from, strerror(errno));
    free(text);
    return status;
}
