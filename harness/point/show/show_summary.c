#include "harness/point/show/show.h"

#include "harness/machine/memory.h"
#include "harness/point/sampling/noise.h"
#include "harness/point/show/compare.h"
#include "harness/point/show/show_text.h"
#include "harness/point/subject.h"

#include <math.h>
#include <string.h>

static void print_extent(FILE *out, const char *word, struct image_shape s)
{
    const int64_t elements = s.planes * s.rows * s.cols;
    char bytes[32];
    memory_text(bytes, sizeof bytes, (double)elements * sizeof(float));
    fprintf(out, "%-14s", word);
    if (s.planes > 1)
        fprintf(out, "%s planes of ", text_grouped(s.planes).text);
    fprintf(out, "%s x %s, %s, %s", text_grouped(s.rows).text, text_grouped(s.cols).text,
            text_counted(elements, "value", "values").text, bytes);
}

/* True if the summary shows an operand: always the right one and the bias, others only if they are
 * not the default. */
static bool is_shown(const struct operation *op, const struct operand_row *row)
{
    return row->role == op->kind->right || row->role == OPERAND_BIAS ||
           strcmp(op->operands[row->role].name, row->fallback) != 0;
}

static void print_parameters(FILE *out, const struct operation *op, const char *parameters)
{
    const char *join = parameters[0] ? ", " : "";
    if (!parameters[0] && !op->kind->operands[0])
        return;
    fprintf(out, "%-14s%s", "Parameters", parameters);
    for (const struct operand_row *const *row = op->kind->operands; *row; row++) {
        if (!is_shown(op, *row))
            continue;
        fprintf(out, "%s%s %s", join, (*row)->noun, op->operands[(*row)->role].name);
        join = ", ";
    }
    fprintf(out, "\n");
}

/* Prints the padded image, the parameters, and the amount of work. */
static void print_work(FILE *out, const struct operation *op)
{
    const struct geometry *g = &op->geometry;
    char parameters[160];
    if (g->padding > 0) {
        const struct image_shape padded = {g->planes, g->rows + 2 * g->padding,
                                           g->cols + 2 * g->padding};
        print_extent(out, "Padded", padded);
        fprintf(out, "\n");
    }
    op->kind->describe(op, parameters, sizeof parameters);
    print_parameters(out, op, parameters);
    const struct operator_words *words = &op->kind->words;
    const int64_t units = shape_elements(op->map);
    fprintf(out, "%-14s%s, %s%s\n", "Work", text_counted(units, words->one_unit, words->units).text,
            text_counted((int64_t)op->kind->parts(op), words->one_part, words->parts).text,
            units == 1 ? "" : " each");
}

/* Prints the scratch of the method that needs most. */
static void print_scratch(FILE *out, const struct point *p)
{
    int64_t most = 0;
    char bytes[32];
    for (size_t i = 0; i < p->contender_count; i++)
        if (p->contenders[i].resources.scratch_bytes > most)
            most = p->contenders[i].resources.scratch_bytes;
    memory_text(bytes, sizeof bytes, (double)most);
    fprintf(out, "\n%-14s%s%s\n", "Scratch", bytes,
            p->contender_count > 1 ? " (the method that needs most)" : "");
}

/* Prints the cost of packing once, over all methods. */
static void print_packed(FILE *out, const struct point *p)
{
    double seconds = 0.0, floats = 0.0;
    char time[32], bytes[32];
    for (size_t i = 0; i < p->contender_count; i++)
        if (p->contenders[i].packed) {
            const struct operation *op = &p->contenders[i].operation;
            seconds += p->contenders[i].pack_s;
            floats += (double)op->method->packed_floats(op);
        }
    if (floats == 0.0)
        return;
    memory_text(bytes, sizeof bytes, floats * sizeof(float));
    fprintf(out, "%-14sthe %s, once, outside the total: %s, %s%s\n", "Packed",
            p->operation.kind->words.packed, bytes, text_seconds(seconds, time, sizeof time),
            p->contender_count > 1 ? ", all methods together" : "");
}

static void print_operands(FILE *out, const struct point *p)
{
    const struct operation *op = &p->operation;
    const struct image_facts *facts = &p->contenders[0].resources.facts;
    print_extent(out, "Image", image_planes(op));
    fprintf(out, " (%s)\n", source_name(p->source));
    if (facts->rounded > 0)
        fprintf(out, "%-14s%s rounded to float32\n", "",
                text_counted(facts->rounded, "value was", "values were").text);
    if (facts->nans > 0)
        fprintf(out, "%-14s%s 0 (--nan zero)\n", "",
                text_counted(facts->nans, "NaN became", "NaNs became").text);
    if (source_note(p->source))
        fprintf(out, "%-14s%s\n", "", source_note(p->source));
    print_work(out, op);
    print_extent(out, op->kind->words.map, map_planes(op));
    print_scratch(out, p);
    print_packed(out, p);
}

static const char *interval_text(const struct summary *s, char *buffer, size_t size)
{
    char low[32], high[32];
    if (isnan(s->lower))
        return "(fewer than 6 samples)";
    snprintf(buffer, size, "%s .. %s", text_seconds(s->lower, low, sizeof low),
             text_seconds(s->upper, high, sizeof high));
    return buffer;
}

/* True if a phase has a line: it exists and is not 0 in all samples. */
static bool has_line(const struct measurement *m, int phase)
{
    const struct summary s = measurement_phase(m, (enum sample_phase)phase);
    return s.n > 0 && s.maximum != 0.0;
}

/* Returns the characters of the table's first column: those of the longest name, and a gap. */
static int names_width(const struct measurement *m)
{
    size_t most = strlen("first launch");
    for (int phase = 0; phase < SAMPLE_PHASES; phase++)
        if (has_line(m, phase) && strlen(phase_rows[phase].word) > most)
            most = strlen(phase_rows[phase].word);
    return (int)most + 2;
}

/* Prints a line of the phase table; the last column is empty if no time is printed as h:m:s. */
static void print_phase(FILE *out, const struct measurement *m, enum sample_phase phase)
{
    const struct summary s = measurement_phase(m, phase);
    char text[80];
    fprintf(out, "  %-*s", names_width(m), phase_rows[phase].word);
    print_column(out, text_seconds(s.median, text, sizeof text), 12);
    print_column(out, interval_text(&s, text, sizeof text), 26);
    print_column(out, text_seconds(s.minimum, text, sizeof text), 12);
    fprintf(out, "%s\n", text_hms(s.median, text, sizeof text));
}

/* Prints phases [first, end), except those that do not exist or are 0 in all samples. */
static void print_phases(FILE *out, const struct measurement *m, int first, int end)
{
    for (int phase = first; phase < end; phase++)
        if (has_line(m, phase))
            print_phase(out, m, (enum sample_phase)phase);
}

/* The share of the product, and the bound that follows from it. */
static void print_staged(FILE *out, const struct point *p, const struct measurement *m)
{
    const double product = measurement_phase(m, SAMPLE_PRODUCT).mean;
    const double compute = measurement_phase(m, SAMPLE_COMPUTE).mean;
    const double f = product / compute;
    if (p->options.parallel == PARALLEL_PRODUCT &&
        p->contenders[0].resources.partition.workers > 1) {
        fprintf(
            out,
            "\nThe workers share the product alone: %.4g of the compute time. The rest is done by "
            "one of them.\n",
            f);
        return;
    }
    fprintf(out,
            "\nThe product is %.4g of the compute time: by Amdahl's law no number of workers "
            "that share\nthe product alone makes it more than %.4g times faster.\n",
            f, 1.0 / (1.0 - f));
}

static void print_times(FILE *out, const struct contender *c)
{
    const struct measurement *m = &c->measurement;
    const double setup_s = c->resources.setup_s;
    const double total_s = measurement_phase(m, SAMPLE_TOTAL).median;
    char text[80];
    const int width = names_width(m);
    fprintf(out, "\n  %-*s%-12s%-26s%-12s%s\n", width, "Phase", "median", "95 % interval",
            "minimum", setup_s >= 1.0 || total_s >= 1.0 ? "h:m:s" : "");
    fprintf(out, "  %-*s", width, "setup");
    print_column(out, text_seconds(setup_s, text, sizeof text), 12);
    fprintf(out, "%-26s%-12s%s\n", "(once, outside total)", "",
            text_hms(setup_s, text, sizeof text));
    print_phases(out, m, 0, SAMPLE_TOTAL);
    print_phases(out, m, SAMPLE_TOTAL + 1, SAMPLE_PHASES);
    print_phase(out, m, SAMPLE_TOTAL);
    if (measurement_phase(m, SAMPLE_START_ERROR).maximum > 0.0)
        fprintf(out, "  start skew: ranks begin at different times; the last one begins so late "
                     "after the common\n  start, from which the total counts.\n");
}

/* Prints the least work of the operator divided by the median time, and the time per output. */
static void print_rate(FILE *out, const struct contender *c)
{
    const struct operation *op = &c->operation;
    const double total_s = measurement_phase(&c->measurement, SAMPLE_TOTAL).median;
    const double outputs = (double)op->map.planes * (double)op->map.rows * (double)op->map.cols;
    char rate[48], each[32];
    if (!(total_s > 0.0))
        return;
    fprintf(out, "\n%-14s%s, %s per %s\n", "Rate", compare_rate(op, total_s, rate, sizeof rate),
            text_seconds(total_s / outputs, each, sizeof each),
            op->kind->words.unit ? op->kind->words.unit : "value");
}

/* Prints the number of outputs that were recomputed in one execution. */
static void print_again(FILE *out, const struct point *p)
{
    const char *what = p->operation.kind->words.recomputed;
    for (size_t i = 0; what && i < p->contender_count; i++) {
        const struct contender *c = &p->contenders[i];
        const int64_t again = c->measurement.row.recomputed;
        if (again != RECORD_NO_INT)
            fprintf(out, "%-14s%s: %s %s\n", "Recomputed", operation_method(&c->operation),
                    text_grouped(again).text, what);
    }
}

static const char *stop_text(const char *reason)
{
    static const struct {
        const char *reason, *text;
    } texts[] = {
        {"relative_ci", "the interval is narrow enough (--relative-ci)"},
        {"samples", "the number of samples is reached (--samples)"},
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
        {"bound", "every value is within the error bound of its operator in float32"},
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

/* Prints lines of text, aligned below each other. */
static void print_lines(FILE *out, const char *word, const char *text)
{
    for (; *text; word = "") {
        const int length = (int)strcspn(text, "\n");
        fprintf(out, "%-14s%.*s\n", word, length, text);
        text += length + (text[length] == '\n');
    }
}

/* The instruction set, if all methods use the same one. */
static const char *common_isa(const struct point *p)
{
    const char *isa = p->contenders[0].resources.isa;
    for (size_t i = 1; i < p->contender_count; i++)
        if (strcmp(p->contenders[i].resources.isa, isa) != 0)
            return "as each method has them";
    return isa;
}

/* Prints the settings of the workers: the end of their line. */
static void print_settings(FILE *out, const struct point *p)
{
    const struct resources *r = &p->contenders[0].resources;
    fprintf(out, "bound: %s, instructions: %s%s%s\n", r->bind, common_isa(p),
            r->pages ? ", pages: " : "", r->pages ? r->pages : "");
    if (r->sharing[0])
        fprintf(out,
                "%-14s%s: more workers than cores give no speedup, the total includes waiting\n",
                "", r->sharing);
}

static void print_workers(FILE *out, const struct point *p)
{
    const struct resources *r = &p->contenders[0].resources;
    if (r->device_summary) {
        print_lines(out, "Device", r->device_summary);
        return;
    }
    if (r->ranks == RECORD_NO_INT) {
        fprintf(out, "%-14s%lld thread%s, %lld with work, ", "Workers", (long long)r->threads,
                r->threads == 1 ? "" : "s", (long long)r->partition.workers);
        print_settings(out, p);
        return;
    }
    fprintf(out, "%-14s%lld on %lld node%s, %lld with work, started by %s, image %s\n", "Ranks",
            (long long)r->ranks, (long long)r->nodes, r->nodes == 1 ? "" : "s",
            (long long)r->partition.workers, strcmp(r->launch, "plain") == 0 ? "hand" : r->launch,
            strcmp(r->distribution, "scatter") == 0 ? "scattered" : "generated");
    fprintf(out, "%-14s%lld thread%s per rank, ", "Workers", (long long)r->threads,
            r->threads == 1 ? "" : "s");
    print_settings(out, p);
}

static void print_samples(FILE *out, const struct point *p, const struct measurement *m)
{
    char resolution[32];
    fprintf(out, "%-14s%zu after %lld warm-up; stopped because %s\n", "Samples", m->count,
            (long long)p->options.warmup, stop_text(m->stop_reason));
    if (m->repeats > 1)
        fprintf(out, "%-14seach the mean of %s executions, too short for the clock one by one\n",
                "", text_grouped(m->repeats).text);
    fprintf(out, "%-14sclock steps of %s\n", "",
            text_seconds(p->clock_step_s, resolution, sizeof resolution));
}

/* Prints the errors of results that are not exact: for one method in full, for several the root
 * mean squares. */
static void print_errors(FILE *out, const struct point *p)
{
    const struct record *r = &p->contenders[0].measurement.row;
    const char *between = "";
    if (p->contender_count == 1 && r->error_ulps_rms > 0.0) {
        fprintf(out, "%-14s%.2g ulps (root mean square), %.2g at most, %.2g of the bound", "Error",
                r->error_ulps_rms, r->error_ulps_max, r->error_bound_max);
        fprintf(out, "%s%s\n", r->error_layer[0] ? "; the largest of " : "", r->error_layer);
        return;
    }
    for (size_t i = 0; i < p->contender_count; i++) {
        const struct contender *c = &p->contenders[i];
        if (!(c->measurement.row.error_ulps_rms > 0.0))
            continue;
        fprintf(out, between[0] ? "%s" : "%-14s", between[0] ? between : "Error");
        fprintf(out, "%s %.2g", operation_method(&c->operation), c->measurement.row.error_ulps_rms);
        between = ", ";
    }
    fprintf(out, "%s", between[0] ? " ulps (root mean square)\n" : "");
}

/* One method: every phase, rate, verdict and samples. */
static void print_alone(FILE *out, const struct point *p)
{
    char text[512];
    const struct contender *c = &p->contenders[0];
    const struct measurement *m = &c->measurement;
    print_times(out, c);
    if (c->operation.method->staged && !point_simulated(p))
        print_staged(out, p, m);
    print_rate(out, c);
    fprintf(out, "%-14s%s: %s\n", "Verified", m->row.verified, verdict_text(m->row.verified));
    print_errors(out, p);
    print_samples(out, p, m);
    const struct noise noise = noise_of(m);
    if (noise.seen) {
        fprintf(out, "%-14s%s;\n", "Noise", noise_text(&noise, text, sizeof text));
        fprintf(out, "%-14s%s\n", "",
                noise_remedy(&p->machine, c->resources.sharing, text, sizeof text));
    }
}

/* Prints the methods with wrong results; returns their number. */
static size_t print_wrong(FILE *out, const struct point *p)
{
    size_t wrong = 0;
    for (size_t i = 0; i < p->contender_count; i++) {
        const struct contender *c = &p->contenders[i];
        if (strcmp(c->measurement.row.verified, "wrong") == 0)
            fprintf(out, "%s%s",
                    wrong++ ? ", " : "Verified      WRONG: ", operation_method(&c->operation));
    }
    if (wrong)
        fputc('\n', out);
    return wrong;
}

/* Prints the verdict of each method that has its own verifier and is not wrong. */
static void print_verdicts_apart(FILE *out, const struct point *p)
{
    for (size_t i = 0; i < p->contender_count; i++) {
        const struct contender *c = &p->contenders[i];
        const char *verdict = c->measurement.row.verified;
        if (c->verifier && strcmp(verdict, "wrong") != 0)
            fprintf(out, "%-14s%s: %s: %s\n", "Verified", operation_method(&c->operation), verdict,
                    verdict_text(verdict));
    }
}

/* Several: the table, and the common verdict of those that are not wrong. */
static void print_together(FILE *out, const struct point *p)
{
    const char *verdict = verifier_verdict(p->verifier);
    show_comparison(out, p);
    const size_t wrong = print_wrong(out, p);
    if (wrong < p->contender_count)
        fprintf(out, "%-14s%s%s: %s\n", wrong ? "" : "Verified", wrong ? "the others " : "",
                verdict, verdict_text(verdict));
    print_verdicts_apart(out, p);
    print_errors(out, p);
}

/* On an emulated device: the verdict of each method, and no second. */
static void print_untimed(FILE *out, const struct point *p)
{
    fprintf(out, "\n");
    for (size_t i = 0; i < p->contender_count; i++) {
        const struct contender *c = &p->contenders[i];
        const char *verdict = c->measurement.row.verified;
        fprintf(out, "%-14s%s: %s: %s\n", i == 0 ? "Verified" : "", operation_method(&c->operation),
                verdict, verdict_text(verdict));
    }
    print_errors(out, p);
    fprintf(out, "%-14snone: no second of an emulation is one of a GPU\n", "Times");
}

/* Prints a time of the answer to --interactive in seconds, and as the tesina prints it. */
static void print_answer_time(FILE *out, const char *word, double seconds)
{
    char text[64];
    fprintf(out, "  %-26s%.9f s", word, seconds);
    if (*text_hms(seconds, text, sizeof text))
        fprintf(out, "  (%s)", text);
    fprintf(out, "\n");
}

/* After --interactive: the lines that the tesina's program ends with. */
static void print_answer(FILE *out, const struct point *p)
{
    const struct operation *op = &p->operation;
    const struct geometry *g = &op->geometry;
    const struct measurement *m = &p->contenders[0].measurement;
    fprintf(out, "\nSummary\n");
    fprintf(out, "  %-26s%s x %s\n", "Image", text_grouped(g->rows).text,
            text_grouped(g->cols).text);
    fprintf(out, "  %-26s%lld x %lld\n", "Kernel size", (long long)g->kernel, (long long)g->kernel);
    fprintf(out, "  %-26s%lld\n", "Stride", (long long)g->stride);
    fprintf(out, "  %-26s%lld\n", "Padding", (long long)g->padding);
    fprintf(out, "  %-26s%s\n", "Windows", text_grouped(shape_elements(op->map)).text);
    fprintf(out, "  %-26s%s x %s\n", op->kind->words.map, text_grouped(op->map.rows).text,
            text_grouped(op->map.cols).text);
    if (p->program->emulated)
        return;
    if (has_line(m, SAMPLE_PRODUCT))
        print_answer_time(out, "Time of the products", measurement_phase(m, SAMPLE_PRODUCT).median);
    print_answer_time(out, "Total time", measurement_phase(m, SAMPLE_TOTAL).median);
}

static void print_ends(FILE *out, const struct point *p)
{
    char line[1024];
    machine_line(&p->machine, line, sizeof line);
    fprintf(out, "%-14s%s: %s\n", "Machine", p->machine.host, line);
    if (p->written)
        fprintf(out, "%-14s%s%s%s\n", "Written", p->options.output, p->output_note[0] ? ": " : "",
                p->output_note);
    if (p->options.record)
        fprintf(out, "%-14s%s\n", "Recorded", p->options.record);
}

void show_summary(FILE *out, const struct point *p)
{
    const char *name = p->operation.kind->name;
    if (p->contender_count == 1)
        fprintf(out, "%s: %s, method %s\n\n", p->program->name, name,
                operation_method(&p->contenders[0].operation));
    else
        fprintf(out, "%s: %s, %zu methods, interleaved\n\n", p->program->name, name,
                p->contender_count);
    if (p->program->subject)
        p->program->subject->describe(out, p);
    else
        print_operands(out, p);
    print_workers(out, p);
    if (p->program->emulated)
        print_untimed(out, p);
    else if (p->contender_count == 1)
        print_alone(out, p);
    else
        print_together(out, p);
    if (p->program->subject)
        p->program->subject->add_to_summary(out, p);
    print_again(out, p);
    print_ends(out, p);
    if (p->options.interactive && p->contender_count == 1 && p->operation.geometry.kernel > 0)
        print_answer(out, p);
}
