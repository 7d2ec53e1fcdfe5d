#include "cuda/emulation/programs/count_report.h"

#include <string.h>

enum { LABEL_WIDTH = 38, COLUMN_WIDTH = 18, TEXT = 64 };

/* ---- figures ----------------------------------------------------------------------------------
 */

static double ratio(double a, double b)
{
    return b > 0.0 ? a / b : 0.0;
}

static const struct counted_requests *of(const struct counted_method *m, enum counted_memory memory,
                                         int way)
{
    return &m->counts.requests[memory][way];
}

static int64_t sum_of(const struct counted_method *m, enum counted_memory memory, bool extra)
{
    int64_t sum = 0;
    for (int way = 0; way < COUNTED_WAYS; way++) {
        const struct counted_requests *r = of(m, memory, way);
        sum += extra ? r->wavefronts - r->least_wavefronts : r->requests;
    }
    return sum;
}

/* Each figure of a method, by its name in files. `work` and `card` are the report's. */
#define GLOBAL(m, way)    of(m, COUNTED_GLOBAL, COUNTED_##way)
#define SHARED(m, way)    of(m, COUNTED_SHARED, COUNTED_##way)
#define CONFLICTS(m, way) (SHARED(m, way)->wavefronts - SHARED(m, way)->least_wavefronts)

struct figure {
    const char *name;  /* in files */
    const char *label; /* in the table; NULL: only in files */
    double (*of)(const struct counted_method *m, const struct counted_report *r);
    int digits; /* after the point */
};

#define FIGURE(function, expression)                                                               \
    static double function(const struct counted_method *m, const struct counted_report *r)         \
    {                                                                                              \
        (void)r;                                                                                   \
        return (double)(expression);                                                               \
    }
FIGURE(launches, m->counts.launches)
FIGURE(blocks, m->counts.blocks)
FIGURE(block_threads, m->counts.block[0] * m->counts.block[1] * m->counts.block[2])
FIGURE(warps, m->counts.warps)
FIGURE(barriers, m->counts.barriers)
FIGURE(read_requests, GLOBAL(m, READ)->requests)
FIGURE(read_sectors, GLOBAL(m, READ)->sectors)
FIGURE(read_least, GLOBAL(m, READ)->least_sectors)
FIGURE(read_per_request, ratio((double)GLOBAL(m, READ)->sectors, (double)GLOBAL(m, READ)->requests))
FIGURE(read_per_least,
       ratio((double)GLOBAL(m, READ)->sectors, (double)GLOBAL(m, READ)->least_sectors))
FIGURE(read_bytes, GLOBAL(m, READ)->sectors *COUNT_SECTOR)
FIGURE(read_work, ratio((double)(GLOBAL(m, READ)->sectors *COUNT_SECTOR), r->work.bytes_read))
FIGURE(read_distinct, m->counts.distinct_sectors[COUNTED_READ])
FIGURE(read_reuse,
       ratio((double)GLOBAL(m, READ)->sectors, (double)m->counts.distinct_sectors[COUNTED_READ]))
FIGURE(write_requests, GLOBAL(m, WRITE)->requests)
FIGURE(write_sectors, GLOBAL(m, WRITE)->sectors)
FIGURE(write_least, GLOBAL(m, WRITE)->least_sectors)
FIGURE(write_per_request,
       ratio((double)GLOBAL(m, WRITE)->sectors, (double)GLOBAL(m, WRITE)->requests))
FIGURE(write_per_least,
       ratio((double)GLOBAL(m, WRITE)->sectors, (double)GLOBAL(m, WRITE)->least_sectors))
FIGURE(write_bytes, GLOBAL(m, WRITE)->sectors *COUNT_SECTOR)
FIGURE(write_work, ratio((double)(GLOBAL(m, WRITE)->sectors *COUNT_SECTOR), r->work.bytes_written))
FIGURE(write_distinct, m->counts.distinct_sectors[COUNTED_WRITE])
FIGURE(shared_loads, SHARED(m, READ)->requests)
FIGURE(shared_stores, SHARED(m, WRITE)->requests)
FIGURE(load_conflicts, CONFLICTS(m, READ))
FIGURE(store_conflicts, CONFLICTS(m, WRITE))
FIGURE(constant_requests, sum_of(m, COUNTED_CONSTANT, false))
FIGURE(constant_extra, sum_of(m, COUNTED_CONSTANT, true))
FIGURE(branches, m->counts.branches)
FIGURE(splits, m->counts.splits)
FIGURE(active, ratio((double)m->counts.active_lanes, (double)m->counts.steps))
FIGURE(shared_bytes,
       m->counts.dynamic_shared_bytes +
           (m->compiled.known ? m->compiled.shared_bytes : m->counts.static_shared_bytes))
FIGURE(resident_blocks, card_occupancy(r->card, &m->counts, &m->compiled).blocks)
FIGURE(resident_warps, card_occupancy(r->card, &m->counts, &m->compiled).warps)
FIGURE(occupancy_percent,
       100.0 * ratio((double)card_occupancy(r->card, &m->counts, &m->compiled).warps,
                     (double)card_occupancy(r->card, &m->counts, &m->compiled).most_warps))

/* A heading has no function. */
static const struct figure figures[] = {
    {"launches", "launches", launches, 0},
    {"blocks", "blocks", blocks, 0},
    {"threads_per_block", "threads in a block", block_threads, 0},
    {"warps", "warps", warps, 0},
    {"barriers", "barriers, passed by a block each", barriers, 0},
    {NULL, "Global memory, reads", NULL, 0},
    {"read_requests", "requests of a warp", read_requests, 0},
    {"read_sectors", "sectors of 32 bytes", read_sectors, 0},
    {"read_sectors_least", "sectors at the least", read_least, 0},
    {"read_sectors_per_request", "sectors per request", read_per_request, 2},
    {"read_sectors_per_least", "sectors per sector needed", read_per_least, 2},
    {"read_bytes", "bytes in these sectors", read_bytes, 0},
    {"read_bytes_per_least_work", "bytes per byte of the least work", read_work, 2},
    {"read_distinct_sectors", "different sectors", read_distinct, 0},
    {"read_fetches_per_sector", "fetches of each of them", read_reuse, 2},
    {NULL, "Global memory, writes", NULL, 0},
    {"write_requests", "requests of a warp", write_requests, 0},
    {"write_sectors", "sectors of 32 bytes", write_sectors, 0},
    {"write_sectors_least", "sectors at the least", write_least, 0},
    {"write_sectors_per_request", "sectors per request", write_per_request, 2},
    {"write_sectors_per_least", "sectors per sector needed", write_per_least, 2},
    {"write_bytes", "bytes in these sectors", write_bytes, 0},
    {"write_bytes_per_least_work", "bytes per byte of the least work", write_work, 2},
    {"write_distinct_sectors", "different sectors", write_distinct, 0},
    {NULL, "Shared memory", NULL, 0},
    {"shared_load_requests", "loads, requests of a warp", shared_loads, 0},
    {"shared_load_conflicts", "extra wavefronts (bank conflicts)", load_conflicts, 0},
    {"shared_store_requests", "stores, requests of a warp", shared_stores, 0},
    {"shared_store_conflicts", "extra wavefronts (bank conflicts)", store_conflicts, 0},
    {NULL, "Constant memory", NULL, 0},
    {"constant_requests", "requests of a warp", constant_requests, 0},
    {"constant_extra", "extra words (lanes that differ)", constant_extra, 0},
    {NULL, "Divergence", NULL, 0},
    {"branches", "branches of a warp", branches, 0},
    {"splits", "of them, lanes part", splits, 0},
    {"active_lanes", "mean active lanes, of 32", active, 2},
    {NULL, "Occupancy", NULL, 0},
    {"shared_bytes_per_block", "shared memory of a block, bytes", shared_bytes, 0},
    {"resident_blocks", "blocks on a multiprocessor", resident_blocks, 0},
    {"resident_warps", "warps on a multiprocessor", resident_warps, 0},
    {"occupancy_percent", "of the warps that it holds, %", occupancy_percent, 0},
};
enum { FIGURES = sizeof figures / sizeof figures[0] };

/* ---- the table --------------------------------------------------------------------------------
 */

/* A number with its thousands apart. */
static void grouped(double value, int digits, char text[TEXT])
{
    char plain[TEXT];
    size_t n = 0;
    snprintf(plain, sizeof plain, "%.*f", digits, value);
    const size_t whole = strcspn(plain, ".");
    for (size_t i = 0; plain[i] && n + 2 < TEXT; i++) {
        if (i > 0 && i < whole && (whole - i) % 3 == 0)
            text[n++] = ',';
        text[n++] = plain[i];
    }
    text[n] = 0;
}

static void print_figure(FILE *out, const struct counted_report *r, const struct figure *f)
{
    char text[TEXT];
    fprintf(out, "  %-*s", LABEL_WIDTH - 2, f->label);
    for (int64_t i = 0; i < r->count; i++) {
        grouped(f->of(&r->methods[i], r), f->digits, text);
        fprintf(out, "%*s", COLUMN_WIDTH, text);
    }
    fputc('\n', out);
}

static void print_heads(FILE *out, const struct counted_report *r, const char *title)
{
    fprintf(out, "\n%-*s", LABEL_WIDTH, title);
    for (int64_t i = 0; i < r->count; i++)
        fprintf(out, "%*.*s", COLUMN_WIDTH, COLUMN_WIDTH - 1, r->methods[i].name);
    fputc('\n', out);
}

static void print_limits(FILE *out, const struct counted_report *r)
{
    fprintf(out, "  %-*s", LABEL_WIDTH - 2, "limited by");
    for (int64_t i = 0; i < r->count; i++)
        fprintf(out, "%*s", COLUMN_WIDTH,
                card_occupancy(r->card, &r->methods[i].counts, &r->methods[i].compiled).limit);
    fprintf(out, "\n  %-*s", LABEL_WIDTH - 2, "registers of a thread");
    bool all = true;
    for (int64_t i = 0; i < r->count; i++) {
        char text[TEXT] = "unknown";
        if (r->methods[i].compiled.known)
            grouped((double)r->methods[i].compiled.registers, 0, text);
        all = all && r->methods[i].compiled.known;
        fprintf(out, "%*s", COLUMN_WIDTH, text);
    }
    fprintf(out, "\n");
    if (!all)
        fprintf(out,
                "  Registers that are unknown may allow fewer blocks: ptxas tells them, for a card "
                "that\n  --card names, where nvcc and the sources are.\n");
}

/* Microseconds. */
static void print_bound(FILE *out, const struct counted_report *r, const char *label,
                        double (*of_part)(const struct prediction *p))
{
    char text[TEXT];
    fprintf(out, "  %-*s", LABEL_WIDTH - 2, label);
    for (int64_t i = 0; i < r->count; i++) {
        const struct prediction p =
            card_predict(r->card, &r->methods[i].counts, r->work.multiply_adds);
        grouped(1e6 * of_part(&p), 2, text);
        fprintf(out, "%*s", COLUMN_WIDTH, text);
    }
    fputc('\n', out);
}

static double memory_part(const struct prediction *p)
{
    return p->memory_s;
}
static double loads_part(const struct prediction *p)
{
    return p->loads_s;
}
static double issue_part(const struct prediction *p)
{
    return p->issue_s;
}
static double bound_part(const struct prediction *p)
{
    return p->bound_s;
}

static void print_prediction(FILE *out, const struct counted_report *r)
{
    char title[TEXT];
    snprintf(title, sizeof title, "Predicted for %s, in µs", r->card->name);
    fprintf(out, "\n%s (not yet compared with a GPU)\n", title);
    print_bound(out, r, "predicted, memory alone", memory_part);
    print_bound(out, r, "predicted, loads and stores alone", loads_part);
    print_bound(out, r, "predicted, issue alone", issue_part);
    print_bound(out, r, "predicted, at the least", bound_part);
    fprintf(out, "  %-*s", LABEL_WIDTH - 2, "what binds");
    for (int64_t i = 0; i < r->count; i++)
        fprintf(out, "%*s", COLUMN_WIDTH,
                card_predict(r->card, &r->methods[i].counts, r->work.multiply_adds).binds);
    fprintf(out, "\n  %s\n", r->card->source);
}

void count_print_table(FILE *out, const struct counted_report *r)
{
    print_heads(out, r, "Counts of one execution");
    for (int i = 0; i < FIGURES; i++)
        if (figures[i].of)
            print_figure(out, r, &figures[i]);
        else
            fprintf(out, "%s%s%s\n", figures[i].label,
                    strcmp(figures[i].label, "Occupancy") == 0 ? " on " : "",
                    strcmp(figures[i].label, "Occupancy") == 0 ? r->card->name : "");
    print_limits(out, r);
    if (r->predicts)
        print_prediction(out, r);
    fprintf(out, "\nThe accesses are those of this machine's compiler; docs/tiled.md explains the "
                 "rows.\n");
}

/* ---- lines ------------------------------------------------------------------------------------
 */

static void print_requests(FILE *out, const char *place, const char *what,
                           const struct counted_requests *r, enum counted_memory memory)
{
    char requests[TEXT], second[TEXT], each[TEXT];
    const int64_t got = memory == COUNTED_GLOBAL ? r->sectors : r->wavefronts;
    const int64_t least = memory == COUNTED_GLOBAL ? r->least_sectors : r->least_wavefronts;
    if (r->requests == 0)
        return;
    grouped((double)r->requests, 0, requests);
    grouped((double)got, 0, second);
    grouped(ratio((double)got, (double)least), 2, each);
    fprintf(out, "  %-36s%-16s%14s%14s%12s%10.2f\n", place, what, requests, second, each,
            ratio((double)r->lanes, (double)r->requests));
}

static void print_line(FILE *out, const struct counted_line *line)
{
    static const char *const words[COUNTED_MEMORIES][COUNTED_WAYS] = {
        {"global read", "global write"}, {"shared load", "shared store"}, {"constant", "constant"}};
    char branches[TEXT], splits[TEXT];
    for (int memory = 0; memory < COUNTED_MEMORIES; memory++)
        for (int way = 0; way < COUNTED_WAYS; way++)
            print_requests(out, line->place, words[memory][way], &line->requests[memory][way],
                           (enum counted_memory)memory);
    if (line->splits == 0)
        return;
    grouped((double)line->branches, 0, branches);
    grouped((double)line->splits, 0, splits);
    fprintf(out, "  %-36s%-16s%14s%14s\n", line->place, "branch, splits", branches, splits);
}

void count_print_lines_of(FILE *out, const struct counted_method *m)
{
    fprintf(out, "\n%s, line by line\n  %-36s%-16s%14s%14s%12s%10s\n", m->name, "", "", "requests",
            "sectors or", "per", "lanes");
    fprintf(out, "  %-36s%-16s%14s%14s%12s%10s\n", "", "", "", "wavefronts", "needed", "mean");
    for (int64_t line = 0; line < m->line_count; line++)
        print_line(out, &m->lines[line]);
}

void count_print_lines(FILE *out, const struct counted_report *r)
{
    count_print_table(out, r);
    for (int64_t i = 0; i < r->count; i++)
        count_print_lines_of(out, &r->methods[i]);
}

void count_print_explained(FILE *out, const struct counted_report *r)
{
    fprintf(out,
            "\nWhat the warps ask of the memory, in each line of the source that touches it. A "
            "request is one\nload or store by the lanes of a warp. It costs sectors of 32 bytes "
            "of global memory, or wavefronts\nof shared memory; 1.00 of them per needed one is "
            "the least. docs/tiled.md explains the counts.\n");
    for (int64_t i = 0; i < r->count; i++)
        count_print_lines_of(out, &r->methods[i]);
}

/* ---- files ------------------------------------------------------------------------------------
 */

static void print_value(FILE *out, double value, int digits)
{
    fprintf(out, "%.*f", digits > 0 ? 6 : 0, value);
}

void count_print_csv(FILE *out, const struct counted_report *r)
{
    fprintf(out, "method,card");
    for (int i = 0; i < FIGURES; i++)
        if (figures[i].of)
            fprintf(out, ",%s", figures[i].name);
    fprintf(out, ",occupancy_limit,predicted_s,predicted_bound,registers\n");
    for (int64_t m = 0; m < r->count; m++) {
        const struct counted_method *method = &r->methods[m];
        const struct prediction p = card_predict(r->card, &method->counts, r->work.multiply_adds);
        fprintf(out, "%s,%s", method->name, r->card->name);
        for (int i = 0; i < FIGURES; i++)
            if (figures[i].of) {
                fputc(',', out);
                print_value(out, figures[i].of(method, r), figures[i].digits);
            }
        fprintf(out, ",%s,%.9g,%s,",
                card_occupancy(r->card, &method->counts, &method->compiled).limit, p.bound_s,
                p.binds);
        if (method->compiled.known)
            fprintf(out, "%lld", (long long)method->compiled.registers);
        fputc('\n', out);
    }
}

static void print_object(FILE *out, const struct counted_method *m, const struct counted_report *r)
{
    const struct prediction p = card_predict(r->card, &m->counts, r->work.multiply_adds);
    fprintf(out, "  {\"method\": \"%s\", \"card\": \"%s\"", m->name, r->card->name);
    for (int i = 0; i < FIGURES; i++)
        if (figures[i].of) {
            fprintf(out, ",\n   \"%s\": ", figures[i].name);
            print_value(out, figures[i].of(m, r), figures[i].digits);
        }
    fprintf(out,
            ",\n   \"occupancy_limit\": \"%s\",\n   \"predicted_s\": %.9g,\n   "
            "\"predicted_bound\": \"%s\",\n   \"registers\": ",
            card_occupancy(r->card, &m->counts, &m->compiled).limit, p.bound_s, p.binds);
    if (m->compiled.known)
        fprintf(out, "%lld}", (long long)m->compiled.registers);
    else
        fprintf(out, "null}");
}

void count_print_json(FILE *out, const struct counted_report *r)
{
    fprintf(out, "[\n");
    for (int64_t i = 0; i < r->count; i++) {
        print_object(out, &r->methods[i], r);
        fprintf(out, i + 1 < r->count ? ",\n" : "\n");
    }
    fprintf(out, "]\n");
}
