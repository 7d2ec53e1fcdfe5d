/* A build of libmaxpool, found or made, and modules of it: shared libraries whose code lies
 * elsewhere in each layout. */
#ifndef MAXPOOL_DUET_BUILDS_H
#define MAXPOOL_DUET_BUILDS_H

#include "harness/base/failure.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct duet_build {
    const char *name;       /* as it was named: a library, a folder or a commit */
    char library[PATH_MAX]; /* shared */
    char archive[PATH_MAX]; /* the static one, which is linked anew; "": there is none */
    char needs[256];        /* what else that is linked with: "-lhwloc -lpthread -lm" */
    char source[PATH_MAX];  /* a worktree to be removed; "": none */
    bool linked;            /* a module of it was linked in every layout so far */
};

/* Finds or makes the build that `name` means: a shared library, a folder with lib/libmaxpool.so, a
 * source tree, or a commit of the repository that the current folder belongs to. The latter two are
 * built in the folder `work`, with `flags` for the compiler in place of its usual ones; NULL:
 * those. Status 2 where it is none of them, or is built already and flags are given, and where it
 * does not compile, whose messages are then on standard error; 3 where git or cmake lack. */
enum status duet_build_find(struct duet_build *b, const char *name, const char *flags,
                            const char *work, struct failure *f);

/* Writes a module to `path`: linked anew behind `padding` bytes of code and as many of constants,
 * or copied where it cannot be. */
enum status duet_build_place(struct duet_build *b, const char *path, int64_t padding,
                             struct failure *f);

/* Removes its worktree, if it has one. */
void duet_build_close(struct duet_build *b);

#endif
