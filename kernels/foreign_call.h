/* How a function from outside the suite is called that computes an operator: with the image, the
 * right operand and the map, then with integers, of which the last is the number of threads. */
#ifndef MAXPOOL_FOREIGN_CALL_H
#define MAXPOOL_FOREIGN_CALL_H

#include <stddef.h>
#include <stdint.h>

/* Sizes of a call; each operator uses only those that its integers carry. */
struct foreign_sizes {
    int64_t planes;  /* maxpool: planes; conv: channels of the image */
    int64_t batch;   /* conv */
    int64_t rows;    /* distances: points of X */
    int64_t cols;    /* matmul: columns of A and of B; distances: dimensions of a point */
    int64_t filters; /* conv: filters; distances: points of Y */
    int64_t kernel, stride, padding;
};

struct foreign_integer {
    const char *name; /* in sources of kernels: "points_x" */
    size_t offset;    /* of the size that it carries, in struct foreign_sizes */
};
#define FOREIGN_INTEGER(name, field)                                                               \
    {                                                                                              \
        name, offsetof(struct foreign_sizes, field)                                                \
    }

struct foreign_call {
    const char *arrays[3]; /* their names: image, right operand, map */
    const struct foreign_integer *integers;
    size_t integer_count; /* without the threads */
    int64_t most;         /* the usual size: of rows, and of those below that are 0 */
    struct foreign_sizes usual;
    const struct foreign_sizes *edges; /* shapes at which kernels are often wrong */
    size_t edge_count;
    /* GPU kernels naive, loop and tiled can be counted beside a kernel: the first so many of rows,
     * cols, planes, kernel, stride and padding are their sizes; 0: there are no such kernels. */
    int counted_sizes;
    /* For an assignment: a method that a student can reach, others to compare with, and the sizes,
     * a line each, that take milliseconds. */
    const char *goal, *against, *sizes;
    const char *page; /* of the documentation */
};

#endif
