/* The serial space. */
#ifndef MAXPOOL_SERIAL_H
#define MAXPOOL_SERIAL_H

#include "harness/space/host.h"

extern const struct space serial_space;

/* Makes the team of one worker for a job, binds it as the job requests, and sets what is reported
 * of it in *resources. */
enum status serial_open_team(const struct job *job, struct team *team, struct resources *resources,
                             struct failure *f);

#endif
