/* Facts and costs of a step, for tables, records and traces. */
#ifndef MAXPOOL_NETWORK_LAYER_FACTS_H
#define MAXPOOL_NETWORK_LAYER_FACTS_H

#include "networks/step.h"

struct layer_facts {
    char kinds[64];             /* of its layers: "conv+batchnorm+relu" */
    int64_t parameters;         /* trained ones */
    double multiply_adds;       /* of all images, by the definition */
    double least_multiply_adds; /* that no method can avoid (networks/operator_rows.h) */
    /* The least traffic: the input, the residual, weights and biases, and the output, each float
     * once. */
    double bytes;
    double bytes_written; /* part of `bytes` */
};

struct layer_facts layer_facts_of(const struct step *s);

#endif
