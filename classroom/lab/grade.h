/* Points for a kernel, from the ratio of its time to that of a named method on this machine. */
#ifndef MAXPOOL_LAB_GRADE_H
#define MAXPOOL_LAB_GRADE_H

#include "classroom/lab/timing.h"

enum { LAB_STEPS = 16 };

/* A rubric file:
 *
 *     [kernel]
 *     operator = maxpool        ; and size, threads, kernel, stride, padding, planes if they matter
 *     method = fused            ; whose time is 1
 *     [points]
 *     10 = 1.2                  ; points = the largest ratio of the kernel's time to the method's
 *     4 = correct               ; points of a correct kernel, however slow
 */
struct lab_rubric {
    char operator_name[32], method[LAB_NAME];
    char against[512]; /* further methods to compare with, separated by commas; "": none */
    char methods[640]; /* all methods: that of the rubric first, then `against` without it */
    int64_t size, threads, kernel, stride, padding, planes;
    struct {
        double points, ratio;
    } steps[LAB_STEPS];
    size_t count;
    double correct;
};

/* Reads the rubric that `option` ("--grade", "--rubric") names. Status 2 names the option if the
 * file cannot be read, and otherwise the file, the line and the error. */
enum status lab_rubric_read(struct lab_rubric *r, const char *option, const char *path,
                            struct failure *f);

struct lab_grade {
    double points, most;        /* points: for the upper end of the interval, final if decided */
    double perhaps;             /* if undecided: the points for the lower end, which are more */
    double ratio, lower, upper; /* the kernel's time / the method's time, with its 95 % interval */
    bool decided;               /* no threshold is within the interval */
    bool disturbed;             /* other programs ran: there are no points, measure again */
};

/* Grades a timing whose candidate 1 is the rubric's method; NULL: a kernel that is not correct. */
struct lab_grade lab_grade_of(const struct lab_rubric *r, const struct lab_timing *timing);

/* Grades by `ratio`, the method's time / the kernel's time; NULL: a kernel that is not correct. */
struct lab_grade lab_grade_by(const struct lab_rubric *r, const struct summary *ratio);

#endif
