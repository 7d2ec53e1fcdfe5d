/* Whole networks: which device, which network, which batch. */
#include "experiments/analysis/selections/networks.h"

#include "experiments/analysis/numbers.h"
#include "experiments/samples/point.h"
#include "harness/base/text/messages.h"

#include <math.h>
#include <string.h>

/* True for points of ours, not of another library, of a network that is trained, or else runs. */
static bool is_task(const struct point *p, bool trains)
{
    return identity_of(p)->network[0] && !p->peer && point_trains(identity_of(p)) == trains;
}

static bool is_network(const struct point *p)
{
    return is_task(p, false);
}

static bool is_on_processor(const struct point *p)
{
    return is_network(p) && !point_is_on_device(identity_of(p));
}

static bool is_on_gpu(const struct point *p)
{
    return is_network(p) && point_is_on_device(identity_of(p));
}

static bool same_images(const struct point *p, const struct point *q)
{
    return record_images(identity_of(p)) == record_images(identity_of(q));
}

static bool same_name(const struct point *p, const struct point *q)
{
    return strcmp(identity_of(p)->network, identity_of(q)->network) == 0;
}

static bool same_size(const struct point *p, const struct point *q)
{
    return identity_of(p)->rows == identity_of(q)->rows &&
           identity_of(p)->cols == identity_of(q)->cols;
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
    return total_of(p) / record_count(record_images(identity_of(p)));
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

/* Names the GPU's time for its smallest and its largest images, and that of the processor. */
static void name_gpu(const struct analysis *a, struct selection *out)
{
    static const char *const roles[][2] = {{"gpu", "times"}, {"large_gpu", "large_times"}};
    for (int largest = 0; largest < 2; largest++) {
        const struct fastest end = find_end(a, true, largest);
        const struct point *gpu = end.point;
        const struct wanted w = {.problem = gpu, .also = is_on_processor};
        const struct fastest cpu = evidence_choice(a, &w);
        if (!gpu || !cpu.point || (largest && gpu == find_end(a, true, false).point))
            continue;
        const struct comparison_of_points r =
            compare_choices(&a->samples, &cpu.choice, &end.choice, METRIC_TOTAL);
        selection_time(out, roles[largest][0], &end.choice, &end.total);
        selection_ratio(out, roles[largest][1], &cpu.choice, &end.choice, &r, QUANTITY_TOTAL_RATIO);
        selection_list(out, gpu);
    }
    if (!find_end(a, true, false).point)
        selection_label(out, "no_gpu", "");
}

/* Compares the smallest image with the largest, computed the same way. */
static void name_sizes(const struct analysis *a, const struct point *small, struct selection *out)
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
    selection_plain(out, "pixels", large->elements / small->elements);
    selection_longer(out, "longer", a, large, small);
    selection_list(out, large);
}

void networks_name_devices(const struct experiment *e, const struct language *l,
                           struct selection *out)
{
    const struct analysis *a = &e->analysis;
    const struct fastest end = find_end(a, false, false);
    (void)l;
    if (selection_lacks(out, !end.point, N_("no network was measured on the processor")))
        return;
    const double images = record_count(record_images(identity_of(end.point)));
    const struct interval rates = {images / end.total.interval.upper,
                                   images / end.total.interval.lower};
    selection_time(out, "small", &end.choice, &end.total);
    selection_value(out, "rate", images / end.total.value, rates, QUANTITY_NUMBER);
    selection_list(out, end.point);
    name_sizes(a, end.point, out);
    name_gpu(a, out);
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

void networks_name_lighter(const struct experiment *e, const struct language *l,
                           struct selection *out)
{
    const struct analysis *a = &e->analysis;
    const struct couple best = find_couple(a);
    (void)l;
    if (selection_lacks(out, !best.light,
                        N_("no two networks took the same images in the same way")))
        return;
    const struct choice heavy = choice_given(best.heavy), light = choice_given(best.light);
    const struct comparison_of_points r =
        compare_points(&a->samples, best.heavy, best.light, METRIC_TOTAL);
    const double work =
        best.heavy->need.per_output.multiply_adds / best.light->need.per_output.multiply_adds;
    selection_time(out, "light", &light, &best.light->seconds[METRIC_TOTAL]);
    selection_ratio(out, "heavy", &heavy, &light, &r, QUANTITY_TOTAL_RATIO);
    selection_plain(out, "work", work);
    out->finding = r.interval.upper < work ? "slower" : r.interval.lower > work ? "faster" : "same";
    selection_list(out, best.light);
    selection_list(out, best.heavy);
}

/* ---- batches --------------------------------------------------------------------------------- */

/* The smallest and the largest batch of one network, computed the same way. */
static struct couple batches_of(const struct analysis *a, const struct point *one)
{
    const bool trains = point_trains(identity_of(one));
    struct couple ends = {one, one};
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        if (!is_task(p, trains) || !evidence_usable(p) || !same_name(p, one) || !same_way(p, one) ||
            (identity_of(p)->cols != identity_of(one)->cols))
            continue;
        if (record_images(identity_of(p)) < record_images(identity_of(ends.heavy)))
            ends.heavy = p;
        if (record_images(identity_of(p)) > record_images(identity_of(ends.light)))
            ends.light = p;
    }
    return ends;
}

/* How many times as fast an image is in the largest batch, with its interval. */
static struct comparison_of_points gain_of(const struct analysis *a, struct couple ends)
{
    struct comparison_of_points r =
        compare_points(&a->samples, ends.heavy, ends.light, METRIC_TOTAL);
    const double more = record_count(record_images(identity_of(ends.light))) /
                        record_count(record_images(identity_of(ends.heavy)));
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
    const bool images = identity_of(p)->planes >= record_images(identity_of(p));
    return images ? message(l, "image") : message(l, "input");
}

static void name_batches(const struct analysis *a, bool trains, const struct language *l,
                         struct selection *out)
{
    const struct couple ends = find_batches(a, trains);
    if (selection_lacks(out, !ends.heavy, N_("two batches of one network are needed")))
        return;
    const struct comparison_of_points gain = gain_of(a, ends);
    const double large = record_count(record_images(identity_of(ends.light)));
    selection_label(out, trains ? "training" : "inference", "");
    selection_label(out, "input", name_of_one(ends.light, l));
    selection_point(out, "small", ends.heavy, record_count(record_images(identity_of(ends.heavy))));
    selection_point(out, "large", ends.light, large);
    const struct choice choices[] = {choice_given(ends.heavy), choice_given(ends.light)};
    selection_ratio(out, "gain", &choices[0], &choices[1], &gain, QUANTITY_IMAGE_RATIO);
    const struct interval total = ends.light->seconds[METRIC_TOTAL].interval;
    selection_number(out, "image", ends.light, image_of(ends.light),
                     (struct interval){total.lower / large, total.upper / large})
        ->quantity = QUANTITY_IMAGE;
    out->finding = gain.interval.lower > 1.0 ? "less" : gain.interval.upper < 1.0 ? "more" : "same";
    selection_list(out, ends.light);
    selection_list(out, ends.heavy);
}

void networks_name_batch(const struct experiment *e, const struct language *l,
                         struct selection *out)
{
    name_batches(&e->analysis, false, l, out);
}

void networks_name_training_batch(const struct experiment *e, const struct language *l,
                                  struct selection *out)
{
    name_batches(&e->analysis, true, l, out);
}

/* ---- sizes of networks that are trained ------------------------------------------------------ */

/* Returns the fastest step among those with the fewest (or most) parameters, and of these with the
 * fewest (or most) images. */
static const struct point *find_step(const struct analysis *a, bool most)
{
    const struct point *best = NULL;
    double best_bytes = 0.0;
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        if (!is_task(p, true) || !evidence_usable(p))
            continue;
        const double bytes = point_parameter_bytes(identity_of(p));
        const int64_t images = record_images(identity_of(p));
        const int64_t other = best ? record_images(identity_of(best)) : images;
        const bool beyond = best && (most ? bytes > best_bytes : bytes < best_bytes);
        const bool equal = best && bytes == best_bytes;
        const bool larger = equal && (most ? images > other : images < other);
        if (!best || beyond || larger || (equal && images == other && total_of(p) < total_of(best)))
            best = p;
        best_bytes = best == p ? bytes : best_bytes;
    }
    return best;
}

void networks_name_training_size(const struct experiment *e, const struct language *l,
                                 struct selection *out)
{
    const struct analysis *a = &e->analysis;
    const struct point *small = find_step(a, false), *large = find_step(a, true);
    if (selection_lacks(out, !(small && small != large),
                        N_("two networks that were trained are needed")))
        return;
    const struct choice ends[] = {choice_given(small), choice_given(large)};
    const struct comparison_of_points r = compare_points(&a->samples, large, small, METRIC_TOTAL);
    selection_time(out, "small", &ends[0], &small->seconds[METRIC_TOTAL]);
    selection_time(out, "large", &ends[1], &large->seconds[METRIC_TOTAL]);
    double most = 0.0;
    for (size_t i = 0; i < a->point_count; i++)
        if (is_task(&a->points[i], true))
            most = fmax(most, a->points[i].workers);
    if (most > 0.0)
        selection_label(out, "team",
                        words_message(l, most > 1.0 ? N_("%{workers} workers") : N_("one worker"),
                                      WITH({"workers", number_text("%.0f", most).text}))
                            .text);
    selection_value(out, "more",
                    point_parameter_bytes(identity_of(large)) /
                        point_parameter_bytes(identity_of(small)),
                    no_interval, QUANTITY_NUMBER);
    if (evidence_differs(&r))
        selection_ratio(out, "times", &ends[1], &ends[0], &r, QUANTITY_TOTAL_RATIO);
    selection_list(out, small);
    selection_list(out, large);
    for (size_t i = 0; i < a->point_count; i++)
        if (is_task(&a->points[i], true) && evidence_usable(&a->points[i]))
            selection_list(out, &a->points[i]);
}
