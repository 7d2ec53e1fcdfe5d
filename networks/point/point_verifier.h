/* Verifies the outputs of a network's samples. */
#ifndef MAXPOOL_POINT_POINT_VERIFIER_H
#define MAXPOOL_POINT_POINT_VERIFIER_H

#include "harness/point/subject.h"

/* The first time that a digest of outputs is seen, the batch runs again and every layer is compared
 * with the oracle; from then on the digest is trusted. A full verification that would take too long
 * is reduced to the first, the last and 4096 drawn outputs of each layer. */
enum status network_verifier_make(struct point *p, struct verifier **out, struct failure *f);

#endif
