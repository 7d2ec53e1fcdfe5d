/* The experiments of a results folder, analysed, each with its definition if one is found. */
#ifndef MAXPOOL_INVENTORY_H
#define MAXPOOL_INVENTORY_H

#include "experiments/analysis/analysis.h"
#include "experiments/analysis/layer_times.h"
#include "experiments/analysis/speedup/forecast.h"
#include "experiments/analysis/speedup/topology_marks.h"
#include "experiments/common/missing_parts.h"
#include "experiments/definition/definition.h"

#include <limits.h>

struct inventory {
    const char *folder;      /* R */
    const char *definitions; /* the definitions' folder; the suite's, unless set after opening */
    struct machine_facts machine;
    struct ceilings ceilings;
    struct topology_marks topology;
    struct texts names;            /* of the experiments, sorted */
    struct folder_samples samples; /* of every experiment, also those not in `names` */
    struct round_effects effects;  /* effects common to each round, of each experiment */
    struct gaps gaps; /* what could not be read or drawn, of the folder or of an experiment */
};

/* Finds the experiments with samples in `folder`, or takes the `count` names given. Status 2 if
 * there are none, or a name has no samples. Other unreadable files of the folder count as missing
 * and are recorded in the gaps. */
enum status inventory_open(struct inventory *in, const char *folder, char **names, size_t count,
                           struct failure *f);
void inventory_close(struct inventory *in);

/* True if the folder itself contains samples. */
bool inventory_is_results(const char *folder);

struct experiment {
    const char *name;
    bool defined; /* a definition was found */
    struct definition definition;
    struct analysis_request request;
    struct analysis analysis;
    struct forecasts forecasts; /* if the experiment has simulated points */
    struct layer_times *layers; /* if the layers of its networks were clocked; otherwise NULL */
    const struct topology_marks *topology; /* of the machine; the inventory's */
    char samples_path[PATH_MAX], training_path[PATH_MAX], timeline_path[PATH_MAX];
};

/* Reads and analyses an experiment. A definition or calibration that cannot be read counts as
 * missing and is recorded in the gaps. Status 2 if the samples cannot be read, 3 if this build has
 * no GSL, 4 if memory runs out. */
enum status experiment_open(struct experiment *e, struct inventory *in, size_t index,
                            struct failure *f);
/* Writes the derived tables into R/analysis. Status 5. */
enum status experiment_write_derived(const struct experiment *e, const char *folder,
                                     struct failure *f);
void experiment_close(struct experiment *e);

/* The work of a command on one experiment of an inventory. */
typedef enum status experiment_visitor(struct experiment *e, struct inventory *in, void *context,
                                       struct failure *f);

/* Opens, visits and closes the experiments one by one. If one cannot be opened or its visit fails,
 * the gaps record it and the loop continues. */
void inventory_visit(struct inventory *in, experiment_visitor *visit, void *context);

struct experiment_words {
    char text[400];
};
struct experiment_words experiment_title(const struct experiment *e, const struct language *l);
/* "" without a definition. */
struct experiment_words experiment_question(const struct experiment *e, const struct language *l);

/* Charts of the experiment; without a definition, one that is named after it. */
size_t experiment_chart_count(const struct experiment *e);
const char *experiment_chart(const struct experiment *e, size_t index);

/* How the samples of a point of the experiment were made, for reason_remedy(). */
enum sample_source experiment_source(const struct experiment *e, const struct record *r);

#endif
