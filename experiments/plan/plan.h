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
    double estimate_s;   /* of one launch */
    struct simulated *simulated; /* NULL: it is measured; owned */
};

/* Where the plan would run. */
struct plan_settings {
    const char *bin;      /* folder of the point programs; "": PATH */
    const char *launcher; /* for all points; "": as the definition or the program says */
    int64_t cores;        /* workers that can run at once */
};

struct plan {
    struct plan_settings settings;
    struct definition *definitions;
    size_t definition_count;
    struct planned *points;
    size_t count;
    struct programs *programs; /* what they say that they can do: experiments/plan/programs.h */
};

/* Adds the points of a definition, which the plan then owns. Status 4 where memory is short; the
 * definition is then released all the same. */
enum status plan_add(struct plan *plan, struct definition *definition, struct failure *f);

/* Corrects the estimates by the launches that a results folder has the seconds of. */
enum status plan_calibrate(struct plan *plan, const char *results, struct failure *f);

/* The launcher of a point of the plan. */
const char *plan_launcher(const struct plan *plan, const struct planned *point);

/* Launches of a point: a simulated one is the same every time. */
int64_t plan_launches(const struct plan *plan, const struct planned *point);

/* Seconds of all launches of all points that are not left out. */
double plan_seconds(const struct plan *plan);

/* The most launches that a point of the plan has. */
int64_t plan_rounds(const struct plan *plan);

/* The points of a round in random order: `order` gets the indices of all points. It depends on the
 * seed and the round only, so a resumed run keeps it. */
void plan_order(const struct plan *plan, int64_t seed, int64_t round, size_t *order);

void plan_release(struct plan *plan);

#endif
