/* The operators of `study lab`: the integers that a kernel from outside takes, and the operation of
 * ours that they mean. */
#ifndef MAXPOOL_LAB_KINDS_H
#define MAXPOOL_LAB_KINDS_H

#include "experiments/lab/call/protocol.h"
#include "harness/space/operation.h"

/* Sizes of a call; each operator uses only those that it has. */
struct lab_size {
    int64_t planes;  /* maxpool: planes; conv: channels of the image */
    int64_t batch;   /* conv */
    int64_t rows;    /* distances: points of X */
    int64_t cols;    /* matmul: columns of A and of B; distances: dimensions of a point */
    int64_t filters; /* conv: filters; distances: points of Y */
    int64_t kernel, stride, padding;
};

struct lab_kind {
    const char *name;      /* of the operator and of the function */
    const char *signature; /* of the function, in C */
    const char *page;      /* of the documentation */
    int64_t most;          /* the default of --size */
    struct lab_size usual; /* the other defaults; rows and cols follow --size */
    const struct lab_size *edges;
    size_t edge_count;
    /* --count sets naive, loop and tiled beside a kernel: the first so many of --rows, --cols,
     * --planes, -k, -s and -p are their sizes; 0: there are no such kernels. */
    int counted_sizes;
    /* The first values of an assignment's rubric: a method that a student can reach, other methods
     * of the ladder to compare with, and the lines of sizes that take milliseconds. */
    const char *goal, *against, *sizes;
    /* `integers` writes the integers that follow the arrays in a call and returns their number;
     * `size` converts them back. */
    int32_t (*integers)(const struct lab_size *s, int64_t threads, int32_t *out);
    struct lab_size (*size)(const int32_t *integers);
};

extern const struct lab_kind lab_kinds[];
extern const size_t lab_kind_count;

/* Returns NULL if there is none. */
const struct lab_kind *lab_kind_find(const char *name);

/* The names of all: "maxpool, matmul, conv and distances". */
struct lab_kind_names {
    char text[256];
};
struct lab_kind_names lab_kind_names(void);

/* Sets the shapes of a call: everything of an operation except the values of the operands and the
 * method. Status 2 if there is no such operation. */
enum status lab_operation(struct operation *op, const struct lab_kind *kind,
                          const struct lab_size *size, struct failure *f);

/* Writes "k = 2, stride 2, padding 0, image 2048 x 2048". */
void lab_size_text(const struct operation *op, char *text, size_t size);

#endif
