/* Experiment definitions: one INI file each, experiments/definition/definitions/SECTION/NAME.ini.
 *
 *   [experiment]                the question and how it is shown and sampled
 *   [points] or [points LABEL]  a sweep: the cross product of its axes, run by its programs
 *                               (`shapes` sets several axes together:
 * experiments/definition/shapes.h)
 *
 * A key holds at every scale; "quick.KEY", "standard.KEY" or "full.KEY" overrides it at one. Lists
 * are separated by blanks or commas; integers may be ranges, "2..16384 x2" or "10..50 +10", and
 * `cores` stands for the workers that this machine can run at once. In weak scaling one axis grows
 * with others: "per_worker = rows" multiplies the rows of each point by its ranks and threads. The
 * keys are in the tables of definition.c. */
#ifndef MAXPOOL_DEFINITION_H
#define MAXPOOL_DEFINITION_H

#include "experiments/common/lists.h"
#include "harness/base/failure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How much a study measures: minutes, a coffee break, a night; and the points that the documents of
 * data/published have, whose definitions have a folder of their own. */
enum scale { SCALE_QUICK, SCALE_STANDARD, SCALE_FULL, SCALE_THESIS };
enum { SCALES = 4 };
extern const char *const scale_names[SCALES];
extern const double scale_targets[SCALES];   /* half of a point's interval over its median */
extern const double scale_budgets_s[SCALES]; /* seconds of a whole study */

/* The values of one axis of a sweep, as texts, since they become options. */
struct axis_values {
    int column; /* index for point_column() (experiments/samples/point.h), or one of those below */
    struct texts values;
};
enum {
    AXIS_SIZE = -1,  /* rows = cols */
    AXIS_SHAPES = -2 /* several columns together: experiments/definition/shapes.h */
};

struct sweep {
    char *label; /* "" for [points] */
    int line;    /* of its section */
    struct texts programs;
    struct axis_values *axes;
    size_t axis_count;
    unsigned scales;    /* those that it is of, 1 << SCALE_QUICK ...; 0: every one */
    int64_t size_limit; /* larger images are left out; 0: none */
    /* Simulated ranks hold and compute images of sides up to this; larger ones are folded, and
     * their rows take calibrated time alone. -1: as memory allows */
    int64_t compute_limit;
    char *per_worker; /* rows, cols or planes: the axis whose values are one worker's; NULL: none */
};

/* How often and how long each launch samples; options of the point programs of the same name. */
struct sampling {
    int64_t samples, warmup;
    double relative_ci, max_seconds;
    char *verify; /* full, sampled or none */
    /* Of trainings: how long they are, instead of samples (0: as those say), and whether
     * learning rates are tried before. */
    int64_t epochs, find_rate;
    double learning_rate; /* 0: as the programs have it */
};

struct definition {
    char *name; /* of the file, without .ini */
    char *path;
    char *title, *question; /* in English; catalogues have translations of those of the suite */
    char *figures;          /* of the tesina that it regenerates, "28-31"; "" */
    char *section;          /* of the report that shows it, growth; "" : none named */
    char *baseline;        /* method of the serial program that speedups name beside the best one */
    struct texts charts;   /* plots/SECTION/CHART.gp each */
    char *launcher;        /* plain, mpirun, srun or simgrid; "" : by the program */
    int64_t launches;      /* launches (rounds) per point */
    double time_limit_s;   /* of one launch */
    int64_t oversubscribe; /* a point has at most so many workers for each core */
    int64_t headline;      /* above 0: its points get what a budget leaves */
    int64_t layers;        /* above 0: its networks' layers are clocked, to R/NAME.layers.csv */
    int64_t training;      /* above 0: how its trainings go is recorded, to R/NAME.training.csv */
    int64_t timeline;      /* above 0: what they take over time is kept, in R/NAME.timeline.csv */
    struct sampling sampling;
    struct sweep *sweeps;
    size_t sweep_count;
    enum scale scale; /* that the lists above are of */
};

/* Reads a definition at one scale; `cores` is what the word stands for. All scales are checked.
 * Status 2, with file and line and what was expected, for anything unknown, empty or out of range.
 */
enum status definition_read(struct definition *out, const char *path, enum scale scale,
                            int64_t cores, struct failure *f);
void definition_release(struct definition *d);

/* Status 2, "OPTION: 'TOKEN' is not ...", where an option's text is no list of integers that a
 * definition could have: 1,2,4 or 1..cores x2. */
enum status definition_check_integers(const char *option, const char *list, int64_t least,
                                      int64_t cores, struct failure *f);

/* The folder of the definitions that come with the program. */
const char *definitions_folder(void);

/* That of the points that the four documents have (--thesis). Their names begin with
 * the document's word: tesina_, solar_, devices_, faces_. */
const char *definitions_thesis_folder(void);

/* Status 2 where a folder that the user named with --definitions is none. */
enum status definitions_check(const char *folder, struct failure *f);

/* Path of the definition called `name`: a path already where it holds '/' or ends in .ini;
 * otherwise NAME.ini in the folder or in a folder in it; where `folder` is that of the program, in
 * that of --thesis too. The caller frees it. Status 2 where there is none; the message lists those
 * there are. */
enum status definition_find(char **path, const char *folder, const char *name, struct failure *f);

/* The name that a path gives a definition, a copy: that of the file, without .ini. */
char *definition_name_of(const char *path);

/* Names of all definitions in a folder and in those in it, sorted. Status 2 where it cannot be read
 * or two have one name. */
enum status definition_names(struct texts *out, const char *folder, struct failure *f);

#endif
