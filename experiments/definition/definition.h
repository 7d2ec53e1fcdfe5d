/* Experiment definitions: one INI file each, experiments/definition/definitions/SECTION/NAME.ini.
 *
 *   [experiment]                the question, and how it is shown and sampled
 *   [points] or [points LABEL]  a sweep: the cross product of its axes, run by its programs
 *                               (`shapes` sets several axes together: definition/shapes.h), or by
 *                               the command of a program of another (sweep_program.h)
 *
 * A key holds at every scale; "quick.KEY", "standard.KEY" or "full.KEY" overrides it at one. Lists
 * are separated by blanks or commas; integers may be ranges, "2..16384 x2" or "10..50 +10", and
 * `cores` stands for the number of workers that this machine can run at once. In weak scaling one
 * axis grows with the workers: "per_worker = rows" multiplies the rows of each point by its ranks
 * and threads. The tables of definition.c list the keys. */
#ifndef MAXPOOL_DEFINITION_H
#define MAXPOOL_DEFINITION_H

#include "experiments/common/lists.h"
#include "experiments/program/launch/own_command.h"
#include "harness/base/failure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How much a study measures: minutes, a coffee break, or a night. SCALE_THESIS: the points of the
 * documents in data/published, whose definitions have their own folder. */
enum scale { SCALE_QUICK, SCALE_STANDARD, SCALE_FULL, SCALE_THESIS };
enum { SCALES = 4 };
extern const char *const scale_names[SCALES];
extern const double scale_targets[SCALES];   /* half width of a point's interval / its median */
extern const double scale_budgets_s[SCALES]; /* seconds of a whole study */

/* The values of one axis of a sweep. They are texts because they become options. */
struct axis_values {
    int column; /* index for point_column() (experiments/samples/point.h), or AXIS_SIZE or
                 * AXIS_SHAPES */
    struct texts values;
};
enum {
    AXIS_SIZE = -1,  /* rows = cols */
    AXIS_SHAPES = -2 /* several columns together: experiments/definition/shapes.h */
};

/* A program of another, which a sweep launches instead of `programs`. Texts that the file omits are
 * NULL. */
struct sweep_program {
    char **words; /* of its command, ending with NULL; NULL: the sweep has `programs` */
    char *title;  /* its name for readers */
    char *prepare, *cleanup, *check, *expect_hash; /* as in struct own_command */
    struct texts seconds;                          /* likewise */
    bool phases;                                   /* these are of phases */
    char *same_output; /* "1": launches that differ in their workers alone must print the same */
    char *bytes;       /* that a launch moves to and from memory: a product (own_text_product) */
};

struct sweep {
    char *label; /* "" for [points] */
    int line;    /* of its section */
    struct texts programs;
    struct sweep_program own;
    struct axis_values *axes;
    size_t axis_count;
    unsigned scales;    /* scales that it belongs to, 1 << SCALE_QUICK ...; 0: all */
    int64_t size_limit; /* larger images are left out; 0: none */
    /* Largest side of images that simulated ranks hold and compute; larger images are folded, and
     * their rows only take calibrated time. -1: as memory allows */
    int64_t compute_limit;
    char *per_worker; /* rows, cols or planes: the axis whose values are per worker; NULL: none. A
                       * program of another has the size: rows */
};

/* How many samples each launch takes, and for how long: the options of the same name of the point
 * programs. */
struct sampling {
    int64_t samples, warmup;
    double relative_ci, max_seconds;
    char *verify; /* full, sampled or none */
    /* For trainings: the number of epochs instead of samples (0: `samples` decides), and whether
     * learning rates are tried first. */
    int64_t epochs, find_rate;
    double learning_rate; /* 0: the default of the programs */
};

struct definition {
    char *name; /* of the file without .ini */
    char *path;
    char *title, *question; /* in English; catalogues translate those of the suite */
    char *figures;          /* figures of the tesina that it regenerates, "28-31"; "" */
    char *section;          /* section of the report that shows it, such as growth; "": none */
    char *baseline;         /* serial method that speedups name besides the best one */
    struct texts charts;    /* of claims.h */
    char *launcher;         /* plain, mpirun, srun or simgrid; "": the program decides */
    int64_t launches;       /* launches (rounds) per point */
    int64_t base;           /* workers that speedups are counted from, if one cannot run it; 0: 1 */
    double fraction;        /* Amdahl's f of a program of another, as its user gives it; 0: none */
    double time_limit_s;    /* of one launch */
    int64_t laws; /* workers to which a speedup figure draws its laws; 0: twice the cores */
    int64_t oversubscribe; /* most workers of a point per core */
    int64_t headline;      /* above 0: its points get the time that a budget leaves */
    int64_t layers;        /* above 0: its networks' layers are timed, into R/NAME.layers.csv */
    int64_t training;      /* above 0: its trainings are recorded in R/NAME.training.csv */
    int64_t timeline;      /* above 0: resource use over time is recorded in R/NAME.timeline.csv */
    struct sampling sampling;
    struct sweep *sweeps;
    size_t sweep_count;
    enum scale scale; /* the scale at which the definition was read */
};

/* The command of a program of another, whose texts stay the sweep's; no words: it has none. */
struct own_command sweep_command(const struct sweep *s);

/* Reads a definition at one scale; `cores` is the value of the word `cores`. All scales are
 * checked. Status 2 for anything unknown, empty or out of range; the message gives file, line and
 * what was expected. */
enum status definition_read(struct definition *out, const char *path, enum scale scale,
                            int64_t cores, struct failure *f);
void definition_release(struct definition *d);

/* Status 2, "OPTION: 'TOKEN' is not ...", if an option's text is no list of integers in the syntax
 * of definitions: 1,2,4 or 1..cores x2. */
enum status definition_check_integers(const char *option, const char *list, int64_t least,
                                      int64_t cores, struct failure *f);

/* The folder of the definitions that come with the program. */
const char *definitions_folder(void);

/* The folder of the definitions for the four documents (--thesis). Their names begin with the word
 * for the document: tesina_, solar_, devices_, faces_. */
const char *definitions_thesis_folder(void);

/* Status 2 if the folder that the user named with --definitions cannot be read. */
enum status definitions_check(const char *folder, struct failure *f);

/* Returns the path of the definition called `name`; the caller frees it. A name with '/' or the
 * ending .ini is a path already. Otherwise NAME.ini is searched in the folder and its subfolders
 * and, if `folder` is definitions_folder(), also in that of --thesis. Status 2 if there is none;
 * the message lists the existing ones. */
enum status definition_find(char **path, const char *folder, const char *name, struct failure *f);

/* Returns the name of the definition in the file `path`, without .ini, as a copy. */
char *definition_name_of(const char *path);

/* Names of all definitions in a folder and its subfolders, sorted. Status 2 if it cannot be read or
 * two have the same name. */
enum status definition_names(struct texts *out, const char *folder, struct failure *f);

#endif
