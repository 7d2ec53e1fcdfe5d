/* The lock on a results folder: only one program at a time may write to the folder or measure for
 * it. */
#ifndef MAXPOOL_LOCK_H
#define MAXPOOL_LOCK_H

#include "harness/base/failure.h"

struct results_lock {
    int file; /* below 0: not held */
};

/* Takes the lock of an existing folder without waiting. `what` names the holder in the message that
 * other programs print: "study run". The operating system keeps the lock, so it ends with the
 * process, however that ends. Status 4 if another process holds it (the message names the folder,
 * the holder and its process), 5 if its file cannot be written. */
enum status results_lock(const char *folder, const char *what, struct results_lock *lock,
                         struct failure *f);

/* Releases the lock; does nothing if it is not held. */
void results_unlock(struct results_lock *lock);

#endif
