/* The machine, system, build, libraries, MPI, GPU and batch job of a study, as JSON. */
#ifndef MAXPOOL_ENVIRONMENT_H
#define MAXPOOL_ENVIRONMENT_H

#include "harness/base/failure.h"

/* Returns the JSON text; the caller frees it. Status 4 if memory is lacking. */
enum status environment_text(char **text, struct failure *f);

/* Writes R/environment.json, and R/topology.xml if hwloc is available, completely or not at all.
 * Status 5 if they cannot be written.
 *
 * The file describes the last run; its list `runs` has all runs, so that samples are rated by the
 * conditions of their own run. Each run has begin_utc, end_utc (null if it is in progress or was
 * killed), busy_before: the cores that other programs kept busy just before it, load_1_minute,
 * commit; stolen_share: the share of the processors' busy time during the run that a hypervisor
 * gave to other machines; and others_busy_cores: the cores that other programs kept busy during the
 * run (null if not known). Runs of earlier versions have busy_cores instead of busy_before, by
 * which their launches are rated: they did not record the load beside themselves. */
enum status environment_write(const char *results, struct failure *f);

/* The same, and adds a run that begins now; `busy`: cores that others keep busy (NaN: unknown). */
enum status environment_begin(const char *results, double busy, struct failure *f);

/* Records that the last run of the file ends now. */
enum status environment_end(const char *results, struct failure *f);

#endif
