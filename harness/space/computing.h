/* Who computes the portions of an operation: its method, a library (harness/space/peer.h), or the
 * time alone that passes on a simulated machine (harness/space/simulated.h). A space decides which
 * worker has which portion, and asks here for nothing but the computing of it. */
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
    bool by_method; /* which may have its workers share panels of the right operand */
    bool staged;    /* the method's product is clocked alone */
    /* What `portion` needs of whoever else computes. */
    const struct peer *peer;
    const struct peer_state *state;
    const struct simulated *simulated;
};

/* As the job has it; a peer's state is set once it is prepared. */
struct computing computing_of(const struct job *job);

static inline void computing_run(const struct computing *c, const struct portion *portion,
                                 double *product_s)
{
    c->portion(c, portion, product_s);
}

#endif
