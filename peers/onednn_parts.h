/* What our peers of oneDNN (dnnl 2 and 3) have in common: tensors in its layouts, primitives,
 * reorders. */
#ifndef MAXPOOL_ONEDNN_PARTS_H
#define MAXPOOL_ONEDNN_PARTS_H

#include "harness/base/failure.h"
#include "peers/onednn_version.h"

/* One tensor in one layout, in our memory or in its own. */
struct tensor {
    onednn_layout layout; /* its own */
    dnnl_memory_t memory;
    void *own; /* NULL if the memory is ours */
};

/* A primitive with its arguments. */
enum { STEP_ARGUMENTS = 4 };
struct onednn_step {
    dnnl_primitive_t primitive;
    dnnl_exec_arg_t arguments[STEP_ARGUMENTS];
    int count;
};

/* The engine and the stream on which everything runs. */
struct onednn {
    dnnl_engine_t engine;
    dnnl_stream_t stream;
    char name[96]; /* "oneDNN 2.6.3 jit:avx512_core": the implementation it chose */
};

/* Returns STATUS_OK if a call of oneDNN succeeded; otherwise reports that `what` failed. */
enum status onednn_check(dnnl_status_t status, const char *what, struct failure *f);

/* Opens the engine, for `threads` threads. */
enum status onednn_open(struct onednn *d, int64_t threads, struct failure *f);
void onednn_close(struct onednn *d);

/* Sets the layout of a tensor that has none: by its name; as a copy. */
enum status onednn_set_layout(struct tensor *t, int dimensions, const dnnl_dims_t lengths,
                              dnnl_format_tag_t tag, struct failure *f);
enum status onednn_copy_layout(struct tensor *t, onednn_seen_layout from, struct failure *f);

/* Gives memory to a tensor that has its layout: `data` or, if it is NULL, memory of its own, which
 * stays untouched, so that oneDNN's threads touch it first. */
enum status onednn_memory(const struct onednn *d, struct tensor *t, float *data, struct failure *f);
void tensor_release(struct tensor *t);

/* Fills the tensor with NaN: what an execution omits then cannot pass for the result of an earlier
 * one. */
void tensor_poison(const struct tensor *t);

/* Creates the primitive of a description; its implementation becomes part of the name. */
enum status onednn_step(struct onednn *d, struct onednn_step *step,
                        dnnl_primitive_desc_t description, struct failure *f);
void step_add(struct onednn_step *step, int argument, const struct tensor *t);
void step_release(struct onednn_step *step);

enum status onednn_reorder(const struct onednn *d, struct onednn_step *step,
                           const struct tensor *from, const struct tensor *to, struct failure *f);

enum status onednn_run(const struct onednn *d, const struct onednn_step *step, struct failure *f);

#endif
