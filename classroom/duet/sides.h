/* The two sides of a duet of commands: where they run, and who they are. */
#ifndef MAXPOOL_DUET_SIDES_H
#define MAXPOOL_DUET_SIDES_H

#include "classroom/duet/benchmarks.h"
#include "classroom/duet/worktree.h"

struct side {
    const char *name;        /* as it was given */
    char commit[COMMIT_HEX]; /* "": none */
    char folder[PATH_MAX];   /* that it runs in; "": this one */
    struct worktree tree;    /* removed at the end */
};

/* How commits are checked out and built. */
struct side_build {
    const char *repository;
    const char *line;  /* shell command; NULL: nothing is built */
    const char *cache; /* folder that keeps built commits; NULL: none does */
    const char *work;  /* folder for those that are not kept */
    const char *logs;  /* folder of the outputs of builds */
};

/* Finds the commit that the side's name means. Status 2. */
enum status side_find(struct side *s, const struct side_build *b, struct failure *f);

/* Checks the side's commit out and builds it, or takes it from the cache; `letter` names its files.
 * Status 2 if it does not build; the end of its output is then on stderr, and all of it in a file.
 * Status 4 if a signal asks us to stop. */
enum status side_build(struct side *s, const struct side_build *b, char letter, struct failure *f);

void side_close(struct side *s);

/* Identity of what is compared: the commands with the files of their programs or their commits, the
 * build line, the options. */
void sides_identity(const struct side sides[SIDES], const struct side_build *build,
                    const struct benchmarks *benchmarks, char hex[SHA256_HEX]);

#endif
