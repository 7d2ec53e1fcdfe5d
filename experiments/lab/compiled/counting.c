#include "experiments/lab/compiled/counting.h"

#include "experiments/lab/checks.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const int64_t small_integers = 255;

/* The kernel could also write the counts itself; it would deceive only its author. */
static enum status call(struct lab_input *in, const struct lab_arrays *arrays,
                        const struct lab_start *how, uint64_t seed, bool *answered,
                        struct failure *f)
{
    struct lab_runner runner = {.threads = 1, .planar = true};
    struct lab_order order = lab_input_order(in, 1, false, arrays);
    order.ask = LAB_COUNT;
    enum status status = lab_runner_start(&runner, how, arrays, f);
    if (status == STATUS_OK)
        status = lab_input_fill(in, seed, small_integers, true, arrays, &order, f);
    *answered = status == STATUS_OK && lab_worker_order(&runner.worker, &order);
    lab_worker_end(&runner.worker);
    return status;
}

enum status lab_count(struct lab_input *in, const struct lab_start *how, uint64_t seed,
                      uint64_t *counts, size_t blocks, bool *counted, struct failure *f)
{
    struct lab_arrays arrays;
    size_t bytes[LAB_ARRAYS];
    const size_t wanted = blocks * sizeof *counts;
    struct lab_start alone = *how;
    alone.threads = 1;
    alone.counts = memfd_create("counts", MFD_CLOEXEC);
    if (alone.counts < 0 || ftruncate(alone.counts, (off_t)wanted) != 0)
        return fail(f, STATUS_RESOURCE, "no shared memory for counts: %s", strerror(errno));
    lab_input_bytes(in, bytes);
    enum status status = lab_arrays_open(&arrays, bytes, f);
    if (status == STATUS_OK) {
        status = call(in, &arrays, &alone, seed, counted, f);
        lab_arrays_close(&arrays);
    }
    *counted = status == STATUS_OK && *counted &&
               pread(alone.counts, counts, wanted, 0) == (ssize_t)wanted;
    close(alone.counts);
    return status;
}
