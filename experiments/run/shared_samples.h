/* Copies samples to every experiment that has their point. A process measures several points at
 * once, and a point may belong to several experiments. The process records to one file,
 * R/under_way.samples.csv. From there its rows are copied to the files R/NAME.csv, once for each
 * experiment that has the point, with its name in the column `experiment`. Each experiment's file
 * is therefore complete. Rows that a killed study left in the common file are imported by the next
 * study. */
#ifndef MAXPOOL_RUN_SHARED_SAMPLES_H
#define MAXPOOL_RUN_SHARED_SAMPLES_H

#include "experiments/common/results.h"
#include "experiments/run/ledger.h"

/* The samples files of a plan's definitions, open for appending. */
struct sample_writers {
    const struct plan *plan;
    const char *results;
    struct record_writer **writers; /* one per definition */
    const struct ledger *ledger;    /* knows the set that a new launch belongs to */
};

enum status sample_writers_open(struct sample_writers *w, const struct plan *plan,
                                const char *results, struct failure *f);
enum status sample_writers_close(struct sample_writers *w, struct failure *f);

/* Returns the path of the file to which a process records. */
struct results_path sharing_under_way(const char *results);

/* Copies the rows of a process for `points` of the plan to the files of their experiments. `fresh`:
 * the recorded samples. */
enum status sharing_copy_samples(struct sample_writers *w, const struct samples *fresh,
                                 const size_t *points, size_t count, struct failure *f);

/* A launch of a point that existed already and was copied. */
struct adoption {
    size_t point;
    int64_t round;
};

struct adoptions {
    struct adoption *items; /* owned */
    size_t count;
};

/* Copies the rows that a killed study left in the common file, and updates the ledger. */
enum status sharing_recover(struct sample_writers *w, struct ledger *ledger,
                            struct adoptions *adopted, struct failure *f);

/* Copies finished launches that the ledger misses and another experiment in the folder has. */
enum status sharing_adopt(struct sample_writers *w, struct ledger *ledger,
                          struct adoptions *adopted, struct failure *f);

#endif
