/* The loop of launches of programs of others, the only one: interleaved rounds, each in a random
 * order, until each arm has its launches; then further rounds in the time that a budget leaves. An
 * arm is what is launched once a round: a number of workers of `study speedup -- COMMAND`, a side
 * of a benchmark of `study duet`. */
#ifndef MAXPOOL_OWN_ROUNDS_H
#define MAXPOOL_OWN_ROUNDS_H

#include "harness/base/failure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OWN_ROUNDS_MOST = 3000 };

struct own_arm {
    bool *done;      /* by round, OWN_ROUNDS_MOST of them; owned */
    bool failed;     /* in this run: not launched any more */
    double latest_s; /* latest wall time; NaN: none */
};

/* False if memory is lacking. */
bool own_arm_begin(struct own_arm *arm);
void own_arm_release(struct own_arm *arm);

struct own_rounds {
    struct own_arm **arms;
    size_t count;
    int64_t planned; /* rounds */
    double budget_s; /* of all; 0: none */
    double began;    /* clock_now(), from which the budget counts */
    /* Launches an arm and notes what came of it in the arm. `extra`: beyond the planned rounds. */
    enum status (*launch)(void *context, size_t arm, int64_t round, bool extra);
    void *context;
    bool out_of_budget; /* out: a planned launch did not fit */
};

/* Waits until other programs are quiet, at most a part of the budget; returns the cores that others
 * kept busy at the last look, NaN: unknown. */
double own_rounds_wait(const struct own_rounds *r);

/* Returns early, with status 0, when a signal asks us to stop. Status 4 if memory is lacking;
 * otherwise that of the first launch whose status is not 0. */
enum status own_rounds_run(struct own_rounds *r, struct failure *f);

/* Planned launches that are done. */
size_t own_rounds_done(const struct own_rounds *r);

/* Seconds that the missing launches will take; an arm without a time counts as the mean of the
 * others. */
double own_rounds_left_s(const struct own_rounds *r);

#endif
