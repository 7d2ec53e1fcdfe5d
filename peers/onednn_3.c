/* oneDNN 3: a primitive is described by one call. Its dilation counts the elements that a kernel
 * leaves out, so ours is 0. */
#include "peers/onednn_version.h"

#include <stddef.h>

static const dnnl_dims_t dense = {0};

dnnl_status_t layout_create(onednn_layout *out, int dimensions, const dnnl_dims_t lengths,
                            dnnl_format_tag_t tag)
{
    return dnnl_memory_desc_create_with_tag(out, dimensions, lengths, dnnl_f32, tag);
}

dnnl_status_t layout_copy(onednn_layout *out, onednn_seen_layout from)
{
    return dnnl_memory_desc_clone(out, from);
}

void layout_destroy(onednn_layout layout)
{
    dnnl_memory_desc_destroy(layout);
}

int layout_dimensions(onednn_seen_layout layout)
{
    int dimensions = 0;
    dnnl_memory_desc_query(layout, dnnl_query_ndims_s32, &dimensions);
    return dimensions;
}

const dnnl_dim_t *layout_lengths(onednn_seen_layout layout)
{
    const dnnl_dims_t *lengths = NULL;
    dnnl_memory_desc_query(layout, dnnl_query_dims, &lengths);
    return *lengths;
}

dnnl_status_t describe_pooling(dnnl_primitive_desc_t *out, const struct onednn_operation *op,
                               dnnl_alg_kind_t algorithm)
{
    return dnnl_pooling_forward_primitive_desc_create(
        out, op->engine, dnnl_forward_inference, algorithm, op->image, op->map, op->strides,
        op->kernel, dense, op->padding, op->padding, op->attributes);
}

dnnl_status_t describe_convolution(dnnl_primitive_desc_t *out, const struct onednn_operation *op,
                                   dnnl_prop_kind_t kind)
{
    return dnnl_convolution_forward_primitive_desc_create(
        out, op->engine, kind, dnnl_convolution_direct, op->image, op->weights, op->bias, op->map,
        op->strides, dense, op->padding, op->padding, op->attributes);
}

dnnl_status_t describe_product(dnnl_primitive_desc_t *out, const struct onednn_operation *op)
{
    return dnnl_inner_product_forward_primitive_desc_create(out, op->engine, dnnl_forward_inference,
                                                            op->image, op->weights, op->bias,
                                                            op->map, op->attributes);
}

dnnl_status_t describe_data_gradient(dnnl_primitive_desc_t *out, const struct onednn_operation *op,
                                     const_dnnl_primitive_desc_t forward)
{
    return dnnl_convolution_backward_data_primitive_desc_create(
        out, op->engine, dnnl_convolution_direct, op->image, op->weights, op->map, op->strides,
        dense, op->padding, op->padding, forward, op->attributes);
}

dnnl_status_t describe_weight_gradient(dnnl_primitive_desc_t *out,
                                       const struct onednn_operation *op,
                                       const_dnnl_primitive_desc_t forward)
{
    return dnnl_convolution_backward_weights_primitive_desc_create(
        out, op->engine, dnnl_convolution_direct, op->image, op->weights, op->bias, op->map,
        op->strides, dense, op->padding, op->padding, forward, op->attributes);
}

dnnl_status_t then_sum(dnnl_post_ops_t then)
{
    return dnnl_post_ops_append_sum(then, 1.0f, 0, dnnl_data_type_undef);
}

dnnl_status_t then_apply(dnnl_post_ops_t then, dnnl_alg_kind_t function, float alpha, float beta)
{
    return dnnl_post_ops_append_eltwise(then, function, alpha, beta);
}
