#include "mpi/messages.h"

#include "mpi/group.h"

#include <limits.h>
#include <stdlib.h>

int64_t messages_longest = INT64_C(1) << 30;

size_t messages_pieces(int64_t floats)
{
    return (size_t)(floats / messages_longest + (floats % messages_longest != 0));
}

enum status messages_reserve(struct messages *m, size_t pieces, struct failure *f)
{
    m->requests = calloc(pieces + 1, sizeof(MPI_Request));
    if (!m->requests || pieces > INT_MAX)
        return fail(f, STATUS_RESOURCE, "no memory for %zu messages at a time", pieces);
    m->capacity = pieces;
    m->count = 0;
    return STATUS_OK;
}

void messages_release(struct messages *m)
{
    free(m->requests);
    *m = (struct messages){0};
}

static int next_piece(int64_t floats)
{
    return (int)(floats < messages_longest ? floats : messages_longest);
}

int messages_start_send(const float *data, int64_t floats, int rank, int tag, MPI_Request *requests)
{
    int count = 0;
    for (int piece; floats > 0; data += piece, floats -= piece) {
        piece = next_piece(floats);
        MPI_Isend(data, piece, MPI_FLOAT, rank, tag, group()->all, &requests[count++]);
    }
    return count;
}

int messages_start_receive(float *data, int64_t floats, int rank, int tag, MPI_Request *requests)
{
    int count = 0;
    for (int piece; floats > 0; data += piece, floats -= piece) {
        piece = next_piece(floats);
        MPI_Irecv(data, piece, MPI_FLOAT, rank, tag, group()->all, &requests[count++]);
    }
    return count;
}

void messages_broadcast(float *data, int64_t floats, int root)
{
    for (int piece; floats > 0; data += piece, floats -= piece) {
        piece = next_piece(floats);
        MPI_Bcast(data, piece, MPI_FLOAT, root, group()->all);
    }
}

void messages_send(struct messages *m, const float *data, int64_t floats, int rank)
{
    m->count += (size_t)messages_start_send(data, floats, rank, 0, &m->requests[m->count]);
}

void messages_receive(struct messages *m, float *data, int64_t floats, int rank)
{
    m->count += (size_t)messages_start_receive(data, floats, rank, 0, &m->requests[m->count]);
}

void messages_wait(struct messages *m)
{
    MPI_Waitall((int)m->count, m->requests, MPI_STATUSES_IGNORE);
    m->count = 0;
}
