/* study predict --machine and --check: the kernels of an experiment on the cores of one computer.
 */
#ifndef MAXPOOL_PREDICT_CORES_H
#define MAXPOOL_PREDICT_CORES_H

#include "experiments/plan/selection.h"

struct cores_question {
    const struct selection *selection;
    const char *experiment; /* its name, or the path of its definition; NULL: machines/cores.ini */
    const char *machine;    /* of --machine; NULL: this one */
    const char *threads;    /* "8,16,64"; NULL: powers of two up to the cores, and these */
    const char *methods;    /* "a,b"; NULL: all */
    bool steps;             /* also of each step of a network */
    bool check;             /* measure what is missing here, and compare */
    bool markdown;          /* the table for a page of documentation */
};

/* Predicts and prints. Status 2 for a wrong question, 3 if nothing was measured that can be
 * predicted from. A prediction that misses is a result, not a failure. */
enum status predict_cores(const struct cores_question *q, struct failure *f);

#endif
