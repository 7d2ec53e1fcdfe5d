/* --again: which points of a results folder are measured afresh. They are chosen by the words that
 * the reports show, before any new launch is run; the runner then measures their whole groups. */
#ifndef MAXPOOL_COMMANDS_AGAIN_H
#define MAXPOOL_COMMANDS_AGAIN_H

#include "experiments/common/lists.h"
#include "experiments/plan/selection.h"

/* What was asked: "suspect", "invalid" and names of experiments, joined by commas. */
struct again {
    bool suspect, invalid;
    struct texts whole; /* experiments that are measured afresh as a whole */
    struct texts names; /* all experiments to be planned: names, or paths of definitions */
    bool *points;       /* of the plan; owned */
    size_t chosen;      /* of these */
    size_t kept;        /* doubtful points of the plan that measuring again cannot clear */
};

extern const char again_help[];

/* Reads `text` and finds the experiments: the `count` operands and those named in it or, if there
 * are none, all of the results folder that have a definition. Without a scale option, sets the
 * largest scale at which they were measured. Status 2 if `text` is empty or the folder has no
 * samples. */
enum status again_begin(struct again *a, const char *text, char **operands, int count,
                        struct selection *s, struct failure *f);

/* Chooses the points of the plan. */
enum status again_choose(struct again *a, const struct selection *s, const struct plan *plan,
                         struct failure *f);

/* Says how many points were chosen, and of which ones only another machine or build would help. */
void again_print(const struct again *a);

void again_release(struct again *a);

#endif
