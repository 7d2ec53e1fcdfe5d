/* The launches of `study duet` of commands: in each round A, B and A once more of each benchmark,
 * in a random order (experiments/program/own_rounds.h). Each launch finds an environment of another
 * size, which moves the stack; everything else that has an address is moved by the system (ASLR).
 * Launches are kept in a file, and the same question continues them. */
#ifndef MAXPOOL_DUET_LAUNCHES_H
#define MAXPOOL_DUET_LAUNCHES_H

#include "classroom/duet/sides.h"

#include <stdint.h>

enum { DUET_ARMS = 3 }; /* A, B, A once more */

struct launches_request {
    const struct benchmarks *benchmarks;
    const struct side *sides;
    const char *path; /* of the file of launches */
    int64_t rounds, seed;
    double budget_s, timeout_s;                             /* 0: none */
    bool cpu;                                               /* the times are processor times */
    enum status (*begin)(void *context, struct failure *f); /* called if launches are missing */
    void *context;
};

struct launches {
    double *seconds; /* [benchmark][arm][round], OWN_ROUNDS_MOST rounds; NaN: none that counts */
    size_t benchmarks, rounds;           /* rounds: one more than the last that has a launch */
    size_t before, now, failed, missing; /* launches */
    size_t *known, *disturbed;           /* per benchmark: launches of which the load is known */
    double most_cores;                   /* that others kept busy in a disturbed launch */
    int64_t hardware_threads;
    int stop_signal;
    bool wrong, out_of_budget;
};

/* Launches what is missing. Shows the first launch that fails or is wrong; its benchmark is then
 * launched no further. Status 2 if a command cannot be started or --prepare fails, 5 if the file
 * cannot be written. */
enum status launches_run(struct launches *l, const struct launches_request *q, struct failure *f);
void launches_release(struct launches *l);

const double *launches_seconds(const struct launches *l, size_t benchmark, size_t arm);

#endif
