/* One call of a GPU kernel on the emulated device that counts its requests to memory. */
#ifndef MAXPOOL_LAB_COUNTED_CALL_H
#define MAXPOOL_LAB_COUNTED_CALL_H

#include "classroom/lab/checks.h"

enum { LAB_COUNTS_TEXT = 2048, LAB_COUNTED_LINES = 16384 }; /* characters */

/* What a call counted: the numbers of struct emulation_counts (cuda/emulation/counts.h), a blank
 * before each; and for each place of the code that made requests a line: "FILE:12", the kind of
 * request, its numbers. */
struct lab_counts {
    char numbers[LAB_COUNTS_TEXT], lines[LAB_COUNTED_LINES];
};

/* Calls the kernel once, in a worker that `how` starts. `source` is the kernel's file. Status 2,
 * with the cause, if it is not correct at this size. */
enum status lab_counted_call(const struct operator_row *kind, const struct lab_start *how,
                             const struct foreign_sizes *size, const char *source, uint64_t seed,
                             struct lab_counts *counts, struct failure *f);

/* Prints the counts beside those of the suite's kernels: starts NAME_cuda of the emulation, with
 * these counts as another column. `source`: the kernel's file; its name is the title. `card`: as
 * --card takes it, NULL: the default. */
enum status lab_counts_show(const struct operator_row *kind, const struct foreign_sizes *size,
                            const char *source, const struct lab_counts *counts, const char *card,
                            struct failure *f);

#endif
