/* The last run of a kernel from outside, as it goes into an archive: DIR/lab/NAME.json is the
 * object of lab_json_object() with the member "run", and DIR/lab/NAME.samples.csv has a row for
 * each sample in the order of their coming. NAME is the method without "lab:". */
#ifndef MAXPOOL_LAB_RUN_FILE_H
#define MAXPOOL_LAB_RUN_FILE_H

#include "experiments/common/results.h"
#include "experiments/lab/timing.h"

#include <stdio.h>

enum { LAB_RUN_VERSION = 1 };

/* One row: round from 0, place within it, and nanoseconds since the run's first order. `seconds` is
 * (ended_ns - began_ns) 1e-9. */
struct lab_sample {
    int64_t round, turn, began_ns, ended_ns;
    char method[LAB_NAME];
    double seconds;
};

struct lab_samples {
    struct lab_sample *items;
    size_t count;
};

/* All rounds of a timing. */
void lab_samples_print(FILE *stream, const struct lab_timing *timing);

/* Reads them back from a text. Status 2 where a column is missing or a field is no number (with its
 * line), 4. */
enum status lab_samples_parse(struct lab_samples *out, const char *text, size_t count,
                              struct failure *f);
void lab_samples_release(struct lab_samples *s);

/* The two files of a kernel's run. */
struct results_path lab_run_facts_path(const char *results, const char *method);
struct results_path lab_run_samples_path(const char *results, const char *method);

#endif
