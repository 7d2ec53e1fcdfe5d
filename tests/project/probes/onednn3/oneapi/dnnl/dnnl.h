/* As much of oneDNN 3's interface as the peers use, written from its documentation: where the
 * system has version 2, the files for version 3 are compiled with this. Values are arbitrary;
 * nothing is run. */
#ifndef FAKE_DNNL_H
#define FAKE_DNNL_H

#include <oneapi/dnnl/dnnl_version.h>

#include <stddef.h>
#include <stdint.h>

typedef int64_t dnnl_dim_t;
typedef dnnl_dim_t dnnl_dims_t[12];
typedef enum { dnnl_success, dnnl_out_of_memory, dnnl_unimplemented } dnnl_status_t;
typedef enum { dnnl_data_type_undef, dnnl_f32 } dnnl_data_type_t;
typedef enum {
    dnnl_format_tag_any,
    dnnl_x,
    dnnl_ab,
    dnnl_abcd,
    dnnl_abcde,
    dnnl_nc,
    dnnl_nchw,
    dnnl_nhwc,
    dnnl_oihw,
    dnnl_goihw,
    dnnl_nChw8c,
    dnnl_nChw16c
} dnnl_format_tag_t;
typedef enum { dnnl_forward_training, dnnl_forward_inference } dnnl_prop_kind_t;
typedef enum {
    dnnl_convolution_direct,
    dnnl_eltwise_relu,
    dnnl_eltwise_clip,
    dnnl_pooling_max,
    dnnl_pooling_avg_exclude_padding
} dnnl_alg_kind_t;
typedef enum {
    dnnl_query_impl_info_str,
    dnnl_query_src_md,
    dnnl_query_weights_md,
    dnnl_query_dst_md,
    dnnl_query_diff_src_md,
    dnnl_query_diff_weights_md,
    dnnl_query_diff_dst_md,
    dnnl_query_ndims_s32,
    dnnl_query_dims
} dnnl_query_t;
typedef enum { dnnl_cpu } dnnl_engine_kind_t;
typedef enum { dnnl_stream_default_flags } dnnl_stream_flags_t;
typedef enum { dnnl_cpu_isa_avx2 = 1, dnnl_cpu_isa_avx512_core = 2 } dnnl_cpu_isa_t;

typedef struct dnnl_memory_desc *dnnl_memory_desc_t;
typedef const struct dnnl_memory_desc *const_dnnl_memory_desc_t;
typedef struct dnnl_memory *dnnl_memory_t;
typedef const struct dnnl_memory *const_dnnl_memory_t;
typedef struct dnnl_engine *dnnl_engine_t;
typedef struct dnnl_stream *dnnl_stream_t;
typedef struct dnnl_primitive *dnnl_primitive_t;
typedef const struct dnnl_primitive *const_dnnl_primitive_t;
typedef struct dnnl_primitive_desc *dnnl_primitive_desc_t;
typedef const struct dnnl_primitive_desc *const_dnnl_primitive_desc_t;
typedef struct dnnl_primitive_attr *dnnl_primitive_attr_t;
typedef const struct dnnl_primitive_attr *const_dnnl_primitive_attr_t;
typedef struct dnnl_post_ops *dnnl_post_ops_t;
typedef const struct dnnl_post_ops *const_dnnl_post_ops_t;
typedef struct {
    int arg;
    dnnl_memory_t memory;
} dnnl_exec_arg_t;
typedef struct {
    int major, minor, patch;
} dnnl_version_t;

enum {
    DNNL_ARG_SRC = 1,
    DNNL_ARG_FROM = 1,
    DNNL_ARG_DST = 17,
    DNNL_ARG_TO = 17,
    DNNL_ARG_WEIGHTS = 33,
    DNNL_ARG_BIAS = 41,
    DNNL_ARG_DIFF_SRC = 129,
    DNNL_ARG_DIFF_DST = 145,
    DNNL_ARG_DIFF_WEIGHTS = 161
};

const dnnl_version_t *dnnl_version(void);
dnnl_cpu_isa_t dnnl_get_effective_cpu_isa(void);
dnnl_status_t dnnl_set_max_cpu_isa(dnnl_cpu_isa_t isa);
dnnl_status_t dnnl_engine_create(dnnl_engine_t *, dnnl_engine_kind_t, size_t);
dnnl_status_t dnnl_engine_destroy(dnnl_engine_t);
dnnl_status_t dnnl_stream_create(dnnl_stream_t *, dnnl_engine_t, unsigned);
dnnl_status_t dnnl_stream_wait(dnnl_stream_t);
dnnl_status_t dnnl_stream_destroy(dnnl_stream_t);

dnnl_status_t dnnl_memory_desc_create_with_tag(dnnl_memory_desc_t *, int, const dnnl_dims_t,
                                               dnnl_data_type_t, dnnl_format_tag_t);
dnnl_status_t dnnl_memory_desc_clone(dnnl_memory_desc_t *, const_dnnl_memory_desc_t);
dnnl_status_t dnnl_memory_desc_destroy(dnnl_memory_desc_t);
dnnl_status_t dnnl_memory_desc_query(const_dnnl_memory_desc_t, dnnl_query_t, void *);
int dnnl_memory_desc_equal(const_dnnl_memory_desc_t, const_dnnl_memory_desc_t);
size_t dnnl_memory_desc_get_size(const_dnnl_memory_desc_t);
dnnl_status_t dnnl_memory_create(dnnl_memory_t *, const_dnnl_memory_desc_t, dnnl_engine_t, void *);
dnnl_status_t dnnl_memory_destroy(dnnl_memory_t);

dnnl_status_t dnnl_post_ops_create(dnnl_post_ops_t *);
dnnl_status_t dnnl_post_ops_destroy(dnnl_post_ops_t);
dnnl_status_t dnnl_post_ops_append_sum(dnnl_post_ops_t, float, int32_t, dnnl_data_type_t);
dnnl_status_t dnnl_post_ops_append_eltwise(dnnl_post_ops_t, dnnl_alg_kind_t, float, float);
dnnl_status_t dnnl_primitive_attr_create(dnnl_primitive_attr_t *);
dnnl_status_t dnnl_primitive_attr_set_post_ops(dnnl_primitive_attr_t, const_dnnl_post_ops_t);
dnnl_status_t dnnl_primitive_attr_destroy(dnnl_primitive_attr_t);

dnnl_status_t dnnl_pooling_forward_primitive_desc_create(
    dnnl_primitive_desc_t *, dnnl_engine_t, dnnl_prop_kind_t, dnnl_alg_kind_t,
    const_dnnl_memory_desc_t, const_dnnl_memory_desc_t, const dnnl_dims_t, const dnnl_dims_t,
    const dnnl_dims_t, const dnnl_dims_t, const dnnl_dims_t, const_dnnl_primitive_attr_t);
dnnl_status_t dnnl_convolution_forward_primitive_desc_create(
    dnnl_primitive_desc_t *, dnnl_engine_t, dnnl_prop_kind_t, dnnl_alg_kind_t,
    const_dnnl_memory_desc_t, const_dnnl_memory_desc_t, const_dnnl_memory_desc_t,
    const_dnnl_memory_desc_t, const dnnl_dims_t, const dnnl_dims_t, const dnnl_dims_t,
    const dnnl_dims_t, const_dnnl_primitive_attr_t);
dnnl_status_t dnnl_convolution_backward_data_primitive_desc_create(
    dnnl_primitive_desc_t *, dnnl_engine_t, dnnl_alg_kind_t, const_dnnl_memory_desc_t,
    const_dnnl_memory_desc_t, const_dnnl_memory_desc_t, const dnnl_dims_t, const dnnl_dims_t,
    const dnnl_dims_t, const dnnl_dims_t, const_dnnl_primitive_desc_t, const_dnnl_primitive_attr_t);
dnnl_status_t dnnl_convolution_backward_weights_primitive_desc_create(
    dnnl_primitive_desc_t *, dnnl_engine_t, dnnl_alg_kind_t, const_dnnl_memory_desc_t,
    const_dnnl_memory_desc_t, const_dnnl_memory_desc_t, const_dnnl_memory_desc_t, const dnnl_dims_t,
    const dnnl_dims_t, const dnnl_dims_t, const dnnl_dims_t, const_dnnl_primitive_desc_t,
    const_dnnl_primitive_attr_t);
dnnl_status_t dnnl_inner_product_forward_primitive_desc_create(
    dnnl_primitive_desc_t *, dnnl_engine_t, dnnl_prop_kind_t, const_dnnl_memory_desc_t,
    const_dnnl_memory_desc_t, const_dnnl_memory_desc_t, const_dnnl_memory_desc_t,
    const_dnnl_primitive_attr_t);
dnnl_status_t dnnl_reorder_primitive_desc_create(dnnl_primitive_desc_t *, const_dnnl_memory_desc_t,
                                                 dnnl_engine_t, const_dnnl_memory_desc_t,
                                                 dnnl_engine_t, const_dnnl_primitive_attr_t);
dnnl_status_t dnnl_primitive_desc_query(const_dnnl_primitive_desc_t, dnnl_query_t, int, void *);
const_dnnl_memory_desc_t dnnl_primitive_desc_query_md(const_dnnl_primitive_desc_t, dnnl_query_t,
                                                      int);
dnnl_status_t dnnl_primitive_desc_destroy(dnnl_primitive_desc_t);
dnnl_status_t dnnl_primitive_create(dnnl_primitive_t *, const_dnnl_primitive_desc_t);
dnnl_status_t dnnl_primitive_execute(const_dnnl_primitive_t, dnnl_stream_t, int,
                                     const dnnl_exec_arg_t *);
dnnl_status_t dnnl_primitive_destroy(dnnl_primitive_t);

#endif
