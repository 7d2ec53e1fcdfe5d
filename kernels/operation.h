/* One operator bound to its operands, their shapes, parameters and a method. Every space runs
 * operations, and every function of an operator's row (kernels/operators.h) takes one. */
#ifndef MAXPOOL_OPERATION_H
#define MAXPOOL_OPERATION_H

#include "kernels/caches.h"
#include "kernels/isa.h"
#include "kernels/method_call.h"

struct operator_row;
struct method;

/* The values of the operators' own options, with defaults filled in. Each operator has those that
 * its row lists (struct parameter); the others stay 0. All are integers, so that one table reads
 * them, records them and fills in missing ones. */
struct parameters {
    int64_t kernel, stride, padding; /* of a window, in elements */
    int64_t pad_mode;                /* enum pad_mode */
    int64_t batch, channels;         /* images, and planes per image */
    int64_t filters, groups;         /* of a convolution */
    int64_t activation, epilogue;    /* enum conv_activation, enum conv_epilogue */
    int64_t gradient;                /* enum conv_gradient */
    int64_t filter_cols;             /* columns of B of a matrix product; 0: B is square */
    int64_t math;                    /* enum math: precision of the operands of a product */
};

/* The role of an operand. The row of an operator lists the roles that it takes, each with option,
 * record column and shape (struct operand_row). */
enum operand_role {
    OPERAND_FILTER,   /* B, by which windows or the image are multiplied */
    OPERAND_WEIGHTS,  /* W, the bank of filters of a convolution */
    OPERAND_BIAS,     /* of a convolution: one value per filter ... */
    OPERAND_FACTOR,   /* ... and one factor per filter */
    OPERAND_RESIDUAL, /* one value per output, added to it */
    OPERAND_AGAINST,  /* Y, the points that the image's points are compared with */
    OPERAND_D_OUTPUT, /* dY, the output gradient */
    OPERAND_COUNT
};

/* An operand besides the image: float32 values, plane by plane, each row by row. */
struct operand {
    float *values; /* NULL: none, or another process holds them */
    struct image_shape shape;
    bool identity; /* the values are those of the identity matrix */
    bool itself;   /* it is the image itself */
    bool integers;
    double max_abs;
    const char *name; /* identity, random, itself, none, or the file's path */
};

struct operation {
    const struct operator_row *kind; /* which operator */
    struct parameters parameters;
    /* Shapes in memory order. The planes are channels times batch; a matrix has one. If the
     * channels of an image are interleaved by rows (operator_row.image_channels), each plane is an
     * image. */
    struct image_shape image;
    struct image_shape map;
    struct geometry geometry;               /* of operators with windows; all 0 for others */
    struct operand operands[OPERAND_COUNT]; /* by role; `values` is NULL if it has none */
    /* What the method's `pack` made from the right operand; NULL: the method packs nothing. */
    const float *packed;
    /* Counts the outputs that methods had to recompute (words.recomputed), over all workers of a
     * process; NULL: not counted. */
    int64_t *recomputed;
    const struct method *method;
    enum isa isa;         /* the build of the method that runs; always one that exists */
    struct caches caches; /* of the computing machine */
};

/* The part of an operation that one call of a method computes: a block of outputs, and the parts of
 * the operands that are in memory for it. */
struct portion {
    struct block block;
    struct view image;
    /* The right operand (operator_row.right). The call uses its rows [term, term + terms): all of
     * them or, if it arrives in panels, those of one panel, the only ones in memory. A sum of
     * products is stored if term is 0, and added to the map otherwise. */
    struct view right;
    int64_t right_plane; /* plane of the right operand with which the view begins */
    int64_t term, terms;
    const float *panel; /* those rows packed as struct sharing does it; NULL: not packed */
    struct map_view map;
    /* Rows of the map, with all columns, that are in this process's memory and that this portion
     * and others compute at the same time: methods may share work among these portions. */
    int64_t shared_first, shared_rows;
    void *scratch;
};

/* Which part of a portion's work to do. Methods that work in stages (struct method, `staged`) do
 * the stages of one output row one after the other, so that the caller can time the product alone;
 * all other methods know only STAGE_ALL. */
enum stage { STAGE_ALL, STAGE_CUT, STAGE_MULTIPLY, STAGE_REDUCE };

/* The number of terms that one output sums, and the number of elements of a shape. */
int64_t operation_terms(const struct operation *op);
int64_t shape_elements(struct image_shape s);

#endif
