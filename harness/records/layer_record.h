/* Where the time of a network goes: one CSV row per step, method and launch (--record-layers). The
 * columns are declared once, in layer_record.c, for the writer and for readers. */
#ifndef MAXPOOL_LAYER_RECORD_H
#define MAXPOOL_LAYER_RECORD_H

#include "harness/records/record.h"

/* One row. Of several processes the first one's, with its own part of the batch. */
struct layer_record {
    /* the launch, as the samples of the same run_id have it */
    char experiment[RECORD_TEXT];
    char program[RECORD_TEXT];
    char space[RECORD_TEXT];
    char method[RECORD_TEXT]; /* what --conv asked for */
    char network[RECORD_TEXT];
    int64_t images, ranks, threads;
    char isa[RECORD_TEXT];
    char run_id[RECORD_TEXT];
    int64_t round;
    char host[RECORD_TEXT];
    char commit[RECORD_TEXT];
    /* the step */
    int64_t images_here, image_rows, image_cols; /* of the batch in this process; their size */
    int64_t step;                                /* from 0, in the order in which they run */
    char layer[RECORD_TEXT];                     /* name of the layer that computes */
    char kinds[RECORD_TEXT];                     /* of all its layers: conv+batchnorm+relu */
    int64_t channels, rows, cols;                /* of the output of one image */
    int64_t parameters;
    double multiply_adds;       /* of images_here, as the definition has them */
    double least_multiply_adds; /* that no method can do without */
    double bytes;               /* at the least: inputs and weights read, outputs written, once */
    double bytes_written;       /* of these */
    char layer_method[RECORD_TEXT];
    int64_t executions; /* that were clocked */
    double fastest_s, mean_s;
    double roof_s;     /* the least seconds that bytes and least_multiply_adds can take (--roof) */
    double roof_share; /* of fastest_s */
    char pass[RECORD_TEXT]; /* of a training step: forward, backward, update; "": none is trained */
    double error_ulps_rms;  /* of the outputs verified last, or of the gradients: the larger */
};

extern const struct schema layer_record_schema;

#endif
