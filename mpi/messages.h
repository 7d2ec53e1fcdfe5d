/* Non-blocking messages of any number of floats. MPI counts in int, so long ones are cut into
 * pieces, which MPI keeps in order; both sides cut alike. */
#ifndef MAXPOOL_MESSAGES_H
#define MAXPOOL_MESSAGES_H

#include "harness/base/failure.h"

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

/* Floats of one piece at most: 2^30, well within int. Tests lower it. */
extern int64_t messages_longest;

struct messages {
    MPI_Request *requests;
    size_t count, capacity;
};

/* Pieces that a message of so many floats takes. */
size_t messages_pieces(int64_t floats);

/* Makes room for that many pieces on their way at a time, so that nothing can fail later on. */
enum status messages_reserve(struct messages *m, size_t pieces, struct failure *f);
void messages_release(struct messages *m);

/* Starts a message; the data must stay until messages_wait. */
void messages_send(struct messages *m, const float *data, int64_t floats, int rank);
void messages_receive(struct messages *m, float *data, int64_t floats, int rank);

/* The same with a tag, and requests of the caller's: starts all pieces, and returns how many. */
int messages_start_send(const float *data, int64_t floats, int rank, int tag,
                        MPI_Request *requests);
int messages_start_receive(float *data, int64_t floats, int rank, int tag, MPI_Request *requests);

/* Floats from the root to all ranks, piece by piece. */
void messages_broadcast(float *data, int64_t floats, int root);

/* Waits for all that were started. */
void messages_wait(struct messages *m);

#endif
