/* From the file of a kernel to shared libraries that workers load: one to be timed, and one that
 * sanitizers check. */
#ifndef MAXPOOL_LAB_BUILD_H
#define MAXPOOL_LAB_BUILD_H

#include "experiments/lab/compiled/assembly.h"
#include "experiments/lab/compiled/loops.h"
#include "harness/base/failure.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct lab_build {
    char folder[PATH_MAX - 64]; /* temporary; "" : none. Room is left for a file's name */
    char timed[PATH_MAX];       /* library */
    char interpreter[PATH_MAX]; /* that runs `timed`, a script; "": it is a library */
    char checked[PATH_MAX];     /* the same with sanitizers; "" where there is none */
    char preload[PATH_MAX];     /* what the checked one needs loaded first; "" : nothing */
    char command[PATH_MAX];     /* that compiled `timed`, as a shell takes it; "" : none did */
    bool device;                /* it is of a GPU */
    const char *unchecked;      /* why nothing is checked by sanitizers, an id of a message; "" */
    struct lab_loops loops;     /* what the compiler did with them, as far as it says */
    char file[PATH_MAX];        /* the kernel's own */
};

extern const char *const lab_default_flags;

/* Compiles FILE by the compiler that its suffix names (environment CC, CXX, FC). Where it does not
 * compile the compiler's words are on standard error, status 2 and no message. Status 2 for an
 * unknown suffix or a file that cannot be read, 3 where the compiler is not installed. */
enum status lab_build_make(struct lab_build *b, const char *file, const char *flags,
                           struct failure *f);
/* The timed library's assembler text, which the caller releases, and a library in `library` that
 * counts how often its blocks are entered. False where there is none: another processor, a script,
 * a library that was given. */
bool lab_build_counting(const struct lab_build *b, const char *flags, struct lab_assembly *text,
                        char library[PATH_MAX]);

void lab_build_remove(struct lab_build *b);

/* Whether the library exports the function; status 2 names those that it does export. */
enum status lab_build_expect(const struct lab_build *b, const char *function, struct failure *f);

/* The name of the method in records: "lab:" and the file's name without its suffix. */
void lab_build_name(const char *file, char *text, size_t size);

#endif
