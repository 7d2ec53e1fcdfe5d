/* What files fix of an operator's parameters: the image its channels, a bank of filters its kernel
 * size. Options that say otherwise are refused. */
#ifndef MAXPOOL_OPTIONS_FILE_PARAMETERS_H
#define MAXPOOL_OPTIONS_FILE_PARAMETERS_H

#include "harness/point/point.h"

/* Parameters of `found` replace those of the options. Status 2 where one was given and differs: the
 * message names its option, and the option and path of the file. */
enum status take_from_files(struct options *o, const struct operator_row *kind,
                            const struct parameters *found, const char *option, const char *path,
                            struct failure *f);

/* Those that operands fix which are files, as this process finds them. */
enum status from_operands(struct point *p, struct failure *f);

#endif
