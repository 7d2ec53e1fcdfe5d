#include "networks/point/images.h"

#include "harness/image/pictures.h"
#include "networks/models/models.h"

static const struct processes *processes_of(const struct point *p)
{
    return p->program->space->processes;
}

/* Checks that the requested batch is that of the input. */
static enum status check_batch(const struct point *p, const struct network_run *run,
                               struct failure *f)
{
    const struct options *o = &p->options;
    if (o->batch == 0 || o->batch == run->images.batch)
        return STATUS_OK;
    return fail(f, STATUS_USAGE, "--batch %lld contradicts --input %s, whose batch is %lld",
                (long long)o->batch, o->input, (long long)run->images.batch);
}

/* ---- an .npy file, or another file of elements ------------------------------------------------
 */

/* Opens a file and finds its images: N x C x H x W, C x H x W, H x W, or N rows for vectors. */
static enum status open_elements(struct point *p, struct network_run *run,
                                 struct tensor_shape *input, struct failure *f)
{
    const struct options *o = &p->options;
    const enum status status = source_open_input(&p->source, o->input, f);
    if (status != STATUS_OK)
        return status;
    if (o->gray)
        return source_gray(&p->source, f); /* refuses: pictures are opened otherwise */
    if (o->nan)
        source_take_nans(p->source);
    const struct image_shape s = source_shape(p->source);
    if (run->images.vectors && s.planes > 1)
        return fail(f, STATUS_USAGE, "%s: network %s takes vectors, rows of one matrix", o->input,
                    o->network);
    run->images.batch = run->images.vectors ? s.rows : source_batch(p->source);
    *input = run->images.vectors
                 ? (struct tensor_shape){s.cols, 1, 1}
                 : (struct tensor_shape){s.planes / run->images.batch, s.rows, s.cols};
    return check_batch(p, run, f);
}

/* The root opens the file; every process gets the number and shape of its images. */
static enum status elements_of_file(struct point *p, struct network_run *run,
                                    struct tensor_shape *input, struct failure *f)
{
    if (p->options.image_size > 0)
        return fail(f, STATUS_USAGE,
                    "--image-size describes random images or pictures, and %s has a size: give one "
                    "of them",
                    p->options.input);
    enum status status = point_is_root(p) ? open_elements(p, run, input, f) : STATUS_OK;
    status = point_common_status(p, status, f);
    if (status == STATUS_OK) {
        processes_broadcast(processes_of(p), &run->images.batch, sizeof run->images.batch);
        processes_broadcast(processes_of(p), input, sizeof *input);
    }
    return status;
}

/* ---- pictures ---------------------------------------------------------------------------------
 */

/* True if --input names pictures, as the root sees it. */
static bool takes_pictures(const struct point *p)
{
    bool pictures = p->options.input && point_is_root(p) && pictures_are_named(p->options.input);
    processes_broadcast(processes_of(p), &pictures, sizeof pictures);
    return pictures;
}

/* Opens the pictures in the form of the network's input. */
static enum status open_pictures(struct point *p, struct network_run *run, struct failure *f)
{
    const struct tensor_shape in = run->network.input;
    const struct picture_form form = {in.channels, in.rows, in.cols, false, p->options.gray};
    enum status status = STATUS_OK;
    if (run->images.vectors)
        return fail(f, STATUS_USAGE, "%s: network %s takes vectors, not pictures", p->options.input,
                    p->options.network);
    if (point_is_root(p))
        status = pictures_open(&p->source, p->options.input, &form, p->options.skip_bad, f);
    if (status == STATUS_OK && p->source) {
        run->images.batch = source_batch(p->source);
        status = check_batch(p, run, f);
    }
    status = point_common_status(p, status, f);
    if (status == STATUS_OK)
        processes_broadcast(processes_of(p), &run->images.batch, sizeof run->images.batch);
    run->images.pictures = status == STATUS_OK;
    return status;
}

const char *network_image_name(const struct point *p, int64_t i)
{
    return network_run_of(p)->images.pictures ? pictures_name(p->source, i) : NULL;
}

/* ---- random images ----------------------------------------------------------------------------
 */

struct image_shape network_images_shape(const struct network_run *run)
{
    const struct tensor_shape in = run->network.input;
    return run->images.vectors
               ? (struct image_shape){1, run->images.batch, in.channels}
               : (struct image_shape){run->images.batch * in.channels, in.rows, in.cols};
}

static enum status open_random(struct point *p, const struct network_run *run, struct failure *f)
{
    const struct options *o = &p->options;
    const struct tensor_shape in = run->network.input;
    int64_t planes;
    if (__builtin_mul_overflow(run->images.batch, in.channels, &planes) ||
        geometry_elements(planes, in.rows, in.cols) < 0)
        return fail(f, STATUS_RESOURCE,
                    "%lld images of %lld x %lld x %lld cannot be counted in "
                    "bytes",
                    (long long)run->images.batch, (long long)in.channels, (long long)in.rows,
                    (long long)in.cols);
    return source_open_random(&p->source, network_images_shape(run), (uint64_t)o->seed,
                              o->max_value, f);
}

/* ---- the network ------------------------------------------------------------------------------
 */

enum status network_images(struct point *p, struct network_run *run, struct failure *f)
{
    const struct options *o = &p->options;
    struct model_request request = {.name = o->network, .input = {0, o->image_size, o->image_size}};
    const bool pictures = takes_pictures(p);
    enum status status = STATUS_OK;
    run->images.vectors = model_takes_vectors(o->network);
    run->images.batch = o->batch > 0 ? o->batch : 1;
    if (o->input && !pictures)
        status = elements_of_file(p, run, &request.input, f);
    if (status == STATUS_OK)
        status = model_make(&run->network, &request, f);
    if (status == STATUS_OK && o->features)
        status = network_keep_features(&run->network, f);
    if (status == STATUS_OK && pictures)
        status = open_pictures(p, run, f);
    if (status == STATUS_OK && !o->input)
        status = open_random(p, run, f);
    return status;
}
