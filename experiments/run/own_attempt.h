/* A launch of a program of another, for a definition that has one (`program = ./mine`). */
#ifndef MAXPOOL_OWN_ATTEMPT_H
#define MAXPOOL_OWN_ATTEMPT_H

#include "experiments/program/launch/own_launch.h"
#include "experiments/run/run.h"

/* Launches the command of a task once, and appends its samples to the file `samples`, as a point
 * program would, and what it used to R/NAME.usage.csv. The first launch of a run that does not
 * count is shown on stderr. With `same_output` its output must be that of the first launch of its
 * size, method and input, in the newest sets of their points. Status 4 if no process can be made, 5
 * if a file cannot be written. The caller releases the launch in every case. */
enum status own_attempt_run(struct own_launch *out, struct run *r, const struct task *t,
                            const char *samples);

/* Says on stderr, once, that a program seems to ignore its number of threads. */
void own_attempts_warn(struct run *r);

/* Runs `cleanup` of the points whose program was started in this run, however its launches ended,
 * also after a signal asked to stop, and of all of them where one fails; then status 4, and the
 * first in *f. */
enum status own_attempts_clean_up(struct run *r, struct failure *f);

void own_attempts_release(struct run *r);

/* The words of its command; the caller frees them (own_words_free). NULL if memory is lacking. */
char **own_attempt_words(const struct run *r, const struct task *t);

#endif
