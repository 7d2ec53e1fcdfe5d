/* `study lab FILE`: the kernel is checked, then timed, then reported. */
#ifndef MAXPOOL_LAB_LAB_H
#define MAXPOOL_LAB_LAB_H

#include "experiments/ceilings/limit_interval.h"
#include "experiments/lab/build.h"
#include "experiments/lab/checks.h"
#include "experiments/lab/compiled/hot_loop.h"
#include "experiments/lab/grade.h"
#include "experiments/lab/hand_over.h"
#include "experiments/lab/machine_limit.h"
#include "experiments/lab/timing.h"
#include "harness/base/sha256.h"

/* What is measured of the kernel: one point, all numbers of threads, or sizes that double. */
enum lab_sweep { LAB_POINT, LAB_THREADS_SWEEP, LAB_SIZE_SWEEP };

/* What is asked for; zeros and NULL: the defaults. */
struct lab_request {
    const char *file, *operator_name, *flags, *against, *results;
    int64_t size, kernel, stride, padding, planes, threads;
    double seconds, relative_ci, time_limit;
    int64_t rounds, memory_mib;
    bool check_only;
    enum lab_sweep sweep;
    const struct lab_rubric *rubric; /* to be graded by; NULL: not graded */
};

enum { LAB_SIZES = 4 }; /* of a sweep, beside the largest */

struct lab_report {
    enum lab_sweep sweep;
    const struct lab_kind *kind;
    const char *file;
    char name[LAB_NAME]; /* lab:mine */
    int64_t threads;
    char sandbox[PATH_MAX]; /* the library that scripts' workers load */
    char run_id[160], time_utc[32];
    char source_sha256[SHA256_HEX], binary_sha256[SHA256_HEX]; /* of the file, and as compiled */
    struct lab_request request;
    struct lab_build build;
    struct lab_checks checks;
    struct lab_size size; /* that was timed */
    bool grown;           /* n was doubled, so that handing over is a small part */
    bool timed;           /* it was correct and timed: `timing`, `limit` and `hot` are set */
    struct lab_timing timing;
    struct lab_timing smaller[LAB_SIZES]; /* of a sweep of sizes, those before `timing` */
    size_t smaller_count;
    struct lab_limit limit;
    struct lab_hot_loop hot; /* of a kernel that was timed and is compiled */
    enum lab_verdict verdict;
    const struct lab_trial *trial; /* that the verdict is of */
    const struct lab_rubric *rubric;
    struct lab_grade grade; /* where there is a rubric */
};

/* Compiles, checks, measures and verifies. Status of what failed on our side or in the request; a
 * kernel that is not correct is STATUS_OK with its verdict. */
enum status lab_run(struct lab_report *report, const struct lab_request *request,
                    struct failure *f);
void lab_release(struct lab_report *report);

/* The share of this machine's limit that the kernel reaches, with its interval; NaN: not known. */
struct bounded lab_share_of_limit(const struct lab_report *report);

/* SHA-256 of a file's bytes. Status 2, 4. */
enum status lab_hash_file(const char *path, char hex[SHA256_HEX], struct failure *f);

/* The report as one JSON object, printed, or returned for the caller to add to and to delete. */
enum status lab_json(const struct lab_report *report, struct failure *f);
struct cJSON *lab_json_object(const struct lab_report *report);

/* Writes what this run was and found to DIR/lab/NAME.json, its samples to DIR/lab/NAME.samples.csv
 * (run_file.h): what `study pack` takes. Those of an earlier run of that name are replaced. */
enum status lab_run_write(const struct lab_report *report, const char *results, struct failure *f);

/* The experiment that its samples belong to: "lab", or one of the kernel's own for a sweep. */
void lab_experiment_name(const struct lab_report *report, char *name, size_t size);

/* Appends the samples to DIR/NAME.csv; those of a sweep take the place of an earlier one's, which
 * was perhaps of another version of the kernel. */
enum status lab_record(const struct lab_report *report, const char *results, struct failure *f);

#endif
