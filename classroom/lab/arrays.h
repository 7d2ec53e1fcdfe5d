/* The three arrays that a parent shares with its workers, each in its own shared memory, so that a
 * worker can map the image and the second operand read-only. */
#ifndef MAXPOOL_LAB_ARRAYS_H
#define MAXPOOL_LAB_ARRAYS_H

#include "classroom/lab/call/protocol.h"
#include "harness/base/failure.h"

#include <stddef.h>

struct lab_arrays {
    char *address[LAB_ARRAYS]; /* address in this process */
    size_t bytes[LAB_ARRAYS];
    int descriptor[LAB_ARRAYS];
};

/* Makes arrays of at least bytes[i] bytes each; status 4. */
enum status lab_arrays_open(struct lab_arrays *a, const size_t bytes[LAB_ARRAYS],
                            struct failure *f);
void lab_arrays_close(struct lab_arrays *a);

#endif
