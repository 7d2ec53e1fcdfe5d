/* The peers of the spaces of one address space, serial and OpenMP, and those of the GPU. */
#ifndef MAXPOOL_PEERS_H
#define MAXPOOL_PEERS_H

#include "harness/space/peer.h"

extern const struct peers host_peers, device_peers;

/* What the modules hold, each where its library was found: found by these names, not linked. */
extern const struct peer peer_onednn, peer_onednn_nhwc, peer_onednn_blocked, peer_onednn_reordered;
extern const struct peer peer_onednn_conv, peer_onednn_conv_blocked, peer_onednn_conv_reordered;
extern const struct peer peer_onednn_data_gradient, peer_onednn_data_gradient_blocked,
    peer_onednn_data_gradient_reordered;
extern const struct peer peer_onednn_weight_gradient, peer_onednn_weight_gradient_blocked,
    peer_onednn_weight_gradient_reordered;
extern const struct peer peer_onednn_network;
extern const struct peer peer_libxsmm, peer_libxsmm_conv, peer_libxsmm_matmul;
extern const struct peer peer_openblas, peer_openblas_conv;
extern const struct peer peer_cudnn, peer_cudnn_conv;

/* oneMKL needs nothing to be built: its one library is opened where the program runs (peers/mkl.c).
 * NULL, or why it cannot be. Its product is in no module; its convolution is, for its threads. */
extern const struct peer peer_mkl, peer_mkl_conv;
const char *mkl_missing(void);

extern const struct peer peer_cublas_pool, peer_cublas_product, peer_cublas_conv;

#endif
