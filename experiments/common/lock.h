/* The lock on a results folder: only one program at a time may write there, or measure for it. */
#ifndef MAXPOOL_LOCK_H
#define MAXPOOL_LOCK_H

#include "harness/base/failure.h"

struct results_lock {
    int file; /* below 0: not held */
};

/* Takes the lock of a folder that is there, without waiting. `what` is who takes it, for the
 * message that others get: "study run". The kernel keeps it, so it ends with its process, however
 * that ends. Status 4 where another process has it (the message names the folder, the holder and
 * its process), 5 where its file cannot be written. */
enum status results_lock(const char *folder, const char *what, struct results_lock *lock,
                         struct failure *f);

/* Gives it back; nothing where it is not held. */
void results_unlock(struct results_lock *lock);

#endif
