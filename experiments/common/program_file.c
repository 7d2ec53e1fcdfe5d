#include "experiments/common/program_file.h"

#include "harness/base/text/fit.h"

#include <elf.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD = 4096 }; /* bytes of a file that are read: a binary's interpreter is named in them */

static bool is_program(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

bool program_file_find(const char *word, char path[PATH_MAX])
{
    const char *folders = getenv("PATH");
    if (strchr(word, '/'))
        return snprintf(path, PATH_MAX, "%s", word) < PATH_MAX && is_program(path);
    for (const char *at = folders ? folders : "/usr/bin:/bin"; *at;) {
        const int length = (int)strcspn(at, ":");
        const int made = length == 0 ? snprintf(path, PATH_MAX, "./%s", word)
                                     : snprintf(path, PATH_MAX, "%.*s/%s", length, at, word);
        if (made < PATH_MAX && is_program(path))
            return true;
        at += length + (at[length] == ':');
    }
    return false;
}

/* ---- interpreters ---------------------------------------------------------------------------- */

/* The interpreter in the first line of a script: "#! /bin/sh -e". */
static bool script_interpreter(const char *head, char name[PATH_MAX])
{
    const char *at = head + 2 + strspn(head + 2, " \t");
    snprintf(name, PATH_MAX, "%.*s", (int)strcspn(at, " \t\n"), at);
    return name[0] != '\0';
}

/* Finds the interpreter among the parts of a binary; `wide`: of 64 bits. */
static bool binary_interpreter(const char *head, size_t count, bool wide, char name[PATH_MAX])
{
    Elf64_Ehdr w;
    Elf32_Ehdr n;
    memcpy(&w, head, sizeof w);
    memcpy(&n, head, sizeof n);
    const uint64_t from = wide ? w.e_phoff : n.e_phoff;
    const size_t parts = wide ? w.e_phnum : n.e_phnum,
                 each = wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
    for (size_t i = 0; i < parts && from < count && from + (i + 1) * each <= count; i++) {
        Elf64_Phdr of_wide = {0};
        Elf32_Phdr of_narrow = {0};
        memcpy(wide ? (void *)&of_wide : (void *)&of_narrow, head + from + i * each, each);
        const uint64_t at = wide ? of_wide.p_offset : of_narrow.p_offset;
        if ((wide ? of_wide.p_type : of_narrow.p_type) == PT_INTERP && at < count) {
            snprintf(name, PATH_MAX, "%s", head + at);
            return name[0] != '\0';
        }
    }
    return false;
}

/* The interpreter that a file names; false if it names none. */
static bool interpreter_of(const char *path, char name[PATH_MAX])
{
    char head[HEAD + 1] = "";
    FILE *file = fopen(path, "rbe");
    const size_t count = file ? fread(head, 1, HEAD, file) : 0;
    if (file)
        fclose(file);
    if (strncmp(head, "#!", 2) == 0)
        return script_interpreter(head, name);
    return count >= sizeof(Elf64_Ehdr) && memcmp(head, ELFMAG, SELFMAG) == 0 &&
           binary_interpreter(head, count, head[EI_CLASS] == ELFCLASS64, name);
}

/* Says what is wrong with the interpreter of a file; false if nothing is. */
static bool say_interpreter(const char *path, char *text, size_t size)
{
    char name[PATH_MAX];
    if (!interpreter_of(path, name) || access(name, X_OK) == 0)
        return false;
    const int error = errno;
    const size_t length = strlen(name);
    if (name[length - 1] == '\r')
        text_fit_format(text, size,
                        "its interpreter is '%.*s\\r', since its lines end in CRLF, as on Windows; "
                        "sed -i 's/\\r$//' makes them end in LF",
                        (int)length - 1, name);
    else
        text_fit_format(text, size, "its interpreter %s cannot be started: %s", name,
                        strerror(error));
    return true;
}

/* ---- the whole ------------------------------------------------------------------------------- */

void program_file_why(const char *word, int error, char *text, size_t size)
{
    char path[PATH_MAX], why[PATH_MAX + 200];
    const bool found = program_file_find(word, path);
    if (!found || !say_interpreter(path, why, sizeof why))
        text_fit(why, sizeof why, strerror(error));
    text_fit_format(text, size, "%s: %s", text_brief(word, 600).text, why);
}

bool program_file_starts(const char *word, char *text, size_t size)
{
    char path[PATH_MAX], ignored[PATH_MAX];
    if (program_file_find(word, path) && !say_interpreter(path, ignored, sizeof ignored))
        return true;
    const int error = !strchr(word, '/') ? ENOENT : access(word, X_OK) == 0 ? EACCES : errno;
    program_file_why(word, error, text, size);
    return false;
}
