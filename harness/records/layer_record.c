#include "harness/records/layer_record.h"

#define TEXT(field, meaning) TABLE_COLUMN(struct layer_record, field, COLUMN_TEXT, meaning)
#define INT(field, meaning)  TABLE_COLUMN(struct layer_record, field, COLUMN_INT, meaning)
#define REAL(field, meaning) TABLE_COLUMN(struct layer_record, field, COLUMN_REAL, meaning)

static const struct column columns[] = {
    TEXT(experiment, "name given to the samples"),
    TEXT(program, "program that measured"),
    TEXT(space, "who computed: serial, omp, mpi"),
    TEXT(method, "how convolutions were asked to be computed"),
    TEXT(network, "name of the network"),
    INT(images, "images that went through together, in all processes"),
    INT(ranks, "MPI processes"),
    INT(threads, "threads, under MPI of each rank"),
    TEXT(isa, "widest instruction set"),
    TEXT(run_id, "the launch, as in the samples"),
    INT(round, "number given to the launch"),
    TEXT(host, "computer"),
    TEXT(commit, "of the sources"),
    INT(images_here, "images of the batch in the process that recorded the row"),
    INT(image_rows, "rows of an image"),
    INT(image_cols, "columns of an image"),
    INT(step, "place in the order in which steps run, from 0"),
    TEXT(layer, "layer that computes"),
    TEXT(kinds, "kinds of the layers in the step, joined by +"),
    INT(channels, "of the step's output"),
    INT(rows, "of the step's output"),
    INT(cols, "of the step's output"),
    INT(parameters, "that the step's layers hold"),
    REAL(multiply_adds, "of images_here, by the definition"),
    REAL(bytes, "inputs and weights read and outputs written, each value once"),
    TEXT(layer_method, "how the step was computed"),
    INT(executions, "that were clocked"),
    REAL(fastest_s, "seconds of the fastest of them"),
    REAL(mean_s, "seconds of their mean"),
    TEXT(pass, "of a training step: forward, backward or update; empty: inference"),
    REAL(least_multiply_adds, "of multiply_adds, those that no method can do without"),
    REAL(bytes_written, "of bytes, those written"),
    REAL(roof_s, "least seconds of bytes and least_multiply_adds, by the ceilings of --roof"),
    REAL(roof_share, "of fastest_s"),
    REAL(error_ulps_rms, "root mean square error of the step's outputs in ulps, backward the "
                         "larger of its gradients'"),
};

_Static_assert(TABLE_LINE_FITS(struct layer_record, columns), "a row must fit a line");

const struct schema layer_record_schema = {columns, sizeof columns / sizeof columns[0],
                                           sizeof(struct layer_record)};
