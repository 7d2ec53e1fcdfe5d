#include "classroom/lab/compiled/loops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the loop at `line`, adding it if it is missing; NULL if there are too many. */
static struct lab_loop *loop_at(struct lab_loops *loops, int line)
{
    size_t at = 0;
    while (at < loops->count && loops->items[at].line < line)
        at++;
    if (at < loops->count && loops->items[at].line == line)
        return &loops->items[at];
    if (loops->count == LAB_LOOPS)
        return NULL;
    memmove(&loops->items[at + 1], &loops->items[at], (loops->count++ - at) * sizeof *loops->items);
    loops->items[at] = (struct lab_loop){.line = line};
    return &loops->items[at];
}

/* Parses a note after the file's name: "32:10: optimized: loop vectorized using 32 byte vectors".
 * Skips reasons that name intermediate code, which readers do not know. */
static void take_note(struct lab_loops *loops, char *note)
{
    static const char vectorized[] = "optimized: loop vectorized using ";
    static const char missed[] = "missed: not vectorized: ";
    const char *width = strstr(note, vectorized), *reason = strstr(note, missed);
    const int line = atoi(note);
    if (line <= 0 || (!width && !reason) || (reason && strpbrk(reason, "=_")))
        return;
    struct lab_loop *loop = loop_at(loops, line);
    if (!loop)
        return;
    const int bytes = width ? atoi(width + sizeof vectorized - 1) : 0;
    if (bytes > loop->bytes)
        loop->bytes = bytes;
    if (reason && !loop->why[0])
        snprintf(loop->why, sizeof loop->why, "%s", reason + sizeof missed - 1);
}

void lab_loops_read(struct lab_loops *loops, const char *notes, const char *file)
{
    char *line = NULL;
    size_t size = 0;
    const size_t name = strlen(file);
    FILE *in = fopen(notes, "r");
    *loops = (struct lab_loops){.count = 0};
    while (in && getline(&line, &size, in) > 0) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, file, name) == 0 && line[name] == ':')
            take_note(loops, line + name + 1);
    }
    free(line);
    if (in)
        fclose(in);
}
