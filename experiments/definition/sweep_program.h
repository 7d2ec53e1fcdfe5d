/* The keys of [points] that launch a program of another: `program = ./mine -t {threads} {size}`,
 * and which launches count. Only the parser of definitions includes this. */
#ifndef MAXPOOL_SWEEP_PROGRAM_H
#define MAXPOOL_SWEEP_PROGRAM_H

#include "experiments/definition/definition_values.h"

/* The keys, for messages. */
extern const char sweep_program_keys[];

/* Sets a key if it is one of these; *known: it is. */
enum status sweep_program_set(const struct value *v, struct sweep *sweep, bool *known);

/* Checks a sweep with a command: its axes are those of such programs, each has its place in the
 * command, and each place its axis. A program without a title is called as its experiment. Status
 * 2; the message gives file, line and what was expected. */
enum status sweep_program_check(const struct definition_source *in, const char *experiment,
                                struct sweep *sweep);

/* Checks that no two commands of a definition have one title: their samples would be those of one
 * point. */
enum status sweep_program_check_titles(const struct definition_source *in,
                                       const struct definition *d);

/* True if a section has one of the keys. */
bool sweep_program_is_set(const struct sweep_program *own);

void sweep_program_release(struct sweep_program *own);

#endif
