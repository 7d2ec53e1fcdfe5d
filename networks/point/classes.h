/* The classes that a network's outputs represent. */
#ifndef MAXPOOL_NETWORK_CLASSES_H
#define MAXPOOL_NETWORK_CLASSES_H

#include "harness/base/failure.h"

#include <stdint.h>
#include <stdio.h>

/* Names of all classes; without names they have numbers. */
struct classes {
    char **names;
    int64_t count;
};

/* Status 2 if --top requests more classes than there are, or --class-names is given without
 * --top. */
enum status classes_check(int64_t top, const char *names, int64_t classes, struct failure *f);

/* Reads the names of `count` classes, one per line of a text file, without blanks at their ends.
 * Status 2 if there are more or fewer, or a line is empty or longer than 4096 bytes. Release in
 * either case. */
enum status classes_read(struct classes *c, const char *path, int64_t count, struct failure *f);
void classes_release(struct classes *c);

/* Prints the `top` largest outputs, equal ones by index: rank, softmax (exp(x) / sum of exp over
 * all classes), output, index and name of the class. */
void classes_print_top(FILE *out, const float *outputs, int64_t count, int64_t top,
                       const struct classes *c);

#endif
