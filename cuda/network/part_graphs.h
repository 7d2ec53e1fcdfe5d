/* The parts of a training step (networks/training/device_steps.h) as CUDA graphs. The parts of a
 * step, or of a phase, are collected until its end, and then queued together. A step that is not
 * timed prepares them: they are launched one by one, which loads their kernels, and then captured.
 * From then on the graph is launched. It serves only the same parts, for the same number of images;
 * others are launched one by one. */
#ifndef MAXPOOL_CUDA_NETWORK_PART_GRAPHS_H
#define MAXPOOL_CUDA_NETWORK_PART_GRAPHS_H

#include "cuda/network/graph.h"
#include "networks/training/device_steps.h"

struct collected_part {
    enum trainer_part part;
    int step;
};

struct part_graph {
    struct collected_part *parts;
    int count;
    int64_t images;
    struct graph graph;
};

struct part_graphs {
    struct part_graph *all;
    int count;
    struct collected_part *parts; /* collected and not queued */
    int part_count, part_most;
    int captured;         /* graphs, */
    int64_t kernels;      /* and the kernels in them together */
    bool compares;        /* set by the caller: the first graph is compared with single launches */
    double between_share; /* of the time of single launches: between kernels at least */
};

/* How a part is launched. */
typedef enum status launch_part(struct trainer *t, enum trainer_part part, int step,
                                struct failure *f);

enum status part_graphs_collect(struct part_graphs *g, enum trainer_part part, int step,
                                struct failure *f);
/* Queues the collected parts, if there are any, one by one; captures their graph if there is none,
 * and queues it. The results of the parts must be the same each time. */
enum status part_graphs_prepare(struct part_graphs *g, struct trainer *t, int64_t images,
                                launch_part *launch, cudaStream_t stream, struct failure *f);
/* Queue the collected parts, if there are any: by their graph, or one by one. Neither captures. */
enum status part_graphs_queue(struct part_graphs *g, struct trainer *t, int64_t images,
                              launch_part *launch, cudaStream_t stream, struct failure *f);
enum status part_graphs_flush(struct part_graphs *g, struct trainer *t, launch_part *launch,
                              struct failure *f);
void part_graphs_close(struct part_graphs *g);

#endif
