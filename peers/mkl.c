/* The matrix product by oneMKL's sgemm, and batches by its batched call, in the process that
 * measures ours. The build needs nothing of it: libmkl_rt is opened at run time. It is the one that
 * MAXPOOL_MKL names, that the loader finds, or that is beside a Python of MAXPOOL_PYTHON (its
 * package mkl). It uses the threads of GNU's OpenMP, as we do, so that no two teams occupy the
 * cores. Functions and their constants as in mkl_cblas.h and mkl_service.h (oneMKL Developer
 * Reference for C). */
#include "peers/mkl.h"

#include "kernels/matmul/matmul.h"
#include "kernels/min_max.h"
#include "peers/peers.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEQUENTIAL = 1, GNU_THREADS = 3 };

/* ---- the library ------------------------------------------------------------------------------
 */

static const char *const names[] = {"libmkl_rt.so.3", "libmkl_rt.so.2", "libmkl_rt.so"};
enum { NAMES = sizeof names / sizeof *names };

static void *open_in(const char *folder, size_t length, const char *below)
{
    char path[PATH_MAX];
    void *library = NULL;
    for (int i = 0; !library && i < NAMES; i++)
        if ((size_t)snprintf(path, sizeof path, "%.*s%s/%s", (int)length, folder, below, names[i]) <
            sizeof path)
            library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    return library;
}

/* Opens the library in FOLDER/lib; `python` is a virtual environment's FOLDER or its interpreter
 * FOLDER/bin/python. */
static void *open_beside(const char *python, size_t length)
{
    void *library = open_in(python, length, "/lib");
    while (length > 0 && python[length - 1] != '/')
        length--;
    return library ? library : open_in(python, length, "../lib");
}

static void *open_of_python(const char *pythons)
{
    void *library = NULL;
    while (!library && *pythons) {
        const size_t length = strcspn(pythons, ":");
        library = open_beside(pythons, length);
        pythons += length + (pythons[length] == ':');
    }
    return library;
}

/* The loader's message about a file that it refuses. */
static char why_not[256];

static void *open_named(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const char *said = library ? NULL : dlerror();
    if (said)
        snprintf(why_not, sizeof why_not, "%s", said);
    return library;
}

static void *open_library(void)
{
    const char *named = getenv("MAXPOOL_MKL"), *pythons = getenv("MAXPOOL_PYTHON");
    void *library = NULL;
    if (named && *named)
        return open_named(named);
    for (int i = 0; !library && i < NAMES; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    return library || !pythons ? library : open_of_python(pythons);
}

/* Stores dlsym's void pointer as a function pointer; POSIX represents both alike. */
static void find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
}

/* The library is opened once and stays open until the process ends. */
const struct mkl *mkl_find(void)
{
    static struct mkl mkl;
    static bool looked;
    void *library = looked ? NULL : open_library();
    looked = true;
    if (library) {
        find(library, "cblas_sgemm", &mkl.sgemm);
        find(library, "cblas_sgemm_batch_strided", &mkl.sgemm_batch);
        find(library, "MKL_Set_Threading_Layer", &mkl.set_threading_layer);
        find(library, "MKL_Set_Num_Threads", &mkl.set_threads);
        find(library, "MKL_Get_Version_String", &mkl.version);
    }
    return mkl.sgemm && mkl.sgemm_batch && mkl.set_threading_layer && mkl.set_threads && mkl.version
               ? &mkl
               : NULL;
}

const char *mkl_missing(void)
{
    static char refused[512];
    const char *named = getenv("MAXPOOL_MKL");
    if (mkl_find())
        return NULL;
    if (named && *named) {
        snprintf(refused, sizeof refused, "no libmkl_rt here: MAXPOOL_MKL names it: %.150s: %.250s",
                 named, why_not[0] ? why_not : "not a libmkl_rt: it lacks functions of one");
        return refused;
    }
    return "no libmkl_rt here: MAXPOOL_MKL names it, the loader finds it, or a Python "
           "of MAXPOOL_PYTHON has the package mkl";
}

/* "Intel(R) oneAPI Math Kernel Library Version 2026.0-Product Build ..." */
static void describe_version(const struct mkl *mkl, char *name, size_t size)
{
    char text[198] = "";
    mkl->version(text, (int)sizeof text);
    text[sizeof text - 1] = '\0';
    const char *version = strstr(text, "Version ");
    version = version ? version + strlen("Version ") : "";
    snprintf(name, size, "oneMKL %.*s", (int)strcspn(version, "- "), version);
}

enum status mkl_open(int64_t threads, char *name, size_t size, struct failure *f)
{
    const struct mkl *mkl = mkl_find();
    if (!mkl)
        return fail(f, STATUS_UNAVAILABLE, "%s", mkl_missing());
    mkl->set_threading_layer(threads > 1 ? GNU_THREADS : SEQUENTIAL);
    mkl->set_threads((int)threads);
    describe_version(mkl, name, size);
    return STATUS_OK;
}

/* ---- the peer ---------------------------------------------------------------------------------
 */

struct peer_state {
    const struct mkl *mkl;
    const float *a, *b;
    float *c;
    struct matmul_batch batch;
    char name[96]; /* "oneMKL 2026.0" */
};

static const char *refuses(const struct operation *op)
{
    const struct matmul_batch batch = matmul_batch_of(op);
    const int64_t most = batch.products > 1 ? INT_MAX / larger(batch.inner, batch.cols)
                                            : INT_MAX; /* of the strides */
    return batch.products > INT_MAX || batch.rows > most || batch.inner > most || batch.cols > most
               ? "oneMKL counts in 32 bits here"
               : NULL;
}

static enum status prepare(const struct peer_job *job, struct peer_state *s, const char **isa,
                           struct failure *f)
{
    const struct operation *op = job->operation;
    *s = (struct peer_state){.mkl = mkl_find(),
                             .a = job->image,
                             .b = op->operands[OPERAND_FILTER].values,
                             .c = job->map,
                             .batch = matmul_batch_of(op)};
    *isa = s->name;
    return mkl_open(job->threads, s->name, sizeof s->name, f);
}

static enum status execute(struct peer_state *s, struct failure *f)
{
    const int rows = (int)s->batch.rows, inner = (int)s->batch.inner, cols = (int)s->batch.cols;
    (void)f;
    if (s->batch.products == 1)
        s->mkl->sgemm(MKL_ROW_MAJOR, MKL_AS_IT_IS, MKL_AS_IT_IS, rows, cols, inner, 1.0f, s->a,
                      inner, s->b, cols, 0.0f, s->c, cols);
    else
        s->mkl->sgemm_batch(MKL_ROW_MAJOR, MKL_AS_IT_IS, MKL_AS_IT_IS, rows, cols, inner, 1.0f,
                            s->a, inner, rows * inner, s->b, cols, inner * cols, 0.0f, s->c, cols,
                            rows * cols, (int)s->batch.products);
    return STATUS_OK;
}

const struct peer peer_mkl = {.refuses = refuses,
                              .state_bytes = sizeof(struct peer_state),
                              .prepare = prepare,
                              .execute = execute};
