#include "classroom/lab/starters.h"

#include "classroom/lab/call/kinds.h"
#include "experiments/common/file_bytes.h"
#include "experiments/common/output.h"
#include "harness/base/suite_files.h"
#include "harness/base/text/fit.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 20 }; /* of a starter, or of a file beside it */

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

const char *lab_text_find(char path[PATH_MAX], const char *folder, const char *name,
                          const char *code)
{
    char shared[96];
    text_fit_format(shared, sizeof shared, "labs/%s/%s/%s", folder, code, name);
    if (access(suite_share(path, shared), R_OK) == 0)
        return path;
    text_fit_format(shared, sizeof shared, "labs/%s/%s", folder, name);
    return suite_share(path, shared);
}

/* True if a file is missing in a folder that is there. */
static bool is_missing_alone(const char *path)
{
    char folder[PATH_MAX];
    const char *name = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", name ? (int)(name - path) : 0, path);
    return access(path, F_OK) != 0 && access(folder, X_OK) == 0;
}

/* An empty function with the operator's arrays and integers. False: none of the laboratory. */
static bool compose_empty(const char *operator_name, char **text, size_t *length)
{
    const struct operator_row *kind = lab_kind_find(operator_name);
    FILE *to = kind ? open_memstream(text, length) : NULL;
    if (!to)
        return false;
    fprintf(to, "/* %s: write every element of %s. */\nvoid %s(", kind->words.subject,
            kind->foreign->arrays[2], kind->name);
    lab_kind_arguments(to, kind, true);
    fputs(")\n{\n}\n", to);
    return fclose(to) == 0;
}

enum status lab_starter_write(const char *operator_name, const char *code, const char *file,
                              struct failure *f)
{
    const int which = suffix_of(file);
    char path[PATH_MAX], name[64];
    struct failure why = {0};
    size_t length;
    char *text;
    if (which < 0)
        return fail(f, STATUS_USAGE,
                    "%s: there are starters in .c, .cc, .cpp, .cxx, .f90, .cu and .py", file);
    if (access(file, F_OK) == 0)
        return fail(f, STATUS_USAGE, "%s exists already; a starter would overwrite it", file);
    text_fit_format(name, sizeof name, "%s%s", operator_name, suffixes[which].starter);
    lab_text_find(path, "starters", name, code);
    const bool is_c = strcmp(suffixes[which].starter, ".c") == 0;
    if (file_bytes(path, MOST_BYTES, &text, &length, &why) != STATUS_OK &&
        !(is_c && is_missing_alone(path) && compose_empty(operator_name, &text, &length)))
        return fail(f, STATUS_USAGE, "no starter of %s for %s (%s)", operator_name, file,
                    why.message);
    const enum status status = write_text(file, text, length, suffixes[which].cpp, f);
    free(text);
    return status;
}

enum status lab_data_copy(const char *name, const char *path, struct failure *f)
{
    char from[PATH_MAX], shared[80];
    struct failure why = {0};
    size_t length;
    char *text;
    text_fit_format(shared, sizeof shared, "labs/%s", name);
    if (file_bytes(suite_share(from, shared), MOST_BYTES, &text, &length, &why) != STATUS_OK)
        return fail(f, STATUS_UNAVAILABLE, "%s", why.message);
    const enum status status = output_write(path, text, length, f);
    free(text);
    return status;
}
