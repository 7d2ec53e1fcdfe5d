#include "classroom/lab/checks.h"

#include "harness/point/show/show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Small integers, so that results must be equal bit by bit. */
static const int64_t small_integers = 255;

enum status lab_runner_start(struct lab_runner *runner, const struct lab_start *how,
                             const struct lab_arrays *arrays, struct failure *f)
{
    enum status status = lab_worker_start(&runner->worker, how, arrays, f);
    const struct lab_worker *w = &runner->worker;
    if (status != STATUS_OK || w->pid > 0)
        return status;
    const int words = (int)strcspn(w->text, "\n");
    if (w->end == LAB_EXITED && w->code == LAB_EXIT_NO_FILE)
        return fail(f, STATUS_USAGE, "%s cannot be loaded: %.*s", how->what, words, w->text);
    if (w->end == LAB_EXITED && w->code == LAB_EXIT_NO_FUNCTION)
        return fail(f, STATUS_USAGE, "%s has no function %s; %.*s", how->what, how->operator_name,
                    words, w->text);
    if (w->end == LAB_EXITED && w->code == LAB_EXIT_UNAVAILABLE)
        return fail(f, STATUS_UNAVAILABLE, "%.*s", words, w->text);
    if (w->end == LAB_EXITED && runner->trusted)
        return fail(f, (enum status)w->code, "%.*s", words, w->text);
    return STATUS_OK;
}

/* Explains the wrong output as --explain does. */
static enum status explain(struct lab_input *in, struct lab_checks *out, struct failure *f)
{
    size_t size;
    if (out->first.output < 0)
        return STATUS_OK;
    FILE *text = open_memstream(&out->explained, &size);
    if (!text)
        return fail(f, STATUS_RESOURCE, "no memory to explain an output");
    const enum status status =
        show_explain_output(text, &in->operation, in->source, out->first.output, f);
    fclose(text);
    return status;
}

static enum status check_one(struct lab_runner *runner, const struct operator_row *kind,
                             const struct foreign_sizes *size, const struct lab_arrays *arrays,
                             bool exact, struct lab_checks *out, struct failure *f)
{
    struct lab_input in;
    const uint64_t seed = lab_fresh_seed();
    const struct lab_trial_options options = {lab_fresh_seed(), small_integers, true, true, exact};
    enum status status = lab_input_open(&in, kind, size, seed, f);
    if (status == STATUS_OK)
        status = lab_try(runner, &in, arrays, &options, &out->first, f);
    if (status == STATUS_OK && out->first.verdict != LAB_CORRECT) {
        lab_size_text(&in.operation, out->shape, sizeof out->shape);
        status = explain(&in, out, f);
    }
    out->shapes++;
    lab_input_close(&in);
    return status;
}

enum { DRAWN = 12, SHAPES = 40 };

/* The edge shapes of an operator, and others. */
struct shapes {
    struct foreign_sizes items[SHAPES];
    size_t count;
};

static int64_t draw(int64_t least, int64_t most)
{
    const uint64_t count = most > least ? (uint64_t)(most - least + 1) : 1;
    return least + (int64_t)(lab_fresh_seed() % count);
}

/* Draws a shape near an edge shape. */
static struct foreign_sizes draw_shape(const struct operator_row *kind)
{
    struct foreign_sizes s = kind->foreign->edges[draw(0, (int64_t)kind->foreign->edge_count - 1)];
    s.rows = draw(1, 90);
    s.cols = draw(1, 90);
    s.planes = s.planes > 0 ? draw(1, 5) : 0;
    s.batch = s.batch > 0 ? draw(1, 3) : 0;
    s.filters = s.filters > 0 ? draw(1, 20) : 0;
    s.kernel = s.kernel > 0 ? draw(1, 8) : 0;
    s.stride = s.kernel > 0 ? draw(1, 5) : 0;
    s.padding = s.kernel > 0 ? draw(0, s.kernel - 1) : 0;
    return s;
}

/* Takes the edge shapes, and `drawn` shapes that nobody knew when the kernel was compiled. A drawn
 * shape that is none, such as a window larger than the padded image, is drawn again. */
static void take_shapes(struct shapes *out, const struct operator_row *kind, size_t drawn)
{
    struct operation ignored;
    struct failure refusal;
    *out = (struct shapes){.count = 0};
    for (size_t i = 0; i < kind->foreign->edge_count && i < SHAPES; i++)
        out->items[out->count++] = kind->foreign->edges[i];
    for (size_t tries = 0; drawn > 0 && tries < 1000 && out->count < SHAPES; tries++) {
        out->items[out->count] = draw_shape(kind);
        refusal = (struct failure){0};
        if (lab_operation(&ignored, kind, &out->items[out->count], &refusal) != STATUS_OK)
            continue;
        out->count++;
        drawn--;
    }
}

/* Makes arrays that are large enough for every shape. */
static enum status open_arrays(struct lab_arrays *arrays, const struct operator_row *kind,
                               const struct shapes *shapes, struct failure *f)
{
    size_t most[LAB_ARRAYS] = {0}, bytes[LAB_ARRAYS];
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < shapes->count; i++) {
        struct lab_input in = {.kind = kind, .size = shapes->items[i]};
        status = lab_input_open(&in, kind, &shapes->items[i], 1, f);
        lab_input_bytes(&in, bytes);
        lab_input_close(&in);
        for (int a = 0; a < LAB_ARRAYS; a++)
            most[a] = bytes[a] > most[a] ? bytes[a] : most[a];
    }
    return status == STATUS_OK ? lab_arrays_open(arrays, most, f) : status;
}

enum status lab_check(const struct operator_row *kind, const struct lab_start *how,
                      const char *source, bool checked, struct lab_checks *out, struct failure *f)
{
    struct lab_arrays arrays;
    struct shapes shapes;
    struct lab_runner runner = {.threads = how->threads,
                                .planar = true,
                                .checked = checked,
                                .device = how->device,
                                .emulated = how->emulated,
                                .source = source,
                                .library = how->what};
    *out = (struct lab_checks){.first = {.verdict = LAB_CORRECT, .output = -1}};
    take_shapes(&shapes, kind, checked ? 0 : DRAWN);
    enum status status = open_arrays(&arrays, kind, &shapes, f);
    if (status != STATUS_OK)
        return status;
    status = lab_runner_start(&runner, how, &arrays, f);
    if (status == STATUS_OK && runner.worker.pid == 0)
        lab_classify_end(&runner, &out->first);
    out->protection = runner.worker.protection;
    for (size_t i = 0; status == STATUS_OK && out->first.verdict == LAB_CORRECT && i < shapes.count;
         i++)
        status = check_one(&runner, kind, &shapes.items[i], &arrays,
                           i >= kind->foreign->edge_count && i % 2, out, f);
    lab_worker_end(&runner.worker);
    lab_arrays_close(&arrays);
    return status;
}
