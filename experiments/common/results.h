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

struct results_path results_samples(const char *folder, const char *experiment); /* R/NAME.csv */

/* R/NAME.journal.csv; R/NAME.points.csv in a folder that has only that, as of an earlier version:
 * the same experiment then goes on there. */
struct results_path results_journal(const char *folder, const char *experiment);

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

/* Returns a path for the command line of another program, with "./" before it unless it begins with
 * '/': no program then takes it for an option, a command to run (gnuplot) or a file of another host
 * (tar). */
struct results_path results_for_program(const char *path);

/* Makes the folder, and those above it, if they are missing. Status 5; 2 if it has no name, or one
 * so long that its files could not be named. */
enum status results_make(const char *folder, struct failure *f);

/* True for a name that is safe as part of a file name: 1 to 100 letters, digits, '_' and '-', not
 * beginning with '-'. */
bool results_name_is_safe(const char *name);

#endif
