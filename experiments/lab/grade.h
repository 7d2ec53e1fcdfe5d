/* Points for a kernel, by the ratio of its time to that of a named method on this machine. */
#ifndef MAXPOOL_LAB_GRADE_H
#define MAXPOOL_LAB_GRADE_H

#include "experiments/lab/timing.h"

enum { LAB_STEPS = 16 };

/* A rubric file:
 *
 *     [kernel]
 *     operator = maxpool        ; and size, threads, kernel, stride, padding, planes where they
 * matter method = fused            ; whose time is 1 [points] 10 = 1.2                  ; points =
 * the most times as long as the method that may take 4 = correct               ; points of a kernel
 * that is correct, however slow */
struct lab_rubric {
    char operator_name[32], method[LAB_NAME];
    char against[512]; /* further methods to compare with, separated by commas; "": none */
    char methods[640]; /* both: the rubric's method first, each once */
    int64_t size, threads, kernel, stride, padding, planes;
    struct {
        double points, ratio;
    } steps[LAB_STEPS];
    size_t count;
    double correct;
};

/* Status 2 names file, line and what is wrong. */
enum status lab_rubric_read(struct lab_rubric *r, const char *path, struct failure *f);

struct lab_grade {
    double points, most;        /* points where decided, else the fewer ones */
    double perhaps;             /* undecided: the more ones */
    double ratio, lower, upper; /* the kernel's time over the method's, 95 % interval */
    bool decided;               /* no threshold lies within the interval */
};

/* Of a timing whose candidate 1 is the rubric's method, and of a kernel that is not correct (NULL).
 */
struct lab_grade lab_grade_of(const struct lab_rubric *r, const struct lab_timing *timing);

/* The same by the ratios alone: the method's time over the kernel's; NULL: it is not correct. */
struct lab_grade lab_grade_by(const struct lab_rubric *r, const struct summary *ratio);

#endif
