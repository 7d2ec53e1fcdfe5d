#include "peers/onednn_parts.h"

#include "harness/machine/memory.h"
#include "peers/peers.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum status onednn_check(dnnl_status_t status, const char *what, struct failure *f)
{
    if (status == dnnl_success)
        return STATUS_OK;
    return fail(f, status == dnnl_unimplemented ? STATUS_UNAVAILABLE : STATUS_RESOURCE,
                "oneDNN: %s failed with its status %d", what, (int)status);
}

/* Once a primitive was made the limit stays what it is, so what oneDNN returns is not the answer.
 * It has no code as narrow as the baseline. */
bool peer_limit_isa(enum isa widest)
{
    static const dnnl_cpu_isa_t codes[ISA_COUNT] = {
        [ISA_AVX2] = dnnl_cpu_isa_avx2, [ISA_AVX512] = dnnl_cpu_isa_avx512_core};
    if (widest == ISA_BASELINE)
        return false;
    dnnl_set_max_cpu_isa(codes[widest]);
    return dnnl_get_effective_cpu_isa() == codes[widest];
}

enum status onednn_open(struct onednn *d, int64_t threads, struct failure *f)
{
    omp_set_num_threads((int)threads); /* what its primitives are made for and run with */
    const enum status status =
        onednn_check(dnnl_engine_create(&d->engine, dnnl_cpu, 0), "an engine", f);
    if (status != STATUS_OK)
        return status;
    return onednn_check(dnnl_stream_create(&d->stream, d->engine, dnnl_stream_default_flags),
                        "a stream", f);
}

void onednn_close(struct onednn *d)
{
    dnnl_stream_destroy(d->stream);
    dnnl_engine_destroy(d->engine);
}

enum status onednn_set_layout(struct tensor *t, int dimensions, const dnnl_dims_t lengths,
                              dnnl_format_tag_t tag, struct failure *f)
{
    return onednn_check(layout_create(&t->layout, dimensions, lengths, tag), "a layout", f);
}

enum status onednn_copy_layout(struct tensor *t, onednn_seen_layout from, struct failure *f)
{
    return onednn_check(layout_copy(&t->layout, from), "a layout", f);
}

enum status onednn_memory(const struct onednn *d, struct tensor *t, float *data, struct failure *f)
{
    enum status status = STATUS_OK;
    if (!data) {
        const size_t bytes = dnnl_memory_desc_get_size(t->layout);
        status = memory_check(bytes, "oneDNN's layout", f);
        if (status == STATUS_OK)
            status = memory_allocate(&t->own, bytes, "oneDNN's layout", f);
    }
    if (status != STATUS_OK)
        return status;
    return onednn_check(dnnl_memory_create(&t->memory, t->layout, d->engine, data ? data : t->own),
                        "memory", f);
}

void tensor_release(struct tensor *t)
{
    dnnl_memory_destroy(t->memory);
    layout_destroy(t->layout);
    free(t->own);
}

void tensor_poison(const struct tensor *t)
{
    memset(t->own, 0xff, dnnl_memory_desc_get_size(t->layout));
}

enum status onednn_step(struct onednn *d, struct onednn_step *step,
                        dnnl_primitive_desc_t description, struct failure *f)
{
    const char *name = "";
    const dnnl_version_t *v = dnnl_version();
    const enum status status =
        onednn_check(dnnl_primitive_desc_query(description, dnnl_query_impl_info_str, 0, &name),
                     "asking for the implementation", f);
    if (status != STATUS_OK)
        return status;
    snprintf(d->name, sizeof d->name, "oneDNN %d.%d.%d %s", v->major, v->minor, v->patch, name);
    return onednn_check(dnnl_primitive_create(&step->primitive, description), "a primitive", f);
}

void step_add(struct onednn_step *step, int argument, const struct tensor *t)
{
    step->arguments[step->count++] = (dnnl_exec_arg_t){argument, t->memory};
}

void step_release(struct onednn_step *step)
{
    dnnl_primitive_destroy(step->primitive);
}

enum status onednn_reorder(const struct onednn *d, struct onednn_step *step,
                           const struct tensor *from, const struct tensor *to, struct failure *f)
{
    dnnl_primitive_desc_t description = NULL;
    enum status status =
        onednn_check(dnnl_reorder_primitive_desc_create(&description, from->layout, d->engine,
                                                        to->layout, d->engine, NULL),
                     "a reorder", f);
    if (status == STATUS_OK)
        status = onednn_check(dnnl_primitive_create(&step->primitive, description), "a reorder", f);
    step_add(step, DNNL_ARG_FROM, from);
    step_add(step, DNNL_ARG_TO, to);
    dnnl_primitive_desc_destroy(description);
    return status;
}

enum status onednn_run(const struct onednn *d, const struct onednn_step *step, struct failure *f)
{
    const enum status status = onednn_check(
        dnnl_primitive_execute(step->primitive, d->stream, step->count, step->arguments),
        "an execution", f);
    return status == STATUS_OK ? onednn_check(dnnl_stream_wait(d->stream), "an execution", f)
                               : status;
}
