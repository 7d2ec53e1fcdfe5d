/* Unpacks a tar file into a temporary folder within the results. */
#ifndef MAXPOOL_UNPACK_H
#define MAXPOOL_UNPACK_H

#include "experiments/common/results.h"

/* Unpacks with the `tar` program. *folder: the new folder R/import-XXXXXX, all of whose directories
 * can be read. Status 2 if the file is no tar file, 3 without the program, 5 if the results cannot
 * be written, 4 if a signal asked to stop. After a failure nothing remains. */
enum status unpack_tar(const char *results, const char *path, struct results_path *folder,
                       struct failure *f);

/* Removes a folder with everything in it. */
void unpack_remove(const char *folder);

/* Removes the folders of killed imports. The caller holds the lock of the results. */
void unpack_remove_stale(const char *results);

#endif
