/* Which experiments a command is about: the options that list, plan, run and status share. */
#ifndef MAXPOOL_SELECTION_H
#define MAXPOOL_SELECTION_H

#include "experiments/common/arguments.h"
#include "experiments/plan/plan.h"

#include <limits.h>

struct selection {
    const char *results, *definitions, *bin, *launcher;
    bool quick, standard, full, all;
    bool
        thesis; /* the points of the four documents, whose definitions have a folder of their own */
    bool apart; /* experiments share no launches */
    int64_t cores;                /* 0: as this machine has */
    char own_folder[PATH_MAX];    /* where this program lies: the default of bin */
    char own_simulated[PATH_MAX]; /* where its programs for simulated clusters lie */
};

/* The defaults, before the options are parsed. */
void selection_begin(struct selection *s);

/* Which of the options above a command has; each bit stands for one row, SELECT_SCALES for three.
 */
enum selection_rows {
    SELECT_RESULTS = 1 << 0,
    SELECT_SCALES = 1 << 1, /* --quick, --standard, --full */
    SELECT_THESIS = 1 << 2,
    SELECT_ALL = 1 << 3,
    SELECT_BIN = 1 << 4,
    SELECT_DEFINITIONS = 1 << 5,
    SELECT_LAUNCHER = 1 << 6,
    SELECT_CORES = 1 << 7,
    SELECT_EVERY = (1 << 8) - 1,
};

/* Fills `rows` with those of a command and returns how many (at most SELECTION_ROWS). */
enum { SELECTION_ROWS = 10 };
size_t selection_options(struct selection *s, unsigned which, struct option_row *rows);

/* Multiplies out the experiments named (all of them where --all is given or `count` is 0 and
 * `none_is_all`) at the scale chosen, groups the points and estimates their time. Of --thesis a
 * name may be a document's (tesina, solar, devices, faces), and no name means all. */
enum status selection_plan(const struct selection *s, char **names, int count, bool none_is_all,
                           struct plan *plan, struct failure *f);

enum scale selection_scale(const struct selection *s);

/* Names on standard error which of the experiments named have no points at the scale chosen, and
 * the scale at which they have some. Status 2 where none of them has any; with --all nothing is
 * reported. */
enum status selection_check_points(const struct selection *s, const struct plan *plan,
                                   struct failure *f);

#endif
