/* How the time of a network is distributed: one CSV row per step, method and launch
 * (--record-layers). The columns are declared once, in layer_record.c, for the writer and for
 * readers. */
#ifndef MAXPOOL_LAYER_RECORD_H
#define MAXPOOL_LAYER_RECORD_H

#include "harness/records/record.h"

/* One row. If there are several processes, it is of the first one, with its part of the batch. */
struct layer_record {
    /* the launch, as the samples of the same run_id have it */
    char experiment[RECORD_TEXT];
    char program[RECORD_TEXT];
    char space[RECORD_TEXT];
    char method[RECORD_TEXT]; /* requested with --conv */
    char network[RECORD_TEXT];
    int64_t images, ranks, threads;
    char isa[RECORD_TEXT];
    char run_id[RECORD_TEXT];
    int64_t round;
    char host[RECORD_TEXT];
    char commit[RECORD_TEXT];
    /* the step */
    int64_t images_here, image_rows, image_cols; /* images of this process, and their size */
    int64_t step;                                /* from 0, in execution order */
    char layer[RECORD_TEXT];                     /* name of the layer that computes */
    char kinds[RECORD_TEXT];                     /* kinds of all its layers: conv+batchnorm+relu */
    int64_t channels, rows, cols;                /* of the output of one image */
    int64_t parameters;
    double multiply_adds;       /* of images_here, by the definition */
    double least_multiply_adds; /* that no method can do without */
    double bytes;               /* minimum: inputs and weights read, outputs written, once */
    double bytes_written;       /* of these */
    char layer_method[RECORD_TEXT];
    int64_t executions; /* that were timed */
    double fastest_s, mean_s;
    double roof_s;          /* the least seconds of bytes and least_multiply_adds (--roof) */
    double roof_share;      /* of fastest_s */
    char pass[RECORD_TEXT]; /* of a training step: forward, backward, update; "": inference */
    double error_ulps_rms; /* of the outputs verified last; backward the larger of the gradients' */
};

extern const struct schema layer_record_schema;

#endif
