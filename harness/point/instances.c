/* The instances: the first method's, which has the image, and the others, which join it. */
#include "harness/base/launcher/foreign.h"
#include "harness/base/text/screen.h"
#include "harness/base/text/wording.h"
#include "harness/machine/memory.h"
#include "harness/point/point.h"
#include "harness/space/oversubscription.h"

#include <string.h>

/* Records if there are more workers than can run at once. A space that knows the cores of each of
 * its workers has recorded this already. */
static void note_core_sharing(const struct point *p, struct resources *r)
{
    const int64_t capacity = machine_capacity(&p->machine);
    if (p->program->space->processes || r->sharing[0] || r->threads <= capacity)
        return;
    record_oversubscription(r, 0, r->threads, capacity);
}

/* A small file that unpacks to a large image may take much longer to read than its size suggests:
 * reports this beforehand, and limits reading to --max-seconds. */
static void limit_unpacking(struct point *p)
{
    enum { LARGE = 64 << 20, FOLD = 64 };
    const int64_t packed = p->source ? source_packed_bytes(p->source) : 0;
    if (packed == 0 || source_unpacked_elements(p->source) < LARGE ||
        source_unpacked_bytes(p->source) / FOLD < packed)
        return;
    char seconds[32];
    snprintf(seconds, sizeof seconds, "%g", p->options.max_seconds);
    screen_say(stderr,
               N_("%{program}: %{file}: %{packed} that unpack to an image of %{unpacked}; after "
                  "--max-seconds %{seconds} the reading ends\n"),
               WITH({"program", p->program->name}, {"file", source_name(p->source)},
                    {"packed", memory_text((double)packed).text},
                    {"unpacked", memory_text((double)source_unpacked_bytes(p->source)).text},
                    {"seconds", seconds}));
    source_limit(p->source, p->options.max_seconds);
}

const struct simulated *point_simulated(const struct point *p)
{
    return p->simulated.row_s > 0.0 ? &p->simulated : NULL;
}

const struct dry_run *point_dry_run(const struct point *p)
{
    return p->simulated.folded ? &p->dry_run : NULL;
}

/* The job of one method, without the image's source. */
static struct job job_of(const struct point *p, const struct contender *c)
{
    return (struct job){.operation = &c->operation,
                        .peer = c->peer,
                        .simulated = point_simulated(p),
                        .subject = p->subject,
                        .threads = p->options.threads,
                        .bind = (enum binding)p->options.bind,
                        .distribution = (enum distribution)p->options.distribute,
                        .parallel = (enum parallel_part)p->options.parallel,
                        .per_rank = p->options.per_rank,
                        .device = p->options.device,
                        .min_cost = SPACE_MIN_COST};
}

/* A program without ranks that mpirun started several times measures several times the same. */
static void warn_of_copies(const struct point *p)
{
    struct foreign found;
    foreign_find(NULL, &found);
    if (p->program->space->processes || found.copies < 2 || !found.first)
        return;
    screen_say(stderr,
               N_("%{program}: %{launcher} started %{copies} copies, and each computes everything: "
                  "only programs NAME_mpi divide the work among processes\n"),
               WITH({"program", p->program->name}, {"launcher", found.launcher},
                    {"copies", integer_text(found.copies).text}));
}

static enum status open_first(struct point *p, struct contender *c, struct failure *f)
{
    struct job job = job_of(p, c);
    job.source = p->source;
    limit_unpacking(p);
    enum status status = p->program->space->open(&job, &c->instance, &c->resources, f);
    if (p->source)
        source_limit(p->source, 0.0);
    if (status != STATUS_OK)
        return status;
    note_core_sharing(p, &c->resources);
    warn_of_copies(p);
    if (point_is_root(p) && c->resources.sharing[0])
        screen_say(stderr,
                   N_("%{program}: %{sharing}: the total time includes waiting for a core\n"),
                   WITH({"program", p->program->name},
                        {"sharing", wording_on_screen(c->resources.sharing).text}));
    return STATUS_OK;
}

/* Gives the cache sizes of this process's machine to methods that block for caches. */
static void describe_caches(struct point *p)
{
    for (size_t i = 0; i < p->contender_count; i++)
        memcpy(p->contenders[i].operation.caches.bytes, p->machine.cache_bytes,
               sizeof p->machine.cache_bytes);
}

/* Sends packed operands to all processes if they are sent in panels: only the root has the whole
 * operand, and packs it. */
static void broadcast_packed(const struct point *p)
{
    for (size_t i = 0; i < p->contender_count; i++) {
        const struct operation *op = &p->contenders[i].operation;
        float *packed = p->contenders[i].packed;
        if (packed && operator_takes_panels(op->kind))
            processes_broadcast(p->program->space->processes, packed,
                                op->method->packed_floats(op) * sizeof *packed);
    }
}

/* Packs weights once, in every process that has them, before any timing; only for methods that
 * compute. */
static enum status pack_all(struct point *p, struct failure *f)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < p->contender_count; i++) {
        struct contender *c = &p->contenders[i];
        if (!c->peer && !p->simulated.folded)
            status = operation_pack(&c->operation, &c->packed, &c->pack_s, f);
        c->operation.packed = c->packed;
        c->operation.recomputed = &c->again;
    }
    status = point_common_status(p, status, f);
    if (status == STATUS_OK)
        broadcast_packed(p);
    return status;
}

/* Setup is measured per process: every row has the sum over all methods. */
enum status point_open(struct point *p, struct failure *f)
{
    struct contender *first = &p->contenders[0];
    machine_describe(&p->machine);
    describe_caches(p);
    enum status status = pack_all(p, f);
    if (status == STATUS_OK)
        status = open_first(p, first, f);
    double setup_s = first->resources.setup_s;
    for (size_t i = 1; status == STATUS_OK && i < p->contender_count; i++) {
        struct contender *c = &p->contenders[i];
        const struct job job = job_of(p, c);
        c->resources = first->resources;
        status = p->program->space->join(first->instance, &job, &c->instance, &c->resources, f);
        setup_s += c->resources.setup_s;
    }
    for (size_t i = 0; i < p->contender_count; i++)
        setup_s += p->contenders[i].pack_s;
    for (size_t i = 0; i < p->contender_count; i++)
        p->contenders[i].resources.setup_s = setup_s;
    return status;
}

/* The first contender's verifier serves all that have none of their own. */
struct verifier *point_verifier(const struct point *p, const struct contender *c)
{
    return c->verifier ? c->verifier : p->verifier;
}
