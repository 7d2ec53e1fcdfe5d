#include "networks/ahead.h"

#include "kernels/conv/methods.h"
#include "kernels/min_max.h"
#include "networks/layers/kinds.h"

/* Multiply-adds of a convolution for each float that it prefetches: half as many cache lines as its
 * tiles have terms, since each term of a tile of 14 pixels by 32 filters prefetches one line, and
 * half of those are its own weights. MOST_FLOATS stay in a third-level cache until they are read. */
enum { PER_FLOAT = 56, MOST_FLOATS = 2 << 20 };

static bool prefetches(const struct step *s)
{
    return s->choice == &conv_methods[CONV_IMPLICIT] && s->layer->groups == 1 && s->bands == 0 &&
           !s->ahead.from;
}

/* Floats that the convolution prefetches of `left`. */
static int64_t room_of(const struct step *s, int64_t left)
{
    return smaller(left, (int64_t)s->layer->kind->multiply_adds(s->layer) / PER_FLOAT);
}

/* The convolutions before step i prefetch its weights: the last one the first of them, which are
 * then still in the second-level cache when they are read. */
static void divide(struct plan *p, int i)
{
    const struct layer *l = p->steps[i].layer;
    const int64_t all = smaller(l->in.channels * l->filters, MOST_FLOATS);
    int64_t done = 0;
    for (int k = i - 1; k >= 0 && done < all; k--) {
        struct step *s = &p->steps[k];
        if (!prefetches(s))
            continue;
        s->ahead = (struct conv_ahead){p->steps[i].raw + done, room_of(s, all - done)};
        done += s->ahead.floats;
    }
}

void ahead_find(struct plan *p)
{
    for (int i = 0; i < p->count && !p->training; i++)
        if (p->steps[i].layer->kind == &linear_layer && !p->steps[i].parts->weights)
            divide(p, i);
}

struct conv_ahead ahead_of(const struct step *s, const struct step_part *part,
                           const struct conv_rows *r)
{
    const double all = (double)(s->out.channels * s->out.rows);
    const double before = (double)(part->channel * s->out.rows + r->row * part->channels) / all;
    const double share = (double)(part->channels * r->rows) / all;
    if (!s->ahead.from || r->image > 0)
        return (struct conv_ahead){0};
    return (struct conv_ahead){s->ahead.from + (int64_t)(before * (double)s->ahead.floats),
                               (int64_t)(share * (double)s->ahead.floats) + 1};
}
