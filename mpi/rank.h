/* What one rank holds of an execution, and how work is distributed. Only mpi/ and its tests include
 * this. */
#ifndef MAXPOOL_RANK_H
#define MAXPOOL_RANK_H

#include "harness/space/guards.h"
#include "harness/space/host.h"
#include "mpi/bands.h"
#include "mpi/messages.h"
#include "mpi/times.h"

/* One thread of the rank's team; a cache line of its own. */
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
    struct instance *first; /* whose image, map and panels these are; NULL: its own */
    struct team team;
    double min_cost;
    struct band *bands; /* of all ranks */
    struct band band;   /* of this one */
    /* Memory. `image` begins with the line image_held.first; map likewise. The root holds all lines
     * where it sends or gathers them, every other rank its band. */
    float *image, *map;
    struct lines image_held, map_held;
    struct guarded image_block, map_block, panels_block; /* where they lie; the first's alone */
    struct scratch scratch;
    struct rank_worker *workers;
    float *panels; /* of B, two of them, or the Bs of its planes; NULL in the root and where none
                      come */
    int64_t panel_floats;
    struct messages messages;
    struct rank_times times;   /* of the last execution */
    struct per_rank *per_rank; /* NULL: not asked for */
    float
        *gathered; /* the whole map in the root, once gather was called for one not gathered yet */
};

/* How an execution is distributed: who holds what, and in which order it is sent and computed. */
struct distributing {
    bool image_at_root;                    /* the root holds the whole image */
    bool map_at_root;                      /* ... and gathers the map */
    size_t (*pieces)(struct instance *in); /* messages on their way at a time */
    enum status (*prepare)(struct instance *in, struct failure *f); /* more memory; NULL: none */
    /* One execution, without waiting for the others to begin; the seconds of its phases are added
     * to those in *times. */
    void (*execute)(struct instance *in, struct rank_times *times);
};

/* Each rank has the whole right operand, or it comes in panels, or each plane has one. */
extern const struct distributing lines_generate, lines_scatter, panels_generate, panels_scatter,
    planes_generate, planes_scatter;

/* How the team shares that many map lines. */
struct partition rank_partition(const struct instance *in, int64_t count);

/* Computes map lines with the whole team. */
void rank_compute(struct instance *in, struct lines lines);

/* Rows [term, term + terms) of B; of several Bs, of those from that of plane `plane` on. */
struct rank_panel {
    struct view rows;
    int64_t term, terms;
    int64_t plane;
};

/* Multiplies the rank's band of A with a panel of B. */
void rank_multiply(struct instance *in, const struct rank_panel *panel);

/* Every rank's part of what the root holds is sent to it: how many floats, and where the part of a
 * rank lies here; with the pieces that takes. */
typedef int64_t rank_floats(const struct instance *in, int rank);
typedef float *rank_part(const struct instance *in, int rank);
void rank_send_parts(struct instance *in, rank_floats *floats, rank_part *part);
size_t rank_pieces(const struct instance *in, rank_floats *floats);

/* Hands out the image's bands from the root, and gathers the map's there; with the pieces each
 * takes at a time. */
void rank_scatter(struct instance *in);
void rank_collect(struct instance *in, float *whole);

/* What ends an execution that computed until now: the root gathers the map. Adds the seconds: from
 * `begin` on it was sent what had arrived by `arrived`, and computed from then on but for `waited`
 * seconds in which it waited for more. */
void rank_end(struct instance *in, struct rank_times *times, double begin, double arrived,
              double waited);
size_t rank_scatter_pieces(struct instance *in);
size_t rank_collect_pieces(struct instance *in);

/* Memory of held lines. */
float *rank_image_lines(const struct instance *in, struct lines lines);
float *rank_map_lines(const struct instance *in, struct lines lines);

#endif
