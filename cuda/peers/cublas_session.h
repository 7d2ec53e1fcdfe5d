/* What all that cuBLAS computes here begins and ends with. */
#ifndef MAXPOOL_CUBLAS_SESSION_H
#define MAXPOOL_CUBLAS_SESSION_H

#include "cuda/peers/peer.h"

#include <cublas_v2.h>

enum { BATCH_MOST = 65535 }; /* products of one batched call that every release takes */

struct cublas_session {
    cublasHandle_t handle;
    struct launch launch;
    struct device_tools tools;
    char name[32]; /* and version */
};

/* Status 3 where cuBLAS does not start here. Closed by cublas_close, also after a failure. */
enum status cublas_open(struct cublas_session *s, const struct device_peer_job *job,
                        struct failure *f);
void cublas_close(struct cublas_session *s);

/* Frees an array of the device; NULL is fine, before the session is open too. */
void cublas_release(const struct cublas_session *s, void *array);

/* What is launched and called from now on goes to that stream. */
enum status cublas_use(struct cublas_session *s, cudaStream_t stream, struct failure *f);

/* STATUS_OK for success; `otherwise`, with what it was for, else. */
enum status cublas_check(cublasStatus_t status, enum status otherwise, const char *what,
                         struct failure *f);

/* A tool called and checked: a macro, because only a macro knows where it stands. */
#define CUBLAS_TOOL(session, call, file, f)                                                        \
    (session)->tools.check((session)->tools.call, #call, file, __LINE__, (f))

#endif
