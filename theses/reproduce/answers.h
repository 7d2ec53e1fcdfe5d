/* Known answers: the expected value of a published row, computed here without a clock.
 * counterparts.csv names a function and its arguments, "amdahl 0.61 2560"; the table of answers.c
 * lists the functions. */
#ifndef MAXPOOL_ANSWERS_H
#define MAXPOOL_ANSWERS_H

#include "theses/published/published.h"

struct answer {
    double number;  /* NaN if the answer is a text */
    char text[200]; /* a shape, "48x48x32", or a map; "" if the answer is a number */
};

/* Computes an answer. Status 2 for an unknown function, or arguments that it does not accept. */
enum status answer_make(struct answer *out, const char *expression, struct failure *f);

/* True if the published digits are the answer's, rounded or truncated: they differ by less than one
 * unit of the last digit. A figure prints no digits, so any answer matches. */
bool answer_matches(const struct answer *a, const struct published_row *row);

/* ---- for the files with answer functions ----------------------------------------------------- */

enum { ANSWER_ARGUMENTS = 8 };

struct answering {
    const char *expression; /* for messages */
    const char *words[ANSWER_ARGUMENTS];
    double numbers[ANSWER_ARGUMENTS]; /* the words as numbers; NaN: not a number */
    struct answer *out;
    struct failure *failure;
};

typedef enum status answer_function(struct answering *a);

answer_function answer_maximum, answer_product, answer_exponent, answer_pooled; /* kernels */
answer_function answer_parameters, answer_layer_parameters, answer_shape, answer_layer,
    answer_input, answer_augment; /* networks */

/* Status 2: argument `i`, from 0, is not `expected`. */
static inline enum status answer_refuse(const struct answering *a, int i, const char *expected)
{
    return fail(a->failure, STATUS_USAGE, "known answer '%s': '%s' is not %s", a->expression,
                a->words[i], expected);
}

#endif
