/* Multiplies two matrices and verifies every element: multiply [METHOD [THREADS]]. */
#include <maxpool/maxpool.h>

#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 4, INNER = 6, COLS = 3 };

static int report(const struct maxpool_failure *why)
{
    fprintf(stderr, "multiply: %s\n", why->message);
    return why->status;
}

int main(int argc, char **argv)
{
    float a[ROWS * INNER], b[INNER * COLS], c[ROWS * COLS];
    for (int i = 0; i < ROWS * INNER; i++)
        a[i] = (float)(i * 5 % 7 - 3);
    for (int i = 0; i < INNER * COLS; i++)
        b[i] = (float)(i * 3 % 5 - 2);

    const struct maxpool_multiply what = {.rows = ROWS,
                                          .inner = INNER,
                                          .cols = COLS,
                                          .b = b,
                                          .method = argc > 1 ? argv[1] : "packed"};
    struct maxpool_failure why;
    struct maxpool_operation *product;
    if (maxpool_make_multiply(&product, &what, &why) != MAXPOOL_OK)
        return report(&why);

    const int64_t threads = argc > 2 ? strtoll(argv[2], NULL, 10) : 1;
    struct maxpool_verdict verdict;
    enum maxpool_status status = maxpool_run(product, a, c, threads, &why);
    if (status == MAXPOOL_OK)
        status = maxpool_verify(product, a, c, &verdict, &why);
    if (status == MAXPOOL_OK) {
        for (int i = 0; i < ROWS * COLS; i++)
            printf("%g%c", (double)c[i], i % COLS == COLS - 1 ? '\n' : ' ');
        printf("%lld outputs, %lld wrong\n", (long long)verdict.outputs, (long long)verdict.wrong);
    }
    maxpool_release(product);
    return status == MAXPOOL_OK ? 0 : report(&why);
}
