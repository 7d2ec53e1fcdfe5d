/* Compiles the file of a kernel to shared libraries that workers load: one to be timed, and one to
 * be checked with sanitizers. */
#ifndef MAXPOOL_LAB_BUILD_H
#define MAXPOOL_LAB_BUILD_H

#include "classroom/lab/compiled/loops.h"
#include "classroom/lab/guard/keeper.h"
#include "harness/base/failure.h"
#include "harness/base/sha256.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct lab_build {
    struct keeper keeper;       /* of the folder */
    char folder[PATH_MAX - 64]; /* temporary folder; "": none. Leaves space for a file name */
    char timed[PATH_MAX];       /* library or script to be timed */
    char interpreter[PATH_MAX]; /* program that runs `timed`, a script; "": `timed` is a library */
    char checked[PATH_MAX];     /* the kernel with sanitizers; "" if there is none */
    char preload[2 * PATH_MAX]; /* libraries that must be loaded before `checked`; "": none */
    char command[PATH_MAX];     /* shell command that compiled `timed`; "": it was not compiled */
    bool device;                /* the kernel runs on a GPU, or */
    bool emulated;              /* on an emulated one */
    char refused[400];          /* the first error of a source that does not compile; "": it does */
    const char *unchecked;      /* why sanitizers check nothing, an id of a message; "": they do */
    struct lab_loops loops;     /* what the compiler reports to have done with loops */
    char file[PATH_MAX];        /* absolute path of the kernel's file */
};

extern const char *const lab_default_flags;

/* Compiles FILE with the compiler that its suffix selects (environment CC, CXX, FC). If that fails,
 * the compiler's output is on standard error, and the status is 2 without a message. Status 2 for
 * an unknown suffix or a file that cannot be read, 3 if the compiler is not installed. */
enum status lab_build_make(struct lab_build *b, const char *file, const char *flags,
                           struct failure *f);

/* Compiles a .cu file for an emulated device: by the C++ compiler, with checks of every access.
 * Status 3 if this build has no emulation. */
enum status lab_build_emulated(struct lab_build *b, const char *file, struct failure *f);

/* Compiles a kernel that lab_build_emulated has compiled once more, as a library that counts what
 * its kernels do and prints the counts (labs/device.cu). */
enum status lab_build_counted(struct lab_build *b, char counted[PATH_MAX], struct failure *f);

/* Writes the SHA-256 of the instructions and data of the kernel, compiled with the flags of the
 * timed library (compiled/code_hash.h); "" if it was not compiled here. */
void lab_build_code(const struct lab_build *b, const char *flags, char hex[SHA256_HEX]);

void lab_build_remove(struct lab_build *b);

/* Checks that the library exports the function; status 2 names those that it does export. */
enum status lab_build_expect(struct lab_build *b, const char *function, struct failure *f);

/* True if the file's suffix is that of a language, which is compiled or run; false for a library.
 */
bool lab_build_compiles(const char *file);

/* Writes the name of the method in records: "lab:" and the file name without its suffix. */
void lab_build_name(const char *file, char *text, size_t size);

#endif
