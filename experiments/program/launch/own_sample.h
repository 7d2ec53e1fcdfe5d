/* What a launch of a program of another leaves in the results: a sample of each of its times, and
 * what it used. */
#ifndef MAXPOOL_OWN_SAMPLE_H
#define MAXPOOL_OWN_SAMPLE_H

#include "experiments/program/launch/own_launch.h"
#include "experiments/samples/usage.h"

/* The sample of a launch that is done or wrong. `identity` has the point columns, round and set;
 * host and program: the computer, and the command's identity (own_command_identity). The method,
 * and the time of the method, are those of own_sample_phase. */
struct record own_sample(const struct own_launch *l, const struct own_command *c,
                         const struct record *identity, const char *host, const char *program);

/* Number of samples of a launch: one, or one for each phase. */
size_t own_sample_count(const struct own_command *c);

/* Gives a sample the name and time of a phase, 0 for the first; `title`: the method of a command
 * without phases. */
void own_sample_phase(struct record *r, const struct own_launch *l, const struct own_command *c,
                      size_t phase, const char *title);

/* What it used. `moved_bytes`: to and from memory, as its user says; NaN: not said. */
struct usage_row own_usage(const struct own_launch *l, const char *run_id, double moved_bytes);

#endif
