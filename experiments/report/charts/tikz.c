#include "experiments/report/charts/tikz.h"

#include "experiments/common/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *from, *to;
} spellings[] = {
    {"\\", "\\textbackslash{}"},
    {"{", "\\{"},
    {"}", "\\}"},
    {"%", "\\%"},
    {"&", "\\&"},
    {"#", "\\#"},
    {"_", "\\_"},
    {"$", "\\$"},
    {"^", "\\textasciicircum{}"},
    {"~", "\\textasciitilde{}"},
    {"µ", "$\\mu$"},
    {"×", "$\\times$"},
    {"·", "$\\cdot$"},
    {"±", "$\\pm$"},
    {"→", "$\\rightarrow$"},
    {"←", "$\\leftarrow$"},
    {"↑", "$\\uparrow$"},
    {"↓", "$\\downarrow$"},
};

/* Writes the spelling of the beginning of a text; returns the bytes that it replaces. */
static size_t write_spelled(FILE *to, const char *text)
{
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        const size_t length = strlen(spellings[i].from);
        if (strncmp(text, spellings[i].from, length) == 0) {
            fputs(spellings[i].to, to);
            return length;
        }
    }
    putc(*text, to);
    return 1;
}

/* The terminal writes the numbers of an axis without its own format between dollars. */
static bool is_number(const char *text, const char *end)
{
    const size_t length = (size_t)(end - text);
    return length > 2 && text[0] == '$' && end[-1] == '$' &&
           strspn(text + 1, "0123456789.,+-") == length - 2;
}

/* Only a line "\node[...] at (x,y) {TEXT};" has a text. */
static void write_line(FILE *to, const char *line)
{
    const char *text = strncmp(line, "\\node[", 6) == 0 ? strstr(line, ") {") : NULL;
    const char *end = text ? strstr(text, "};\n") : NULL;
    if (strncmp(line, "%%", 2) == 0)
        return;
    if (!end || is_number(text + 3, end)) {
        fputs(line, to);
        return;
    }
    text += 3;
    fwrite(line, 1, (size_t)(text - line), to);
    while (text < end)
        text += write_spelled(to, text);
    fputs(end, to);
}

static enum status rewrite(const char *path, const char *text, size_t length, struct failure *f)
{
    FILE *file = fopen(path, "wb");
    const bool good = file && fwrite(text, 1, length, file) == length;
    if (file && fclose(file) == 0 && good)
        return STATUS_OK;
    return fail(f, STATUS_OUTPUT, "%s: cannot be written", path);
}

enum status tikz_finish(const char *path, struct failure *f)
{
    char *text = NULL, *line = NULL;
    size_t length = 0, capacity = 0;
    FILE *from = fopen(path, "rb"), *to = open_memstream(&text, &length);
    while (from && to && getline(&line, &capacity, from) > 0)
        write_line(to, line);
    free(line);
    if (from)
        fclose(from);
    const bool good = to && fclose(to) == 0;
    const enum status status = !from ? fail(f, STATUS_OUTPUT, "%s: cannot be read", path)
                               : !good
                                   ? fail(f, STATUS_RESOURCE, "not enough memory to draw %s", path)
                                   : rewrite(path, text, length, f);
    free(text);
    return status;
}

bool tikz_is_there(void)
{
    char gnuplot[] = "gnuplot", e[] = "-e";
    char script[] = "set terminal tikz; set output '/dev/null'; plot x";
    char *const argv[] = {gnuplot, e, script, NULL};
    const struct process_limits limits = {.seconds = 60.0, .grace_seconds = 1.0};
    struct process_result result = {.end = PROCESS_NOT_STARTED};
    return process_run(argv, &limits, &result, NULL) == STATUS_OK && process_succeeded(&result);
}
