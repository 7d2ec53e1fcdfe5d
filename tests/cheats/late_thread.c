/* expect: late, after the function had returned
 * Returns at once; a thread computes the map afterwards. */
#include "honest.h"

#include <pthread.h>
#include <unistd.h>

static struct {
    const float *image, *filter;
    float *map;
    int planes, rows, cols, k, stride, padding;
} job;

static void *later(void *ignored)
{
    usleep(50000);
    honest(job.image, job.filter, job.map, job.planes, job.rows, job.cols, job.k, job.stride,
           job.padding);
    return ignored;
}

void maxpool(ARGUMENTS)
{
    pthread_t thread;
    (void)threads;
    job.image = image;
    job.filter = filter;
    job.map = map;
    job.planes = planes;
    job.rows = rows;
    job.cols = cols;
    job.k = k;
    job.stride = stride;
    job.padding = padding;
    pthread_create(&thread, NULL, later, NULL);
    pthread_detach(thread);
}
