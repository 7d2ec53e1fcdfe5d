/* The order of the steps, and what their times are: with one stream every phase by itself, with
 * several what stays exposed of phases that overlap. */
#include "cuda/offload_image.h"
#include "harness/base/clock.h"

#include <math.h>
#include <stdlib.h>

/* ---- one stream: every phase by itself --------------------------------------------------------
 */

/* One step of a chunk, awaited; its seconds are added. */
typedef enum status chunk_step(const struct instance *in, const struct image_state *s, int64_t i,
                               struct failure *f);

static enum status timed(chunk_step *step, const struct instance *in, const struct image_state *s,
                         int64_t i, double *seconds, struct failure *f)
{
    const double start = clock_now();
    enum status status = step(in, s, i, f);
    if (status == STATUS_OK)
        status = lane_wait(lane_of(s, i), f);
    *seconds += clock_now() - start;
    return status;
}

static enum status device_times(const struct image_state *s, struct phases *phases,
                                struct failure *f)
{
    enum status status = STATUS_OK;
    phases->device_distribute_s = phases->device_compute_s = phases->device_collect_s = 0.0;
    for (int64_t i = 0; status == STATUS_OK && i < s->chunks.count; i++) {
        const cudaEvent_t *at = s->marks[i].at;
        double sent = 0.0, computed = 0.0, collected = 0.0;
        status = seconds_between(at[SENDING], at[SENT], &sent, f);
        if (status == STATUS_OK)
            status = seconds_between(at[COMPUTING], at[COMPUTED], &computed, f);
        if (status == STATUS_OK)
            status = seconds_between(at[COLLECTING], at[COLLECTED], &collected, f);
        phases->device_distribute_s += sent;
        phases->device_compute_s += computed;
        phases->device_collect_s += collected;
    }
    return status;
}

static enum status execute_in_turn(struct instance *in, const struct image_state *s,
                                   struct phases *phases, struct failure *f)
{
    phases->distribute_s = phases->compute_s = phases->collect_s = 0.0;
    const double start = clock_now();
    enum status status = image_send_filter(in, s, f);
    phases->distribute_s = clock_now() - start;
    for (int64_t i = 0; status == STATUS_OK && i < s->chunks.count; i++) {
        status = timed(image_send, in, s, i, &phases->distribute_s, f);
        if (status == STATUS_OK)
            status = timed(image_compute, in, s, i, &phases->compute_s, f);
        if (status == STATUS_OK)
            status = timed(image_collect, in, s, i, &phases->collect_s, f);
    }
    phases->total_s = clock_now() - start;
    return status == STATUS_OK ? device_times(s, phases, f) : status;
}

/* ---- several streams: phases overlap ----------------------------------------------------------
 */

struct interval {
    double begin, end;
};

static int earlier(const void *a, const void *b)
{
    const struct interval *p = a, *q = b;
    return (p->begin > q->begin) - (p->begin < q->begin);
}

/* Seconds covered by the intervals together, which are sorted for it; *last is when the last ends.
 */
static double covered(struct interval *intervals, int64_t count, double *last)
{
    double seconds = 0.0;
    *last = 0.0;
    qsort(intervals, (size_t)count, sizeof *intervals, earlier);
    for (int64_t i = 0; i < count; i++) {
        const double begin = fmax(intervals[i].begin, *last);
        seconds += fmax(0.0, intervals[i].end - begin);
        *last = fmax(*last, intervals[i].end);
    }
    return seconds;
}

/* Compute is the time in which some kernel was under way, collect what came after the last of them,
 * distribute all else: waiting for data. */
static enum status exposed_times(const struct image_state *s, double offset, struct phases *phases,
                                 struct failure *f)
{
    struct interval *kernels = calloc((size_t)s->chunks.count, sizeof *kernels);
    enum status status = kernels ? STATUS_OK : fail(f, STATUS_RESOURCE, "no memory for intervals");
    for (int64_t i = 0; status == STATUS_OK && i < s->chunks.count; i++) {
        status = seconds_between(s->origin, s->marks[i].at[COMPUTING], &kernels[i].begin, f);
        if (status == STATUS_OK)
            status = seconds_between(s->origin, s->marks[i].at[COMPUTED], &kernels[i].end, f);
    }
    if (status == STATUS_OK) {
        double last;
        phases->compute_s = fmin(covered(kernels, s->chunks.count, &last), phases->total_s);
        phases->collect_s =
            fmin(fmax(0.0, phases->total_s - offset - last), phases->total_s - phases->compute_s);
        phases->distribute_s = phases->total_s - phases->compute_s - phases->collect_s;
    }
    free(kernels);
    return status;
}

static enum status execute_overlapped(struct instance *in, const struct image_state *s,
                                      struct phases *phases, struct failure *f)
{
    const double start = clock_now();
    enum status status = image_send_filter(in, s, f);
    const double origin = clock_now();
    if (status == STATUS_OK)
        status = CUDA(cudaEventRecord(s->origin, s->lanes[0].stream), f);
    for (int64_t i = 0; status == STATUS_OK && i < s->chunks.count; i++) {
        status = image_send(in, s, i, f);
        if (status == STATUS_OK)
            status = image_compute(in, s, i, f);
        if (status == STATUS_OK)
            status = image_collect(in, s, i, f);
    }
    for (int64_t i = 0; status == STATUS_OK && i < s->lane_count; i++)
        status = lane_wait(&s->lanes[i], f);
    phases->total_s = clock_now() - start;
    if (status == STATUS_OK)
        status = device_times(s, phases, f);
    return status == STATUS_OK ? exposed_times(s, origin - start, phases, f) : status;
}

enum status image_execute(struct instance *in, struct phases *phases, struct failure *f)
{
    const struct image_state *s = in->state;
    return s->lane_count > 1 ? execute_overlapped(in, s, phases, f)
                             : execute_in_turn(in, s, phases, f);
}
