/* One batch forward through a network: its memory, and the run itself. */
#ifndef MAXPOOL_NETWORKS_FORWARD_H
#define MAXPOOL_NETWORKS_FORWARD_H

#include "harness/space/guards.h"
#include "harness/space/host.h"
#include "networks/plan.h"
#include "networks/verify.h"

/* How long a step took in the runs that were clocked. */
struct step_clock {
    int64_t executions;
    double fastest_s, sum_s;
};

/* When a worker began its share of a step, and when it ended. */
struct mark {
    double begin, end;
};

struct forward;

/* Runs one step on a device: copies its inputs there unless earlier steps left them there, and
 * copies its outputs to where the plan has them. Step 0 begins a run of the whole batch. */
typedef enum status device_step(struct forward *w, int step, struct failure *f);

struct forward {
    struct plan plan;
    struct team team;
    const float *input; /* batch x channels x rows x cols; the caller's */
    float *landing;     /* likewise, where the outputs go; NULL: memory of its own */
    float *arena, *output;
    struct guarded arena_block, output_block; /* where those lie, if it is memory of its own */
    struct scratch scratch;
    device_step *device_step;  /* NULL: the team runs the steps. With plan.external */
    void *place;               /* for it to use */
    bool clocked;              /* each step of the next run is */
    struct step_clock *clocks; /* of each step */
    double *band_seconds;      /* of each worker, of the steps that it last computed in bands */
    bool traced;               /* each worker's share is marked */
    struct mark *marks; /* of the last run, a worker's behind another's in each step; NULL: none */
};

/* Plans, asks whether memory suffices, allocates, and packs the weights. What the caller set of
 * forward.plan, team, input, landing, clocked and traced stays. Closed by forward_close, also after
 * a failure. */
enum status forward_open(struct forward *w, struct failure *f);
void forward_close(struct forward *w);

/* The caller has set another input, and where it had set a landing another one: the next run takes
 * these. */
void forward_connect(struct forward *w);

/* Overwrites all outputs with a NaN that no computation makes. */
void forward_poison(struct forward *w);

/* STATUS_WRONG where a run wrote beside the arena, the outputs or a worker's scratch. Outputs of
 * layers lie in the arena side by side: between them there are no guards. */
enum status forward_check_guards(struct forward *w, struct failure *f);

void forward_run(struct forward *w);

/* One worker's share of a step, or of all that are computed in bands from it on; of the others of
 * those there is nothing left to do. */
void forward_run_share(const struct forward *w, int step, int64_t worker);

/* A clocked step took so long. */
void forward_add_time(struct forward *w, int step, double seconds);

/* Runs once more, and after each step compares it with the oracle: status 1 names the first layer
 * that is wrong. Steps computed in bands run one by one, so that there are maps to look at, and
 * must leave the bits that bands leave. */
enum status forward_verify(struct forward *w, const struct verify_extent *how, struct failure *f);

/* Floats of the output, all images. */
int64_t forward_outputs(const struct forward *w);

/* Of all workers. */
size_t forward_scratch_bytes(const struct forward *w);

#endif
