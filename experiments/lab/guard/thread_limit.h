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

/* Answers one question. A thread may start if fewer than `most` run, main thread included. Returns
 * false if it was refused. */
bool thread_limit_answer(int descriptor, pid_t worker, int64_t most);

/* Number of threads of a process; -1: not known. */
int64_t thread_limit_count(pid_t worker);

#endif
