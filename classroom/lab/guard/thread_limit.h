/* The limit on the threads of a worker: the kernel of the system asks this process for each new
 * one (seccomp's user notification). */
#ifndef MAXPOOL_LAB_THREAD_LIMIT_H
#define MAXPOOL_LAB_THREAD_LIMIT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Takes the descriptor that asks over from the worker, in which it has the number `listener`.
 * Returns -1 if that is impossible; the worker then cannot start threads. */
int thread_limit_take(pid_t worker, int listener);

/* The last thread that was allowed, which may not have begun yet. */
struct thread_grant {
    pid_t asker;  /* the thread that asked; 0: none did */
    pid_t newest; /* the highest id of a thread before it was allowed */
};

/* Answers one question. A thread may start if fewer than `most` run, main thread included. Two
 * threads may ask at the same moment: the one that *last allows is counted only once it is there,
 * so the second question waits for it, at most some milliseconds. Returns false if it was refused.
 */
bool thread_limit_answer(int descriptor, pid_t worker, int64_t most, struct thread_grant *last);

/* Number of threads of a process; -1: not known. */
int64_t thread_limit_count(pid_t worker);

#endif
