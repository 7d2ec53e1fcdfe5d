/* The one table of methods of convolution, whoever calls them: the operator, layers of networks,
 * tests. */
#ifndef MAXPOOL_CONV_METHODS_H
#define MAXPOOL_CONV_METHODS_H

#include "kernels/conv/conv.h"
#include "kernels/conv/oracle.h"
#include "kernels/methods.h"

typedef double conv_bound_function(const struct conv_operands *o, int64_t filter, int64_t row,
                                   int64_t col);

struct conv_method {
    /* Its functions ask those below for the shape of the operation. Where it takes several planes,
     * a call may have several images, up to the batch of the shape. */
    struct method head;
    conv_function *run[ISA_COUNT];       /* NULL where it is not built for the set */
    conv_pack_function *pack[ISA_COUNT]; /* likewise; all NULL: it reads the weights as they are */
    /* Floats that `pack` writes; NULL: it packs nothing. SIZE_MAX: more than can be counted. */
    size_t (*packed)(const struct conv_shape *s);
    /* The same for images and maps whose rows of all channels lie side by side, as the operator has
     * them, where that makes a difference (0: not for this shape). */
    conv_pack_function *pack_lines[ISA_COUNT];
    size_t (*packed_lines)(const struct conv_shape *s);
    /* Scratch in bytes of one worker for calls of at most `rows` output rows, aligned to 64; NULL:
     * none. SIZE_MAX: more than can be counted. */
    size_t (*scratch)(const struct conv_shape *s, int64_t rows);
    /* NULL, or why it cannot do the shape; NULL: it can do every shape. */
    const char *(*refuses)(const struct conv_shape *s);
    /* How far an output may be from the oracle's sum; NULL: as far as a float32 sum of its terms in
     * any order, which is the oracle's own bound. */
    conv_bound_function *bound;
    int64_t align;       /* output rows that go together: the bits hang on where they begin */
    int64_t micro_panel; /* filters that parts assigned to workers are multiples of */
    int64_t own_panel;   /* the same of parts that are packed by themselves; 0: micro_panel */
};

/* Every method, the baseline first; those of a GPU, which are not called through this table, last.
 */
enum { CONV_LITERAL, CONV_IM2COL, CONV_IMPLICIT, CONV_WINOGRAD, CONV_WINOGRAD4, CONV_DEPTHWISE };
extern const struct conv_method conv_methods[];
extern const size_t conv_method_count;

/* For the operator's row. */
const struct method *conv_method_at(size_t i);
bool conv_is_built(const struct method *m, enum isa isa);

/* The row of a method; that of the host of a name, or NULL. */
const struct conv_method *conv_method_of(const struct method *head);
const struct conv_method *conv_method_find(const char *name);

/* Whether the method can convolve the shape, and the widest set up to `limit` that it is built for.
 */
bool conv_method_can(const struct conv_method *m, const struct conv_shape *s);
enum isa conv_method_isa(const struct conv_method *m, enum isa limit);

/* Whether filters are better distributed over workers than output rows, `rows` in each of `planes`:
 * where rows do not come out even, and each worker's copying or transforming all that windows read
 * costs less than that. */
bool conv_partitions_filters(const struct conv_method *m, const struct conv_shape *s,
                             int64_t planes, int64_t rows, int64_t workers);

/* The same where each worker's filters are packed by themselves, and what they are multiples of. */
bool conv_partitions_own_filters(const struct conv_method *m, const struct conv_shape *s,
                                 int64_t planes, int64_t rows, int64_t workers);
int64_t conv_own_panel(const struct conv_method *m);

/* Operations of one output by the definition: a multiply-add for each term; and by Winograd's
 * tiles.
 */
double conv_cost(const struct operation *op);
double conv_winograd_cost(const struct conv_shape *s);

/* --activation and --epilogue: the clamp of outputs, and whether it, bias, residual and scale are
 * done as outputs are stored (the scale in the weights, once) or in a pass behind the portion. */
enum conv_activation { CONV_LINEAR, CONV_RELU, CONV_RELU6 };
enum conv_epilogue { CONV_STORE, CONV_PASS };

/* Whether anything but a bias is to be done to sums; and for methods, and libraries, that do no
 * more: NULL, or why they cannot do the operation. */
bool conv_has_epilogue(const struct operation *op);
const char *conv_refuses_epilogue(const struct operation *op);

/* Floats in front of what the method packed: weights with the operation's scale in them. */
size_t conv_folded_floats(const struct operation *op);

/* The shape of an operation whose geometry is complete. */
struct conv_shape conv_shape_of(const struct operation *op);

#endif
