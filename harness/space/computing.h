/* What computes the portions of an operation: its method, a library (harness/space/peer.h), or on a
 * simulated machine the passing of time alone (harness/space/simulated.h). A space decides which
 * worker has which portion; this interface only computes it. */
#ifndef MAXPOOL_COMPUTING_H
#define MAXPOOL_COMPUTING_H

#include "harness/space/operation.h"

struct job;  /* harness/space/space.h */
struct peer; /* harness/space/peer.h */
struct peer_state;
struct simulated;

struct computing {
    const struct operation *operation;
    /* As operation_run. */
    void (*portion)(const struct computing *c, const struct portion *portion, double *product_s);
    bool by_method; /* the method's workers may share panels of the right operand */
    bool staged;    /* the method's product is timed separately */
    /* What `portion` needs if the method does not compute. */
    const struct peer *peer;
    const struct peer_state *state;
    const struct simulated *simulated;
};

/* The computing that the job asks for; a peer's state is set once it is prepared. */
struct computing computing_of(const struct job *job);

static inline void computing_run(const struct computing *c, const struct portion *portion,
                                 double *product_s)
{
    c->portion(c, portion, product_s);
}

/* Computes one stage of a portion by the operation's method, which works in stages; on a simulated
 * machine the stage takes its share of the given times. */
void computing_stage(const struct computing *c, const struct portion *portion, enum stage stage);

#endif
