/* The points that two builds are compared on: those of a plan that libmaxpool can compute. */
#ifndef MAXPOOL_DUET_POINTS_H
#define MAXPOOL_DUET_POINTS_H

#include "experiments/plan/plan.h"

struct duet_point {
    char label[256];
    char *line; /* what the worker is given, without its number; owned */
};

struct duet_points {
    struct duet_point *points;
    size_t count;
    size_t left_out; /* of serial programs, which the library cannot do as asked */
    char why[256];   /* of the first of those */
};

/* The points of the serial programs, each once. */
enum status duet_points_take(struct duet_points *points, const struct plan *plan,
                             struct failure *f);
void duet_points_release(struct duet_points *points);

#endif
