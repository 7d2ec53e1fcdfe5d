/* One student's archive after reading: what the run reports, and its samples. Times and ratios are
 * computed from the samples; the run's own summary of them is not used. */
#ifndef MAXPOOL_CLASS_SUBMISSION_H
#define MAXPOOL_CLASS_SUBMISSION_H

#include "experiments/class/package.h"
#include "experiments/lab/run_file.h"
#include "experiments/lab/timing.h"

/* One of those that were interleaved: the kernel (the first) or a method of ours. */
struct submission_method {
    char name[LAB_NAME];
    struct summary time;  /* seconds */
    struct summary ratio; /* its seconds over the kernel's, round by round */
};

struct submission {
    const char *path;
    struct package package;
    char file[ZIP_NAME]; /* of the kernel, without folders */
    char operator_name[32], verdict[32], cause[400];
    char host[64], commit[64], cflags[256], run_id[160];
    char source_sha256[SHA256_HEX], samples_sha256[SHA256_HEX]; /* as the run says */
    bool correct;
    /* What follows is of a correct kernel. */
    uint64_t seed;
    int64_t size, kernel, stride, padding, planes, threads;
    size_t rounds;
    double limit_s;          /* least time by the machine's limits; NaN: not known */
    bool limit_measured_now; /* ... in a moment, and so less closely */
    struct submission_method methods[LAB_CANDIDATES];
    size_t method_count;
    struct lab_samples samples;
};

/* Reads an archive. Status 2 as package_read(), and where a file or a fact is missing that the rest
 * needs; 3, 4. Then there is nothing to release. */
enum status submission_read(struct submission *s, const char *path, struct failure *f);
void submission_release(struct submission *s);

/* The kernel's source. */
const struct zip_file *submission_source(const struct submission *s);

/* The place of a method; 0 where it was not compared with. */
size_t submission_find(const struct submission *s, const char *method);

/* The share of its own machine's limit that the kernel reaches; NaN where that is not known. */
double submission_share(const struct submission *s);

/* The step of the ladder that it reaches: the fastest of the methods that it was compared with, and
 * not seen to be slower than. 0: it is slower than all of them. */
size_t submission_step(const struct submission *s);

#endif
