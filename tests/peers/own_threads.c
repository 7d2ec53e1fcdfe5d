/* Preloaded into a program, it makes OpenBLAS report that it was built with its own threads. */
int openblas_get_parallel(void);

int openblas_get_parallel(void)
{
    return 1; /* OPENBLAS_THREAD */
}
