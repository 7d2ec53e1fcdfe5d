/* What a compiler of somebody else's source may use. */
#ifndef MAXPOOL_LAB_COMPILER_H
#define MAXPOOL_LAB_COMPILER_H

#include <limits.h>
#include <stdbool.h>

struct compiler_limits {
    const char *folder;          /* the only one that it may write to, and its TMPDIR */
    bool large;                  /* it is for GPUs: it reserves more memory than others use */
    char readable[8 * PATH_MAX]; /* paths, one per line */
};

/* Allows the folder that is `levels` above a path to be read: 0: the path itself. Neither the root
 * nor the home folder is allowed in this way, unless a source lies there (levels 1). */
void compiler_allow(struct compiler_limits *c, const char *path, int levels);

/* Allows the folders of the caller's PATH and of the variables in which compilers look for headers
 * and libraries; and of each bin folder the lib, lib64, libexec and include beside it: a compiler
 * may be a script, and its assembler may be installed elsewhere. */
void compiler_allow_environment(struct compiler_limits *c);

/* For process_limits.enter: restricts the child to these limits. `context` is a compiler_limits. */
void compiler_enter(const void *context);

#endif
