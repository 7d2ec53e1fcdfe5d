/* cuBLAS and cuDNN for the emulation, as far as the peers use them: plain loops in the stream's
 * order, with strict checks of their arguments. */
#ifndef FAKE_LIBRARIES_H
#define FAKE_LIBRARIES_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* fake_fails: creating a handle fails. fake_idles: the libraries compute nothing and report
 * success. */
extern bool fake_fails, fake_idles;

/* Handles and descriptors that were created and not destroyed. */
extern int64_t fake_live;

/* The convolutions that are still computed; later ones are not, but report success. */
extern int64_t fake_convolutions_left;

/* Tensors that were reordered so far. */
extern int64_t fake_reorders;

/* Calls for products so far; a batch counts once. */
extern int64_t fake_products;

/* Convolutions with bias, residual and clamp in one call so far. */
extern int64_t fake_fused;

/* The algorithms were measured with the default math, which may use tensor cores. */
extern bool fake_finds_default;

/* Algorithms of convolution that are proposed, out of 5. Only the last one is usable. */
extern int fake_proposals;

#ifdef __cplusplus
}
#endif

#endif
