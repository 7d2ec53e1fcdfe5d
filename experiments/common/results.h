/* Where results are stored: in one folder R, results/local unless --results names another. */
#ifndef MAXPOOL_RESULTS_H
#define MAXPOOL_RESULTS_H

#include "harness/base/failure.h"

#include <limits.h>
#include <stdbool.h>

extern const char *const results_default; /* "results/local" */

struct results_path {
    char text[PATH_MAX];
};

/* The samples of all experiments that `study run` and `study import` add to, and their journal. */
struct results_path results_samples(const char *folder); /* R/samples.csv */
struct results_path results_journal(const char *folder); /* R/journal.csv */

/* The files of one experiment alone: those of `study speedup` and `study lab`, and all in a folder
 * of an earlier version. The journal is R/NAME.journal.csv, or R/NAME.points.csv in a folder that
 * has only that. */
struct results_path results_own_samples(const char *folder,
                                        const char *experiment); /* R/NAME.csv */
struct results_path results_own_journal(const char *folder, const char *experiment);

struct results_path results_layers(const char *folder,
                                   const char *experiment); /* R/NAME.layers.csv */
struct results_path results_usage(const char *folder,
                                  const char *experiment); /* R/NAME.usage.csv */
struct results_path results_training(const char *folder,
                                     const char *experiment); /* R/NAME.training.csv */
struct results_path results_timeline(const char *folder,
                                     const char *experiment); /* R/NAME.timeline.csv */
struct results_path results_environment(const char *folder);  /* R/environment.json */
struct results_path results_topology(const char *folder);     /* R/topology.xml, written by hwloc */
struct results_path results_charts(const char *folder);       /* R/charts */
struct results_path results_file(const char *folder, const char *name); /* R/NAME */

/* Whether there is a file of that name, or the same packed, PATH.gz. */
bool results_is_there(const char *path);

/* Returns a path for the command line of another program, with "./" before it unless it begins with
 * '/': no program then takes it for an option, a command to run (gnuplot) or a file of another host
 * (tar). */
struct results_path results_for_program(const char *path);

/* Makes the folder, and those above it, if they are missing. Status 5; 2 if it has no name, or one
 * so long that its files could not be named. */
enum status results_make(const char *folder, struct failure *f);

enum { RESULTS_NAME = 100 }; /* bytes of the longest name of an experiment */

/* True for a name that an experiment can have: 1 to 100 letters, digits, '_' and '-', not beginning
 * with '-', and not that of a file of all experiments (samples, journal, ceilings). */
bool results_name_is_safe(const char *name);

/* The name of the experiment whose samples alone a file of R holds: NAME of NAME.csv or
 * NAME.csv.gz, safe or not. False for any other file. */
bool results_own_name(const char *file, char name[RESULTS_NAME + 1]);

#endif
