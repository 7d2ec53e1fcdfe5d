/* The experiment that `study speedup` measures, made from its options: a definition like any other,
 * kept beside the samples so that report, plot and status know it too. */
#ifndef MAXPOOL_SPEEDUP_DEFINITION_H
#define MAXPOOL_SPEEDUP_DEFINITION_H

#include "harness/base/failure.h"

#include <stdbool.h>
#include <stdint.h>

/* What is asked. Lists are those of definitions: "1 2 4", "1,2,4", "1..cores x2"; "none": no such
 * workers. */
struct speedup_question {
    const char *operator_name;
    const char *network; /* in its place; "" */
    const char *methods; /* "": the ones that the operator's table offers first */
    const char *threads, *ranks, *simulated;
    const char *platform; /* of simulated ranks */
    int64_t size;         /* 0, of a network: its own */
    bool weak;            /* the rows grow with the workers */
};

enum { SPEEDUP_NAME = 96 };

/* "speedup_maxpool_2048", "speedup_resnet18_224_weak": what was measured for one question goes on
 * where it ended, that for another does not mix with it. */
void speedup_definition_name(const struct speedup_question *q, char name[SPEEDUP_NAME]);

/* Writes the definition. Status 2, and no file, for an operator that is none or has no program of
 * several workers, and for lists that ask for none or are none; `cores` is what they mean by
 * "cores". Status 5 where it cannot be written. */
enum status speedup_definition_write(const struct speedup_question *q, int64_t cores,
                                     const char *path, struct failure *f);

#endif
