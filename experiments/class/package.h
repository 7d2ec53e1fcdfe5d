/* What `study pack` makes of one student's work: a zip archive of
 *
 *     manifest.json     format, version, student, when, by which commit; of each file name, bytes
 * and SHA-256 source/FILE       the kernel run.json          what the run was and found
 * (experiments/lab/run_file.h) samples.csv       its samples environment.json  the machine
 *     ceilings.csv      its measured limits, where `study roofline` was run
 */
#ifndef MAXPOOL_CLASS_PACKAGE_H
#define MAXPOOL_CLASS_PACKAGE_H

#include "experiments/class/zip.h"
#include "experiments/common/lists.h"
#include "harness/base/sha256.h"

enum { PACKAGE_VERSION = 1, PACKAGE_STUDENT = 80 };

extern const char package_run[], package_samples[], package_environment[], package_ceilings[],
    package_sources[]; /* the last: the folder of the kernel, "source/" */

/* A file that is not what the manifest says. */
struct package_fault {
    char name[ZIP_NAME];
    const char *what; /* an id of a message */
};

struct package {
    struct zip zip; /* without the manifest */
    char student[PACKAGE_STUDENT];
    char created_utc[32];
    char sha256[SHA256_HEX];      /* of the archive, once read */
    struct package_fault *faults; /* once read */
    size_t fault_count;
};

/* Writes the files of `p` and their manifest. Status 3, 4, 5. */
enum status package_write(const struct package *p, const char *path, struct failure *f);

/* Reads an archive. That a file is not what the manifest says is no failure, but one of the faults.
 * Status 2 for what zip_read() refuses, an archive without a manifest, and one of another version;
 * 3, 4. Then there is nothing to release. */
enum status package_read(struct package *p, const char *path, struct failure *f);

void package_release(struct package *p);

#endif
