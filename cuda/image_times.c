/* The order of the steps and their times. With one stream every phase is timed by itself. With
 * several streams phases overlap, and only their exposed part counts. */
#include "cuda/nvml.h"
#include "cuda/offload_image.h"
#include "harness/base/clock.h"

#include <math.h>
#include <stdlib.h>

/* ---- one stream: every phase by itself --------------------------------------------------------
 */

/* One step of a chunk. timed() waits for it and adds its seconds. */
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

static enum status between_marks(const struct image_state *s, int64_t i, enum mark begin,
                                 enum mark end, double *seconds, struct failure *f)
{
    double more = 0.0;
    const cudaEvent_t *at = s->marks[i].at;
    enum status status = device_seconds(at[begin], at[end], &more, f);
    *seconds += more;
    return status;
}

static enum status device_copy_times(const struct image_state *s, struct phases *phases,
                                     struct failure *f)
{
    enum status status = STATUS_OK;
    phases->device_distribute_s = phases->device_collect_s = 0.0;
    for (int64_t i = 0; status == STATUS_OK && i < s->chunks.count; i++) {
        status = between_marks(s, i, SENDING, SENT, &phases->device_distribute_s, f);
        if (status == STATUS_OK)
            status = between_marks(s, i, COLLECTING, COLLECTED, &phases->device_collect_s, f);
    }
    return status;
}

static enum status empty_cache(const struct instance *in, const struct image_state *s, int64_t i,
                               struct failure *f)
{
    (void)s;
    (void)i;
    return flush_cache(&in->flush, f);
}

/* Sets *seconds to the device time of `launches` launches in a row. Reads clock, power and throttle
 * reasons meanwhile; no phase is timed here. */
static enum status seconds_in_a_row(const struct instance *in, const struct image_state *s,
                                    int64_t i, int64_t launches, double *seconds,
                                    struct phases *phases, struct failure *f)
{
    *seconds = 0.0;
    enum status status = image_compute_in_a_row(in, s, i, launches, f);
    if (status == STATUS_OK && in->nvml)
        nvml_read(in->nvml, phases);
    if (status == STATUS_OK)
        status = lane_wait(lane_of(s, i), f);
    return status == STATUS_OK ? between_marks(s, i, COMPUTING, COMPUTED, seconds, f) : status;
}

/* Launches in a row: as many as take about row_s seconds together. A launch of long_s seconds or
 * more is timed as it is, because 6 microseconds are a thousandth of it. */
enum { LAUNCHES_LEAST = 4, LAUNCHES_MOST = 16 };
static const double row_s = 2e-4, long_s = 6e-3;

/* Adds the time of the kernel by itself. In the sample's own launch, the device reaches the mark
 * before the kernel while the host still submits the kernel, and waits 3 to 6 microseconds, which
 * are not the kernel's. Of launches in a row only the first one waits, so (T(R + 1) - T(1)) / R
 * does not contain the wait. All of them read the chunk that is already on the device, a small one
 * from the L2 cache. The sample's own launch is recorded as well (device_cold_s): it contains the
 * wait, but starts with an empty cache. */
static enum status clock_kernel(struct instance *in, const struct image_state *s, int64_t i,
                                struct phases *phases, struct failure *f)
{
    double sample = 0.0, one = 0.0, row = 0.0;
    enum status status = between_marks(s, i, COMPUTING, COMPUTED, &sample, f);
    const bool is_long = status == STATUS_OK && sample >= long_s;
    in->computes_long = is_long && nvml_fits(in->nvml, sample);
    phases->device_cold_s += sample;
    if (is_long)
        phases->device_compute_s += sample;
    if (is_long && in->nvml && !phases->throttle[0]) /* only to read clock and power */
        return seconds_in_a_row(in, s, i, 1 + (int64_t)(nvml_reading_s(in->nvml) / sample), &one,
                                phases, f);
    if (status != STATUS_OK || is_long)
        return status;
    const double launches = fmax(LAUNCHES_LEAST, fmin(LAUNCHES_MOST, ceil(row_s / sample)));
    status = seconds_in_a_row(in, s, i, 1, &one, phases, f);
    if (status == STATUS_OK)
        status = seconds_in_a_row(in, s, i, (int64_t)launches + 1, &row, phases, f);
    phases->device_compute_s += fmax(0.0, (row - one) / launches);
    return status;
}

/* If the kernel took milliseconds the last time, clock and power are read while it runs: the
 * reading takes less time. */
static enum status timed_compute(const struct instance *in, const struct image_state *s, int64_t i,
                                 struct phases *phases, struct failure *f)
{
    const double start = clock_now();
    enum status status = image_compute(in, s, i, f);
    if (status == STATUS_OK && in->nvml && in->computes_long)
        nvml_read(in->nvml, phases);
    if (status == STATUS_OK)
        status = lane_wait(lane_of(s, i), f);
    phases->compute_s += clock_now() - start;
    return status;
}

/* What is done between the steps, outside of the phases, is not part of the total. */
static enum status execute_in_turn(struct instance *in, const struct image_state *s,
                                   struct phases *phases, struct failure *f)
{
    double aside_s = 0.0;
    phases->distribute_s = phases->compute_s = phases->collect_s = 0.0;
    phases->device_compute_s = phases->device_cold_s = 0.0;
    const double start = clock_now();
    enum status status = image_send_filter(in, s, f);
    phases->distribute_s = clock_now() - start;
    for (int64_t i = 0; status == STATUS_OK && i < s->chunks.count; i++) {
        status = timed(image_send, in, s, i, &phases->distribute_s, f);
        if (status == STATUS_OK)
            status = timed(empty_cache, in, s, i, &aside_s, f);
        if (status == STATUS_OK)
            status = timed_compute(in, s, i, phases, f);
        if (status == STATUS_OK)
            status = timed(image_collect, in, s, i, &phases->collect_s, f);
        const double collected = clock_now();
        if (status == STATUS_OK)
            status = clock_kernel(in, s, i, phases, f);
        aside_s += clock_now() - collected;
    }
    phases->total_s = clock_now() - start - aside_s;
    return status == STATUS_OK ? device_copy_times(s, phases, f) : status;
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

/* Returns the seconds that the intervals cover together, and sets *last to the latest end. Sorts
 * the intervals. */
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

/* Compute is the time in which at least one kernel ran, collect is the time after the last kernel,
 * and distribute is the rest: waiting for data. */
static enum status exposed_times(const struct image_state *s, double offset, struct phases *phases,
                                 struct failure *f)
{
    struct interval *kernels = calloc((size_t)s->chunks.count, sizeof *kernels);
    enum status status = kernels ? STATUS_OK : fail(f, STATUS_RESOURCE, "no memory for intervals");
    phases->device_compute_s = 0.0;
    for (int64_t i = 0; status == STATUS_OK && i < s->chunks.count; i++) {
        status = device_seconds(s->origin, s->marks[i].at[COMPUTING], &kernels[i].begin, f);
        if (status == STATUS_OK)
            status = device_seconds(s->origin, s->marks[i].at[COMPUTED], &kernels[i].end, f);
        phases->device_compute_s += kernels[i].end - kernels[i].begin;
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

/* Clock and power are read while chunks are computed. If that was too short for a reading, the
 * first chunk is computed LAUNCHES_MOST more times here for it. */
static enum status read_nvml_again(struct instance *in, const struct image_state *s,
                                   struct phases *phases, struct failure *f)
{
    double unused;
    in->computes_long = nvml_fits(in->nvml, phases->total_s);
    if (!in->nvml || phases->throttle[0])
        return STATUS_OK;
    return seconds_in_a_row(in, s, 0, LAUNCHES_MOST, &unused, phases, f);
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
    if (status == STATUS_OK && in->nvml && in->computes_long)
        nvml_read(in->nvml, phases);
    for (int64_t i = 0; status == STATUS_OK && i < s->lane_count; i++)
        status = lane_wait(&s->lanes[i], f);
    phases->total_s = clock_now() - start;
    if (status == STATUS_OK)
        status = device_copy_times(s, phases, f);
    if (status == STATUS_OK)
        status = exposed_times(s, origin - start, phases, f);
    return status == STATUS_OK ? read_nvml_again(in, s, phases, f) : status;
}

/* ---- lines that the caller holds --------------------------------------------------------------
 */

static bool is_within(const struct instance *in, const struct chunk *c, int64_t first,
                      int64_t count)
{
    const int64_t line = c->plane * in->operation->map.rows + c->row;
    return line >= first && line < first + count;
}

enum status image_compute_lines(const struct instance *in, int64_t first, int64_t count,
                                double *seconds, struct failure *f)
{
    const struct image_state *s = in->state;
    enum status status = STATUS_OK;
    for (int64_t i = 0; status == STATUS_OK && i < s->chunks.count; i++) {
        if (!is_within(in, &s->chunks.items[i], first, count))
            continue;
        status = image_send(in, s, i, f);
        if (status == STATUS_OK)
            status = image_compute(in, s, i, f);
        if (status == STATUS_OK)
            status = image_collect(in, s, i, f);
    }
    for (int64_t i = 0; status == STATUS_OK && i < s->lane_count; i++)
        status = lane_wait(&s->lanes[i], f);
    for (int64_t i = 0; status == STATUS_OK && i < s->chunks.count; i++)
        if (is_within(in, &s->chunks.items[i], first, count))
            status = between_marks(s, i, COMPUTING, COMPUTED, seconds, f);
    return status;
}

enum status image_read_device(const struct instance *in, struct phases *phases, struct failure *f)
{
    const struct image_state *s = in->state;
    double sample = 0.0, unused;
    if (!in->nvml)
        return STATUS_OK;
    const enum status status = between_marks(s, 0, COMPUTING, COMPUTED, &sample, f);
    const double launches =
        sample > 0.0 ? fmin(LAUNCHES_MOST, 1.0 + nvml_reading_s(in->nvml) / sample) : LAUNCHES_MOST;
    return status == STATUS_OK ? seconds_in_a_row(in, s, 0, (int64_t)launches, &unused, phases, f)
                               : status;
}

enum status image_execute(struct instance *in, struct phases *phases, struct failure *f)
{
    const struct image_state *s = in->state;
    return s->lane_count > 1 ? execute_overlapped(in, s, phases, f)
                             : execute_in_turn(in, s, phases, f);
}
