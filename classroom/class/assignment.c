#include "classroom/class/assignment.h"

#include "classroom/lab/call/kinds.h"
#include "classroom/lab/starters.h"
#include "experiments/common/file_bytes.h"
#include "experiments/common/output.h"
#include "experiments/common/results.h"
#include "harness/base/suite_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Returns the value of the placeholder "@NAME@" at `text` in a template, and its length; NULL if
 * there is no placeholder at `text`. */
static const char *value_at(const char *text, const struct operator_row *a, const char *kernel,
                            size_t *length)
{
    const struct {
        const char *name, *value;
    } places[] = {{"@OPERATOR@", a->name},
                  {"@METHOD@", a->foreign->goal},
                  {"@AGAINST@", a->foreign->against},
                  {"@SIZES@", a->foreign->sizes},
                  {"@KERNEL@", kernel}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        *length = strlen(places[i].name);
        if (strncmp(text, places[i].name, *length) == 0)
            return places[i].value;
    }
    return NULL;
}

static enum status write_filled(const char *folder, const char *name, const char *code,
                                const struct operator_row *a, const char *kernel, struct failure *f)
{
    enum { MOST = 1 << 16 };
    struct output o;
    char *text, path[PATH_MAX];
    size_t count, length;
    lab_text_find(path, "class", name, code);
    if (file_bytes(path, MOST, &text, &count, NULL) != STATUS_OK)
        return fail(f, STATUS_UNAVAILABLE, "%s: the template is missing", path);
    enum status status = output_open(&o, results_file(folder, name).text, f);
    for (const char *at = text; status == STATUS_OK && *at;) {
        const char *value = value_at(at, a, kernel, &length);
        fputs(value ? value : (char[]){*at, '\0'}, o.stream);
        at += value ? length : 1;
    }
    free(text);
    return status == STATUS_OK ? output_close(&o, f) : status;
}

enum status assignment_make(const char *folder, const char *operator_name, const char *code,
                            struct failure *f)
{
    static const char *const names[] = {"Makefile", "rubric.ini", "INSTRUCTIONS.md",
                                        "INSTRUCCIONES.md"};
    char kernel[64];
    const struct operator_row *a = lab_kind_find(operator_name);
    if (!a)
        return fail(f, STATUS_USAGE, "--operator %s: the laboratory has %s", operator_name,
                    lab_kind_names().text);
    if (mkdir(folder, 0777) != 0)
        return fail(f, errno == EEXIST ? STATUS_USAGE : STATUS_OUTPUT, "%s: cannot be made: %s",
                    folder, strerror(errno));
    snprintf(kernel, sizeof kernel, "%s.c", operator_name);
    enum status status =
        lab_starter_write(operator_name, code, results_file(folder, kernel).text, f);
    for (size_t i = 0; i < sizeof names / sizeof *names && status == STATUS_OK; i++)
        status = write_filled(folder, names[i], code, a, kernel, f);
    return status;
}
