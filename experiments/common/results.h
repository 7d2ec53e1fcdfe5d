/* Where results lie: one folder R, results/local unless --results says otherwise. */
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
struct results_path results_journal(const char *folder,
                                    const char *experiment); /* R/NAME.points.csv */
struct results_path results_layers(const char *folder,
                                   const char *experiment); /* R/NAME.layers.csv */
struct results_path results_training(const char *folder,
                                     const char *experiment); /* R/NAME.training.csv */
struct results_path results_timeline(const char *folder,
                                     const char *experiment); /* R/NAME.timeline.csv */
struct results_path results_environment(const char *folder);  /* R/environment.json */
struct results_path results_topology(const char *folder);     /* R/topology.xml, of hwloc */
struct results_path results_charts(const char *folder);       /* R/charts */
struct results_path results_file(const char *folder, const char *name); /* R/NAME */

/* A path as another program is given it, with ./ before it unless it begins with '/': no program
 * takes it for an option, a command to run (gnuplot) or a file of another host (tar). */
struct results_path results_for_program(const char *path);

/* Makes the folder, and those above it, where missing. Status 5. */
enum status results_make(const char *folder, struct failure *f);

/* True for a name that is safe as part of a file's: letters, digits, '_' and '-'. */
bool results_name_is_safe(const char *name);

#endif
