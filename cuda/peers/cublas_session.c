#include "cuda/peers/cublas_session.h"

#include <stdio.h>
#include <stdlib.h>

enum status cublas_check(cublasStatus_t status, enum status otherwise, const char *what,
                         struct failure *f)
{
    if (status == CUBLAS_STATUS_SUCCESS)
        return STATUS_OK;
    return fail(f, otherwise, "cuBLAS: %s: %s", what, cublasGetStatusString(status));
}

enum status cublas_open(struct cublas_session *s, const struct device_peer_job *job,
                        struct failure *f)
{
    int major = 0, minor = 0;
    *s = (struct cublas_session){.launch = job->launch, .tools = job->tools};
    if (setenv("NVIDIA_TF32_OVERRIDE", "0", 1) != 0 ||
        setenv("CUBLAS_EMULATE_SINGLE_PRECISION", "0", 1) != 0)
        return fail(f, STATUS_RESOURCE, "no memory for the environment");
    enum status status =
        cublas_check(cublasCreate(&s->handle), STATUS_UNAVAILABLE, "it does not start here", f);
    if (status == STATUS_OK)
        status = cublas_check(cublasSetMathMode(s->handle, CUBLAS_DEFAULT_MATH), STATUS_RESOURCE,
                              "its default math", f);
    if (status != STATUS_OK)
        return status;
    cublasGetProperty(MAJOR_VERSION, &major);
    cublasGetProperty(MINOR_VERSION, &minor);
    snprintf(s->name, sizeof s->name, "cublas %d.%d", major, minor);
    return STATUS_OK;
}

void cublas_close(struct cublas_session *s)
{
    if (s->handle)
        cublasDestroy(s->handle);
}

void cublas_release(const struct cublas_session *s, void *array)
{
    if (array)
        s->tools.release(array);
}

enum status cublas_use(struct cublas_session *s, cudaStream_t stream, struct failure *f)
{
    s->launch.stream = stream;
    return cublas_check(cublasSetStream(s->handle, stream), STATUS_RESOURCE, "the stream", f);
}
