/* oneDNN 2: an operation is described by a structure, and a primitive by that and an engine. */
#include "peers/onednn_version.h"

#include <stdlib.h>

dnnl_status_t layout_create(onednn_layout *out, int dimensions, const dnnl_dims_t lengths,
                            dnnl_format_tag_t tag)
{
    *out = malloc(sizeof **out);
    if (!*out)
        return dnnl_out_of_memory;
    const dnnl_status_t status =
        dnnl_memory_desc_init_by_tag(*out, dimensions, lengths, dnnl_f32, tag);
    if (status != dnnl_success) {
        free(*out);
        *out = NULL;
    }
    return status;
}

dnnl_status_t layout_copy(onednn_layout *out, onednn_seen_layout from)
{
    *out = malloc(sizeof **out);
    if (!*out)
        return dnnl_out_of_memory;
    **out = *from;
    return dnnl_success;
}

void layout_destroy(onednn_layout layout)
{
    free(layout);
}

int layout_dimensions(onednn_seen_layout layout)
{
    return layout->ndims;
}

const dnnl_dim_t *layout_lengths(onednn_seen_layout layout)
{
    return layout->dims;
}

/* Describes the primitive of an operation, if describing the operation succeeded. */
static dnnl_status_t describe(dnnl_primitive_desc_t *out, dnnl_status_t described,
                              const_dnnl_op_desc_t operation, const struct onednn_operation *op,
                              const_dnnl_primitive_desc_t forward)
{
    return described == dnnl_success
               ? dnnl_primitive_desc_create(out, operation, op->attributes, op->engine, forward)
               : described;
}

dnnl_status_t describe_pooling(dnnl_primitive_desc_t *out, const struct onednn_operation *op,
                               dnnl_alg_kind_t algorithm)
{
    dnnl_pooling_desc_t d;
    return describe(out,
                    dnnl_pooling_forward_desc_init(&d, dnnl_forward_inference, algorithm, op->image,
                                                   op->map, op->strides, op->kernel, op->padding,
                                                   op->padding),
                    &d, op, NULL);
}

dnnl_status_t describe_convolution(dnnl_primitive_desc_t *out, const struct onednn_operation *op,
                                   dnnl_prop_kind_t kind)
{
    dnnl_convolution_desc_t d;
    return describe(out,
                    dnnl_convolution_forward_desc_init(&d, kind, dnnl_convolution_direct, op->image,
                                                       op->weights, op->bias, op->map, op->strides,
                                                       op->padding, op->padding),
                    &d, op, NULL);
}

dnnl_status_t describe_product(dnnl_primitive_desc_t *out, const struct onednn_operation *op)
{
    dnnl_inner_product_desc_t d;
    return describe(out,
                    dnnl_inner_product_forward_desc_init(&d, dnnl_forward_inference, op->image,
                                                         op->weights, op->bias, op->map),
                    &d, op, NULL);
}

dnnl_status_t describe_data_gradient(dnnl_primitive_desc_t *out, const struct onednn_operation *op,
                                     const_dnnl_primitive_desc_t forward)
{
    dnnl_convolution_desc_t d;
    return describe(out,
                    dnnl_convolution_backward_data_desc_init(&d, dnnl_convolution_direct, op->image,
                                                             op->weights, op->map, op->strides,
                                                             op->padding, op->padding),
                    &d, op, forward);
}

dnnl_status_t describe_weight_gradient(dnnl_primitive_desc_t *out,
                                       const struct onednn_operation *op,
                                       const_dnnl_primitive_desc_t forward)
{
    dnnl_convolution_desc_t d;
    return describe(out,
                    dnnl_convolution_backward_weights_desc_init(
                        &d, dnnl_convolution_direct, op->image, op->weights, op->bias, op->map,
                        op->strides, op->padding, op->padding),
                    &d, op, forward);
}

dnnl_status_t then_sum(dnnl_post_ops_t then)
{
    return dnnl_post_ops_append_sum(then, 1.0f);
}

dnnl_status_t then_apply(dnnl_post_ops_t then, dnnl_alg_kind_t function, float alpha, float beta)
{
    return dnnl_post_ops_append_eltwise(then, 1.0f, function, alpha, beta);
}
