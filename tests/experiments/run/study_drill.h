/* A study of fake point programs with its own folder: definitions, programs, results, a log. */
#ifndef MAXPOOL_TEST_STUDY_DRILL_H
#define MAXPOOL_TEST_STUDY_DRILL_H

#include "harness/records/record.h"

#include <sys/types.h>

struct drill_launch {
    char method[32];
    int64_t rows, round;
};

/* The launches that the fake programs logged. */
struct drill_log {
    struct drill_launch launches[4096];
    size_t count;
    size_t processes; /* of these launches; several methods may share one */
};

/* cmocka setup and teardown of one test: an empty folder; its path is drill_folder. */
int drill_setup(void **state);
int drill_teardown(void **state);
extern char drill_folder[64];

/* Writes the definition "drill" and forgets the results so far. */
void drill_define(const char *text);

/* Adds another definition. */
void drill_define_also(const char *name, const char *text);

/* Runs `study COMMAND ARGUMENTS` with the drill's definitions, programs and results. Returns its
 * exit status, or -signal. Its output is in drill_output. */
int drill_study(const char *command, const char *arguments);
extern char drill_output[65536];

/* Starts the same without waiting; the process leads a process group. */
pid_t drill_start(const char *command, const char *arguments);

void drill_read_log(struct drill_log *log);

/* Finished launches among the samples: number of all, and of those finished more than once. */
struct drill_samples {
    size_t rows, finished, repeated, corrupt;
};
struct drill_samples drill_read_samples(void);
struct drill_samples drill_read_samples_of(const char *experiment);

/* Returns the number of journal rows with that status. */
size_t drill_journal(const char *status);

/* Returns the number of an experiment's journal rows with that status whose reason or output
 * contains the text. */
size_t drill_journal_of(const char *experiment, const char *status, const char *text);

/* True if the journal has a row of that status whose reason or output contains the text. */
bool drill_journal_says(const char *status, const char *text);

#endif
