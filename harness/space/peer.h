/* Peers: the operators by other libraries, measured and verified as our own methods are. A peer is
 * given the whole image and map of one address space once, prepares there what its library wants
 * (primitives, generated code, data in a layout of its own), and each execution is then nothing but
 * the library at work. */
#ifndef MAXPOOL_PEER_H
#define MAXPOOL_PEER_H

#include "harness/space/computing.h"

/* What a peer prepares for. `image` is filled; both stay where they are until release. */
struct peer_job {
    const struct operation *operation;
    float *image;    /* planes x rows x cols; read only, though libraries ask for a plain pointer */
    float *map;      /* planes x out_rows x out_cols */
    int64_t threads; /* that the library may use, when it is the one that uses them */
    const void *way; /* of struct peer */
};

/* What one library keeps between its calls; each has its own. */
struct peer_state;

struct device_peer;  /* cuda/peers/peer.h */
struct network_peer; /* harness/space/network_peer.h */

struct peer {
    /* NULL, or why the library cannot do this operation: a phrase behind "--method NAME: ". */
    const char *(*refuses)(const struct operation *op);
    /* Once per process, outside of all timing. Sets *out, and *isa to the library's name and
     * version and its own name of the code it chose (a text that lasts until release). On failure
     * *out is NULL and nothing is left to release. */
    enum status (*prepare)(const struct peer_job *job, struct peer_state **out, const char **isa,
                           struct failure *f);
    /* One of the two is set. execute: the whole operation, by the calling thread and the threads
     * that the library makes. block: one portion of it, by each worker of our team. */
    enum status (*execute)(struct peer_state *state, struct failure *f);
    void (*block)(const struct peer_state *state, const struct operation *op,
                  const struct portion *portion);
    /* Brings a result that the library holds in its own layout into the map, after the clock has
     * stopped, and poisons it for the next execution; NULL: the map is written directly. */
    enum status (*deliver)(struct peer_state *state, struct failure *f);
    void (*release)(struct peer_state *state); /* NULL is fine */
    const void *way; /* what sets it apart from peers of the same functions, passed to `prepare` */
    /* Set for a peer of the GPU, or of whole networks, which then has nothing else but `refuses`.
     */
    const struct device_peer *device;
    const struct network_peer *network;
};

/* By a peer: portions by one that has `block`, with the state that it prepared. */
struct computing computing_by_peer(const struct operation *op, const struct peer *peer,
                                   const struct peer_state *state);

/* A peer as lists show it: a method of one operator, and where its struct peer lies. */
struct peer_row {
    const struct operator_row *kind;
    struct method method;        /* found by name, like those of the operator's own table */
    const char *module, *symbol; /* of the file beside the programs; NULL: none computes it here */
    /* Of a library that is looked for where the program runs: NULL, or why it is not there; and the
     * peer, which needs no module. */
    const char *(*missing)(void);
    const struct peer *peer;
};

/* The peers that a program can run, of all operators. */
struct peers {
    const struct peer_row *rows;
    size_t count;
    /* The peer of a row that is not unavailable. Status 3 where its library does not load. */
    enum status (*load)(const struct peer_row *row, const struct peer **out, struct failure *f);
};

/* NULL, or why the row's peer cannot be loaded: this build lacks it, or this machine. */
const char *peer_unavailable(const struct peer_row *row);

/* The row of that operator and name, or NULL; `peers` NULL: none. */
const struct peer_row *peers_find(const struct peers *peers, const struct operator_row *kind,
                                  const char *name);

#endif
