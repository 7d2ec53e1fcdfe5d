/* The classes that a network's outputs stand for. */
#ifndef MAXPOOL_NETWORK_CLASSES_H
#define MAXPOOL_NETWORK_CLASSES_H

#include "harness/base/failure.h"

#include <stdint.h>
#include <stdio.h>

/* Names of all classes; none: they have numbers. */
struct classes {
    char **names;
    int64_t count;
};

/* Status 2 where --top asks for more classes than there are, or --class-names names what is not
 * reported. */
enum status classes_check(int64_t top, const char *names, int64_t classes, struct failure *f);

/* Reads the names of so many classes, one a line of a text file; spaces at their ends do not count.
 * Status 2 where there are more or fewer, or a line is empty or of more than 4096 bytes. Release
 * either way. */
enum status classes_read(struct classes *c, const char *path, int64_t count, struct failure *f);
void classes_release(struct classes *c);

/* The `top` largest of the outputs, of equal ones those that come first: number, name, output, and
 * the share that softmax gives it, exp(x) / sum of exp over all classes. */
void classes_print_top(FILE *out, const float *outputs, int64_t count, int64_t top,
                       const struct classes *c);

#endif
