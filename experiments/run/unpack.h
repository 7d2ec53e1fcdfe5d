/* A tar file, unpacked into a folder of its own among the results for as long as it is read. */
#ifndef MAXPOOL_UNPACK_H
#define MAXPOOL_UNPACK_H

#include "experiments/common/results.h"

/* Unpacks by the `tar` program; *folder is the new folder R/import-XXXXXX, whose directories can
 * all be read. Status 2 for what is no tar file, 3 without the program, 5 where the results cannot
 * be written, 4 where we were asked to stop; then nothing is left behind. */
enum status unpack_tar(const char *results, const char *path, struct results_path *folder,
                       struct failure *f);

/* Removes a folder with all it holds. */
void unpack_remove(const char *folder);

/* Removes what killed imports have left. For whoever holds the lock of the results. */
void unpack_remove_stale(const char *results);

#endif
