/* The operators. Each is one row, and whoever needs to know what an operator takes, makes, reads,
 * costs or is called asks its row: options, help, prepare, spaces, verdicts, records, summaries,
 * plan, roof, charts. No code outside an operator's own folder compares an operator by name or by
 * an address of its row; tests/kernels/test_operators.c looks.
 *
 * To add an operator NAME:
 *  1. Make the folder kernels/NAME. Its operands are the image (planes x rows x cols, planes being
 *     channels times batch; a matrix is one plane) and those that its row lists by their roles
 *     (kernels/operation.h). Its result is a map of planes x rows x cols.
 *  2. Options of its own are struct parameter rows; those of windows are shared
 *     (kernels/windows.h). A new one is a field of struct parameters (kernels/operation.h), and a
 *     column of the record (harness/records/columns.inc). Nothing else: command
 * line, help, refusals by other operators, defaults, records, plans and sweeps follow from the row.
 *  3. Write the functions of the row below in kernels/NAME/operator.c and the row itself,
 *     `const struct operator_row NAME_operator`. They are pure: no I/O, allocation, clock or
 *     thread. What cannot be is a value, struct refusal.
 *  4. Write its methods, one file each, and their table, rows that begin with a struct method
 *     (kernels/maxpool/methods.c has the recipe); the oracle is a function of its own
 *     (kernels/oracle.h), which shares no code with any method.
 *  5. Add its line to kernels/operators.inc. Its programs NAME_serial, NAME_omp and NAME_mpi are
 *     then built.
 *  6. Give it cases in tests/support/cases.c: the grids of all spaces run them. */
#ifndef MAXPOOL_OPERATORS_H
#define MAXPOOL_OPERATORS_H

#include "kernels/methods.h"
#include "kernels/oracle.h"
#include "kernels/required_work.h"

/* ---- what rows are made of ------------------------------------------------------------------- */

/* Why an operation cannot be. */
enum refusal_kind {
    REFUSAL_NONE,
    REFUSAL_USAGE,   /* wrong or contradictory: status 2 */
    REFUSAL_RESOURCE /* more than can be counted: status 4 */
};
struct refusal {
    enum refusal_kind kind;
    char text[200];
};

struct operator_row;

/* An option of some operators: an integer, or one of some words, whose index is the value. */
struct parameter {
    const char *option;   /* --kernel-size */
    char letter;          /* -k; 0: none */
    const char *argument; /* as the help shows it; of a choice the words, separated by | */
    bool choice;
    const char *column; /* of the record, and the axis of a sweep; integers, or the words */
    const char *of;     /* what operators without it do not have: "windows" */
    int64_t least;
    size_t offset;       /* of the field in struct parameters */
    int64_t fallback;    /* the value where it is not given ... */
    const char *follows; /* ... or that of another option, listed before it; NULL: the former */
    const char *help;
    bool random; /* describes a random image: a file has its own */
    /* Of a choice: the operator that each of its words asks for, instead of the one whose
     * program is asked. Each of them lists the parameter too. NULL: it selects none. */
    const struct operator_row *const *selects;
};

/* An operand beside the image. */
struct operand_row {
    enum operand_role role;
    const char *option;   /* --filter */
    const char *formerly; /* the option in earlier versions, which is still read; NULL: the same */
    const char *column;   /* of the record, which holds its name */
    const char *argument; /* as the help shows it: identity|random|FILE.npy */
    const char *fallback; /* what it is where it is not given */
    const char *help;
    const char *noun;   /* "filter": what operators without it do not have */
    const char *symbol; /* "B" in formulas and explanations; NULL: none */
    /* Its shape, once the image's and the parameters are known. */
    struct image_shape (*shape)(const struct operation *op);
    /* Of operands of four dimensions, the first: its planes are so many times as many. NULL: 1. */
    int64_t (*count)(const struct operation *op);
    /* Sets the parameters that a file of it fixes: of its planes, of the first of its four
     * dimensions (or 1). NULL: none. */
    void (*from_file)(struct parameters *p, struct image_shape planes, int64_t count);
    /* Ranks get it panel by panel while they compute, from the one that holds it; otherwise each
     * has the whole of it before any time is taken. */
    bool panels;
    bool any_rows;   /* of a file: as many rows as it has */
    bool one_or_all; /* ... as many planes as the image has, or one for all of them */
};

/* Which of the device's kernels (cuda/kernels/kernels.h) computes the operator. */
enum device_task {
    DEVICE_NONE,     /* none: it runs on no GPU */
    DEVICE_POOL,     /* windows to maxima */
    DEVICE_PRODUCT,  /* the image times a square matrix */
    DEVICE_CONV,     /* windows of all channels times a bank of filters */
    DEVICE_DISTANCES /* of the image's rows from those of the points compared with */
};

/* Marks a text that reports translate: po/ holds its translations. */
#define N_(id) id

/* What methods of one kind of work are called where they are shown beside each other. */
struct work_words {
    const char *id;    /* for references; NULL: there are no such methods */
    const char *title; /* "Matrix product"; an id of a message */
};

/* What it is called. */
struct operator_words {
    const char *subject;  /* "the matrix product" in "the matrix product has no windows" */
    const char *measures; /* the help's first paragraph, behind "Measures " */
    const char *map;      /* "Feature map" */
    /* The work in a summary: "16,384 windows extracted, 4 values each". */
    const char *units, *parts;
    const char *one_unit, *one_part; /* the same of one: "window extracted", "value" */
    const char *again;               /* what operation.again counts; NULL: nothing */
    const char *packed;              /* what operation.packed is; NULL: no method packs anything */
    const char *example;             /* a method worth trying, and one of a GPU */
    const char *device_example;
    const char *const *examples; /* more options worth trying; ended by NULL */
    /* A time per output is of one of these in tables ("window"; an id of a message); NULL: tables
     * show the time of the whole. */
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

/* One output worked out for a reader: parts side by side, each `rows` x its own columns of the
 * values, one part after the other, with a word before it. For a window: its elements, "x B =", and
 * its product. Rows may come in groups, numbered from first_group on. */
enum { EXPLAINED_PARTS = 4 };
struct explained_part {
    const char *before;
    int64_t cols; /* 0: there is no such part, and none behind it */
};
struct explanation {
    int64_t rows;
    struct explained_part parts[EXPLAINED_PARTS];
    int64_t group, first_group; /* rows of a group; 0: there are none */
    const char *group_word;
    char title[128], result[160];
};

/* ---- the row ----------------------------------------------------------------------------------
 */

struct operator_row {
    const char *name; /* as programs, records and definitions have it */
    struct operator_words words;

    /* What it is asked for: its own options, and its operands, in the order of the help. Both lists
     * end with NULL. */
    const struct parameter *const *parameters;
    const struct operand_row *const *operands;
    /* Of operators with operands: the right one of the product, image by operand. It alone is
     * packed, comes in panels, or lies in constant memory. */
    enum operand_role right;
    bool points;      /* the image is points, a row each: --dimensions, --nearest */
    bool many_planes; /* images of several planes; otherwise --planes makes no sense */

    /* Of operators of which an image has channels: the rows of one number of all its channels lie
     * side by side in memory, so that image and map are batch x rows x (channels x columns) and
     * are distributed like any other. How many channels, of the image and of the map. NULL: a row
     * is that of one plane. */
    int64_t (*image_channels)(const struct operation *op);
    int64_t (*map_channels)(const struct operation *op);
    /* The random image's planes, from its sizes and the parameters; NULL: as the sizes are. And the
     * parameters that a found image fixes: its planes, of that many images; NULL: none.
     */
    struct image_shape (*ask)(const struct parameters *p, struct image_shape sizes);
    void (*find)(struct parameters *p, struct image_shape planes, int64_t batch);

    /* Sets geometry and map from image and parameters, or says why there is no such operation. */
    struct refusal (*shape)(struct operation *op);
    /* Whether the operands bound go together: NULL, or why not, a whole sentence. NULL: always. */
    const char *(*refuses)(const struct operation *op);

    /* Its methods, host and GPU, the baseline first: the head of the i-th, NULL from their number
     * on; whether that one is built for a set; and a part of a portion by the operation's method.
     */
    const struct method *(*method)(size_t i);
    bool (*is_built)(const struct method *m, enum isa isa);
    void (*run)(const struct operation *op, const struct portion *portion, enum stage stage);
    enum device_task device;
    bool windows_go_alone; /* to a GPU, one by one, where that is asked for: --offload window */

    /* What it must read, write and compute at the least; `product`: by methods that do the product.
     * Map and image have their shapes. */
    struct need (*need)(const struct operation *op, bool product);
    /* Terms that one output sums, and outputs' parts as words.parts counts them. */
    int64_t (*terms)(const struct operation *op);
    double (*parts)(const struct operation *op);

    /* Image rows [*first, *first + *count) of the plane that the output's begins with, and as far
     * as they go of those behind it, that the output rows [row, row + rows) read, clipped to the
     * image. Both ends grow with the row. */
    void (*rows_needed)(const struct operation *op, int64_t row, int64_t rows, int64_t *first,
                        int64_t *count);
    /* The element where the input of output (plane, row, col) begins: whoever computes from there
     * on should touch the image from there on. Output (0, 0) of a plane begins with the first
     * element of the first image plane that it reads, which is what a method's view begins with. */
    struct region (*begin)(const struct operation *op, int64_t plane, int64_t row, int64_t col);

    /* The oracle. The elements that it looks at for the outputs [col, col + cols) of a map row
     * (`narrow`: the image can be read in any order, so as few columns as will do); the
     * expectations of those outputs from those elements, which lie in `data` row by row, plane by
     * plane; how many outputs of a row it should take at a time so that the elements are no more
     * than `most`; and the steps that one output takes, reads and multiplications. */
    struct region (*region_needed)(const struct operation *op, int64_t plane, int64_t row,
                                   int64_t col, int64_t cols, bool narrow);
    void (*expect)(const struct operation *op, const struct region *held, const float *data,
                   const struct block *outputs, struct expectation *out);
    int64_t (*strip)(const struct operation *op, int64_t most);
    double (*steps)(const struct operation *op);
    /* Whether results must be right bit for bit, given what is known of the image's elements; and
     * the largest magnitude that a sum may reach, which float32 must hold. */
    bool (*is_exact)(const struct operation *op, bool integers, double max_abs);
    double (*largest)(const struct operation *op, double max_abs);

    /* The parameters in a summary, "kernel size 2, stride 2". */
    void (*describe)(const struct operation *op, char *text, size_t size);
    /* --explain: how many values one output takes to show; and one output, with those filled from
     * the rows of the image planes that it reads. NULL: there is nothing to explain. */
    int64_t (*explained_elements)(const struct operation *op);
    struct explanation (*explain)(const struct operation *op, const struct view *image,
                                  int64_t plane, int64_t row, int64_t col, double *values);
};

#define OPERATOR(name, ...) extern const struct operator_row name##_operator;
#include "kernels/operators.inc"

/* All of them, in the order of kernels/operators.inc. */
extern const struct operator_row *const operators[];
extern const size_t operator_count;

/* The row of a name as records have it, or NULL. */
const struct operator_row *operator_find(const char *name);

/* The operator that a program of the row runs by these parameters: the row itself, or the one that
 * a choice among them selects. */
const struct operator_row *operator_selected(const struct operator_row *o,
                                             const struct parameters *values);

/* Whichever a program of the row may run: the i-th, itself first; NULL from their number on. */
const struct operator_row *operator_variant(const struct operator_row *o, size_t i);

/* The parameter or operand of that option that one of them has; NULL: none. */
const struct parameter *operator_any_parameter(const struct operator_row *o, const char *option);
const struct operand_row *operator_any_operand(const struct operator_row *o, const char *option);

/* How many methods its table has. */
size_t operator_method_count(const struct operator_row *o);

/* The method of (kind, name) in the operator's own table, or NULL; its place there, or -1. */
const struct method *operator_method(const struct operator_row *o, enum space_kind kind,
                                     const char *name);
ptrdiff_t operator_rung(const struct operator_row *o, enum space_kind kind, const char *name);

/* The widest set up to `limit` that the method is built for. */
enum isa operator_isa(const struct operator_row *o, const struct method *m, enum isa limit);

/* The operator's parameter of that option or column, or NULL. */
const struct parameter *operator_parameter(const struct operator_row *o, const char *option);
const struct parameter *operator_parameter_of_column(const struct operator_row *o,
                                                     const char *column);

/* The operator's operand of that option, or that column, or NULL. */
const struct operand_row *operator_operand(const struct operator_row *o, const char *option);
const struct operand_row *operator_operand_of_column(const struct operator_row *o,
                                                     const char *column);

/* The row of its right operand, or NULL where the operator has none; whether that comes in panels;
 * and what an operation has there: without one, an operand with neither values nor shape. */
const struct operand_row *operator_right(const struct operator_row *o);
bool operator_takes_panels(const struct operator_row *o);
const struct operand *operation_right(const struct operation *op);

/* A parameter's value, and every operator's parameters one after the other, each once: the i-th, or
 * NULL from their number on. */
int64_t parameter_get(const struct parameter *p, const struct parameters *from);
void parameter_set(const struct parameter *p, struct parameters *to, int64_t value);
const struct parameter *parameter_at(size_t i);

/* Gives a value to every parameter of the operator for which is_given answers false. */
typedef bool parameter_given(const struct parameter *p, const void *context);
void operator_settle(const struct operator_row *o, struct parameters *values,
                     parameter_given *is_given, const void *context);

/* For rows of operators that sum products of the image and the right operand: the values are right
 * bit for bit where that is the identity, or where all are integers and no sum rounds; no sum is
 * larger than terms * max|x| * max|b|. */
bool products_are_exact(const struct operation *op, bool integers, double max_abs);
double products_largest(const struct operation *op, double max_abs);

/* For rows of operators whose output rows read the image rows of the same numbers:
 * operator_row.rows_needed and begin. */
void own_rows_needed(const struct operation *op, int64_t row, int64_t rows, int64_t *first,
                     int64_t *count);
struct region own_begin(const struct operation *op, int64_t plane, int64_t row, int64_t col);

/* Image and map as a reader has them, plane by plane: planes are channels times batch. And planes
 * in memory order, where rows of so many channels lie side by side. */
struct image_shape image_planes(const struct operation *op);
struct image_shape map_planes(const struct operation *op);
struct image_shape shape_of_lines(struct image_shape planes, int64_t channels);

/* A refusal with its text, as printf makes it. */
struct refusal refusal_make(enum refusal_kind kind, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
