/* The networks, one file each. To add one: write networks/models/NAME.c and add its line to
 * networks/models/models.inc (docs/recipes.md). */
#ifndef MAXPOOL_MODELS_H
#define MAXPOOL_MODELS_H

#include "networks/network.h"

#include <stdio.h>

/* What a user requests. A size of 0 stands for the model's own. */
struct model_request {
    const char *name; /* "resnet18", "mlp:50-25" */
    struct tensor_shape input;
    int64_t classes;
};

struct model {
    const char *name, *idea; /* one line, no full stop */
    bool sized;              /* the name continues with ":H1-H2-...", the sizes of hidden layers */
    struct tensor_shape input;
    int64_t classes;
    /* Adds the layers to a network that has its input; `sizes` is the text after the colon. */
    void (*build)(struct network *n, int64_t classes, const char *sizes);
};

#define MODEL(name) extern const struct model name##_model;
#include "networks/models/models.inc"

extern const struct model *const models[];
extern const int model_count;

/* Makes the network. Status 2 for an unknown name, and for images that a layer cannot take; 4 for
 * sizes that cannot be counted. Release the network in either case. */
enum status model_make(struct network *n, const struct model_request *request, struct failure *f);

/* A network's name as a user writes it: "resnet18", "mlp:H1-H2-...". */
struct model_name {
    char text[64];
};
struct model_name model_shown(const struct model *m);

/* Prints one network per line, its name first. */
void models_list(FILE *out);

/* True if there is a network of that name; its sizes may still be wrong. */
bool model_exists(const char *name);

/* True if the network takes vectors, not images; false if there is no such network. */
bool model_takes_vectors(const char *name);

#endif
