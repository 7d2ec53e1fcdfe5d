/* One student's archive after reading: the results that the run reports, and its samples. Times and
 * ratios are computed from the samples; the run's own summary of them is not used. */
#ifndef MAXPOOL_CLASS_SUBMISSION_H
#define MAXPOOL_CLASS_SUBMISSION_H

#include "classroom/class/package.h"
#include "classroom/lab/run_file.h"
#include "classroom/lab/timing.h"

/* One of the interleaved methods: the kernel (the first) or a method of ours. */
struct submission_method {
    char name[LAB_NAME];
    struct summary time;  /* seconds */
    struct summary ratio; /* its seconds / the kernel's seconds, per round */
};

struct submission {
    const char *path;
    struct package package;
    char file[ARCHIVE_NAME]; /* name of the kernel's file, without folders */
    char operator_name[32], verdict[32], cause[400];
    char host[64], commit[64], cflags[256], run_id[160];
    char source_sha256[SHA256_HEX], samples_sha256[SHA256_HEX]; /* as the run reports them */
    bool correct;
    int lacking; /* protections that the measuring system lacked: lab_protection_lacking() */
    /* The following fields are set only for a correct kernel. */
    uint64_t seed;
    int64_t size, kernel, stride, padding, planes, threads;
    size_t rounds;
    double limit_s;          /* least time by the machine's limits; NaN: not known */
    bool limit_measured_now; /* in a short measurement at the time of the run, therefore less
                              * precise */
    struct other_load load;  /* of other programs; its numbers are NaN where the run has none */
    struct submission_method methods[LAB_CANDIDATES];
    size_t method_count;
    struct lab_samples samples;
};

/* Reads an archive. Status 2 for the reasons of package_read(), and if a necessary file or fact is
 * missing; 3, 4. After a failure there is nothing to release. */
enum status submission_read(struct submission *s, const char *path, struct failure *f);
void submission_release(struct submission *s);

/* The same from the files that s->package holds already. A failure releases *s. */
enum status submission_take(struct submission *s, struct failure *f);

/* Returns the kernel's source; NULL if there is none. */
const struct archive_file *submission_source(const struct submission *s);

/* Returns the index of a method; 0 if the kernel was not compared with it. */
size_t submission_find(const struct submission *s, const char *method);

/* Writes the names of the methods that the kernel was compared with, separated by commas. */
void submission_join_methods(const struct submission *s, char *text, size_t size);

/* Whether other programs disturbed the run, so that its times cannot be graded or compared. */
bool submission_was_disturbed(const struct submission *s);

/* Returns the share of its own machine's limit that the kernel reaches; NaN if it is not known. */
double submission_share(const struct submission *s);

/* Returns the step of the ladder that the kernel reaches: the index of the fastest compared method
 * than which the kernel is not measurably slower. 0: it is slower than all of them. */
size_t submission_step(const struct submission *s);

#endif
