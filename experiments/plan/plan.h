/* What a study would run: the points of definitions, which of them are left out and why, and how
 * long a launch of each takes. */
#ifndef MAXPOOL_PLAN_H
#define MAXPOOL_PLAN_H

#include "experiments/definition/definition.h"
#include "experiments/plan/simulated.h"
#include "harness/records/record.h"

struct planned {
    struct record point; /* its experiment and point columns; what the program decides is unset */
    size_t definition;   /* index in the plan's definitions */
    size_t sweep;        /* index in its sweeps */
    char *skip;          /* why the point is left out; NULL: it is run */
    size_t group;        /* index in the plan's groups */
    double estimate_s;   /* estimated share of a launch of its group, in seconds */
    double measured_s;   /* mean measured share; 0: not measured yet */
    int64_t measured;    /* number of launches in that mean */
    struct simulated *simulated; /* NULL: the point is measured; owned */
};

/* Points that one process can measure, in the order of the plan: one program and one image; only
 * the methods differ. If several experiments have the same point, each of them is listed. */
struct group {
    size_t *points; /* indices in the plan's points; owned */
    size_t count;
};

/* Where the plan is to run. */
struct plan_settings {
    const char *bin;           /* folder of the point programs; "": they are found in PATH */
    const char *launcher;      /* for all points; "": the definition or the program decides */
    int64_t cores;             /* workers that can run at once: the requested number or that of this
                                * machine */
    int64_t here;              /* the same for this computer; 0: as many as `cores` */
    const char *simulated_bin; /* folder of the programs for simulated clusters; NULL: simgrid in
                                * bin */
};

struct plan {
    struct plan_settings settings;
    struct definition *definitions;
    size_t definition_count;
    struct planned *points;
    size_t count;
    struct group *groups; /* every point is in exactly one */
    size_t group_count;
    struct programs *programs; /* the programs and their abilities: experiments/plan/programs.h */
};

/* Adds the points of a definition and takes ownership of the definition. Status 4 if memory is
 * lacking; the definition is then released, too. */
enum status plan_add(struct plan *plan, struct definition *definition, struct failure *f);

/* Groups the points that one process can measure together; with `across` also points of different
 * experiments. Called once, after the last plan_add. */
enum status plan_group(struct plan *plan, bool across, struct failure *f);

/* Returns the sweep of a point. */
const struct sweep *plan_sweep(const struct plan *plan, const struct planned *point);

/* Returns the launcher of a point of the plan. */
const char *plan_launcher(const struct plan *plan, const struct planned *point);

/* Returns the largest number of workers of any measured point that is run, if it exceeds the cores
 * of this computer, so that workers share cores; otherwise 0. Points started by srun do not count:
 * they run on other computers. */
int64_t plan_most_sharing(const struct plan *plan);

/* Number of launches of a point; 1 for a simulated point, whose launches are all equal. */
int64_t plan_launches(const struct plan *plan, const struct planned *point);

/* How one process samples several points: as the most demanding one requires. `verify` belongs to a
 * definition. */
struct sampling plan_sampling(const struct plan *plan, const size_t *points, size_t count);

/* Returns the first experiment, of some points that one process measures, whose layers are to be
 * timed; NULL: none. */
const char *plan_layers(const struct plan *plan, const size_t *points, size_t count);

/* ... whose training curves are to be recorded. */
const char *plan_training(const struct plan *plan, const size_t *points, size_t count);

/* ... that records processors and memory over time. */
const char *plan_timeline(const struct plan *plan, const size_t *points, size_t count);

/* True if an earlier point of the list, from another experiment, has the same method: one
 * measurement serves both. */
bool plan_repeats(const struct plan *plan, const size_t *points, size_t at);

/* Returns the methods of some points of a group, each once: "fused,direct"; the caller frees the
 * text. NULL if memory is lacking. */
char *plan_methods(const struct plan *plan, const size_t *points, size_t count);

/* Seconds of all launches of all points that are run. */
double plan_seconds(const struct plan *plan);

/* Number of points that are run; a point of several experiments counts once. */
size_t plan_distinct(const struct plan *plan);

/* The largest number of launches of a point of the plan. */
int64_t plan_rounds(const struct plan *plan);

/* Sets `order` to the indices of all groups in random order. The order depends only on seed and
 * round, so a resumed run keeps it. */
void plan_order(const struct plan *plan, int64_t seed, int64_t round, size_t *order);

void plan_release(struct plan *plan);

#endif
