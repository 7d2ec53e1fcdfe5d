/* What `study duet` gives its worker on the command line, and what the worker writes.
 *
 * A line of the file of points: "NUMBER NAME=VALUE NAME=VALUE ...", names as in the record.
 * A line of the file of samples, NUMBER being a point's:
 *
 *   sample NUMBER ROUND FIRST SECONDS_A SECONDS_B   of one execution; FIRST, a or b, came first
 *   result NUMBER HASH_A HASH_B                     of the outputs, in hexadecimal
 *   lacks  NUMBER SIDES MESSAGE                     a, b or ab cannot make the operation
 *   wrong  NUMBER SIDE MESSAGE                      its output is wrong, or changes
 *
 * The exit status is that of the suite's programs, and a failure is one line on standard error. */
#ifndef MAXPOOL_DUET_ARGUMENTS_H
#define MAXPOOL_DUET_ARGUMENTS_H

enum duet_argument {
    DUET_ARG_A = 1,   /* a shared library ... */
    DUET_ARG_B,       /* ... of either build */
    DUET_ARG_POINTS,  /* file of points */
    DUET_ARG_SAMPLES, /* file that samples are written to */
    DUET_ARG_FIRST,   /* a or b: which is loaded first */
    DUET_ARG_SEED,    /* of the places of buffers, and of which build begins a round */
    DUET_ARG_ROUNDS,  /* of each point */
    DUET_ARG_THREADS, /* of each operation */
    DUET_ARG_LEAST,   /* seconds that a sample takes at least, by repeating short ones */
    DUET_ARG_VERIFY,  /* 1: outputs are compared with the oracle of A */
    DUET_ARG_FILLER,  /* moves the stack by its length */
    DUET_ARGS
};

#endif
