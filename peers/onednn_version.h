/* The calls of oneDNN that versions 2 and 3 do not share: onednn_2.c has them for one, onednn_3.c
 * for the other, and CMake builds the file that the found headers compile with. In version 2 a
 * layout and the description of an operation are structures of the caller; in version 3 a layout is
 * a handle, and operations have no descriptions of their own. */
#ifndef MAXPOOL_ONEDNN_VERSION_H
#define MAXPOOL_ONEDNN_VERSION_H

#include <oneapi/dnnl/dnnl.h>

/* Its threads have to be those of OpenMP, whose number --threads sets. */
#if DNNL_CPU_THREADING_RUNTIME != DNNL_RUNTIME_OMP
#error "this oneDNN has other threads than OpenMP's"
#endif

/* What oneDNN's functions take as a layout. */
#if DNNL_VERSION_MAJOR < 3
typedef dnnl_memory_desc_t *onednn_layout;
typedef const dnnl_memory_desc_t *onednn_seen_layout;
#else
typedef dnnl_memory_desc_t onednn_layout;
typedef const_dnnl_memory_desc_t onednn_seen_layout;
#endif

/* A layout belongs to the caller, who destroys it; NULL may be destroyed. */
dnnl_status_t layout_create(onednn_layout *out, int dimensions, const dnnl_dims_t lengths,
                            dnnl_format_tag_t tag);
dnnl_status_t layout_copy(onednn_layout *out, onednn_seen_layout from);
void layout_destroy(onednn_layout layout);
int layout_dimensions(onednn_seen_layout layout);
const dnnl_dim_t *layout_lengths(onednn_seen_layout layout);

/* An operation whose operands have these layouts; gradients take the places of what they are the
 * gradient of. Lengths are those of rows and columns, and the padding is the same on both sides. */
struct onednn_operation {
    dnnl_engine_t engine;
    dnnl_primitive_attr_t attributes;             /* NULL: none */
    onednn_seen_layout image, weights, bias, map; /* bias NULL: none */
    dnnl_dims_t kernel, strides, padding;
};

/* Each describes a primitive, which the caller destroys. Convolutions are by the direct algorithms.
 */
dnnl_status_t describe_pooling(dnnl_primitive_desc_t *out, const struct onednn_operation *op,
                               dnnl_alg_kind_t algorithm);
dnnl_status_t describe_convolution(dnnl_primitive_desc_t *out, const struct onednn_operation *op,
                                   dnnl_prop_kind_t kind);
dnnl_status_t describe_product(dnnl_primitive_desc_t *out, const struct onednn_operation *op);
/* oneDNN needs the forward convolution whose gradient this is. */
dnnl_status_t describe_data_gradient(dnnl_primitive_desc_t *out, const struct onednn_operation *op,
                                     const_dnnl_primitive_desc_t forward);
dnnl_status_t describe_weight_gradient(dnnl_primitive_desc_t *out,
                                       const struct onednn_operation *op,
                                       const_dnnl_primitive_desc_t forward);

/* Appends what follows an operation: the sum with what the output's memory holds; an element-wise
 * function. */
dnnl_status_t then_sum(dnnl_post_ops_t then);
dnnl_status_t then_apply(dnnl_post_ops_t then, dnnl_alg_kind_t function, float alpha, float beta);

#endif
