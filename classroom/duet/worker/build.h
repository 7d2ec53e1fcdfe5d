/* A build of libmaxpool, loaded as a module of this process. */
#ifndef MAXPOOL_DUET_BUILD_H
#define MAXPOOL_DUET_BUILD_H

#include "harness/base/failure.h"
#include "include/maxpool/maxpool.h"

struct build {
    void *library;
    __typeof__(maxpool_version) *version;
    __typeof__(maxpool_make_described) *make;
    __typeof__(maxpool_release) *release;
    __typeof__(maxpool_input) *input;
    __typeof__(maxpool_output) *output;
    __typeof__(maxpool_rows) *rows;
    __typeof__(maxpool_scratch) *scratch;
    __typeof__(maxpool_compute) *compute;
    __typeof__(maxpool_run) *run;
    __typeof__(maxpool_verify) *verify;
};

/* Loads a library; its symbols are visible to nobody else. It stays loaded. Status 2 if it is no
 * libmaxpool or has another version of the interface. */
enum status build_load(struct build *b, const char *path, struct failure *f);

#endif
