/* The one table of the methods of convolution, for all callers: the operator, layers of networks,
 * tests. */
#ifndef MAXPOOL_CONV_METHODS_H
#define MAXPOOL_CONV_METHODS_H

#include "kernels/conv/conv.h"
#include "kernels/conv/oracle.h"
#include "kernels/methods.h"

typedef double conv_bound_function(const struct conv_operands *o, int64_t filter, int64_t row,
                                   int64_t col);

struct conv_method {
    /* Its functions call those below with the shape of the operation. If it takes several planes, a
     * call may have several images, up to the batch of the shape. */
    struct method head;
    conv_function *run[ISA_COUNT];       /* NULL: not built for the instruction set */
    conv_pack_function *pack[ISA_COUNT]; /* likewise; all NULL: reads the weights unpacked */
    /* Floats that `pack` writes; NULL: packs nothing. SIZE_MAX: more than can be counted. */
    size_t (*packed)(const struct conv_shape *s);
    /* The same where the rows of all channels are adjacent, in image and map, as in the operator;
     * for methods that pack differently then (0 floats: not for this shape). */
    conv_pack_function *pack_lines[ISA_COUNT];
    size_t (*packed_lines)(const struct conv_shape *s);
    /* Scratch in bytes of one worker for calls of at most `rows` output rows, aligned to 64; NULL:
     * none. SIZE_MAX: more than can be counted. */
    size_t (*scratch)(const struct conv_shape *s, int64_t rows);
    /* NULL, or why it cannot compute the shape; NULL function: it can compute every shape. */
    const char *(*refuses)(const struct conv_shape *s);
    /* The bound of an output's distance from the oracle's sum; NULL: that of a float32 sum of its
     * terms in any order, which is the oracle's own bound. */
    conv_bound_function *bound;
    int64_t tile_rows;   /* output rows of a tile, which are computed together; 0: one */
    int64_t micro_panel; /* workers get multiples of this many filters */
    int64_t own_panel; /* the same if each worker's filters are packed separately; 0: micro_panel */
};

/* Every method, the baseline first. GPU methods, which are not called through this table, come
 * last. */
enum { CONV_LITERAL, CONV_IM2COL, CONV_IMPLICIT, CONV_WINOGRAD, CONV_WINOGRAD4, CONV_DEPTHWISE };
extern const struct conv_method conv_methods[];
extern const size_t conv_method_count;

/* The output rows that are computed together. */
int64_t conv_tile_rows(const struct conv_method *m);

/* For the operator's table row. */
const struct method *conv_method_at(size_t i);
bool conv_is_built(const struct method *m, enum isa isa);

/* The table row of a method; the row of the host method with this name, or NULL. */
const struct conv_method *conv_method_of(const struct method *head);
const struct conv_method *conv_method_find(const char *name);

/* Whether the method can compute the shape; and the widest instruction set up to `limit` that it is
 * built for. */
bool conv_method_can(const struct conv_method *m, const struct conv_shape *s);
enum isa conv_method_isa(const struct conv_method *m, enum isa limit);

/* Multiply-adds that take as long as reading a weight, transformed or not: 3 to 4 from the
 * third-level cache, and 6 from memory, which holds the weights of networks larger than the
 * cache. */
enum { CONV_WEIGHT_TERMS = 6 };

/* Least rows of a block by transformed tiles: a tile that two blocks divide is computed by both. */
enum { CONV_TILE_ROWS = 16 };

/* Whether it is better to distribute filters over workers than output rows, `rows` in each of
 * `planes`: if rows do not divide evenly, or each worker reads all weights for a few rows, and that
 * costs more than if each worker copies or transforms all that windows read. */
bool conv_partitions_filters(const struct conv_method *m, const struct conv_shape *s,
                             int64_t planes, int64_t rows, int64_t workers);

/* The same if each worker's filters are packed separately; and the number of filters that workers
 * then get multiples of. */
bool conv_partitions_own_filters(const struct conv_method *m, const struct conv_shape *s,
                                 int64_t planes, int64_t rows, int64_t workers);
int64_t conv_own_panel(const struct conv_method *m);

/* Operations of one output: by the definition, a multiply-add for each term; and by Winograd's
 * tiles. */
double conv_cost(const struct operation *op);
double conv_winograd_cost(const struct conv_shape *s);

/* --activation and --epilogue: the clamp of outputs; and whether clamp, bias, residual and scale
 * are applied as outputs are stored (the scale is folded into the weights, once) or in a separate
 * pass after each portion. */
enum conv_activation { CONV_LINEAR, CONV_RELU, CONV_RELU6 };
enum conv_epilogue { CONV_STORE, CONV_PASS };

/* Whether the operation does anything but add a bias to its sums. And for methods and libraries
 * that can do no more than that: NULL, or why they cannot compute the operation. */
bool conv_has_epilogue(const struct operation *op);
const char *conv_refuses_epilogue(const struct operation *op);

/* Floats before those that the method packed: the weights multiplied by the operation's scale; 0 if
 * it is not folded. */
size_t conv_folded_floats(const struct operation *op);

/* The shape of an operation whose geometry is complete. */
struct conv_shape conv_shape_of(const struct operation *op);

#endif
