/* A build of libmaxpool, found or made, and its modules: shared libraries whose code has another
 * address in each layout. */
#ifndef MAXPOOL_DUET_BUILDS_H
#define MAXPOOL_DUET_BUILDS_H

#include "classroom/duet/worktree.h"
#include "harness/base/failure.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct duet_build {
    const char *name;       /* as the user named it: a library, a folder or a commit */
    char library[PATH_MAX]; /* path of the shared library */
    char archive[PATH_MAX]; /* path of the static library, which is linked again for each layout;
                             * "": there is none */
    char needs[256];        /* libraries that the static one needs: "-lhwloc -lpthread -lm" */
    struct worktree source; /* of a commit; removed at the end */
    bool linked;            /* a module was linked in every layout so far, never copied */
};

/* Finds or makes the build that `name` means: a shared library, a folder with lib/libmaxpool.so, a
 * source tree, or a commit of the repository of the current folder. The latter two are built in the
 * folder `work`, with the compiler flags `flags`; NULL: the default ones. Status 2 if it is none of
 * these, if it is already built and flags are given, or if it does not compile (standard error then
 * has the messages); 3 if git or cmake is lacking. */
enum status duet_build_find(struct duet_build *b, const char *name, const char *flags,
                            const char *work, struct failure *f);

/* Writes a module to `path`: links the build after `padding` bytes of code and as many of
 * constants, or copies the shared library if linking is not possible. */
enum status duet_build_place(struct duet_build *b, const char *path, int64_t padding,
                             struct failure *f);

/* Removes its worktree, if it has one. */
void duet_build_close(struct duet_build *b);

#endif
