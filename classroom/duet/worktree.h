/* A commit of a repository in a folder of its own: a git worktree, which is removed again. */
#ifndef MAXPOOL_DUET_WORKTREE_H
#define MAXPOOL_DUET_WORKTREE_H

#include "harness/base/failure.h"

#include <limits.h>
#include <stdbool.h>

enum { COMMIT_HEX = 65 };

struct worktree {
    const char *repository;
    char folder[PATH_MAX]; /* absolute; "": there is none */
};

/* The full name of a commit, from any name of it; false if the repository has none of that name. */
bool worktree_commit(const char *repository, const char *name, char commit[COMMIT_HEX]);

/* Checks the commit out into a folder that does not exist yet. Status 2 if that fails, 3 without
 * git. worktree_remove() is due in every case. */
enum status worktree_add(struct worktree *w, const char *repository, const char *commit,
                         const char *folder, struct failure *f);

/* Makes it a folder that the repository knows nothing of. */
void worktree_keep(struct worktree *w);

/* Removes it, also after a signal asked us to stop. */
void worktree_remove(struct worktree *w);

#endif
