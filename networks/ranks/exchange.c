#include "networks/ranks/exchange.h"

#include "harness/base/digest.h"
#include "harness/machine/memory.h"
#include "mpi/group.h"

#include <stdlib.h>
#include <string.h>

static bool is_root(void)
{
    return group()->rank == GROUP_ROOT;
}

static struct image_span span_of(const struct network_run *run, int rank)
{
    return network_span(run->images.batch, rank, group()->ranks);
}

static int64_t image_elements(const struct network_run *run)
{
    return tensor_elements(run->network.input);
}

static int64_t output_elements(const struct network_run *run)
{
    return tensor_elements(network_output(&run->network));
}

/* Pieces of the messages between the root and the other ranks, for `elements` floats per image. */
static size_t pieces(const struct network_run *run, int64_t elements)
{
    size_t sum = 0;
    if (!is_root())
        return messages_pieces(run->images.here.count * elements);
    for (int rank = 1; rank < group()->ranks; rank++)
        sum += messages_pieces(span_of(run, rank).count * elements);
    return sum;
}

enum status exchange_open(struct exchange *e, const struct network_run *run, struct failure *f)
{
    const size_t out = pieces(run, image_elements(run)), in = pieces(run, output_elements(run));
    const enum status status = messages_reserve(&e->messages, out > in ? out : in, f);
    return status == STATUS_OK && e->scatters ? exchange_allocate_outputs(e, run, f) : status;
}

void exchange_close(struct exchange *e)
{
    messages_release(&e->messages);
    free(e->whole);
}

enum status exchange_allocate_outputs(struct exchange *e, const struct network_run *run,
                                      struct failure *f)
{
    const size_t bytes = (size_t)(run->images.batch * output_elements(run)) * sizeof(float);
    return is_root() && !e->whole
               ? memory_allocate((void **)&e->whole, bytes, "the outputs of all ranks", f)
               : STATUS_OK;
}

void exchange_scatter(struct exchange *e, const struct network_run *run, float *own)
{
    const int64_t elements = image_elements(run);
    if (!is_root())
        messages_receive(&e->messages, own, run->images.here.count * elements, GROUP_ROOT);
    for (int rank = 1; is_root() && rank < group()->ranks; rank++) {
        const struct image_span span = span_of(run, rank);
        messages_send(&e->messages, e->images + span.first * elements, span.count * elements, rank);
    }
    messages_wait(&e->messages);
}

void exchange_collect(struct exchange *e, const struct network_run *run, const float *own)
{
    const int64_t elements = output_elements(run);
    if (!is_root())
        messages_send(&e->messages, own, run->images.here.count * elements, GROUP_ROOT);
    for (int rank = 1; is_root() && rank < group()->ranks; rank++) {
        const struct image_span span = span_of(run, rank);
        messages_receive(&e->messages, e->whole + span.first * elements, span.count * elements,
                         rank);
    }
    if (is_root())
        memcpy(e->whole, own, (size_t)(run->images.here.count * elements) * sizeof(float));
    messages_wait(&e->messages);
}

bool exchange_matches(const struct network_run *run, const float *own, const float *whole,
                      int64_t elements)
{
    const int64_t first = run->images.here.first * elements;
    const uint64_t mine = digest_range(own, first, run->images.here.count * elements);
    struct {
        uint64_t parts, whole;
    } hashes = {0, 0};
    MPI_Allreduce(&mine, &hashes.parts, 1, MPI_UINT64_T, MPI_SUM, group()->all);
    if (is_root())
        hashes.whole = digest_range(whole, 0, run->images.batch * elements);
    MPI_Bcast(&hashes.whole, 1, MPI_UINT64_T, GROUP_ROOT, group()->all);
    return hashes.parts == hashes.whole;
}
