/* Several processes that measure one point together, as under MPI. Every process runs the same
 * steps. A space with one process has no such table (NULL); the functions below then work on that
 * process alone, at no cost.
 *
 * The rule that keeps processes together: all of them take one common status before the next step.
 * So all of them leave at the same place with the same status, and the root prints the one message.
 * All functions except processes_are_root and processes_place are collective. */
#ifndef MAXPOOL_PROCESSES_H
#define MAXPOOL_PROCESSES_H

#include "harness/base/failure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct processes {
    /* Joins the other processes; may remove arguments of the launcher from argc and argv. */
    enum status (*begin)(int *argc, char ***argv, struct failure *f);
    void (*end)(void);
    /* The one process that reads files, decides, prints, records and writes. */
    bool (*is_root)(void);
    /* Combines the statuses of all: STATUS_OK if all are, otherwise the status of the lowest rank
     * that failed; every process then has its message. */
    enum status (*common_status)(enum status status, struct failure *f);
    /* Broadcasts the root's bytes. */
    void (*broadcast)(void *data, size_t bytes);
    /* The maximum over all processes. */
    int (*largest)(int number);
    /* place: this process's rank and the number of ranks. sum_here: the sum over the processes of
     * this computer. */
    void (*place)(int *rank, int *ranks);
    uint64_t (*sum_here)(uint64_t number);
    /* Sets in every process the bits that any process of this computer has. */
    void (*join_here)(uint64_t *words, int count);
    /* The sum over all processes. */
    uint64_t (*sum)(uint64_t number);
    /* Gathers a block of `bytes` from each process in the root, in rank order. */
    void (*gather)(const void *mine, size_t bytes, void *all);
};

/* Each accepts NULL: a process that is alone. */
enum status processes_begin(const struct processes *p, int *argc, char ***argv, struct failure *f);
void processes_end(const struct processes *p);
bool processes_are_root(const struct processes *p);
enum status processes_common_status(const struct processes *p, enum status status,
                                    struct failure *f);
void processes_broadcast(const struct processes *p, void *data, size_t bytes);
int processes_largest(const struct processes *p, int number);
void processes_place(const struct processes *p, int *rank, int *ranks);
uint64_t processes_sum_here(const struct processes *p, uint64_t number);
void processes_join_here(const struct processes *p, uint64_t *words, int count);
uint64_t processes_sum(const struct processes *p, uint64_t number);
void processes_gather(const struct processes *p, const void *mine, size_t bytes, void *all);

/* Status 2 in every process if any process was given other arguments than the root. */
enum status processes_same_arguments(const struct processes *p, const char *program, int argc,
                                     char **argv, struct failure *f);

#endif
