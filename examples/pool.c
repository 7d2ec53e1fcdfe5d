/* Pools an image by a method and verifies every output: pool [METHOD [THREADS]]. */
#include <maxpool/maxpool.h>

#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 8, COLS = 10, KERNEL = 2 };

static int report(const struct maxpool_failure *why)
{
    fprintf(stderr, "pool: %s\n", why->message);
    return why->status;
}

static void show(const float *map, struct maxpool_shape shape)
{
    for (int64_t row = 0; row < shape.rows; row++)
        for (int64_t col = 0; col < shape.cols; col++)
            printf("%g%c", (double)map[row * shape.cols + col], col + 1 < shape.cols ? ' ' : '\n');
}

int main(int argc, char **argv)
{
    float image[ROWS * COLS], map[ROWS * COLS];
    for (int i = 0; i < ROWS * COLS; i++)
        image[i] = (float)(i * 37 % 101);

    /* Fields that are not named are 0: the stride is then the kernel size, the filter the
     * identity. */
    const struct maxpool_pool what = {
        .image = {1, ROWS, COLS}, .kernel = KERNEL, .method = argc > 1 ? argv[1] : "separable"};
    struct maxpool_failure why;
    struct maxpool_operation *pooling;
    if (maxpool_make_pool(&pooling, &what, &why) != MAXPOOL_OK)
        return report(&why);

    const int64_t threads = argc > 2 ? strtoll(argv[2], NULL, 10) : 1;
    struct maxpool_verdict verdict;
    enum maxpool_status status = maxpool_run(pooling, image, map, threads, &why);
    if (status == MAXPOOL_OK)
        status = maxpool_verify(pooling, image, map, &verdict, &why);
    if (status == MAXPOOL_OK) {
        show(map, maxpool_output(pooling));
        printf("%lld outputs, %lld wrong\n", (long long)verdict.outputs, (long long)verdict.wrong);
    }
    maxpool_release(pooling);
    return status == MAXPOOL_OK ? 0 : report(&why);
}
