/* --interactive: asks on the terminal for what the options would say, as the tesina's program does.
 */
#ifndef MAXPOOL_INTERACTIVE_H
#define MAXPOOL_INTERACTIVE_H

#include "harness/point/options/options.h"

/* Offers to type the image in or to make a random one, asks for its size in one question (N, or
 * rows and columns), the seed, and for operators with windows the hyper-parameters; a wrong answer
 * is reported, and asked again, an empty one takes the default shown. Questions go to stderr,
 * answers come from standard input. Sets the options, and *source where elements were typed. Status
 * 2 where the input ends. */
enum status interactive_ask(struct options *o, const struct operator_row *kind,
                            struct source **source, struct failure *f);

#endif
