/* Which line of the kernel's file a program speaks of. Each writes "FILE:12", or "" where no line
 * is known. */
#ifndef MAXPOOL_LAB_SOURCE_LINE_H
#define MAXPOOL_LAB_SOURCE_LINE_H

#include <stddef.h>
#include <stdint.h>

/* The first that the text names as compilers and sanitizers do: "FILE:12". */
void source_line_in(const char *text, const char *source, char *place, size_t size);

/* The last that a traceback of Python names: 'FILE", line 12'. */
void source_line_of_traceback(const char *text, const char *source, char *place, size_t size);

/* Of an instruction, counted from where the library begins, as its debug information has it: the
 * innermost in the kernel's own file. */
void source_line_at(const char *library, uint64_t instruction, const char *source, char *place,
                    size_t size);

#endif
