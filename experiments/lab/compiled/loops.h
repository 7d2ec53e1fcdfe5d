/* What the compiler did with the loops of a kernel: its own notes on vectorization, by source line.
 */
#ifndef MAXPOOL_LAB_LOOPS_H
#define MAXPOOL_LAB_LOOPS_H

#include <stddef.h>

enum { LAB_LOOPS = 64 };

struct lab_loop {
    int line;
    int bytes;    /* of its vectors, the widest; 0: not vectorized */
    char why[96]; /* not vectorized: why, in the compiler's words */
};

struct lab_loops {
    struct lab_loop items[LAB_LOOPS]; /* in ascending order of lines */
    size_t count;
};

/* Reads what GCC's -fopt-info-vec-optimized-missed=NOTES wrote of this file. None where there are
 * no notes. */
void lab_loops_read(struct lab_loops *loops, const char *notes, const char *file);

#endif
