/* What one rank holds of an execution, and how work is distributed. Only mpi/ and its tests include
 * this. */
#ifndef MAXPOOL_RANK_H
#define MAXPOOL_RANK_H

#include "harness/space/guards.h"
#include "harness/space/host.h"
#include "harness/space/shares.h"
#include "mpi/bands.h"
#include "mpi/engine.h"
#include "mpi/messages.h"
#include "mpi/times.h"

/* One thread of the rank's team, in its own cache line. */
struct rank_worker {
    _Alignas(64) void *scratch;
    double product_s;
};

struct distributing;

struct instance {
    const struct operation *operation;
    struct computing computing;
    struct source *source;
    const struct distributing *distributing;
    bool image_at_root; /* the root holds the whole image, and sends every rank its lines */
    const struct engine *engine; /* computes in place of the team; NULL: the team does */
    void *device;                /* the engine's; NULL: this rank has no lines */
    struct operation on_device;  /* with the right operand where this rank has it */
    bool begun;                  /* the engine has the operands of this execution */
    double device_s;             /* its seconds in this execution */
    struct failure trouble;      /* of the engine, reported after the execution */
    struct batches batches;      /* if only the product is parallel */
    struct instance *first;      /* owns bands, image, map and panels; NULL: this one does */
    bool joined;                 /* team and per-rank file are those of another method */
    struct instance *next;       /* of the launch, with bands of other units; NULL: the last */
    struct team team;
    double min_cost;
    int64_t unit_rows;  /* of bands */
    struct band *bands; /* of all ranks */
    struct band band;   /* of this one */
    /* Memory. `image` begins with the line image_held.first, `map` with map_held.first. The root
     * holds all lines that it sends or gathers, every other rank its band. */
    float *image, *map;
    struct lines image_held, map_held;
    struct guarded image_block, map_block, panels_block; /* their memory; only in the first */
    struct scratch scratch;
    struct rank_worker *workers;
    struct shares shares; /* of the lines that the team computes together */
    float *panels; /* two panels of B, or the Bs of its planes; NULL in the root and if no B is
                      sent */
    int64_t panel_floats;
    struct messages messages;
    struct rank_times times;   /* of the last execution */
    struct per_rank *per_rank; /* NULL: not requested */
    float
        *gathered; /* the whole map in the root, after gather was called for one not gathered yet */
};

/* How an execution is distributed: which rank holds what, and in which order it is sent and
 * computed. */
struct distributing {
    bool map_at_root; /* the root gathers the map */
    bool root_alone;  /* the root holds image and map, the other ranks no lines of either */
    /* Its own messages in flight at a time, beside those of the image and the map; NULL: none. */
    size_t (*pieces)(struct instance *in);
    enum status (*prepare)(struct instance *in, struct failure *f); /* allocates more memory;
                                                                       NULL: none */
    /* Executes once, without waiting for the other ranks to begin; adds the seconds of its phases
     * to *times. */
    void (*execute)(struct instance *in, struct rank_times *times);
};

/* lines: each rank has the whole right operand; it generates its image lines, or the root sends
 * them. panels: the right operand is sent in panels. planes: each plane has its own. product: only
 * the product is parallel. whole: an engine has the whole right operand, which the root sends in
 * every execution. The last four take the image in either way. */
extern const struct distributing lines_generate, lines_scatter, distribute_panels,
    distribute_planes, distribute_product, distribute_whole;

/* Allocates memory that messages and what computes in this rank can use. */
enum status rank_allocate(const struct instance *in, struct guarded *block, size_t bytes,
                          const char *what, struct failure *f);
void rank_release(const struct instance *in, struct guarded *block);

/* Returns the partition of map lines among the team. */
struct partition rank_partition(const struct instance *in, struct lines lines);

/* Computes map lines with the whole team. */
void rank_compute(struct instance *in, struct lines lines);

/* Rows [term, term + terms) of B; with several Bs, of those of plane `plane` and after. */
struct rank_panel {
    struct view rows;
    int64_t term, terms;
    int64_t plane;
};

/* Multiplies the rank's band of A with a panel of B. */
void rank_multiply(struct instance *in, const struct rank_panel *panel);

/* rank_send_parts sends from the root to every rank its part: `floats` returns how many floats a
 * rank's part has, `part` where it is in this rank's memory. rank_pieces returns the pieces that
 * this takes. */
typedef int64_t rank_floats(const struct instance *in, int rank);
typedef float *rank_part(const struct instance *in, int rank);
void rank_send_parts(struct instance *in, rank_floats *floats, rank_part *part);
size_t rank_pieces(const struct instance *in, rank_floats *floats);

/* Sends the image's bands from the root, and gathers the map's bands in `whole` in the root.
 * rank_scatter_pieces and rank_collect_pieces return the pieces that each takes at a time. */
void rank_scatter(struct instance *in);
void rank_collect(struct instance *in, float *whole);

/* Ends an execution that computed until now: the root gathers the map. Adds the seconds of the
 * phases to *times: the distribution lasted from `begin` to `arrived`; from then on the rank
 * computed, except for `waited` seconds in which it waited for more data. */
void rank_end(struct instance *in, struct rank_times *times, double begin, double arrived,
              double waited);
size_t rank_scatter_pieces(struct instance *in);
size_t rank_collect_pieces(struct instance *in);

/* Returns the memory of lines that this rank holds. */
float *rank_image_lines(const struct instance *in, struct lines lines);

#endif
