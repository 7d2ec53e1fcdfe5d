/* study pack: packs one student's work into one archive. */
#include "classroom/class/pack.h"
#include "classroom/class/package.h"
#include "experiments/commands/commands.h"
#include "experiments/common/arguments.h"
#include "experiments/common/folder_files.h"
#include "experiments/common/results.h"
#include "harness/base/text/fit.h"
#include "harness/base/utf8.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "Ana Núñez" and mine.c give "Ana_Núñez-mine.zip", in the current folder: letters of every script
 * stay, and blanks and characters that a shell or a file system interprets become '_'. */
static void name_archive(char *text, size_t size, const char *student, const char *file)
{
    const char *base = file_name(file);
    const char *dot = strrchr(base, '.');
    char name[160];
    text_fit(name, sizeof name, student);
    utf8_clean_foreign(name, false);
    snprintf(text, size, "%s-%.*s", name, dot ? (int)(dot - base) : (int)strlen(base), base);
    for (char *at = text; *at; at++)
        if (!isalnum((unsigned char)*at) && (unsigned char)*at < 0x80 && !strchr("-_", *at))
            *at = '_';
    if (text[0] == '-')
        text[0] = '_'; /* no program takes it for an option */
    strncat(text, ".zip", size - strlen(text) - 1);
}

/* Two names may become one: an archive of another student is not replaced. */
static enum status check_free(const char *path, const char *student, struct failure *f)
{
    struct package there;
    struct failure ignored = {0};
    char name[PACKAGE_STUDENT];
    if (access(path, F_OK) != 0 || package_read(&there, path, &ignored) != STATUS_OK)
        return STATUS_OK;
    text_fit(name, sizeof name, student);
    utf8_clean_foreign(name, false);
    const bool same = strcmp(there.student, name) == 0;
    const enum status status =
        same ? STATUS_OK
             : fail(f, STATUS_USAGE, "%s is the archive of %s: name another one with -o", path,
                    there.student);
    package_release(&there);
    return status;
}

static const char *user_name(void)
{
    const char *user = getenv("USER");
    return user && user[0] ? user : "student";
}

enum status command_pack(int argc, char **argv, struct failure *f)
{
    struct pack_request q = {.results = results_default, .student = user_name()};
    const struct option_row options[] = {
        {"student", VALUE_TEXT, "NAME", "name of the student (default: the name of the user)",
         .target = &q.student},
        {"output", VALUE_TEXT, "FILE.zip", "name of the archive (default NAME-KERNEL.zip)",
         .target = &q.output, .letter = 'o'},
        {"results", VALUE_TEXT, "DIR", "folder of the results (default results/local)",
         .target = &q.results},
    };
    const struct usage usage = {
        "FILE",
        "Packs the kernel FILE and its last run by `study lab FILE` into one zip archive: source,\n"
        "samples, machine, measured limits, commit, and a manifest with the SHA-256 of each file.\n"
        "`study class collect` makes one page of many archives, and `study audit` examines them.",
        options,
        sizeof options / sizeof *options,
        1,
        1};
    char name[512];
    int operands;
    if (!arguments_taken(&usage, argc, argv, &operands, f))
        return f->status;
    q.file = argv[1];
    if (!q.output) {
        name_archive(name, sizeof name - 8, q.student, q.file);
        q.output = name;
    }
    if (q.output == name && check_free(name, q.student, f) != STATUS_OK)
        return f->status;
    const enum status status = pack_make(&q, f);
    if (status == STATUS_OK)
        puts(q.output);
    return status;
}
