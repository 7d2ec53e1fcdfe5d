/* A task on several threads at once, without OpenMP: the library brings no thread runtime into the
 * programs that link it. */
#ifndef MAXPOOL_LIBRARY_THREADS_H
#define MAXPOOL_LIBRARY_THREADS_H

#include "harness/base/failure.h"

#include <stdint.h>

/* One thread's part of a task; thread is 0 .. threads - 1. */
typedef void thread_task(int64_t thread, void *context);

/* Runs the task once for each thread, thread 0 in the calling one, and returns when all are done.
 * STATUS_RESOURCE if a thread cannot be started; then no part of the task has run. */
enum status threads_run(int64_t threads, thread_task *task, void *context, struct failure *f);

#endif
