/* Several processes that measure one point together, as under MPI. Every process runs the same
 * steps; a space of one process has no such table (NULL), and then the functions here do nothing
 * and cost nothing.
 *
 * The rule that keeps processes together: all take one common status before the next step, so that
 * all of them leave at the same place with the same status, and the root prints the one message.
 * All functions but processes_are_root and processes_place are collective. */
#ifndef MAXPOOL_PROCESSES_H
#define MAXPOOL_PROCESSES_H

#include "harness/base/failure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct processes {
    /* Joins the others; argc and argv may lose what was meant for the launcher. */
    enum status (*begin)(int *argc, char ***argv, struct failure *f);
    void (*end)(void);
    /* The one process that reads files, decides, prints, records and writes. */
    bool (*is_root)(void);
    /* One status out of all: STATUS_OK where all are, otherwise that of the lowest rank that
     * failed, whose message every process then has. */
    enum status (*common_status)(enum status status, struct failure *f);
    /* The root's bytes become everyone's. */
    void (*share)(void *data, size_t bytes);
    /* The largest of the numbers that the processes give. */
    int (*largest)(int number);
    /* Which of how many processes this is, and the sum of what those on this computer give. */
    void (*place)(int *rank, int *ranks);
    uint64_t (*sum_here)(uint64_t number);
    /* The sum of what all processes give. */
    uint64_t (*sum)(uint64_t number);
    /* Blocks of so many bytes, one of each process, in the order of their places in the root. */
    void (*gather)(const void *mine, size_t bytes, void *all);
};

/* Each takes NULL for the one process that is alone. */
enum status processes_begin(const struct processes *p, int *argc, char ***argv, struct failure *f);
void processes_end(const struct processes *p);
bool processes_are_root(const struct processes *p);
enum status processes_common_status(const struct processes *p, enum status status,
                                    struct failure *f);
void processes_share(const struct processes *p, void *data, size_t bytes);
int processes_largest(const struct processes *p, int number);
void processes_place(const struct processes *p, int *rank, int *ranks);
uint64_t processes_sum_here(const struct processes *p, uint64_t number);
uint64_t processes_sum(const struct processes *p, uint64_t number);
void processes_gather(const struct processes *p, const void *mine, size_t bytes, void *all);

/* Status 2 in every process where some process was given other arguments than the root. */
enum status processes_same_arguments(const struct processes *p, const char *program, int argc,
                                     char **argv, struct failure *f);

#endif
