/* What `study pack` makes of one student's work: a zip archive of
 *
 *     manifest.json     format, version, student, time, commit; of each file name, bytes, SHA-256
 *     source/FILE       the kernel
 *     run.json          parameters and results of the run (classroom/lab/run_file.h)
 *     samples.csv       its samples
 *     environment.json  the machine
 *     ceilings.csv      its measured limits, if `study roofline` was run
 */
#ifndef MAXPOOL_CLASS_PACKAGE_H
#define MAXPOOL_CLASS_PACKAGE_H

#include "classroom/class/archive.h"
#include "experiments/common/lists.h"
#include "harness/base/sha256.h"

enum { PACKAGE_VERSION = 1, PACKAGE_STUDENT = 80 };

extern const char package_run[], package_samples[], package_environment[], package_ceilings[],
    package_sources[]; /* the last one is the folder of the kernel, "source/" */

/* A file that differs from the manifest. */
struct package_fault {
    char name[ARCHIVE_NAME];
    const char *what; /* an id of a message */
};

struct package {
    struct archive zip; /* without the manifest */
    char student[PACKAGE_STUDENT];
    char created_utc[32];
    char sha256[SHA256_HEX];      /* of the archive, set by package_read() */
    struct package_fault *faults; /* set by package_read() */
    size_t fault_count;
};

/* Writes the files of `p` and their manifest. Status 3, 4, 5. */
enum status package_write(const struct package *p, const char *path, struct failure *f);

/* Reads an archive. A file that differs from the manifest is not a failure, but one of the faults.
 * Status 2 if archive_read() refuses the archive, it has no manifest, or its version is another
 * one; 3,
 * 4. After a failure there is nothing to release. */
enum status package_read(struct package *p, const char *path, struct failure *f);

void package_release(struct package *p);

#endif
