/* `study lab FILE`: correct first, then fast, then told. */
#ifndef MAXPOOL_LAB_LAB_H
#define MAXPOOL_LAB_LAB_H

#include "experiments/lab/build.h"
#include "experiments/lab/checks.h"
#include "experiments/lab/grade.h"
#include "experiments/lab/machine_limit.h"
#include "experiments/lab/race.h"

/* What is asked for; zeros and NULL: the defaults. */
struct lab_request {
    const char *file, *operator_name, *flags, *against, *results;
    int64_t size, kernel, stride, padding, planes, threads;
    double seconds, relative_ci, time_limit;
    int64_t rounds, memory_mib;
    bool check_only;
    const struct lab_rubric *rubric; /* to be graded by; NULL: not graded */
};

struct lab_report {
    const struct lab_kind *kind;
    const char *file;
    char name[LAB_NAME]; /* lab:mine */
    int64_t threads;
    char sandbox[PATH_MAX]; /* the library that scripts' workers load */
    struct lab_build build;
    struct lab_checks checks;
    bool raced; /* it was correct and timed: `race` and `limit` are set */
    struct lab_race race;
    struct lab_limit limit;
    enum lab_verdict verdict;
    const struct lab_trial *trial; /* that the verdict is of */
    const struct lab_rubric *rubric;
    struct lab_grade grade; /* where there is a rubric */
};

/* Compiles, checks, measures and judges. Status of what failed on our side or in the request; a
 * kernel that is not correct is STATUS_OK with its verdict. */
enum status lab_run(struct lab_report *report, const struct lab_request *request,
                    struct failure *f);
void lab_release(struct lab_report *report);

/* One screen for a reader. */
void lab_print(const struct lab_report *report);

/* The same as one JSON object. */
enum status lab_json(const struct lab_report *report, struct failure *f);

/* Appends the samples to DIR/lab.csv. */
enum status lab_record(const struct lab_report *report, const char *results, struct failure *f);

#endif
