/* Peers: the operators as other libraries compute them, measured and verified as our own methods
 * are. A peer receives the whole image and map of one address space once and prepares what its
 * library needs (primitives, generated code, data in its own layout); each execution is then the
 * library's work alone. */
#ifndef MAXPOOL_PEER_H
#define MAXPOOL_PEER_H

#include "harness/space/computing.h"

/* What a peer prepares for. `image` is filled; image and map stay at their addresses until
 * release. */
struct peer_job {
    const struct operation *operation;
    float *image;    /* planes x rows x cols; only read, not const because libraries require so */
    float *map;      /* planes x out_rows x out_cols */
    int64_t threads; /* that the library may use, if it runs its own threads */
    const void *way; /* of struct peer */
};

/* What one library keeps between its calls; each has its own. */
struct peer_state;

struct device_peer;  /* cuda/peers/peer.h */
struct network_peer; /* harness/space/network_peer.h */

struct peer {
    /* Returns NULL, or why the library cannot do it: a phrase that follows "--method NAME: ". NULL:
     * it can do all. */
    const char *(*refuses)(const struct operation *op);
    size_t state_bytes; /* of its struct peer_state */
    /* Called once per process, outside of all timing, with a state of zeros. Fills it, and sets
     * *isa to the library's name and version and its own name of the code it chose (a text valid
     * until release). */
    enum status (*prepare)(const struct peer_job *job, struct peer_state *state, const char **isa,
                           struct failure *f);
    /* One of the two is set. execute: the whole operation, by the calling thread and the library's
     * own threads. block: one portion of it, called by each worker of our team. */
    enum status (*execute)(struct peer_state *state, struct failure *f);
    void (*block)(const struct peer_state *state, const struct operation *op,
                  const struct portion *portion);
    /* Copies a result that the library holds in its own layout into the map, outside of the timing,
     * and poisons it for the next execution; NULL: the map is written directly. */
    enum status (*deliver)(struct peer_state *state, struct failure *f);
    /* Releases what the state owns, also after a preparation that failed. NULL: nothing. */
    void (*release)(struct peer_state *state);
    const void *way; /* distinguishes peers with the same functions; passed to `prepare` */
    /* Set for a peer of the GPU, or of whole networks; of the other members it then has only
     * `refuses`. */
    const struct device_peer *device;
    const struct network_peer *network;
};

/* Makes a state of zeros, of so many bytes; and ends it by the peer's release. `state` may be
 * NULL. */
enum status peer_state_make(struct peer_state **out, size_t bytes, struct failure *f);
void peer_state_end(struct peer_state *state, void (*release)(struct peer_state *state));

/* Computing by a peer that has `block`, with the state that it prepared. */
struct computing computing_by_peer(const struct operation *op, const struct peer *peer,
                                   const struct peer_state *state);

/* A peer in a list: a method of one operator, and where to find its struct peer. */
struct peer_row {
    const struct operator_row *kind;
    struct method method;        /* found by name, like those of the operator's own table */
    const char *module, *symbol; /* in the file next to the programs; NULL: not in this build */
    /* For a library that is searched for at run time: NULL or why it is missing; and the peer,
     * which needs no module. */
    const char *(*missing)(void);
    const struct peer *peer;
};

/* The peers that a program can run, for all operators. */
struct peers {
    const struct peer_row *rows;
    size_t count;
    /* Loads the peer of a row that is not unavailable. Status 3 if its library does not load. */
    enum status (*load)(const struct peer_row *row, const struct peer **out, struct failure *f);
    /* Limits the library of a row to an instruction set, before its peer is loaded. Status 2 if it
     * takes no limit, 3 if it does not keep to this one. */
    enum status (*limit)(const struct peer_row *row, enum isa widest, struct failure *f);
};

/* NULL, or why the row's peer cannot be loaded: this build or this machine lacks it. */
const char *peer_unavailable(const struct peer_row *row);

/* Returns the row of that operator and name, or NULL; `peers` may be NULL. */
const struct peer_row *peers_find(const struct peers *peers, const struct operator_row *kind,
                                  const char *name);

#endif
