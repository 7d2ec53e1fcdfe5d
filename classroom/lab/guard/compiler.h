/* What a compiler of somebody else's source may use. */
#ifndef MAXPOOL_LAB_COMPILER_H
#define MAXPOOL_LAB_COMPILER_H

#include <limits.h>
#include <stdbool.h>

struct compiler_limits {
    const char *folder;          /* the only one that it may write to, and its TMPDIR; NULL: none */
    bool large;                  /* it is for GPUs: it reserves more memory than others use */
    char readable[8 * PATH_MAX]; /* paths, one per line */
};

/* Allows a path to be read; a folder with all that is in it. Neither the root nor the home folder
 * is allowed in this way. */
void compiler_allow(struct compiler_limits *c, const char *path);

/* Allows the folder that a source lies in, whatever it is. */
void compiler_allow_beside_source(struct compiler_limits *c, const char *source);

/* Allows what a program needs that was installed as PREFIX/bin/NAME: bin, and the lib, lib64,
 * libexec, include and the like beside it; of a program elsewhere its folder. `program` is an
 * absolute path without links. */
void compiler_allow_program(struct compiler_limits *c, const char *program);

/* Allows the folders of the caller's PATH and of the variables in which compilers look for headers
 * and libraries; and of each bin folder the lib, lib64, libexec and include beside it: a compiler
 * may be a script, and its assembler may be installed elsewhere. */
void compiler_allow_environment(struct compiler_limits *c);

/* For process_limits.enter: restricts the child to these limits. `context` is a compiler_limits. */
void compiler_enter(const void *context);

#endif
