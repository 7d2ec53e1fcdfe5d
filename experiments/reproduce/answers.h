/* Known answers: what a published row must be, computed here without a clock. counterparts.csv
 * names a function and its arguments, "amdahl 0.61 2560"; the table of answers.c lists them. */
#ifndef MAXPOOL_ANSWERS_H
#define MAXPOOL_ANSWERS_H

#include "experiments/published/published.h"

struct answer {
    double number; /* NaN where the answer is a text */
    char text[64]; /* a shape, "48x48x32"; "" where it is a number */
};

/* Status 2 for a function that there is not, or arguments that it cannot take. */
enum status answer_make(struct answer *out, const char *expression, struct failure *f);

/* True where the published digits are those of the answer, rounded or cut: it differs from them by
 * less than one of the last digit. Of a figure nothing is printed, and any answer goes. */
bool answer_matches(const struct answer *a, const struct published_row *row);

/* ---- for the files of its functions ---------------------------------------------------------- */

enum { ANSWER_ARGUMENTS = 8 };

struct answering {
    const char *expression; /* for messages */
    const char *words[ANSWER_ARGUMENTS];
    double numbers[ANSWER_ARGUMENTS]; /* of the words; NaN: it is none */
    struct answer *out;
    struct failure *failure;
};

typedef enum status answer_function(struct answering *a);

answer_function answer_maximum, answer_product, answer_exponent; /* kernels */
answer_function answer_parameters, answer_layer_parameters, answer_shape, answer_layer,
    answer_input, answer_augment; /* networks */

/* Status 2: the argument `i`, from 0, is not what it should be. */
enum status answer_refuse(const struct answering *a, int i, const char *expected);

#endif
