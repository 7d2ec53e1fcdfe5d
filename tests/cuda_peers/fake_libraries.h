/* cuBLAS and cuDNN for the shim, as far as the peers use them: plain loops in the stream's order,
 * strict about what they are given. */
#ifndef FAKE_LIBRARIES_H
#define FAKE_LIBRARIES_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* From now on, creating a handle fails; or the libraries do nothing and say all is well. */
extern bool fake_fails, fake_idles;

/* Handles and descriptors that were made and not destroyed. */
extern int64_t fake_live;

/* Convolutions that are computed from now on; later ones are not, and said to be. */
extern int64_t fake_convolutions_left;

/* Tensors that were reordered so far. */
extern int64_t fake_reorders;

/* Calls for products so far; a batch counts once. */
extern int64_t fake_products;

/* Algorithms of convolution that are measured, of 5; the last alone is any good. */
extern int fake_proposals;

#ifdef __cplusplus
}
#endif

#endif
