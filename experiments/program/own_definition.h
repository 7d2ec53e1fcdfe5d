/* The experiment of a program of another, as a normal definition next to its samples, so that
 * report, plot and status know it. Its program is none of this suite, so that `study run` leaves it
 * out. */
#ifndef MAXPOOL_OWN_DEFINITION_H
#define MAXPOOL_OWN_DEFINITION_H

#include "experiments/definition/definition.h"
#include "experiments/program/launch/own_command.h"

enum { OWN_NAME = 96 };

/* What is asked about a program. Lists have the syntax of definitions; NULL: no such workers. */
struct own_question {
    struct own_command command;
    const char *threads, *ranks;
    int64_t size;    /* what {size} holds, with weak scaling for one worker; 0: nothing */
    int64_t base;    /* workers that speedups are counted from; 0: one */
    double fraction; /* Amdahl's f, for his law; 0: none */
    double bytes;    /* that it moves to and from memory, with weak scaling those of one worker; 0:
                      * unknown */
    bool weak;
    bool overhead;    /* also measures the start with nothing to do: {size} = 0 */
    bool again;       /* all launches afresh: a new set, which replaces the old one once whole */
    int64_t launches; /* of each worker count; 0: as usual */
    double timeout_s; /* of a launch; 0: as usual */
    double budget_s;  /* of all; 0: none */
    enum scale scale;
    const char *title; /* of the program; NULL: the name of its file */
};

/* Checks the question, and takes lists that are not given from the places of the command: `usual`
 * for threads, or for ranks if it has {ranks}. Status 2; the message names the option. */
enum status own_question_check(struct own_question *q, const char *usual, int64_t cores,
                               struct failure *f);

/* Name of the program for readers; a longer one ends in a hash of the whole. */
void own_question_title(const struct own_question *q, char title[OWN_TITLE]);

/* "speedup_mine_1a2b3c4d", with "_weak" and the size of a worker. */
void own_question_name(const struct own_question *q, char name[OWN_NAME]);

/* Writes the definition; status 5 if it cannot be. */
enum status own_definition_write(const struct own_question *q, const char *path, struct failure *f);

/* Writes that of times from a file, which have no command. */
enum status own_definition_of_times(const struct own_question *q, const char *title,
                                    const char *threads, const char *path, struct failure *f);

#endif
