#include "harness/point/show.h"

#include "harness/machine/memory.h"

#include <math.h>
#include <string.h>

/* A count with thousands separated, as 16,777,216. Two buffers take turns. */
static const char *grouped(int64_t n)
{
    static char buffers[4][32];
    static int turn;
    char digits[24], *out = buffers[turn++ % 4];
    const int length = snprintf(digits, sizeof digits, "%lld", (long long)n);
    char *p = out;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0 && digits[i - 1] != '-')
            *p++ = ',';
        *p++ = digits[i];
    }
    *p = 0;
    return out;
}

static void print_cells(FILE *out, const char *word, struct image_shape s)
{
    const int64_t cells = s.planes * s.rows * s.cols;
    char bytes[32];
    memory_text(bytes, sizeof bytes, (double)cells * sizeof(float));
    fprintf(out, "%-14s", word);
    if (s.planes > 1)
        fprintf(out, "%s planes of ", grouped(s.planes));
    fprintf(out, "%s x %s, %s values, %s", grouped(s.rows), grouped(s.cols), grouped(cells), bytes);
}

static void print_windows(FILE *out, const struct operation *op)
{
    const struct geometry *g = &op->geometry;
    if (g->padding > 0) {
        const struct image_shape padded = {g->planes, g->rows + 2 * g->padding,
                                           g->cols + 2 * g->padding};
        print_cells(out, "Padded", padded);
        fprintf(out, "\n");
    }
    fprintf(out, "%-14skernel size %lld, stride %lld, padding %lld%s, filter %s\n", "Parameters",
            (long long)g->kernel, (long long)g->stride, (long long)g->padding,
            g->padding == 0             ? ""
            : g->pad_mode == PAD_IGNORE ? " (ignored)"
                                        : " (zeros)",
            op->filter.name);
    fprintf(out, "%-14s%s windows extracted, %s values each\n", "Work",
            grouped(op->map.planes * op->map.rows * op->map.cols), grouped(g->kernel * g->kernel));
}

static void print_operands(FILE *out, const struct point *p)
{
    const struct operation *op = &p->operation;
    const struct image_facts *facts = &p->resources.facts;
    print_cells(out, "Image", op->image);
    fprintf(out, " (%s)\n", source_name(p->source));
    if (facts->rounded > 0)
        fprintf(out, "%-14s%s values were rounded to float32\n", "", grouped(facts->rounded));
    if (op->kind == OPERATOR_MAXPOOL)
        print_windows(out, op);
    else
        fprintf(out, "%-14sfilter %s, %s products per value\n", "Parameters", op->filter.name,
                grouped(op->image.cols));
    print_cells(out, op->kind == OPERATOR_MAXPOOL ? "Feature map" : "Product", op->map);
    char bytes[32];
    memory_text(bytes, sizeof bytes, (double)p->resources.scratch_bytes);
    fprintf(out, "\n%-14s%s\n", "Scratch", bytes);
}

/* Seconds with a unit a reader can take in: 12.3 us. */
static const char *seconds_text(double s, char *buffer, size_t size)
{
    static const struct {
        double unit;
        const char *name;
    } units[] = {{1.0, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    size_t i = 0;
    while (i + 1 < sizeof units / sizeof units[0] && s < units[i].unit)
        i++;
    if (s == 0.0)
        snprintf(buffer, size, "0 s");
    else
        snprintf(buffer, size, "%.4g %s", s / units[i].unit, units[i].name);
    return buffer;
}

/* The tesina's way to tell a time: h:m:s. */
static void print_hms(FILE *out, double s)
{
    const double hours = floor(s / 3600.0), minutes = floor((s - 3600.0 * hours) / 60.0);
    fprintf(out, "%.0f:%02.0f:%09.6f", hours, minutes, s - 3600.0 * hours - 60.0 * minutes);
}

static void print_phase(FILE *out, const struct point *p, const struct phase_row *row)
{
    const struct summary s = point_phase(p, row);
    char median[32], low[32], high[32], least[32];
    if (s.n == 0 ||
        (s.maximum == 0.0 && row != phase_find("total_s"))) /* nothing of the kind here */
        return;
    fprintf(out, "  %-14s%-12s", row->word, seconds_text(s.median, median, sizeof median));
    if (isnan(s.lower))
        fprintf(out, "%-26s", "(fewer than 6 samples)");
    else {
        char interval[80];
        snprintf(interval, sizeof interval, "%s .. %s", seconds_text(s.lower, low, sizeof low),
                 seconds_text(s.upper, high, sizeof high));
        fprintf(out, "%-26s", interval);
    }
    fprintf(out, "%-12s", seconds_text(s.minimum, least, sizeof least));
    print_hms(out, s.median);
    fputc('\n', out);
}

static void print_times(FILE *out, const struct point *p)
{
    char text[32];
    fprintf(out, "\n  %-14s%-12s%-26s%-12s%s\n", "Phase", "median", "95 % interval", "minimum",
            "h:m:s");
    fprintf(out, "  %-14s%-12s%-26s%-12s", "setup",
            seconds_text(p->resources.setup_s, text, sizeof text), "(once, outside total)", "");
    print_hms(out, p->resources.setup_s);
    fputc('\n', out);
    for (size_t i = 0; i < phase_row_count; i++)
        print_phase(out, p, &phase_rows[i]);
    if (operation_is_staged(&p->operation)) {
        const double product = point_phase(p, phase_find("product_s")).mean;
        const double compute = point_phase(p, phase_find("compute_s")).mean;
        const double f = product / compute;
        fprintf(out,
                "\nThe product is %.4g of the compute time: by Amdahl's law no number of workers "
                "that share\nthe product alone makes it more than %.4g times faster.\n",
                f, 1.0 / (1.0 - f));
    }
}

static const char *stop_text(const char *reason)
{
    static const struct {
        const char *reason, *text;
    } texts[] = {
        {"relative_ci", "the interval is narrow enough (--relative-ci)"},
        {"samples", "as many samples as asked for (--samples)"},
        {"seconds", "the time is up (--max-seconds)"},
        {"interrupted", "interrupted; what was measured is kept"},
        {"wrong", "a result was wrong"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (reason && strcmp(reason, texts[i].reason) == 0)
            return texts[i].text;
    return "";
}

static const char *verdict_text(const char *verdict)
{
    static const struct {
        const char *verdict, *text;
    } texts[] = {
        {"exact", "every value of every execution equals the oracle's, bit for bit"},
        {"bound", "every value is within the error bound of a float32 dot product"},
        {"sampled_exact", "the edges and 4096 values drawn equal the oracle's, bit for bit"},
        {"sampled_bound", "the edges and 4096 values drawn are within the error bound"},
        {"none", "not verified (--verify none)"},
        {"wrong", "WRONG"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (strcmp(verdict, texts[i].verdict) == 0)
            return texts[i].text;
    return verdict;
}

/* Lines of text, each under the last. */
static void print_lines(FILE *out, const char *word, const char *text)
{
    for (; *text; word = "") {
        const int length = (int)strcspn(text, "\n");
        fprintf(out, "%-14s%.*s\n", word, length, text);
        text += length + (text[length] == '\n');
    }
}

/* What the workers compute under: the end of their line. */
static void print_settings(FILE *out, const struct resources *r)
{
    fprintf(out, "bound: %s, instructions: %s%s%s\n", r->bind, r->isa, r->pages ? ", pages: " : "",
            r->pages ? r->pages : "");
}

static void print_workers(FILE *out, const struct point *p)
{
    const struct resources *r = &p->resources;
    if (r->device_summary) {
        print_lines(out, "Device", r->device_summary);
        return;
    }
    if (r->ranks == RECORD_NO_INT) {
        fprintf(out, "%-14s%lld thread%s, %lld with work, ", "Workers", (long long)r->threads,
                r->threads == 1 ? "" : "s", (long long)r->deal.workers);
        print_settings(out, r);
        return;
    }
    fprintf(out, "%-14s%lld on %lld node%s, %lld with work, started by %s, image %s\n", "Ranks",
            (long long)r->ranks, (long long)r->nodes, r->nodes == 1 ? "" : "s",
            (long long)r->deal.workers, strcmp(r->launch, "plain") == 0 ? "hand" : r->launch,
            strcmp(r->distribution, "scatter") == 0 ? "scattered" : "generated");
    fprintf(out, "%-14s%lld thread%s per rank, ", "Workers", (long long)r->threads,
            r->threads == 1 ? "" : "s");
    print_settings(out, r);
}

void show_summary(FILE *out, const struct point *p)
{
    const struct measurement *m = &p->measurement;
    char line[1024], resolution[32];
    fprintf(out, "%s: %s, method %s\n\n", p->program->name, operator_name(p->operation.kind),
            operation_method(&p->operation));
    print_operands(out, p);
    print_workers(out, p);
    print_times(out, p);
    fprintf(out, "\n%-14s%s: %s\n", "Verified", m->row.verified, verdict_text(m->row.verified));
    fprintf(out, "%-14s%zu after %lld warm-up; stopped because %s\n", "Samples", m->count,
            (long long)p->options.warmup, stop_text(m->stop_reason));
    fprintf(out, "%-14sclock steps of %s\n", "",
            seconds_text(m->resolution_s, resolution, sizeof resolution));
    machine_line(&p->machine, line, sizeof line);
    fprintf(out, "%-14s%s: %s\n", "Machine", p->machine.host, line);
    if (p->options.output)
        fprintf(out, "%-14s%s%s%s\n", "Written", p->options.output, p->output_note[0] ? ": " : "",
                p->output_note);
    if (p->options.record)
        fprintf(out, "%-14s%s\n", "Recorded", p->options.record);
}
