/* One batch forward through a network: its memory and the run. */
#ifndef MAXPOOL_NETWORKS_FORWARD_H
#define MAXPOOL_NETWORKS_FORWARD_H

#include "harness/space/guards.h"
#include "harness/space/host.h"
#include "networks/plan.h"
#include "networks/verify.h"

/* How long a step took in the timed runs. */
struct step_clock {
    int64_t executions;
    double fastest_s, sum_s;
};

/* When a worker's share of a step began and ended. */
struct mark {
    double begin, end;
};

struct forward;

/* Runs one step on a device: copies its inputs there unless earlier steps left them there, and
 * copies its outputs to their place in the plan. Step 0 begins a run of the whole batch. */
typedef enum status device_step(struct forward *w, int step, struct failure *f);

struct forward {
    struct plan plan;
    struct team team;
    const float *input;   /* batch x channels x rows x cols; owned by the caller */
    float *caller_output; /* the caller's buffer for the outputs; NULL: output_block holds them */
    float *arena, *output;
    struct guarded arena_block, output_block; /* with caller_output only the arena's */
    struct scratch scratch;
    struct shares shares;      /* of the step that runs */
    device_step *device_step;  /* NULL: the team runs the steps. Set together with plan.external */
    void *device_context;      /* device_step's own data */
    bool clocked;              /* the next run times each step */
    struct step_clock *clocks; /* one per step */
    double *band_seconds;      /* per worker: seconds of each step that it last computed in bands */
    bool traced;               /* each worker's share is marked */
    struct mark *marks;        /* of the last run, [step][worker]; NULL: none */
};

/* Plans, checks that memory suffices, allocates, and packs the weights. What the caller set of
 * forward.plan, team, input, caller_output, clocked and traced stays. Call forward_close in the
 * end, also after a failure. */
enum status forward_open(struct forward *w, struct failure *f);
void forward_close(struct forward *w);

/* Makes the next run use the new input that the caller has set, and the new caller_output if there
 * was one before. */
void forward_connect(struct forward *w);

/* Overwrites all outputs with a NaN that no computation produces. */
void forward_poison(struct forward *w);

/* STATUS_WRONG if a run wrote outside the arena, the outputs or a worker's scratch. Outputs of
 * layers are adjacent in the arena: there are no guards between them. */
enum status forward_check_guards(struct forward *w, struct failure *f);

void forward_run(struct forward *w);

/* Runs one worker's share of a step, and no other. If bands begin with the step, runs its share of
 * all their steps; for the later steps of bands it does nothing. */
void forward_run_share(const struct forward *w, int step, int64_t worker);

/* Adds the time of one execution of a step. */
void forward_add_time(struct forward *w, int step, double seconds);

/* Runs once more, and compares each step with the oracle after it has run: status 1 names the first
 * layer that is wrong. Steps computed in bands run one by one, so that there are maps to verify,
 * and must produce the same bits as the bands. */
enum status forward_verify(struct forward *w, const struct verify_extent *how, struct failure *f);

/* Floats of the output, all images. */
int64_t forward_outputs(const struct forward *w);

/* Scratch of all workers together. */
size_t forward_scratch_bytes(const struct forward *w);

#endif
