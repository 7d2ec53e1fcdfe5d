/* What a study would run: definitions multiplied out into points, with what cannot be run set aside
 * and why, and how long a launch of each will take. */
#ifndef MAXPOOL_PLAN_H
#define MAXPOOL_PLAN_H

#include "experiments/definition/definition.h"
#include "experiments/plan/simulated.h"
#include "harness/records/record.h"

struct planned {
    struct record point; /* experiment and point columns; what the program decides is left open */
    size_t definition;   /* index in the plan's definitions */
    char *skip;          /* why it is left out; NULL: it is run */
    size_t group;        /* index in the plan's groups */
    double estimate_s;   /* its share of a launch of its group */
    double measured_s;   /* the same, as it was on average; 0: not measured yet */
    int64_t measured;    /* launches that this is of */
    struct simulated *simulated; /* NULL: it is measured; owned */
};

/* Points that one process can measure, in the order of the plan: all but the method is the same, on
 * one image by one program. Points of several experiments that ask for the same stand here each. */
struct group {
    size_t *points; /* indices in the plan's points; owned */
    size_t count;
};

/* Where the plan would run. */
struct plan_settings {
    const char *bin;           /* folder of the point programs; "": PATH */
    const char *launcher;      /* for all points; "": as the definition or the program says */
    int64_t cores;             /* workers that can run at once, as asked or as there are */
    int64_t here;              /* ... on this computer; 0: as many as `cores` */
    const char *simulated_bin; /* of the programs for simulated clusters; NULL: simgrid in bin */
};

struct plan {
    struct plan_settings settings;
    struct definition *definitions;
    size_t definition_count;
    struct planned *points;
    size_t count;
    struct group *groups; /* every point is in one */
    size_t group_count;
    struct programs *programs; /* what they say that they can do: experiments/plan/programs.h */
};

/* Adds the points of a definition, which the plan then owns. Status 4 where memory is short; the
 * definition is then released all the same. */
enum status plan_add(struct plan *plan, struct definition *definition, struct failure *f);

/* Puts the points that one process can measure together, those of several experiments too where
 * `across`. Once, after the last plan_add. */
enum status plan_group(struct plan *plan, bool across, struct failure *f);

/* The launcher of a point of the plan. */
const char *plan_launcher(const struct plan *plan, const struct planned *point);

/* The largest number of workers of a measured point that is run, where that is more than the cores
 * here: they share them. 0: none does. A point that srun starts counts its cores elsewhere. */
int64_t plan_most_sharing(const struct plan *plan);

/* Launches of a point: a simulated one is the same every time. */
int64_t plan_launches(const struct plan *plan, const struct planned *point);

/* How several points are sampled by one process: what the most demanding one asks for. Its `verify`
 * belongs to a definition. */
struct sampling plan_sampling(const struct plan *plan, const size_t *points, size_t count);

/* The experiment of some points that are sampled by one process whose layers are to be clocked;
 * NULL: of none. */
const char *plan_layers(const struct plan *plan, const size_t *points, size_t count);

/* ... the training curves of which are to be recorded. */
const char *plan_training(const struct plan *plan, const size_t *points, size_t count);

/* ... that wants processors and memory over time. */
const char *plan_timeline(const struct plan *plan, const size_t *points, size_t count);

/* True where an earlier point of the list, of another experiment, has the same method: one
 * measurement serves both. */
bool plan_repeats(const struct plan *plan, const size_t *points, size_t at);

/* The methods of some points of a group, each once: "fused,direct"; the caller frees it. NULL where
 * memory is short. */
char *plan_methods(const struct plan *plan, const size_t *points, size_t count);

/* Seconds of all launches of all points that are not left out. */
double plan_seconds(const struct plan *plan);

/* Points that are not left out, those that several experiments ask for counted once. */
size_t plan_distinct(const struct plan *plan);

/* The most launches that a point of the plan has. */
int64_t plan_rounds(const struct plan *plan);

/* The groups of a round in random order: `order` gets the indices of all groups. It depends on the
 * seed and the round only, so a resumed run keeps it. */
void plan_order(const struct plan *plan, int64_t seed, int64_t round, size_t *order);

void plan_release(struct plan *plan);

#endif
