/* The experiments of a results folder, each with its definition where there is one, and analysed.
 */
#ifndef MAXPOOL_INVENTORY_H
#define MAXPOOL_INVENTORY_H

#include "experiments/analysis/analysis.h"
#include "experiments/analysis/layer_times.h"
#include "experiments/analysis/speedup/forecast.h"
#include "experiments/common/missing_parts.h"
#include "experiments/definition/definition.h"

#include <limits.h>

struct inventory {
    const char *folder;      /* R */
    const char *definitions; /* their folder; those of the suite unless set after opening */
    struct machine_facts machine;
    struct ceilings ceilings;
    struct texts names;           /* of the experiments, sorted */
    struct texts files;           /* of all samples of the folder, those of other names too */
    struct shared_points shared;  /* those of the files' samples that are of the same points */
    struct round_effects effects; /* what the rounds of each file have in common */
    struct gaps gaps; /* what could not be read, or drawn, of the folder or an experiment */
};

/* Finds what has samples in `folder`, or takes the `count` names given. Status 2 where there is
 * nothing, or a name has no samples. What else of the folder cannot be read is as if it were not
 * there, and stands among the gaps. */
enum status inventory_open(struct inventory *in, const char *folder, char **names, size_t count,
                           struct failure *f);
void inventory_close(struct inventory *in);

/* True where samples lie in the folder itself. */
bool inventory_is_results(const char *folder);

struct experiment {
    const char *name;
    bool defined; /* a definition was found */
    struct definition definition;
    struct analysis_request request;
    struct analysis analysis;
    struct forecasts forecasts; /* of an experiment with simulated points */
    struct layer_times *layers; /* of one whose networks' layers were clocked; NULL: of others */
    char samples_path[PATH_MAX], journal_path[PATH_MAX], training_path[PATH_MAX],
        timeline_path[PATH_MAX];
    struct texts journals; /* of the experiments that share points with it */
};

/* A definition or calibration that cannot be read is as if it were not there, and stands among the
 * gaps. Status 2 where the samples cannot be read, 3 where this build has no GSL, 4 where
 * memory lacks. */
enum status experiment_open(struct experiment *e, struct inventory *in, size_t index,
                            struct failure *f);
/* Writes what is derived into R/analysis. Status 5. */
enum status experiment_write_derived(const struct experiment *e, const char *folder,
                                     struct failure *f);
void experiment_close(struct experiment *e);

/* What a command does with one experiment of an inventory. */
typedef enum status experiment_visitor(struct experiment *e, struct inventory *in, void *context,
                                       struct failure *f);

/* Opens, visits and closes one experiment after the other. One that cannot be opened, or whose
 * visit fails, stands among the gaps, and the others go on. */
void inventory_visit(struct inventory *in, experiment_visitor *visit, void *context);

struct experiment_words {
    char text[400];
};
struct experiment_words experiment_title(const struct experiment *e, const struct language *l);
/* "" where there is no definition. */
struct experiment_words experiment_question(const struct experiment *e, const struct language *l);

/* Charts of the experiment; one of its own name where no definition says. */
size_t experiment_chart_count(const struct experiment *e);
const char *experiment_chart(const struct experiment *e, size_t index);

#endif
