/* What a study ran on: machine, system, build, libraries, MPI, GPU, batch job, as JSON. */
#ifndef MAXPOOL_ENVIRONMENT_H
#define MAXPOOL_ENVIRONMENT_H

#include "harness/base/failure.h"

/* The JSON text; the caller frees it. Status 4 where memory is short. */
enum status environment_text(char **text, struct failure *f);

/* Writes R/environment.json, and R/topology.xml where hwloc is there, whole or not at all. Status 5
 * where they cannot be written.
 *
 * The file is of the last run; its list `runs` has all of them, each with begin_utc, end_utc (null
 * for one that is under way or was killed), busy_cores, load_1_minute and commit, so that samples
 * are rated by the conditions of their own run, and stolen_share: of the processors' busy time
 * while it ran, what a hypervisor gave to other machines, and others_busy_cores: the cores that
 * other programs kept busy while it ran (null where they are not known). */
enum status environment_write(const char *results, struct failure *f);

/* The same, with one more run, which begins now. */
enum status environment_begin(const char *results, struct failure *f);

/* The last run of the file ends now. */
enum status environment_end(const char *results, struct failure *f);

#endif
