/* The facts and costs of a step, for tables, records and traces. */
#ifndef MAXPOOL_NETWORK_LAYER_FACTS_H
#define MAXPOOL_NETWORK_LAYER_FACTS_H

#include "networks/step.h"

struct layer_facts {
    char kinds[64];             /* of its layers, joined by "+": "conv+batchnorm+relu" */
    int64_t parameters;         /* that are trained */
    double multiply_adds;       /* of all images, by the definition */
    double least_multiply_adds; /* that no method can do without (networks/operator_rows.h) */
    /* At the least: what the step reads, what is added, its weights and biases, and what it writes,
     * each float once. */
    double bytes;
    double bytes_written; /* of these */
};

struct layer_facts layer_facts_of(const struct step *s);

#endif
