/* What our uses of oneDNN (dnnl 2.6) have in common: tensors in its layouts, primitives, reorders.
 */
#ifndef MAXPOOL_ONEDNN_PARTS_H
#define MAXPOOL_ONEDNN_PARTS_H

#include "harness/base/failure.h"

#include <oneapi/dnnl/dnnl.h>

/* One tensor in one layout, over our memory or over its own. */
struct tensor {
    dnnl_memory_desc_t layout;
    dnnl_memory_t memory;
    void *own; /* NULL where the memory is ours */
};

/* A primitive with its arguments. */
enum { STEP_ARGUMENTS = 4 };
struct step {
    dnnl_primitive_t primitive;
    dnnl_exec_arg_t arguments[STEP_ARGUMENTS];
    int count;
};

/* Where everything runs. */
struct onednn {
    dnnl_engine_t engine;
    dnnl_stream_t stream;
    char name[96]; /* "oneDNN 2.6.3 jit:avx512_core": the implementation it chose */
};

/* Whether a step of oneDNN went well; the first failure is reported. */
enum status onednn_check(dnnl_status_t status, const char *what, struct failure *f);

/* The engine, for that many threads. */
enum status onednn_open(struct onednn *d, int64_t threads, struct failure *f);
void onednn_close(struct onednn *d);

/* A layout by its name. */
enum status onednn_layout(struct tensor *t, int dimensions, const dnnl_dims_t lengths,
                          dnnl_format_tag_t tag, struct failure *f);

/* Memory of a tensor that has its layout. `data` NULL: memory of its own, untouched, so that
 * oneDNN's threads touch it first. */
enum status onednn_memory(const struct onednn *d, struct tensor *t, float *data, struct failure *f);
void tensor_release(struct tensor *t);

/* Not a number: what an execution leaves out can then not pass for the result of the one before. */
void tensor_poison(const struct tensor *t);

/* A primitive of a description, whose implementation becomes part of the name. */
enum status onednn_step(struct onednn *d, struct step *step, dnnl_primitive_desc_t description,
                        struct failure *f);
void step_add(struct step *step, int argument, const struct tensor *t);
void step_release(struct step *step);

enum status onednn_reorder(const struct onednn *d, struct step *step, const struct tensor *from,
                           const struct tensor *to, struct failure *f);

enum status onednn_run(const struct onednn *d, const struct step *step, struct failure *f);

#endif
