/* Whole networks: which device, which network, which batch. */
#include "experiments/analysis/numbers.h"
#include "experiments/common/text/messages.h"
#include "experiments/report/claims/claims.h"
#include "experiments/samples/point.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const struct record *record_of(const struct point *p)
{
    return &p->samples->identity;
}

/* True for points of ours, not of another library, of a network that is trained, or else runs. */
static bool is_task(const struct point *p, bool trains)
{
    return record_of(p)->network[0] && !p->peer && point_trains(record_of(p)) == trains;
}

static bool is_network(const struct point *p)
{
    return is_task(p, false);
}

static bool is_on_processor(const struct point *p)
{
    return is_network(p) && !point_is_on_device(record_of(p));
}

static bool is_on_gpu(const struct point *p)
{
    return is_network(p) && point_is_on_device(record_of(p));
}

static bool same_images(const struct point *p, const struct point *q)
{
    return record_images(record_of(p)) == record_images(record_of(q));
}

static bool same_name(const struct point *p, const struct point *q)
{
    return strcmp(record_of(p)->network, record_of(q)->network) == 0;
}

static bool same_size(const struct point *p, const struct point *q)
{
    return record_of(p)->rows == record_of(q)->rows && record_of(p)->cols == record_of(q)->cols;
}

/* True for the same method and workers. */
static bool same_way(const struct point *p, const struct point *q)
{
    return strcmp(method_of(p), method_of(q)) == 0 &&
           (p->workers == q->workers || (isnan(p->workers) && isnan(q->workers)));
}

/* Seconds of one image. */
static double image_of(const struct point *p)
{
    return total_of(p) / record_count(record_images(record_of(p)));
}

/* "resnet18, 224 x 224 takes 21 ms with 2 threads" */
static void say_time(const struct point *p, const struct estimate *total, const struct language *l,
                     struct claim *c)
{
    claim_say(c, l, "%{problem} takes %{time} with %{workers}%{doubt}",
              WITH({"problem", words_problem(p, l).text},
                   {"time", number_answer_seconds(l, total).text},
                   {"workers", words_workers(p, l).text}, {"doubt", words_doubt(p, l).text}));
}

/* ---- devices --------------------------------------------------------------------------------- */

/* The fastest point of ours on the processor, or on a GPU, for the smallest (or largest) images. */
static struct fastest find_end(const struct analysis *a, bool device, bool largest)
{
    struct wanted w = {.also = device ? is_on_gpu : is_on_processor};
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i], *end = w.as_large;
        const struct wanted any = {.also = w.also};
        if (evidence_fits(p, &any) && !p->shares_cores &&
            (!end || (largest ? p->elements > end->elements : p->elements < end->elements)))
            w.as_large = p;
    }
    return w.as_large ? evidence_choice(a, &w) : (struct fastest){.point = NULL};
}

/* Adds how many times as fast the GPU is, for its smallest and its largest images. */
static void say_gpu(const struct analysis *a, const struct language *l, struct claim *c)
{
    for (int largest = 0; largest < 2; largest++) {
        const struct fastest end = find_end(a, true, largest);
        const struct point *gpu = end.point;
        const struct wanted w = {.problem = gpu, .also = is_on_processor};
        const struct fastest cpu = evidence_choice(a, &w);
        if (!gpu || !cpu.point || (largest && gpu == find_end(a, true, false).point))
            continue;
        const struct comparison_of_points r =
            compare_choices(&a->samples, &cpu.choice, &end.choice, METRIC_TOTAL);
        claim_say(c, l,
                  "; at %{rows} × %{cols} the GPU takes %{time}, the processor %{times} times that",
                  WITH({"rows", number_text("%" PRId64, record_of(gpu)->rows).text},
                       {"cols", number_text("%" PRId64, record_of(gpu)->cols).text},
                       {"time", number_answer_seconds(l, &end.total).text},
                       {"times", number_answer(l, r.value, r.interval).text}));
        evidence_add(c->rows, &c->count, CLAIM_ROWS, gpu);
    }
    if (!find_end(a, true, false).point)
        claim_say(c, l, "; no GPU was measured", NULL);
    claim_add(c, ".");
}

/* Compares the smallest image with the largest, computed the same way. */
static void say_sizes(const struct analysis *a, const struct point *small, const struct language *l,
                      struct claim *c)
{
    const struct point *large = small;
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        if (is_network(p) && evidence_usable(p) && same_name(p, small) && same_images(p, small) &&
            same_way(p, small) && p->elements > large->elements)
            large = p;
    }
    if (large == small)
        return;
    const struct comparison_of_points r = compare_points(&a->samples, large, small, METRIC_TOTAL);
    claim_say(c, l, "; %{more} times the pixels take %{times} times as long",
              WITH({"more", number_plain(l, large->elements / small->elements).text},
                   {"times", number_answer(l, r.value, r.interval).text}));
    evidence_add(c->rows, &c->count, CLAIM_ROWS, large);
}

void claim_devices(const struct experiment *e, const struct language *l, struct claim *c)
{
    const struct analysis *a = &e->analysis;
    const struct fastest end = find_end(a, false, false);
    const struct point *small = end.point;
    if (!small) {
        claim_refuse(c, l, "no network was measured on the processor");
        return;
    }
    claim_title(c, l, "%{problem} takes %{time} with %{workers}",
                WITH({"problem", words_problem(small, l).text},
                     {"time", number_answer_seconds(l, &end.total).text},
                     {"workers", words_workers(small, l).text}));
    say_time(small, &end.total, l, c);
    evidence_add(c->rows, &c->count, CLAIM_ROWS, small);
    say_sizes(a, small, l, c);
    say_gpu(a, l, c);
    const double images = record_count(record_images(record_of(small)));
    const struct interval rates = {images / end.total.interval.upper,
                                   images / end.total.interval.lower};
    claim_plain(c, l, "That is %{rate} images in a second.",
                WITH({"rate", number_roughly(l, images / end.total.value, rates).text}));
}

/* ---- a lighter network ----------------------------------------------------------------------- */

struct couple {
    const struct point *heavy, *light;
};

static bool is_doubtful(const struct point *p, const struct point *q)
{
    return p->trust >= TRUST_SUSPECT || q->trust >= TRUST_SUSPECT;
}

/* True if a couple comes before another, `times` being its gain over the other; a couple with a
 * SUSPECT point comes last. */
static bool is_better(struct couple new, struct couple old, double times)
{
    const bool doubted = is_doubtful(new.heavy, new.light),
               other = is_doubtful(old.heavy, old.light);
    return doubted != other ? other : times > 1.0;
}

/* Finds two networks with the same images, computed the same way; of all such pairs, the one with
 * the fastest image. */
static struct couple find_couple(const struct analysis *a)
{
    struct couple best = {NULL, NULL};
    for (size_t i = 0; i < a->point_count; i++)
        for (size_t j = 0; j < a->point_count; j++) {
            const struct point *p = &a->points[i], *q = &a->points[j];
            if (!is_network(p) || !is_network(q) || same_name(p, q) || !same_images(p, q) ||
                !same_size(p, q) || !same_way(p, q) || !evidence_usable(p) || !evidence_usable(q) ||
                p->need.per_output.multiply_adds <= q->need.per_output.multiply_adds)
                continue;
            if (!best.light ||
                is_better((struct couple){p, q}, best, image_of(best.light) / image_of(q)))
                best = (struct couple){p, q};
        }
    return best;
}

void claim_lighter(const struct experiment *e, const struct language *l, struct claim *c)
{
    const struct analysis *a = &e->analysis;
    const struct couple best = find_couple(a);
    if (!best.light) {
        claim_refuse(c, l, "no two networks took the same images in the same way");
        return;
    }
    const struct comparison_of_points r =
        compare_points(&a->samples, best.heavy, best.light, METRIC_TOTAL);
    const double work =
        best.heavy->need.per_output.multiply_adds / best.light->need.per_output.multiply_adds;
    claim_title(c, l, "%{heavy} takes %{times} times as long as %{light}",
                WITH({"heavy", record_of(best.heavy)->network},
                     {"times", number_brief(l, r.value, r.interval).text},
                     {"light", record_of(best.light)->network}));
    say_time(best.light, &best.light->seconds[METRIC_TOTAL], l, c);
    claim_say(c, l,
              "; %{network} takes %{times} times as long, with %{work} times the multiply-adds.",
              WITH({"network", record_of(best.heavy)->network},
                   {"times", number_answer(l, r.value, r.interval).text},
                   {"work", number_plain(l, work).text}));
    claim_plain(c, l,
                r.interval.upper < work
                    ? N_("%{light} needs fewer multiplications, but more time for each of them.")
                : r.interval.lower > work
                    ? N_("%{light} needs fewer multiplications, and less time for each of them.")
                    : N_("%{light} needs fewer multiplications; no difference is seen in the time "
                         "for each of them."),
                WITH({"light", record_of(best.light)->network}));
    evidence_add(c->rows, &c->count, CLAIM_ROWS, best.light);
    evidence_add(c->rows, &c->count, CLAIM_ROWS, best.heavy);
}

/* ---- batches --------------------------------------------------------------------------------- */

/* The smallest and the largest batch of one network, computed the same way. */
static struct couple batches_of(const struct analysis *a, const struct point *one)
{
    const bool trains = point_trains(record_of(one));
    struct couple ends = {one, one};
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        if (!is_task(p, trains) || !evidence_usable(p) || !same_name(p, one) || !same_way(p, one) ||
            (record_of(p)->cols != record_of(one)->cols))
            continue;
        if (record_images(record_of(p)) < record_images(record_of(ends.heavy)))
            ends.heavy = p;
        if (record_images(record_of(p)) > record_images(record_of(ends.light)))
            ends.light = p;
    }
    return ends;
}

/* How many times as fast an image is in the largest batch, with its interval. */
static struct comparison_of_points gain_of(const struct analysis *a, struct couple ends)
{
    struct comparison_of_points r =
        compare_points(&a->samples, ends.heavy, ends.light, METRIC_TOTAL);
    const double more = record_count(record_images(record_of(ends.light))) /
                        record_count(record_images(record_of(ends.heavy)));
    r.value *= more;
    r.interval = (struct interval){r.interval.lower * more, r.interval.upper * more};
    return r;
}

/* The network that gains the most from its batch. */
static struct couple find_batches(const struct analysis *a, bool trains)
{
    struct couple best = {NULL, NULL};
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        if (!is_task(p, trains) || !evidence_usable(p))
            continue;
        const struct couple ends = batches_of(a, p);
        if (ends.heavy != p || ends.light == p)
            continue;
        if (!best.heavy || is_better(ends, best, gain_of(a, ends).value / gain_of(a, best).value))
            best = ends;
    }
    return best;
}

/* What a batch contains: images, with at least one plane each, or inputs, the rows of one plane,
 * for networks that take vectors. */
static const char *name_of_one(const struct point *p, const struct language *l)
{
    const bool images = record_of(p)->planes >= record_images(record_of(p));
    return images ? message(l, "image") : message(l, "input");
}

static void explain_batches(const struct comparison_of_points *gain, const struct language *l,
                            struct claim *c)
{
    if (gain->interval.lower > 1.0)
        claim_plain(c, l, "Computing several together costs less for each of them.", NULL);
    else if (gain->interval.upper < 1.0)
        claim_plain(c, l, "Computing several together costs more for each of them here.", NULL);
    else
        claim_plain(c, l, "Alone or in a batch: no difference is seen.", NULL);
}

static void describe_batches(const struct experiment *e, bool trains, const struct language *l,
                             struct claim *c)
{
    const struct analysis *a = &e->analysis;
    const struct couple ends = find_batches(a, trains);
    if (!ends.heavy) {
        claim_refuse(c, l, "two batches of one network are needed");
        return;
    }
    const struct comparison_of_points gain = gain_of(a, ends);
    const bool seen = gain.interval.lower > 1.0 || gain.interval.upper < 1.0;
    if (seen)
        claim_title(
            c, l,
            trains
                ? N_("An %{input} of %{network} trains %{times} times as fast in a batch of "
                     "%{batch}")
                : N_("An %{input} of %{network} is %{times} times as fast in a batch of %{batch}"),
            WITH({"input", name_of_one(ends.light, l)}, {"network", record_of(ends.light)->network},
                 {"times", number_brief(l, gain.value, gain.interval).text},
                 {"batch", number_text("%" PRId64, record_images(record_of(ends.light))).text}));
    else
        claim_title(
            c, l, "%{network} in batches of %{small} and %{large}: no difference is seen",
            WITH({"network", record_of(ends.light)->network},
                 {"small", number_text("%" PRId64, record_images(record_of(ends.heavy))).text},
                 {"large", number_text("%" PRId64, record_images(record_of(ends.light))).text}));
    claim_say(c, l,
              "With %{workers}, %{network} takes %{time}%{training} for an %{input} in a batch of "
              "%{batch}: %{times} times as fast as in a batch of %{small}%{doubt}.",
              WITH({"workers", words_workers(ends.light, l).text},
                   {"input", name_of_one(ends.light, l)},
                   {"network", record_of(ends.light)->network},
                   {"time", number_seconds(l, image_of(ends.light)).text},
                   {"training", trains ? message(l, " of training") : ""},
                   {"batch", number_text("%" PRId64, record_images(record_of(ends.light))).text},
                   {"times", number_answer(l, gain.value, gain.interval).text},
                   {"small", number_text("%" PRId64, record_images(record_of(ends.heavy))).text},
                   {"doubt", words_doubt(ends.light, l).text}));
    explain_batches(&gain, l, c);
    evidence_add(c->rows, &c->count, CLAIM_ROWS, ends.light);
    evidence_add(c->rows, &c->count, CLAIM_ROWS, ends.heavy);
}

void claim_batch(const struct experiment *e, const struct language *l, struct claim *c)
{
    describe_batches(e, false, l, c);
}

void claim_training_batch(const struct experiment *e, const struct language *l, struct claim *c)
{
    describe_batches(e, true, l, c);
}
