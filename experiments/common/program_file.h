/* The file of a program that is to be started: where it is, and why it cannot be started. */
#ifndef MAXPOOL_PROGRAM_FILE_H
#define MAXPOOL_PROGRAM_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* Finds the file of a command's first word as execvp() does: in the folders of PATH, unless the
 * word contains a '/'. False if there is none that this user may execute. */
bool program_file_find(const char *word, char path[PATH_MAX]);

/* True if the program's file is there, and so is the interpreter that it names, if it names one: in
 * the first line of a script, or the loader of a binary. Otherwise `text` is what
 * program_file_why() writes. */
bool program_file_starts(const char *word, char *text, size_t size);

/* Writes "WORD: WHY" for a start that failed with `error`. The system says "No such file or
 * directory" of an interpreter too, as if the program itself were missing; WHY then names the
 * interpreter. */
void program_file_why(const char *word, int error, char *text, size_t size);

#endif
