#include "tests/support/space_check.h"

#include "harness/point/verify/verify.h"
#include "kernels/conv/gradients/gradient_oracle.h"
#include "kernels/conv/methods.h"
#include "kernels/interleave.h"
#include "kernels/precision/declared_math.h"
#include "tests/harness/write_outside.h"
#include "tests/support/cases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One operation with its elements. */
struct setting {
    struct operation op;
    const struct peer *peer; /* computes it; NULL: the method does */
    float *image;            /* plane by plane */
    float *packed;
    struct source *source;
    const char *name;
    const struct conv_case *conv;     /* of a convolution */
    const struct points_case *points; /* of distances */
    const struct product_case *product;
};

static struct setting pooling(const struct method *m, const struct pool_case *c, bool identity)
{
    struct setting s = {.name = c->name};
    s.op.kind = &maxpool_operator;
    s.op.geometry = case_geometry(c);
    s.op.image = (struct image_shape){c->planes, c->rows, c->cols};
    s.op.map = (struct image_shape){c->planes, s.op.geometry.out_rows, s.op.geometry.out_cols};
    s.op.method = m;
    s.op.operands[OPERAND_FILTER] = (struct operand){.values = case_filter(c->kernel, identity, 11),
                                                     .shape = {1, c->kernel, c->kernel},
                                                     .identity = identity,
                                                     .integers = true,
                                                     .max_abs = 9.0,
                                                     .name = "case"};
    s.image = case_image(c, 12);
    s.source = case_source(s.op.image, s.image);
    return s;
}

static struct operand integers(struct image_shape shape, uint64_t seed)
{
    return (struct operand){.values = case_values(shape_elements(shape), seed),
                            .shape = shape,
                            .integers = true,
                            .max_abs = 9.0,
                            .name = "case"};
}

/* Adds the operation's operand of a role, of the shape in its row. */
static void add_integers(struct operation *op, enum operand_role role, uint64_t seed)
{
    for (const struct operand_row *const *row = op->kind->operands; *row; row++)
        if ((*row)->role == role)
            op->operands[role] = integers((*row)->shape(op), seed);
}

static struct setting product(const struct method *m, const struct product_case *c)
{
    const struct image_shape filters = {c->own ? c->planes : 1, c->cols, case_product_cols(c)};
    struct setting s = {.name = c->name, .product = c};
    s.op.kind = &matmul_operator;
    s.op.parameters.filter_cols = c->filter_cols;
    s.op.parameters.math = m->tensor ? MATH_TF32 : MATH_FP32;
    s.op.image = (struct image_shape){c->planes, c->rows, c->cols};
    s.op.map = (struct image_shape){c->planes, c->rows, case_product_cols(c)};
    s.op.method = m;
    s.op.operands[OPERAND_FILTER] = integers(filters, 11);
    s.image = case_values(shape_elements(s.op.image), 12);
    s.source = case_source(s.op.image, s.image);
    return s;
}

static struct setting copying(const struct method *m, const struct copy_case *c)
{
    const struct pool_case elements = {"", c->planes, c->rows, c->cols, 1, 1, 0, PAD_ZERO, false};
    struct setting s = {.name = c->name};
    s.op.kind = &copy_operator;
    s.op.image = s.op.map = (struct image_shape){c->planes, c->rows, c->cols};
    s.op.method = m;
    s.image = case_image(&elements, 12);
    s.source = case_source(s.op.image, s.image);
    return s;
}

/* The setting of the convolution, or of one of its gradients. */
static struct setting convolving(const struct operator_row *kind, const struct method *m,
                                 const struct conv_case *c)
{
    const struct image_shape planes = {c->batch * c->channels, c->rows, c->cols};
    struct setting s = {.name = c->name, .conv = c};
    double seconds;
    s.op = (struct operation){.kind = kind,
                              .parameters = {.kernel = c->kernel,
                                             .stride = c->stride,
                                             .padding = c->padding,
                                             .batch = c->batch,
                                             .channels = c->channels,
                                             .filters = c->filters,
                                             .groups = c->groups,
                                             .math = m->tensor ? MATH_TF32 : MATH_FP32},
                              .image = shape_of_lines(planes, c->channels),
                              .method = m};
    if (s.op.kind->shape(&s.op).kind != REFUSAL_NONE)
        abort();
    add_integers(&s.op, OPERAND_WEIGHTS, 11);
    if (c->bias)
        add_integers(&s.op, OPERAND_BIAS, 13);
    add_integers(&s.op, OPERAND_D_OUTPUT, 17);
    if (operator_method(s.op.kind, m->kind, m->name) == m)
        operation_choose_isa(&s.op, isa_best());
    if (!method_refuses(m, &s.op) && operation_pack(&s.op, &s.packed, &seconds, NULL) != STATUS_OK)
        abort();
    s.op.packed = s.packed;
    s.image = case_values(shape_elements(planes), 12);
    s.source = case_source(planes, s.image);
    if (source_interleave(&s.source, c->channels, NULL) != STATUS_OK)
        abort();
    return s;
}

static struct setting measuring(const struct method *m, const struct points_case *c)
{
    const struct image_shape x = {1, c->n, c->dimensions};
    struct setting s = {.name = c->name, .points = c};
    double seconds;
    s.op = (struct operation){.kind = &distances_operator, .image = x, .method = m};
    s.image = case_values(shape_elements(x), 12);
    struct operand *against = &s.op.operands[OPERAND_AGAINST];
    *against = integers((struct image_shape){1, c->m > 0 ? c->m : c->n, c->dimensions}, 11);
    if (c->m == 0) {
        memcpy(against->values, s.image, (size_t)shape_elements(x) * sizeof *s.image);
        against->itself = true;
    }
    operation_choose_isa(&s.op, isa_best());
    if (s.op.kind->shape(&s.op).kind != REFUSAL_NONE ||
        operation_pack(&s.op, &s.packed, &seconds, NULL) != STATUS_OK)
        abort();
    s.op.packed = s.packed;
    s.source = case_source(x, s.image);
    return s;
}

static void release(struct setting *s)
{
    source_close(s->source);
    free(s->image);
    free(s->packed);
    for (int role = 0; role < OPERAND_COUNT; role++)
        free(s->op.operands[role].values);
}

static int64_t count_wrong_conv(const struct setting *s, const float *map)
{
    const struct image_shape planes = map_planes(&s->op);
    float *by_planes = malloc((size_t)shape_elements(planes) * sizeof *by_planes);
    deinterleave(map, planes, s->conv->filters, by_planes);
    const int64_t wrong = count_wrong_convolved(
        s->conv, s->image, s->op.operands[OPERAND_WEIGHTS].values,
        s->op.operands[OPERAND_BIAS].values,
        s->op.method->rounds ? conv_method_of(s->op.method)->bound : NULL, by_planes);
    free(by_planes);
    return wrong;
}

/* Counts the elements of the gradient, plane by plane, that differ from the oracle's in any bit. */
static int64_t count_wrong_gradient(const struct setting *s, const float *map)
{
    const struct conv_shape shape = conv_shape_of(&s->op);
    const int64_t channels = shape.channels, elements = shape.rows * shape.cols;
    const struct conv_gradient_operands o = {.shape = &shape,
                                             .image = conv_images_by_planes(&shape, s->image),
                                             .weights = s->op.operands[OPERAND_WEIGHTS].values,
                                             .d_output = s->op.operands[OPERAND_D_OUTPUT].values,
                                             .images = shape.batch};
    int64_t wrong = 0;
    for (int64_t i = 0; i < shape_elements(s->op.map); i++) {
        const struct expectation e =
            s->op.kind == &conv_weight_gradient_operator
                ? oracle_conv_weight_gradient(&o, i)
                : oracle_conv_data_gradient(&o, i / elements / channels, i / elements % channels,
                                            i % elements / shape.cols, i % shape.cols);
        wrong += !((double)map[i] == e.value);
    }
    return wrong;
}

static int64_t count_wrong_backward(const struct setting *s, const float *map)
{
    const struct image_shape planes = map_planes(&s->op);
    float *by_planes = malloc((size_t)shape_elements(planes) * sizeof *by_planes);
    deinterleave(map, planes, planes.planes / s->op.map.planes, by_planes);
    const int64_t wrong = count_wrong_gradient(s, by_planes);
    free(by_planes);
    return wrong;
}

static int64_t count_wrong(const struct setting *s, const float *map)
{
    if (s->op.kind == &maxpool_operator)
        return count_wrong_pooled(
            &s->op.geometry, s->image,
            s->op.operands[OPERAND_FILTER].identity ? NULL : s->op.operands[OPERAND_FILTER].values,
            map);
    const struct image_shape image = s->op.image;
    if (s->conv)
        return s->op.kind == &conv_operator ? count_wrong_conv(s, map)
                                            : count_wrong_backward(s, map);
    if (s->points)
        return count_wrong_distances(s->points, s->image, s->op.operands[OPERAND_AGAINST].values,
                                     map);
    if (s->op.kind == &copy_operator)
        return count_wrong_copied(&(struct copy_case){"", image.planes, image.rows, image.cols},
                                  s->image, map);
    return count_wrong_product(s->product, s->image, s->op.operands[OPERAND_FILTER].values, map);
}

/* Opens an instance, executes twice with a poisoned map each time, and passes the instance to
 * `verify`. */
typedef int64_t instance_check(const struct space *space, struct instance *instance,
                               const struct setting *s, const struct resources *resources);

/* Returns 0 if a write to the place is reported, once; otherwise the number of failures. */
static int64_t miss_write(const struct space *space, struct instance *instance, float *place)
{
    struct failure f = {0};
    write_outside(place);
    const bool reported = space->check_guards(instance, &f) == STATUS_WRONG &&
                          strstr(f.message, "wrote outside its block at") != NULL;
    return !reported + (space->check_guards(instance, NULL) != STATUS_OK);
}

/* Checks that the execution left the guards alone, that writes directly before and after the map
 * are reported, and that the guards are restored. */
static int64_t guard_failures(const struct space *space, struct instance *instance)
{
    struct failure f = {0};
    int64_t first, count;
    if (!space->check_guards)
        return 0;
    int64_t failures = space->check_guards(instance, &f) != STATUS_OK;
    if (failures > 0)
        fprintf(stderr, "%s\n", f.message);
    float *map = (float *)space->map(instance, &first, &count);
    failures += miss_write(space, instance, map - 1);
    if (count > 0)
        failures += miss_write(space, instance, map + count);
    return failures;
}

/* `like` has all of the job except the operands; every worker is used, however small the work. */
static int64_t run(const struct space *space, const struct job *like, const struct setting *s,
                   instance_check *check)
{
    struct job job = *like;
    job.operation = &s->op;
    job.peer = s->peer;
    job.source = s->source;
    job.min_cost = 1.0;
    struct resources resources = {0};
    struct instance *instance;
    struct failure f = {0};
    if (space->open(&job, &instance, &resources, &f) != STATUS_OK) {
        fprintf(stderr, "%s: %s\n", s->name, f.message);
        return 1;
    }
    int64_t failures = 0;
    for (int execution = 0; execution < 2; execution++) {
        struct phases phases;
        space->poison(instance);
        if (space->execute(instance, &phases, &f) != STATUS_OK) {
            fprintf(stderr, "%s: %s\n", s->name, f.message);
            failures++;
            break;
        }
        failures += !(phases.total_s >= 0.0) || !(phases.compute_s >= 0.0);
        failures += check(space, instance, s, &resources);
        failures += guard_failures(space, instance);
    }
    space->close(instance);
    if (failures > 0)
        fprintf(
            stderr,
            "%s: method %s, case %s, %lld threads, distribution %d, parallel %d: %lld failures\n",
            space->name, operation_method(&s->op), s->name, (long long)like->threads,
            (int)like->distribution, (int)like->parallel, (long long)failures);
    return failures;
}

/* Only the root has an operand that is sent in panels: other ranks may read only what they
 * receive. */
static void lose_operand(const struct space *space, struct setting *s)
{
    struct operand *right = &s->op.operands[s->op.kind->right];
    if (!operator_takes_panels(s->op.kind) || processes_are_root(space->processes))
        return;
    free(right->values);
    right->values = NULL;
}

/* Runs every way to distribute the image over several processes, and to share the work. */
static int64_t run_all(const struct space *space, int64_t threads, const struct setting *s,
                       instance_check *check)
{
    const struct job generate = {.threads = threads, .distribution = DISTRIBUTE_GENERATE};
    const struct job scatter = {.threads = threads, .distribution = DISTRIBUTE_SCATTER};
    const struct job product = {
        .threads = threads, .distribution = DISTRIBUTE_SCATTER, .parallel = PARALLEL_PRODUCT};
    int64_t failures = run(space, &generate, s, check);
    if (space->processes)
        failures += run(space, &scatter, s, check);
    if (s->op.method->staged && !s->peer)
        failures += run(space, &product, s, check);
    return failures;
}

/* One method represents its kind: the first that runs here with a product, the first that works in
 * stages, and the first without a product. */
static bool is_first_of_its_kind(const struct operator_row *o, const struct method *m)
{
    size_t i = 0;
    while (o->method(i)->kind != SPACE_HOST || o->method(i)->unavailable ||
           o->method(i)->product != m->product || o->method(i)->staged != m->staged)
        i++;
    return o->method(i) == m;
}

static struct setting pooling_at(const struct method *m, size_t i)
{
    return pooling(m, &pool_cases[i / 2], i % 2);
}

static struct setting product_at(const struct method *m, size_t i)
{
    return product(m, &product_cases[i]);
}

static struct setting copying_at(const struct method *m, size_t i)
{
    return copying(m, &copy_cases[i]);
}

static struct setting convolving_at(const struct method *m, size_t i)
{
    return convolving(&conv_operator, m, &conv_cases[i]);
}

static struct setting data_gradient_at(const struct method *m, size_t i)
{
    return convolving(&conv_data_gradient_operator, m, &conv_cases[i]);
}

static struct setting weight_gradient_at(const struct method *m, size_t i)
{
    return convolving(&conv_weight_gradient_operator, m, &conv_cases[i]);
}

static struct setting measuring_at(const struct method *m, size_t i)
{
    return measuring(m, &points_cases[i]);
}

/* Each operator with its cases, and the settings per case: pooling has each case with a filter of
 * integers and with the identity. */
static const struct grid {
    const struct operator_row *kind;
    const size_t *cases;
    size_t settings;
    struct setting (*at)(const struct method *m, size_t i);
} grids[] = {{&maxpool_operator, &pool_case_count, 2, pooling_at},
             {&matmul_operator, &product_case_count, 1, product_at},
             {&copy_operator, &copy_case_count, 1, copying_at},
             {&conv_operator, &conv_case_count, 1, convolving_at},
             {&conv_data_gradient_operator, &conv_case_count, 1, data_gradient_at},
             {&conv_weight_gradient_operator, &conv_case_count, 1, weight_gradient_at},
             {&distances_operator, &points_case_count, 1, measuring_at}};

/* Filters other than the identity need a product, and take elements outside the image into
 * account. */
static bool filter_fits(const struct setting *s, const struct method *m)
{
    return s->op.kind != &maxpool_operator || s->op.operands[OPERAND_FILTER].identity ||
           (m->product && s->op.geometry.pad_mode == PAD_ZERO);
}

/* Gradients are distributed in the same way for all methods (test_gradients.c tests all methods).
 * Partitions may go wrong with small images and with several images. Peers compute gradients where
 * they can. */
static bool gradient_shows(const struct setting *s, const struct method *m)
{
    static const char *const shown[] = {"implicit", "tiles", "winograd"};
    bool listed = s->peer != NULL;
    if (!s->op.operands[OPERAND_D_OUTPUT].values)
        return true;
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        listed |= strcmp(m->name, shown[i]) == 0;
    return listed && (s->conv->batch > 1 || s->conv->rows < 6);
}

/* Which settings of a grid run: of `of` consecutive ones, one. The other ones run at another
 * phase. */
struct grid_part {
    size_t of, phase;
};
static const struct grid_part whole = {1, 0};

/* Runs a share of the settings of a grid by a method or by a peer; *ran counts those that are not
 * refused. */
static int64_t run_settings(const struct space *space, int64_t threads, const struct grid *grid,
                            struct grid_part part, const struct method *m, const struct peer *peer,
                            instance_check *check, int64_t *ran)
{
    int64_t failures = 0;
    for (size_t i = part.phase % part.of; i < *grid->cases * grid->settings; i += part.of) {
        struct setting s = grid->at(m, i);
        s.peer = peer;
        const char *(*refuses)(const struct operation *) = peer ? peer->refuses : m->refuses;
        if (filter_fits(&s, m) && gradient_shows(&s, m) && (!refuses || !refuses(&s.op))) {
            lose_operand(space, &s);
            failures += run_all(space, threads, &s, check);
            ++*ran;
        }
        release(&s);
    }
    return failures;
}

/* What a method runs of a grid; `of` 0: nothing. Methods and numbers of threads begin at other
 * phases, so that together they run everything. */
static struct grid_part part_of(enum grid_extent extent, bool first_of_kind, size_t phase)
{
    enum { THIRDS = 3 };
    if (extent == GRID_EVERY_CASE || (first_of_kind && extent != GRID_SPARSE))
        return whole;
    if (first_of_kind || extent == GRID_EVERY_METHOD)
        return (struct grid_part){THIRDS, phase};
    return (struct grid_part){0, 0};
}

static int64_t run_grid(const struct space *space, int64_t threads, enum grid_extent extent,
                        instance_check *check)
{
    extent = getenv("MAXPOOL_LONG") ? GRID_EVERY_CASE : extent;
    int64_t ran = 0, failures = sizeof grids / sizeof *grids != operator_count;
    for (size_t o = 0; o < sizeof grids / sizeof *grids; o++)
        for (size_t i = 0; i < operator_method_count(grids[o].kind); i++) {
            const struct method *m = grids[o].kind->method(i);
            if (m->kind != SPACE_HOST || m->unavailable)
                continue;
            const struct grid_part part =
                part_of(extent, is_first_of_its_kind(grids[o].kind, m), i + (size_t)threads);
            if (part.of > 0)
                failures += run_settings(space, threads, &grids[o], part, m, NULL, check, &ran);
        }
    return failures;
}

const struct peer *peer_of(const struct peers *peers, const struct peer_row *row)
{
    const struct peer *peer;
    return !peer_unavailable(row) && peers->load(row, &peer, NULL) == STATUS_OK ? peer : NULL;
}

const struct peer *find_peer(const struct peers *peers, const struct operator_row *kind,
                             const char *name)
{
    const struct peer_row *row = peers_find(peers, kind, name);
    return row ? peer_of(peers, row) : NULL;
}

static const struct grid *grid_of(const struct operator_row *kind)
{
    const struct grid *grid = grids;
    while (grid->kind != kind)
        grid++;
    return grid;
}

/* Runs every available peer; a peer that runs no case at all is a failure too. */
static int64_t run_peers(const struct space *space, int64_t threads, const struct peers *peers,
                         instance_check *check)
{
    int64_t failures = 0;
    for (size_t i = 0; i < peers->count; i++) {
        const struct peer_row *row = &peers->rows[i];
        const struct peer *peer = peer_of(peers, row);
        int64_t ran = 0;
        failures += (peer == NULL) != (peer_unavailable(row) != NULL);
        if (peer)
            failures += run_settings(space, threads, grid_of(row->kind), whole, &row->method, peer,
                                     check, &ran);
        failures += peer && ran == 0;
    }
    return failures;
}

static int64_t verify_by_oracle(const struct space *space, struct instance *instance,
                                const struct setting *s, const struct resources *resources)
{
    int64_t first, count;
    const float *map = space->map(instance, &first, &count);
    (void)resources;
    if (space->gather) {
        const enum status gathered = space->gather(instance, &map, NULL);
        return processes_are_root(space->processes) && gathered == STATUS_OK ? count_wrong(s, map)
                                                                             : gathered;
    }
    return count_wrong(s, map) + (count != s->op.map.planes * s->op.map.rows * s->op.map.cols);
}

/* Checks one setting by its method or by a peer; -1 if the peer refuses it. */
static int64_t check_one(const struct space *space, const struct job *like, struct setting s,
                         const struct peer *peer)
{
    s.peer = peer;
    lose_operand(space, &s);
    const bool refused = peer && peer->refuses && peer->refuses(&s.op);
    const int64_t failures = refused ? -1 : run(space, like, &s, verify_by_oracle);
    release(&s);
    return failures;
}

int64_t check_pooling(const struct space *space, const struct job *like, const struct method *m,
                      const struct pool_case *c, bool identity)
{
    return check_one(space, like, pooling(m, c, identity), NULL);
}

int64_t check_pooling_by(const struct space *space, const struct job *like, const struct method *m,
                         const struct peer *peer, const struct pool_case *c, bool identity)
{
    return check_one(space, like, pooling(m, c, identity), peer);
}

int64_t check_product(const struct space *space, const struct job *like, const struct method *m,
                      const struct product_case *c)
{
    return check_one(space, like, product(m, c), NULL);
}

int64_t check_rounded_product(const struct space *space, const struct job *like,
                              const struct method *m, const struct product_case *c)
{
    struct setting s = product(m, c);
    s.op.parameters.math = MATH_BF16;
    return check_one(space, like, s, NULL);
}

int64_t check_product_by(const struct space *space, const struct job *like, const struct method *m,
                         const struct peer *peer, const struct product_case *c)
{
    return check_one(space, like, product(m, c), peer);
}

int64_t check_conv(const struct space *space, const struct job *like, const struct method *m,
                   const struct conv_case *c)
{
    return check_one(space, like, convolving(&conv_operator, m, c), NULL);
}

int64_t check_rounded_conv(const struct space *space, const struct job *like,
                           const struct method *m, const struct conv_case *c)
{
    struct setting s = convolving(&conv_operator, m, c);
    s.op.parameters.math = MATH_BF16;
    return check_one(space, like, s, NULL);
}

int64_t check_conv_by(const struct space *space, const struct job *like, const struct method *m,
                      const struct peer *peer, const struct conv_case *c)
{
    return check_one(space, like, convolving(&conv_operator, m, c), peer);
}

int64_t check_conv_kind_by(const struct space *space, const struct job *like,
                           const struct operator_row *kind, const struct method *m,
                           const struct peer *peer, const struct conv_case *c)
{
    return check_one(space, like, convolving(kind, m, c), peer);
}

int64_t check_distances(const struct space *space, const struct job *like, const struct method *m,
                        const struct points_case *c)
{
    return check_one(space, like, measuring(m, c), NULL);
}

int64_t check_space(const struct space *space, int64_t threads, enum grid_extent extent)
{
    return run_grid(space, threads, extent, verify_by_oracle);
}

/* A correct map passes; with one output changed (to a neighbouring value, and to NaN) it does not.
 * Full mode must detect any output, sampled mode the first and the last. */
static int64_t check_the_verifier(const struct space *space, struct instance *instance,
                                  const struct setting *s, const struct resources *resources)
{
    static const enum verify_mode modes[] = {VERIFY_FULL, VERIFY_SAMPLED};
    struct verify_scope scope = {.partitions = &resources->partition, .partition_count = 1};
    const float *map = space->map(instance, &scope.first, &scope.count);
    float *changed = malloc((size_t)scope.count * sizeof *changed);
    const int64_t places[] = {0, scope.count - 1, scope.count / 2};
    int64_t failures = 0;
    for (int m = 0; m < 2 && scope.count > 0; m++) {
        struct verifier *v;
        struct failure f = {0};
        failures += verifier_make(&v, &s->op, s->source, &resources->facts, &scope, modes[m], 3,
                                  &f) != STATUS_OK;
        failures += verifier_check(v, map, &f) != STATUS_OK;
        for (int i = 0; i < (modes[m] == VERIFY_FULL ? 3 : 2); i++)
            for (int nan = 0; nan < 2; nan++) {
                struct failure reported = {0};
                memcpy(changed, map, (size_t)scope.count * sizeof *changed);
                changed[places[i]] = nan ? NAN : changed[places[i]] + 1.0f;
                failures += verifier_check(v, changed, &reported) != STATUS_WRONG;
                failures += strstr(reported.message, "wrong result at plane") == NULL;
            }
        verifier_free(v);
    }
    free(changed);
    return failures;
}

int64_t check_verdicts(const struct space *space, int64_t threads, enum grid_extent extent)
{
    return run_grid(space, threads, extent, check_the_verifier);
}

int64_t check_peers(const struct space *space, int64_t threads, const struct peers *peers)
{
    return run_peers(space, threads, peers, verify_by_oracle);
}

int64_t check_peer_verdicts(const struct space *space, int64_t threads, const struct peers *peers)
{
    return run_peers(space, threads, peers, check_the_verifier);
}

int64_t check_one_peer(const struct space *space, int64_t threads, const struct method *m,
                       const struct peer *peer, int64_t *cases)
{
    *cases = 0;
    return run_settings(space, threads, grid_of(&maxpool_operator), whole, m, peer,
                        verify_by_oracle, cases);
}
