/* What the compiler did with the loops of a kernel: its notes on vectorization, by source line. */
#ifndef MAXPOOL_LAB_LOOPS_H
#define MAXPOOL_LAB_LOOPS_H

#include <stddef.h>

enum { LAB_LOOPS = 64 };

struct lab_loop {
    int line;
    int bytes;    /* of its widest vectors; 0: not vectorized */
    char why[96]; /* not vectorized: the compiler's reason */
};

struct lab_loops {
    struct lab_loop items[LAB_LOOPS]; /* in ascending order of lines */
    size_t count;
};

/* Reads the notes of GCC's -fopt-info-vec-optimized-missed=NOTES on this file. Without notes there
 * are no loops. */
void lab_loops_read(struct lab_loops *loops, const char *notes, const char *file);

#endif
