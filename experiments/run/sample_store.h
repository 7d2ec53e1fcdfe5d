/* Adds samples to R/samples.csv. A process records to a file of its own, R/under_way.samples.csv.
 * Once it has ended, its rows are copied from there, each with the set of launches that its point
 * is at. Rows that a killed study left are copied by the next study. */
#ifndef MAXPOOL_SAMPLE_STORE_H
#define MAXPOOL_SAMPLE_STORE_H

#include "experiments/common/results.h"
#include "experiments/common/text/numbering.h"
#include "experiments/run/ledger.h"

/* R/samples.csv, open for appending. */
struct sample_store {
    const char *results;
    struct record_writer *writer;
};

enum status sample_store_open(struct sample_store *store, const char *results, struct failure *f);
enum status sample_store_close(struct sample_store *store, struct failure *f);

/* The file to which a process records. */
struct results_path sample_store_under_way(const char *results);

/* Copies the rows that a process recorded of `points` of the ledger's plan. */
enum status sample_store_take(struct sample_store *store, const struct ledger *ledger,
                              const size_t *points, size_t count, struct failure *f);

/* Copies the rows that a killed study left; *runs: their run_ids, for the caller to release. */
enum status sample_store_recover(struct sample_store *store, struct numbering *runs,
                                 struct failure *f);

#endif
