/* Non-blocking messages of any number of floats. MPI counts in int, so long messages are cut into
 * pieces. MPI keeps their order, and both sides cut in the same way. */
#ifndef MAXPOOL_MESSAGES_H
#define MAXPOOL_MESSAGES_H

#include "harness/base/failure.h"

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

/* Most floats of one piece: 2^30, well within int. Tests lower it. */
extern int64_t messages_longest;

struct messages {
    MPI_Request *requests;
    size_t count, capacity;
};

/* Returns the number of pieces of a message of `floats` floats. */
size_t messages_pieces(int64_t floats);

/* Allocates requests for `pieces` pieces in flight at a time, so that nothing can fail later. */
enum status messages_reserve(struct messages *m, size_t pieces, struct failure *f);
void messages_release(struct messages *m);

/* Starts a message; the data must stay until messages_wait. */
void messages_send(struct messages *m, const float *data, int64_t floats, int rank);
void messages_receive(struct messages *m, float *data, int64_t floats, int rank);

/* The same with a tag and with the caller's requests: starts all pieces and returns their
 * number. */
int messages_start_send(const float *data, int64_t floats, int rank, int tag,
                        MPI_Request *requests);
int messages_start_receive(float *data, int64_t floats, int rank, int tag, MPI_Request *requests);

/* Broadcasts floats from the root to all ranks, piece by piece. */
void messages_broadcast(float *data, int64_t floats, int root);

/* Waits for all messages that were started. */
void messages_wait(struct messages *m);

#endif
