/* The points on which two builds are compared: the points of a plan that libmaxpool can compute. */
#ifndef MAXPOOL_DUET_POINTS_H
#define MAXPOOL_DUET_POINTS_H

#include "experiments/plan/plan.h"

struct duet_point {
    char label[256];
    char *line; /* description for the worker, without the number; owned */
};

struct duet_points {
    struct duet_point *points;
    size_t count;
    size_t left_out; /* points of serial programs that the library cannot compute as specified */
    char why[256];   /* the reason for the first of them */
};

/* Takes each point of the serial programs once. */
enum status duet_points_take(struct duet_points *points, const struct plan *plan,
                             struct failure *f);
void duet_points_release(struct duet_points *points);

#endif
