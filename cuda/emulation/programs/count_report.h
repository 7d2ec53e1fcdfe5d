/* Shows the counts of several kernels side by side. */
#ifndef CUDA_EMULATION_COUNT_REPORT_H
#define CUDA_EMULATION_COUNT_REPORT_H

#include "cuda/emulation/counts.h"
#include "cuda/emulation/programs/cards.h"

#include <stdio.h>

/* A kernel, or all kernels of one execution of a method. */
struct counted_method {
    char name[64];
    struct emulation_counts counts;
    struct counted_kernel kernel;    /* the first one */
    struct compiled_kernel compiled; /* what nvcc says of it */
    struct counted_line *lines;
    int64_t line_count;
    struct counted_picture *pictures;
    int64_t picture_count;
};

/* What the operator must do at the least. */
struct counted_work {
    double bytes_read, bytes_written, multiply_adds;
    int64_t image_rows, image_cols;
};

/* predicts: the card was named, so a time is predicted for it. */
struct counted_report {
    const struct counted_method *methods;
    int64_t count;
    struct counted_work work;
    const struct card *card;
    bool predicts;
};

void count_print_table(FILE *out, const struct counted_report *report);
/* Line by line of the source: after the table, of all methods; alone; and of one method. */
void count_print_lines(FILE *out, const struct counted_report *report);
void count_print_explained(FILE *out, const struct counted_report *report);
void count_print_lines_of(FILE *out, const struct counted_method *method);
/* One row for each method, with a header; one object for each method. */
void count_print_csv(FILE *out, const struct counted_report *report);
void count_print_json(FILE *out, const struct counted_report *report);
/* The requests of the first warp to the image, one picture for each method. */
void count_print_svg(FILE *out, const struct counted_report *report);

#endif
