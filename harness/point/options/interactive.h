/* --interactive: asks on the terminal for what the options would specify, as the tesina's program
 * does. */
#ifndef MAXPOOL_INTERACTIVE_H
#define MAXPOOL_INTERACTIVE_H

#include "harness/point/options/options.h"

/* Asks whether to type the image in or to generate a random one (1 or 2 as in the tesina's menu, or
 * a word: manual, random), for its size in one question (N, or rows and columns), for the seed, and
 * for operators with windows also for the hyper-parameters. A wrong answer is reported and asked
 * again; an empty one takes the default shown. Questions go to stderr, answers come from standard
 * input. Sets the options, and *source if elements were typed. Status 2 if the input ends. */
enum status interactive_ask(struct options *o, const struct operator_row *kind,
                            struct source **source, struct failure *f);

#endif
