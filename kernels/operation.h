/* One operator bound to its operands, their shapes, parameters and a method: what every space runs,
 * and what every function of an operator's row (kernels/operators.h) is given. */
#ifndef MAXPOOL_OPERATION_H
#define MAXPOOL_OPERATION_H

#include "kernels/caches.h"
#include "kernels/isa.h"
#include "kernels/method_call.h"

struct operator_row;
struct method;

/* What the operators' own options ask for, defaults filled in; each operator has those that its row
 * lists (struct parameter), the others stay 0. All integers, so that one table reads them, records
 * them and fills in what was not given. */
struct parameters {
    int64_t kernel, stride, padding; /* of a window, elements */
    int64_t pad_mode;                /* enum pad_mode */
    int64_t batch, channels;         /* images, and planes of each */
    int64_t filters, groups;         /* of a convolution */
    int64_t activation, epilogue;    /* enum conv_activation, enum conv_epilogue */
    int64_t gradient;                /* enum conv_gradient */
};

/* What an operand is to its operator. An operator takes some of them: its row lists which, with
 * option, record column and shape (struct operand_row). */
enum operand_role {
    OPERAND_FILTER,   /* B, that windows or the image are multiplied by */
    OPERAND_WEIGHTS,  /* W, the bank of filters of a convolution */
    OPERAND_BIAS,     /* of a convolution, a value for each filter ... */
    OPERAND_FACTOR,   /* ... and a factor for each */
    OPERAND_RESIDUAL, /* a value for each output, added to it */
    OPERAND_AGAINST,  /* Y, the points that those of the image are compared with */
    OPERAND_D_OUTPUT, /* dY, the output gradient */
    OPERAND_COUNT
};

/* Values beside the image. Row by row, plane by plane, float32. */
struct operand {
    float *values; /* NULL: there are none, or they are with another process */
    struct image_shape shape;
    bool identity; /* its values are the identity's */
    bool itself;   /* it is the image once more */
    bool integers;
    double max_abs;
    const char *name; /* identity, random, itself, none, or the file's path */
};

struct operation {
    const struct operator_row *kind; /* which operator */
    struct parameters parameters;
    /* In memory order. Planes are channels times batch; a matrix has one. Where rows of an
     * image's channels lie side by side (operator_row.image_channels) its planes are the images. */
    struct image_shape image;
    struct image_shape map;
    struct geometry geometry;               /* of operators with windows; all 0 for others */
    struct operand operands[OPERAND_COUNT]; /* by role; `values` is NULL where there is none */
    /* The right operand as the method's `pack` left it; NULL: the method has none. */
    const float *packed;
    /* Work that methods found they had to do once more is counted here (words.again), by all
     * workers of a process; NULL: not wanted. */
    int64_t *again;
    const struct method *method;
    enum isa isa;         /* the build of the method that runs; never one that it lacks */
    struct caches caches; /* of the machine that computes */
};

/* The part of an operation that one call of a method computes: a block of outputs, from what is
 * held of the operands. */
struct portion {
    struct block block;
    struct view image;
    /* The right operand (operator_row.right), of which the rows [term, term + terms) are to be
     * worked in: all of them, or where it arrives in panels those of one panel, which alone are
     * held. A sum of products is set where term is 0, and added to what the map holds elsewhere. */
    struct view right;
    int64_t right_plane; /* of the right operand, which the view begins with */
    int64_t term, terms;
    const float *panel; /* those rows as struct sharing packed them; NULL: nobody did */
    struct map_view map;
    /* Rows of the map that lie here and that this portion and others are computing at the same
     * time, all columns of them: methods may share work among them. */
    int64_t shared_first, shared_rows;
    void *scratch;
};

/* Which part of a portion's work. Methods that work in stages (struct method, `staged`) do those of
 * one output row one after the other, so that the caller may clock the product alone; all others
 * know STAGE_ALL only. */
enum stage { STAGE_ALL, STAGE_CUT, STAGE_MULTIPLY, STAGE_REDUCE };

/* Terms that one output of the operator sums, outputs of the map, and elements of a shape. */
int64_t operation_terms(const struct operation *op);
int64_t shape_elements(struct image_shape s);

#endif
