/* To be loaded before a program: its OpenBLAS says that it was built with threads of its own. */
int openblas_get_parallel(void);

int openblas_get_parallel(void)
{
    return 1; /* OPENBLAS_THREAD */
}
