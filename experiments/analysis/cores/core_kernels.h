/* The kernels of an experiment, as one core executed them, for the prediction of more cores
 * (core_model.h): a point of an operator is one step; a network, or a training step, is as many
 * steps as `--record-layers` recorded. */
#ifndef MAXPOOL_CORE_KERNELS_H
#define MAXPOOL_CORE_KERNELS_H

#include "experiments/analysis/cores/core_model.h"
#include "experiments/analysis/inventory.h"

/* A step: an operator's operation, or a layer. */
struct core_step {
    char label[192];
    struct core_work work;
    struct operation operation; /* of an operator; kind NULL: `layer` */
    struct layer_record layer;
};

struct core_kernel {
    char label[192];
    const struct point *point; /* of an operator; NULL: a network */
    struct core_step *steps;   /* owned */
    size_t count;
};

struct core_kernels {
    struct core_kernel *items;
    size_t count;
    struct layer_record *layers; /* all rows of the layers' file */
    size_t layer_count;
};

/* Collects the kernels that one worker computed. `methods`: only these, "a,b"; NULL: all. Status 2
 * if the layers' file is damaged, 4 if memory runs out. */
enum status core_kernels_make(struct core_kernels *out, const struct experiment *e,
                              const char *folder, const char *methods, struct failure *f);
void core_kernels_release(struct core_kernels *k);

/* The prediction of a step, and of all steps, on `cores` cores of a machine. */
struct core_time core_step_predict(const struct core_step *s, double cores,
                                   const struct multicore *m);
struct core_time core_kernel_predict(const struct core_kernel *k, double cores,
                                     const struct multicore *m);

/* The point of an operator's kernel that was measured with so many workers, each on its core; NULL:
 * none. */
const struct point *core_kernel_point(const struct core_kernel *k, const struct analysis *a,
                                      double workers);

/* The time of a kernel, measured with so many workers; NaN: not measured. */
struct summary core_kernel_measured(const struct core_kernels *all, const struct core_kernel *k,
                                    const struct analysis *a, double workers);

#endif
