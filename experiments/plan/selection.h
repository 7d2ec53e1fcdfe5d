/* The experiments that a command works on: the options that list, plan, run and status share. */
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
    int64_t cores;                /* 0: the number of this machine */
    char own_folder[PATH_MAX];    /* folder of this program: the default of bin */
    char own_simulated[PATH_MAX]; /* folder of its programs for simulated clusters */
};

/* Sets the defaults, before the options are parsed. */
void selection_begin(struct selection *s);

/* The options above that a command has; each bit selects one row, SELECT_SCALES three. */
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

/* Fills `rows` with the options of a command and returns their number (at most SELECTION_ROWS). */
enum { SELECTION_ROWS = 10 };
size_t selection_options(struct selection *s, unsigned which, struct option_row *rows);

/* Expands the named experiments at the chosen scale, groups the points and estimates their time.
 * With --all, or if `count` is 0 and `none_is_all`, takes all experiments. With --thesis a name may
 * be that of a document (tesina, solar, devices, faces), and no name means all. */
enum status selection_plan(const struct selection *s, char **names, int count, bool none_is_all,
                           struct plan *plan, struct failure *f);

enum scale selection_scale(const struct selection *s);

/* Reports on standard error which named experiments have no points at the chosen scale, and a scale
 * at which they have some. Status 2 if the plan has no points at all. With --all nothing is
 * reported. */
enum status selection_check_points(const struct selection *s, const struct plan *plan,
                                   struct failure *f);

#endif
