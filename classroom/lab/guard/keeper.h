/* A process that removes a folder when this process ends, also by SIGKILL. */
#ifndef MAXPOOL_LAB_KEEPER_H
#define MAXPOOL_LAB_KEEPER_H

#include <sys/types.h>

struct keeper {
    pid_t pid; /* 0: there is none */
    int life;  /* the keeper waits until this is closed */
};

/* Starts the keeper of a folder. Without a free process, only keeper_end() removes the folder. */
void keeper_start(struct keeper *k, const char *folder);

/* Removes the folder with all that is in it, and ends the keeper. */
void keeper_end(struct keeper *k, const char *folder);

#endif
