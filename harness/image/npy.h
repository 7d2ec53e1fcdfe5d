/* The header of a .npy file. Format: NumPy Enhancement Proposal 1 and numpy.lib.format. */
#ifndef MAXPOOL_NPY_H
#define MAXPOOL_NPY_H

#include "harness/image/numbers.h"

enum {
    NPY_PREFIX_BYTES = 8,  /* magic text and version */
    NPY_MAX_DIMENSIONS = 4 /* images, planes, rows, columns */
};

struct npy_header {
    struct number_format format;
    bool fortran_order; /* the first index varies fastest */
    int dimensions;
    int64_t lengths[NPY_MAX_DIMENSIONS];
};

/* Parses the dictionary that follows prefix and length: `size` bytes at `text`, which need not end
 * with a 0. Messages begin with `name`. Status 2 unless it has the keys descr, fortran_order and
 * shape, once each and no others, with a real type and 1 to 4 lengths of at least 1, and only
 * blanks after it. */
enum status npy_header_parse(struct npy_header *h, const char *text, size_t size, const char *name,
                             struct failure *f);

#endif
