#include "classroom/lab/compiled/source_line.h"

#include "classroom/lab/guard/compiler.h"
#include "experiments/common/folder_files.h"
#include "experiments/common/process.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the name without folders, or NULL: programs print it with different folders. */
static const char *name_of(const char *source)
{
    return source ? file_name(source) : NULL;
}

void source_line_in(const char *text, const char *source, char *line, size_t size)
{
    const char *name = name_of(source);
    line[0] = '\0';
    for (const char *at = name ? strstr(text, name) : NULL; at; at = strstr(at + 1, name)) {
        const size_t length = strlen(name);
        const size_t digits = at[length] == ':' ? strspn(at + length + 1, "0123456789") : 0;
        if (digits > 0) {
            snprintf(line, size, "%s:%.*s", source, (int)digits, at + length + 1);
            return;
        }
    }
}

void source_line_of_traceback(const char *text, const char *source, char *line, size_t size)
{
    static const char separator[] = "\", line ";
    const char *name = name_of(source);
    line[0] = '\0';
    for (const char *at = strstr(text, name); at; at = strstr(at + 1, name))
        if (strncmp(at + strlen(name), separator, sizeof separator - 1) == 0)
            snprintf(line, size, "%s:%d", source, atoi(at + strlen(name) + sizeof separator - 1));
}

void source_line_at(const char *library, uint64_t instruction, const char *source, char *line,
                    size_t size)
{
    char address[24];
    char *const argv[] = {"addr2line", "-i", "-e", (char *)library, address, NULL};
    struct compiler_limits allowed = {.folder = NULL}; /* what it reads is not ours either */
    const struct process_limits limits = {.seconds = 10.0,
                                          .grace_seconds = 1.0,
                                          .death_signal = SIGKILL,
                                          .enter = compiler_enter,
                                          .context = &allowed};
    struct process_result result;
    struct failure ignored = {0};
    snprintf(address, sizeof address, "0x%" PRIx64, instruction);
    line[0] = '\0';
    compiler_allow_beside_source(&allowed, library);
    compiler_allow_environment(&allowed);
    if (process_run(argv, &limits, &result, &ignored) == STATUS_OK && process_succeeded(&result))
        source_line_in(result.output, source, line, size);
}

void source_line_of_marks(const char *text, const char *library, const char *source, char *replaced,
                          size_t size)
{
    size_t used = 0;
    replaced[0] = '\0';
    while (*text && used < size) {
        const char *mark = strstr(text, "@0x"), *end = mark ? strchr(mark + 1, '@') : NULL;
        char line[256] = "";
        const int before = end ? (int)(mark - text) : (int)strlen(text);
        if (end)
            source_line_at(library, strtoull(mark + 1, NULL, 16), source, line, sizeof line);
        used += (size_t)snprintf(replaced + used, size - used, "%.*s%s", before, text,
                                 !end      ? ""
                                 : line[0] ? line
                                           : "a line that is not known");
        text = end ? end + 1 : text + before;
    }
}
