#include "cuda/kernel_facts.h"

#include "cuda/choice.h"
#include "harness/base/text/screen.h"

#include <stdlib.h>

/* ---- kernels ----------------------------------------------------------------------------------
 */

static void print_kernel_heading(const struct instance *in, FILE *out)
{
    static const struct {
        const char *word;
        int width; /* columns; those of the rows below */
    } columns[] = {{N_("method"), 10},
                   {N_("registers"), 14},
                   {N_("shared, bytes"), 19},
                   {N_("local, bytes"), 16},
                   {N_("blocks resident"), 21}};
    fputc('\n', out);
    screen_say(out,
               N_("Kernels in blocks of %{block} x %{block} threads on %{device} (%{processors} "
                  "multiprocessors, %{each} threads each)\n"),
               WITH({"block", integer_text(in->options.block).text}, {"device", in->device.name},
                    {"processors", integer_text(in->device.processors).text},
                    {"each", integer_text(in->device.threads_per_processor).text}));
    fputs("  ", out);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        screen_left(out, screen_text(columns[i].word), columns[i].width);
    fprintf(out, "%s\n", screen_text(N_("occupancy")));
}

enum status describe_kernel_facts(const struct instance *in, FILE *out, struct failure *f)
{
    const int64_t threads = in->options.block * in->options.block;
    print_kernel_heading(in, out);
    const struct cuda_method *m;
    for (int i = 0; (m = cuda_method_at(in->operation->kind, i)); i++) {
        struct kernel_facts facts;
        const struct choice choice = choose_kernel(in, m);
        const enum status status = CUDA(query_kernel(&choice.kernel, &choice.launch, &facts), f);
        if (status != STATUS_OK)
            return status;
        const double occupancy =
            (double)(facts.blocks * threads) / (double)in->device.threads_per_processor;
        fprintf(out, "  %-10s%-14d%-19zu%-16zu%-21d%.4g %%\n", m->name, facts.registers,
                facts.shared_bytes, facts.local_bytes, facts.blocks, 100.0 * occupancy);
    }
    return STATUS_OK;
}

/* ---- indices ----------------------------------------------------------------------------------
 */

/* An element, with the thread that computed it. */
struct made {
    struct thread_place by;
    int64_t row, col;
};

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* By block, then by thread, then by element. */
static int by_thread(const void *a, const void *b)
{
    const struct made *p = a, *q = b;
    const int64_t pairs[][2] = {{p->by.block_z, q->by.block_z},
                                {p->by.block_y, q->by.block_y},
                                {p->by.block_x, q->by.block_x},
                                {p->by.thread_y, q->by.thread_y},
                                {p->by.thread_x, q->by.thread_x},
                                {p->row, q->row},
                                {p->col, q->col}};
    int order = 0;
    for (size_t i = 0; order == 0 && i < sizeof pairs / sizeof pairs[0]; i++)
        order = compare(pairs[i][0], pairs[i][1]);
    return order;
}

static bool same_thread(const struct thread_place *a, const struct thread_place *b)
{
    return a->block_z == b->block_z && a->block_y == b->block_y && a->block_x == b->block_x &&
           a->thread_y == b->thread_y && a->thread_x == b->thread_x;
}

static void print_elements(FILE *out, const struct made *made, int64_t count)
{
    fputc('\n', out);
    screen_say(out,
               N_("Elements (i, j) of the %{n} made by each thread; blocks and threads as (y, x)"),
               WITH({"n", integer_text(count).text}));
    for (int64_t i = 0; i < count; i++) {
        const struct thread_place *by = &made[i].by;
        if (i == 0 || !same_thread(by, &made[i - 1].by))
            fprintf(out, "\n  %s (%d, %d)%s %s (%2d, %2d):", screen_text(N_("block")), by->block_y,
                    by->block_x, by->block_z > 0 ? screen_text(N_(" of another plane")) : "",
                    screen_text(N_("thread")), by->thread_y, by->thread_x);
        fprintf(out, " (%lld, %lld)%s", (long long)made[i].row, (long long)made[i].col,
                by->made == 1   ? ""
                : by->made == 0 ? screen_text(N_(" by no thread"))
                                : screen_text(N_(" more than once")));
    }
    fputc('\n', out);
}

enum status describe_indices(struct instance *in, FILE *out, struct failure *f)
{
    struct thread_place *places = NULL;
    int64_t rows = 0, cols = 0;
    enum status status = in->offloading->note_places(in, &places, &rows, &cols, f);
    struct made *made = calloc((size_t)(rows * cols) + 1, sizeof *made);
    if (status == STATUS_OK && !made)
        status = fail(f, STATUS_RESOURCE, "no memory for the indices");
    for (int64_t i = 0; status == STATUS_OK && i < rows * cols; i++)
        made[i] = (struct made){places[i], i / cols, i % cols};
    if (status == STATUS_OK) {
        qsort(made, (size_t)(rows * cols), sizeof *made, by_thread);
        print_elements(out, made, rows * cols);
    }
    free(made);
    free(places);
    return status;
}
