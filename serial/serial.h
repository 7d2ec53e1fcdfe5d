/* The serial space. */
#ifndef MAXPOOL_SERIAL_H
#define MAXPOOL_SERIAL_H

#include "harness/space/host.h"

extern const struct space serial_space;

/* The team of one that a job asks for, bound as it asks, and what is reported of it. */
enum status serial_open_team(const struct job *job, struct team *team, struct resources *resources,
                             struct failure *f);

#endif
