/* The operators. Each is one row, which says what the operator takes, makes, reads and costs, and
 * what it is called. Everything else reads the row: options, help, prepare, spaces, verdicts,
 * records, summaries, plan, roof, charts. No code outside an operator's own folder compares an
 * operator by name or by the address of its row; tests/kernels/test_operators.c checks this.
 *
 * To add an operator NAME:
 *  1. Make the folder kernels/NAME. Its operands are the image (planes x rows x cols, planes being
 *     channels times batch; a matrix is one plane) and those that its row lists by their roles
 *     (kernels/operation.h). Its result is a map of planes x rows x cols.
 *  2. Its own options are struct parameter rows; operators with windows share theirs
 *     (kernels/windows.h). A new option is a field of struct parameters (kernels/operation.h), and
 *     a column of the record (harness/records/columns.inc). Nothing else: command line, help,
 *     refusals by other operators, defaults, records, plans and sweeps follow from the row.
 *  3. Write the functions of the row below in kernels/NAME/operator.c and the row itself,
 *     `const struct operator_row NAME_operator`. They are pure: no I/O, allocation, clock or
 *     thread. They return a struct refusal for an operation that is impossible.
 *  4. Write its methods, one file each, and their table, rows that begin with a struct method
 *     (kernels/maxpool/methods.inc has the recipe). The oracle is a separate function
 *     (kernels/oracle.h), which shares no code with any method.
 *  5. If kernels from outside are to be compared with it, say how they are called
 *     (kernels/foreign_call.h).
 *  6. Add its line to kernels/operators.inc. Its programs NAME_serial, NAME_omp and NAME_mpi are
 *     then built.
 *  7. Give it cases in tests/support/cases.c: the grids of all spaces run them. */
#ifndef MAXPOOL_OPERATORS_H
#define MAXPOOL_OPERATORS_H

#include "kernels/foreign_call.h"
#include "kernels/methods.h"
#include "kernels/oracle.h"
#include "kernels/required_work.h"

/* ---- what rows are made of ------------------------------------------------------------------- */

/* Why an operation is impossible. */
enum refusal_kind {
    REFUSAL_NONE,
    REFUSAL_USAGE,   /* wrong or contradictory arguments: status 2 */
    REFUSAL_RESOURCE /* sizes overflow: status 4 */
};
struct refusal {
    enum refusal_kind kind;
    char text[200];
};

struct operator_row;

/* An option of some operators: an integer, or a choice of words; then the value is the index of the
 * word. */
struct parameter {
    const char *option;   /* --kernel-size */
    char letter;          /* -k; 0: none */
    const char *argument; /* as the help shows it; for a choice, the words separated by | */
    bool choice;
    const char *column; /* of the record, and axis of a sweep; integers, or the words */
    const char *of;     /* what operators without this option lack: "windows" */
    int64_t least;
    size_t offset;       /* of the field in struct parameters */
    int64_t fallback;    /* the value if not given; below `least` where nothing need be given, and
                            then records have none ... */
    const char *follows; /* ... or the value of this option, listed before it; NULL: fallback */
    const char *help;
    bool random; /* describes a random image; a file has its own value */
    bool basic;  /* on the first screen of --help */
    /* For a choice: the operator that each word selects instead of the program's own, ended by
     * NULL. Each of these operators lists the parameter too. NULL: it selects none. */
    const struct operator_row *const *selects;
};

/* An operand besides the image. */
struct operand_row {
    enum operand_role role;
    const char *option;   /* --filter */
    const char *formerly; /* its name in earlier versions, still accepted; NULL: none */
    const char *column;   /* of the record, for the operand's name */
    const char *argument; /* as the help shows it: identity|random|FILE.npy */
    const char *fallback; /* the value if not given */
    const char *help;
    const char *noun;   /* "filter": what operators without it lack */
    const char *symbol; /* "B" in formulas and explanations; NULL: none */
    /* Returns its shape; the image's shape and the parameters are known by then. */
    struct image_shape (*shape)(const struct operation *op);
    /* For operands of four dimensions, returns the first, of which the number of planes is a
     * multiple. NULL: 1. */
    int64_t (*count)(const struct operation *op);
    /* Sets the parameters that a file of the operand fixes, from the shape of its planes and the
     * first of its four dimensions (or 1). NULL: none. */
    void (*from_file)(struct parameters *p, struct image_shape planes, int64_t count);
    /* Ranks receive it panel by panel while they compute, from the rank that holds it; otherwise
     * each rank has all of it before timing starts. */
    bool panels;
    bool any_rows;   /* a file may have any number of rows */
    bool one_or_all; /* a file may have one plane, or as many as the image */
};

/* Which device kernels (cuda/kernels/kernels.h) compute the operator. */
enum device_task {
    DEVICE_NONE,     /* none: it runs on no GPU */
    DEVICE_POOL,     /* windows to maxima */
    DEVICE_PRODUCT,  /* the image times a matrix */
    DEVICE_CONV,     /* windows of all channels times a bank of filters */
    DEVICE_DISTANCES /* distances from the image's rows to the other points */
};

/* Marks a text that reports translate: po/ holds its translations. */
#define N_(id) id

/* Names of the methods of one kind of work, where both kinds are shown next to each other. */
struct work_words {
    const char *id;    /* for references; NULL: there are no such methods */
    const char *title; /* "Matrix product"; an id of a message */
};

/* The texts that name the operator and its parts. */
struct operator_words {
    const char *subject;  /* "the matrix product" in "the matrix product has no windows" */
    const char *measures; /* the help's first paragraph, after "Measures " */
    const char *map;      /* "Feature map" */
    /* The work in a summary: "16,384 windows extracted, 4 values each". */
    const char *units, *parts;
    const char *one_unit, *one_part; /* the same for one: "window extracted", "value" */
    const char *recomputed;          /* what operation.recomputed counts; NULL: nothing */
    const char *packed;              /* what operation.packed is; NULL: no method packs anything */
    const char *example;             /* a method worth trying, and one of a GPU */
    const char *device_example;
    const char *const *examples; /* more options worth trying; ended by NULL */
    /* What tables show a time per ("window"; an id of a message); NULL: they show the time of the
     * whole. */
    const char *unit;
    bool in_flops;                           /* speeds are given in GFLOP/s, otherwise in GB/s */
    struct work_words with_product, without; /* methods that do the product, and that do not */
};

/* Elements [row, row + rows) x [col, col + cols) of the image's planes [plane, plane + planes). */
struct region {
    int64_t plane, planes;
    int64_t row, rows;
    int64_t col, cols;
};

/* One output computed step by step for a reader: parts shown next to each other, each with a word
 * before it. Each part is `rows` x `cols` of the values, after those of the previous part. For a
 * window: its elements, "x B =", and its product. Rows may come in groups, numbered from
 * first_group on. */
enum { EXPLAINED_PARTS = 4 };
struct explained_part {
    const char *before;
    int64_t cols; /* 0: neither this part nor any after it exists */
};
struct explanation {
    int64_t rows;
    struct explained_part parts[EXPLAINED_PARTS];
    int64_t group, first_group; /* rows per group; 0: no groups */
    const char *group_word;
    char title[128], result[160];
};

/* ---- the row ----------------------------------------------------------------------------------
 */

struct operator_row {
    const char *name; /* as in programs, records and definitions */
    struct operator_words words;

    /* Its own options, and its operands, in the order of the help. Both lists end with NULL. */
    const struct parameter *const *parameters;
    const struct operand_row *const *operands;
    /* For operators with operands: the right one of the product, image by operand. Only this
     * operand is packed, arrives in panels, or is in constant memory. */
    enum operand_role right;
    /* How a kernel from outside is called; NULL: none is. */
    const struct foreign_call *foreign;
    bool points;      /* each row of the image is a point: --dimensions, --nearest */
    bool many_planes; /* images may have several planes; otherwise --planes makes no sense */

    /* For operators whose images have channels: how many the image and the map have. Row r of all
     * channels is contiguous in memory, so that image and map are batch x rows x (channels x
     * columns) and are distributed like any other. NULL: a row belongs to one plane. */
    int64_t (*image_channels)(const struct operation *op);
    int64_t (*map_channels)(const struct operation *op);
    /* random_shape: the shape of the random image, from the sizes and the parameters; NULL: the
     * sizes. parameters_from_image: sets the parameters that an image from a file fixes, from its
     * planes and the number of its images; NULL: none. */
    struct image_shape (*random_shape)(const struct parameters *p, struct image_shape sizes);
    void (*parameters_from_image)(struct parameters *p, struct image_shape planes, int64_t batch);

    /* Sets geometry and map from image and parameters, or returns why that is impossible. */
    struct refusal (*shape)(struct operation *op);
    /* Returns NULL if the bound operands go together, or else why not, as a whole sentence. NULL:
     * they always do. */
    const char *(*refuses)(const struct operation *op);

    /* Its methods, host and GPU, the baseline first. method: the head of the i-th, or NULL if there
     * are no more. is_built: whether the method is built for the set. run: computes a portion, or a
     * stage of it, by the operation's method. */
    const struct method *(*method)(size_t i);
    bool (*is_built)(const struct method *m, enum isa isa);
    void (*run)(const struct operation *op, const struct portion *portion, enum stage stage);
    enum device_task device;
    bool windows_go_alone; /* --offload window can send windows to a GPU one by one */

    /* The least that it must read, write and compute; `product`: if the method computes the
     * product. The shapes of image and map are known. */
    struct need (*need)(const struct operation *op, bool product);
    /* terms: the number of terms that one output sums. parts: the parts of one output, as
     * words.parts names them. */
    int64_t (*terms)(const struct operation *op);
    double (*parts)(const struct operation *op);

    /* Image rows [*first, *first + *count) that the output rows [row, row + rows) read, clipped to
     * the image. They count from the first image plane that the output plane reads, and may
     * continue in the planes after it. Both ends grow with the row. */
    void (*rows_needed)(const struct operation *op, int64_t row, int64_t rows, int64_t *first,
                        int64_t *count);
    /* The element where the input of output (plane, row, col) begins: a worker that computes from
     * this output on should first touch the image from this element on. Output (0, 0) of a plane
     * begins with the first element of the first image plane that it reads; a method's view begins
     * there too. */
    struct region (*begin)(const struct operation *op, int64_t plane, int64_t row, int64_t col);

    /* The oracle. region_needed: the elements that it reads for the outputs [col, col + cols) of a
     * map row; `narrow`: only the columns that these need, since the image can be read in any
     * order. expect: the expectations of those outputs, from those elements in `data`, plane by
     * plane, each row by row. strip: how many outputs of a row to take at a time, so that they read
     * at most `most` elements. steps: reads and multiplications that one output takes. */
    struct region (*region_needed)(const struct operation *op, int64_t plane, int64_t row,
                                   int64_t col, int64_t cols, bool narrow);
    void (*expect)(const struct operation *op, const struct region *held, const float *data,
                   const struct block *outputs, struct expectation *out);
    int64_t (*strip)(const struct operation *op, int64_t most);
    double (*steps)(const struct operation *op);
    /* is_exact: whether results must be bitwise correct, given what is known of the image's
     * elements. largest: the largest magnitude that a sum may reach, which float32 must hold. */
    bool (*is_exact)(const struct operation *op, bool integers, double max_abs);
    double (*largest)(const struct operation *op, double max_abs);

    /* Writes the parameters for a summary: "kernel size 2, stride 2". */
    void (*describe)(const struct operation *op, char *text, size_t size);
    /* --explain. explained_elements: the number of values that one output takes to show. explain:
     * one output, with those values filled from the rows of the image planes that it reads. NULL:
     * nothing to explain. */
    int64_t (*explained_elements)(const struct operation *op);
    struct explanation (*explain)(const struct operation *op, const struct view *image,
                                  int64_t plane, int64_t row, int64_t col, double *values);
};

#define OPERATOR(name, ...) extern const struct operator_row name##_operator;
#include "kernels/operators.inc"

/* All operators, in the order of kernels/operators.inc. */
extern const struct operator_row *const operators[];
extern const size_t operator_count;

/* The operator of a name, as records have it, or NULL. */
const struct operator_row *operator_find(const char *name);

/* The operator that a program of `o` runs with these parameters: `o` itself, or the one that a
 * choice among the parameters selects. */
const struct operator_row *operator_selected(const struct operator_row *o,
                                             const struct parameters *values);

/* The i-th operator that a program of `o` may run, `o` itself first; NULL if there are no more. */
const struct operator_row *operator_variant(const struct operator_row *o, size_t i);

/* The parameter, or the operand, with this option in any of those operators; NULL: none. */
const struct parameter *operator_any_parameter(const struct operator_row *o, const char *option);
const struct operand_row *operator_any_operand(const struct operator_row *o, const char *option);

/* The number of methods in its table. */
size_t operator_method_count(const struct operator_row *o);

/* The method (kind, name) in the operator's own table, or NULL; and its index there, or -1. */
const struct method *operator_method(const struct operator_row *o, enum space_kind kind,
                                     const char *name);
ptrdiff_t operator_rung(const struct operator_row *o, enum space_kind kind, const char *name);

/* The widest set up to `limit` that the method is built for. */
enum isa operator_isa(const struct operator_row *o, const struct method *m, enum isa limit);

/* The operator's parameter with this option, or this column; or NULL. */
const struct parameter *operator_parameter(const struct operator_row *o, const char *option);
const struct parameter *operator_parameter_of_column(const struct operator_row *o,
                                                     const char *column);

/* The operator's operand with this option, or this column; or NULL. */
const struct operand_row *operator_operand(const struct operator_row *o, const char *option);
const struct operand_row *operator_operand_of_column(const struct operator_row *o,
                                                     const char *column);

/* The row of the right operand, or NULL if the operator has none; whether it arrives in panels; and
 * the right operand of an operation: if there is none, one with neither values nor shape. */
const struct operand_row *operator_right(const struct operator_row *o);
bool operator_takes_panels(const struct operator_row *o);
const struct operand *operation_right(const struct operation *op);

/* Get and set the value of a parameter. parameter_at: the i-th of all operators' parameters, each
 * counted once; NULL if there are no more. */
int64_t parameter_get(const struct parameter *p, const struct parameters *from);
void parameter_set(const struct parameter *p, struct parameters *to, int64_t value);
const struct parameter *parameter_at(size_t i);

/* Sets the default value of every parameter of the operator for which is_given returns false. */
typedef bool parameter_given(const struct parameter *p, const void *context);
void operator_fill_defaults(const struct operator_row *o, struct parameters *values,
                            parameter_given *is_given, const void *context);

/* For operators that sum products of the image and the right operand. The values must be bitwise
 * correct if that operand is the identity, or if all values are integers and no sum rounds. No sum
 * is larger than terms * max|x| * max(max|b|, 1); with the identity, than max|x|. */
bool products_are_exact(const struct operation *op, bool integers, double max_abs);
double products_largest(const struct operation *op, double max_abs);

/* For operators whose output row r reads image row r: operator_row.rows_needed and begin. */
void own_rows_needed(const struct operation *op, int64_t row, int64_t rows, int64_t *first,
                     int64_t *count);
struct region own_begin(const struct operation *op, int64_t plane, int64_t row, int64_t col);

/* The shapes of image and map plane by plane, as a reader sees them: channels * batch planes.
 * shape_of_lines: the shape in memory order of `planes`, if the rows of `channels` channels are
 * interleaved. */
struct image_shape image_planes(const struct operation *op);
struct image_shape map_planes(const struct operation *op);
struct image_shape shape_of_lines(struct image_shape planes, int64_t channels);

/* A refusal with a text that is formatted as by printf. */
struct refusal refusal_make(enum refusal_kind kind, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
