/* One function of two shared objects: from its C prototype, a program is written and compiled that
 * loads a shared object, calls the function with arrays of its own and prints the seconds of a
 * call. The two commands of the duet are this program with either object. */
#ifndef MAXPOOL_DUET_FUNCTION_PROGRAM_H
#define MAXPOOL_DUET_FUNCTION_PROGRAM_H

#include "harness/base/failure.h"

#include <stddef.h>

enum { FUNCTION_NAME = 64 };

/* What --seconds and --check are for its output. */
extern const char function_seconds[], function_check[];

/* Compiles the program into `path`. `prototype` is that of a C function, such as
 * "void pool(const float *in, float *out, int n)": it returns void or a number, and its parameters
 * have names and are numbers or pointers to numbers (float, double, int, long, size_t, char and the
 * types of <stdint.h>). Each of `values` is NAME=EXPRESSION in C: the value of a number, or the
 * elements of an array, which may use the numbers before it. An array without one has as many
 * elements as the only integer says. Status 2 names what is wrong in the prototype, and the
 * parameter that lacks a value; 3 without a C compiler. `name`: out, that of the function. */
enum status function_program_make(const char *path, const char *prototype,
                                  const char *const *values, size_t count, char name[FUNCTION_NAME],
                                  struct failure *f);

#endif
