#include "cuda/conv_run.h"

int64_t device_conv_parts(const struct conv_task *t)
{
    return t->pieces > 1 ? t->pieces * t->images * t->out.image : 0;
}

enum status device_conv_run(const struct conv_pair *kernel, const struct launch *launch,
                            const struct conv_task *task, struct failure *f)
{
    struct conv_task t = *task;
    struct launch sums = *launch;
    t.piece_stride = t.images * t.out.image;
    t.piece_terms = conv_piece_terms(&t, t.pieces > 1 ? t.pieces : 1);
    sums.per_thread = (struct elements_per_thread){1, 1};
    sums.by_groups = false;
    sums.by_strips = false;
    const enum status status = CUDA(launch_conv(kernel, launch, &t), f);
    return status == STATUS_OK && t.pieces > 1 ? CUDA(launch_conv(&conv_parts_kernel, &sums, &t), f)
                                               : status;
}
