/* --per-rank: the raw times of every rank, one row per rank and execution. */
#ifndef MAXPOOL_PER_RANK_H
#define MAXPOOL_PER_RANK_H

#include "mpi/times.h"

struct per_rank;

/* Collective; only the root has the file. Status 5 if it cannot be written. */
enum status per_rank_open(struct per_rank **out, const char *path, struct failure *f);

/* Collective: appends the rows of one execution, warm-up ones too. */
enum status per_rank_append(struct per_rank *p, const char *method, const struct rank_times *mine,
                            struct failure *f);

enum status per_rank_close(struct per_rank *p, struct failure *f); /* NULL is fine */

#endif
