/* The last run of a kernel from outside, in the form that an archive contains: DIR/lab/NAME.json is
 * the object of lab_json_object() with the additional member "run"; DIR/lab/NAME.samples.csv has a
 * row for each sample, in the order of execution. NAME is the method without "lab:". */
#ifndef MAXPOOL_LAB_RUN_FILE_H
#define MAXPOOL_LAB_RUN_FILE_H

#include "classroom/lab/timing.h"
#include "experiments/common/results.h"

#include <stdio.h>

enum { LAB_RUN_VERSION = 1 };

/* One row: round from 0, turn within the round from 0, and nanoseconds since the run's first order.
 * `seconds` is (ended_ns - began_ns) 1e-9. */
struct lab_sample {
    int64_t round, turn, began_ns, ended_ns;
    char method[LAB_NAME];
    double seconds;
};

struct lab_samples {
    struct lab_sample *items;
    size_t count;
};

/* Reads the samples from a text. Status 2 if a column is missing or a row is damaged (with its
 * line), 4. */
enum status lab_samples_parse(struct lab_samples *out, const char *text, size_t count,
                              struct failure *f);
void lab_samples_release(struct lab_samples *s);

/* The paths of the two files of a kernel's run. */
struct results_path lab_run_facts_path(const char *results, const char *method);
struct results_path lab_run_samples_path(const char *results, const char *method);

#endif
