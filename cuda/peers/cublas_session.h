/* Opens and closes cuBLAS for all peers that compute with it. */
#ifndef MAXPOOL_CUBLAS_SESSION_H
#define MAXPOOL_CUBLAS_SESSION_H

#include "cuda/peers/peer.h"

#include <cublas_v2.h>

enum { BATCH_MOST = 65535 }; /* products of one batched call: the most that every release accepts */

struct cublas_session {
    cublasHandle_t handle;
    struct launch launch;
    struct device_tools tools;
    char name[32]; /* name and version */
};

/* Opens cuBLAS. Status 3 if it does not start on this machine. Closed by cublas_close, also after a
 * failure. */
enum status cublas_open(struct cublas_session *s, const struct device_peer_job *job,
                        struct failure *f);
void cublas_close(struct cublas_session *s);

/* Frees a device array. NULL is allowed, also before the session is open. */
void cublas_release(const struct cublas_session *s, void *array);

/* Sets the stream of all later launches and calls. */
enum status cublas_use(struct cublas_session *s, cudaStream_t stream, struct failure *f);

/* Returns STATUS_OK for success; otherwise `otherwise`, with a message that contains `what`. */
enum status cublas_check(cublasStatus_t status, enum status otherwise, const char *what,
                         struct failure *f);

/* Calls a tool and checks the result. A macro, because only a macro knows the place and the text of
 * the call. */
#define CUBLAS_TOOL(session, call, file, f)                                                        \
    (session)->tools.check((session)->tools.call, #call, file, __LINE__, (f))

#endif
