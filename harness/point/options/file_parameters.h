/* Parameters of an operator that files determine: the image its channels, a bank of filters its
 * kernel size. Options that contradict them are refused. */
#ifndef MAXPOOL_OPTIONS_FILE_PARAMETERS_H
#define MAXPOOL_OPTIONS_FILE_PARAMETERS_H

#include "harness/point/point.h"

/* Replaces the parameters of the options by those of `found`. Status 2 if one was given and
 * differs: the message names its option, and the option and path of the file. */
enum status take_from_files(struct options *o, const struct operator_row *kind,
                            const struct parameters *found, const char *option, const char *path,
                            struct failure *f);

/* Takes the parameters that operands from files determine, as this process reads the files. */
enum status from_operands(struct point *p, struct failure *f);

#endif
