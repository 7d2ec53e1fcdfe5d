/* The experiment of `study speedup`, made from its options: a normal definition, stored next to the
 * samples so that report, plot and status know it too. */
#ifndef MAXPOOL_SPEEDUP_DEFINITION_H
#define MAXPOOL_SPEEDUP_DEFINITION_H

#include "harness/base/failure.h"

#include <stdbool.h>
#include <stdint.h>

/* The options. Lists have the syntax of definitions: "1 2 4", "1,2,4", "1..cores x2"; "none": no
 * such workers. */
struct speedup_question {
    const char *operator_name;
    const char *network; /* instead of the operator; "" */
    const char *methods; /* separated by commas; "": the first of the table, those that time their
                          * product, the suggested one */
    const char *threads, *ranks, *simulated;
    const char *platform; /* for simulated ranks */
    const char *bind;     /* core or spread; NULL: none */
    int64_t size;         /* 0, for a network: its own size */
    int64_t laws;         /* workers to which laws are drawn; 0: as the figure has it */
    bool weak;            /* the rows grow with the workers */
};

enum { SPEEDUP_NAME = 96 };

/* Writes the name: "speedup_maxpool_2048", "speedup_resnet18_224_weak". A repeated question
 * continues its earlier measurement; different questions do not mix. */
void speedup_definition_name(const struct speedup_question *q, char name[SPEEDUP_NAME]);

/* Refuses methods that no program of the question has; the message names those that there are.
 * Status 2; 4 if memory is lacking. Programs in the folder `bin` that cannot run here are not
 * counted. */
enum status speedup_check_methods(const struct speedup_question *q, const char *bin,
                                  struct failure *f);

/* Writes the definition. Status 2, and no file, for an operator or a network that does not exist,
 * an operator without a program for several workers, and lists that are invalid or request nothing;
 * `cores` is the value of "cores" in them. Status 5 if it cannot be written. */
enum status speedup_definition_write(const struct speedup_question *q, int64_t cores,
                                     const char *path, struct failure *f);

#endif
