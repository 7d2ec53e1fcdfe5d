/* Finds the line of the kernel's file that a program's output refers to. Each function writes
 * "FILE:12", or "" if no line is known. */
#ifndef MAXPOOL_LAB_SOURCE_LINE_H
#define MAXPOOL_LAB_SOURCE_LINE_H

#include <stddef.h>
#include <stdint.h>

/* The first line that the text names in the form of compilers and sanitizers, "FILE:12". */
void source_line_in(const char *text, const char *source, char *line, size_t size);

/* The last line that a Python traceback names, 'FILE", line 12'. */
void source_line_of_traceback(const char *text, const char *source, char *line, size_t size);

/* The line of an instruction, given as offset in the library, from its debug information: the
 * innermost one in the kernel's file. */
void source_line_at(const char *library, uint64_t instruction, const char *source, char *line,
                    size_t size);

/* Replaces each mark of an instruction in a text, "@0x1234@" (cuda/emulation/lines.h), by its line.
 */
void source_line_of_marks(const char *text, const char *library, const char *source, char *replaced,
                          size_t size);

#endif
