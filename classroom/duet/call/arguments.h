/* What `study duet` passes to its worker on the command line, and what the worker writes.
 *
 * A line of the file of points:
 *
 *   NUMBER LARGEST NAME:ELEMENTS:VALUES ... operator=OPERATOR NAME=VALUE ...
 *
 * LARGEST is that of the integers of the input, from 0. The operands besides it follow: "input" (a
 * copy of it), "identity" (the matrix), or random integers LEAST..MOST. The rest is for the library
 * (struct maxpool_described). A line of the file of samples, where NUMBER is that of a point:
 *
 *   sample NUMBER ROUND FIRST SECONDS_A SECONDS_B   of one execution; FIRST (a or b) came first
 *   result NUMBER HASH_A HASH_B                     of the outputs, in hexadecimal
 *   lacks  NUMBER SIDES MESSAGE                     a, b or ab cannot make the operation
 *   wrong  NUMBER SIDE MESSAGE                      its output is wrong, or changes
 *
 * The exit statuses are those of the suite's programs; a failure is one line on standard error. */
#ifndef MAXPOOL_DUET_ARGUMENTS_H
#define MAXPOOL_DUET_ARGUMENTS_H

enum { DUET_LINE = 1024 }; /* bytes of a line of points */

enum duet_argument {
    DUET_ARG_A = 1,   /* shared library of build A */
    DUET_ARG_B,       /* shared library of build B */
    DUET_ARG_POINTS,  /* file of points */
    DUET_ARG_SAMPLES, /* file that samples are written to */
    DUET_ARG_FIRST,   /* a or b: the build that is loaded first */
    DUET_ARG_SEED,    /* seed of the gaps before the modules, the addresses of buffers, and the
                       * build that begins */
    DUET_ARG_ROUNDS,  /* number of rounds of each point */
    DUET_ARG_THREADS, /* threads of each operation */
    DUET_ARG_LEAST,   /* minimum seconds of a sample; short executions are repeated */
    DUET_ARG_VERIFY,  /* 1: outputs are compared with the oracle of A */
    DUET_ARG_FILLER,  /* moves the stack by its length */
    DUET_ARGS
};

#endif
