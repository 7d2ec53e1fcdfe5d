/* `study lab FILE`: checks a kernel, then times it, then reports. */
#ifndef MAXPOOL_LAB_LAB_H
#define MAXPOOL_LAB_LAB_H

#include "classroom/lab/build.h"
#include "classroom/lab/checks.h"
#include "classroom/lab/compiled/counted_call.h"
#include "classroom/lab/grade.h"
#include "classroom/lab/hand_over.h"
#include "classroom/lab/machine_limit.h"
#include "classroom/lab/timing.h"
#include "experiments/limits/limit_interval.h"
#include "harness/base/sha256.h"

/* What to measure: one point, several numbers of threads, or sizes that double. */
enum lab_sweep { LAB_POINT, LAB_THREADS_SWEEP, LAB_SIZE_SWEEP };

/* The user's request; zeros and NULL stand for defaults. */
struct lab_request {
    const char *file, *operator_name, *flags, *against, *results;
    int64_t size, kernel, stride, padding, planes, threads;
    double seconds, relative_ci, time_limit;
    int64_t rounds, memory_mib;
    bool check_only, despite_load; /* despite_load: grades although other programs were running */
    bool emulated;    /* the kernel's device is an emulated one: it is checked, and not timed */
    bool count;       /* and what it does there is counted */
    bool was_correct; /* in an earlier run: it is not checked again */
    bool repeated;    /* an earlier timing of this process had the same methods and size */
    enum lab_sweep sweep;
    const struct lab_rubric *rubric; /* rubric for a grade; NULL: no grade */
};

enum { LAB_SIZES = 4 }; /* smaller sizes of a sweep, in addition to the largest */

struct lab_report {
    enum lab_sweep sweep;
    const struct operator_row *kind;
    const char *file;
    char name[LAB_NAME]; /* method in records, "lab:mine" */
    int64_t threads;
    char sandbox[PATH_MAX]; /* the sandbox as a library, which the workers of scripts load */
    char run_id[160], time_utc[32];
    char source_sha256[SHA256_HEX], binary_sha256[SHA256_HEX]; /* of the file, and of the compiled
                                                                * library */
    struct lab_request request;
    struct lab_build build;
    struct lab_checks checks;
    struct lab_counts counts;  /* of a kernel that was counted (compiled/counted_call.h) */
    struct foreign_sizes size; /* the size that was timed, or counted */
    bool grown;                /* n was doubled to make the share of handing over small */
    bool timed;                /* the kernel was correct in the check, so it was timed */
    struct lab_timing timing;
    struct lab_timing smaller[LAB_SIZES]; /* in a sweep of sizes: the smaller sizes, before that of
                                           * `timing` */
    size_t smaller_count;
    struct lab_limit limit;
    bool limit_known; /* it was found, or is that of another report of the same operation */
    enum lab_verdict verdict;
    const struct lab_trial *trial; /* the trial that the verdict belongs to */
    const struct lab_rubric *rubric;
    struct lab_grade grade; /* set if there is a rubric */
};

/* Compiles, checks, measures and verifies. The status reports failures of the suite or in the
 * request; for a kernel that is not correct it is STATUS_OK, and `verdict` says so. */
enum status lab_run(struct lab_report *report, const struct lab_request *request,
                    struct failure *f);
void lab_release(struct lab_report *report);

/* The parts of lab_run(), to time several kernels in turn: lab_prepare() compiles and checks;
 * lab_time() times a correct kernel, and replaces the timing before. A source that does not compile
 * has the verdict LAB_UNCOMPILED beside status 2. */
enum status lab_prepare(struct lab_report *report, const struct lab_request *request,
                        struct failure *f);
enum status lab_time(struct lab_report *report, struct failure *f);

/* Returns the share of this machine's limit that the kernel reaches, with its interval; NaN: not
 * known. */
struct bounded lab_share_of_limit(const struct lab_report *report);

/* Whether other programs disturbed the timing of a correct kernel. */
bool lab_was_disturbed(const struct lab_report *report);

/* Computes the SHA-256 of a file's bytes. Status 2, 4. */
enum status lab_hash_file(const char *path, char hex[SHA256_HEX], struct failure *f);

/* Prints the report as one JSON object, or returns the object; the caller may add to it and deletes
 * it. */
enum status lab_json(const struct lab_report *report, struct failure *f);
struct cJSON *lab_json_object(const struct lab_report *report);

/* Writes the facts and results of this run to DIR/lab/NAME.json and its samples to
 * DIR/lab/NAME.samples.csv (run_file.h), for `study pack`. Replaces the files of an earlier run of
 * that name. */
enum status lab_run_write(const struct lab_report *report, const char *results, struct failure *f);

/* Writes the name of the experiment that the samples belong to: "lab", or for a sweep a separate
 * one per kernel. */
void lab_experiment_name(const struct lab_report *report, char *name, size_t size);

/* Appends the samples to DIR/NAME.csv. The samples of a sweep replace those of an earlier sweep,
 * which may belong to another version of the kernel. */
enum status lab_record(const struct lab_report *report, const char *results, struct failure *f);

#endif
