/* One call of a GPU kernel on the emulated device that counts its requests to memory. */
#ifndef MAXPOOL_LAB_COUNTED_CALL_H
#define MAXPOOL_LAB_COUNTED_CALL_H

#include "experiments/lab/checks.h"

enum { LAB_COUNTS_TEXT = 2048 }; /* characters */

/* Calls the kernel once, in a worker that `how` starts, and writes the numbers that it counted to
 * `counts`, a blank before each. Status 2, with the cause, if it is not correct at this size. */
enum status lab_counted_call(const struct lab_kind *kind, const struct lab_start *how,
                             const struct lab_size *size, uint64_t seed,
                             char counts[LAB_COUNTS_TEXT], struct failure *f);

/* Prints the counts beside those of the suite's kernels: starts NAME_cuda of the emulation, with
 * these counts as another column of this title. `card`: as --card takes it, NULL: the default. */
enum status lab_counts_show(const struct lab_kind *kind, const struct lab_size *size,
                            const char *title, const char *counts, const char *card,
                            struct failure *f);

#endif
