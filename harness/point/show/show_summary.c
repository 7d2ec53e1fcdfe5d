#include "harness/base/text/wording.h"
#include "harness/point/show/show.h"

#include "harness/machine/memory.h"
#include "harness/point/sampling/noise.h"
#include "harness/point/show/compare.h"
#include "harness/point/show/show_text.h"
#include "harness/point/subject.h"
#include "kernels/precision/declared_math.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void print_extent(FILE *out, const char *word, struct image_shape s)
{
    const int64_t elements = s.planes * s.rows * s.cols;
    show_label(out, word);
    if (s.planes > 1)
        screen_say(out, "%{n} planes of ", WITH({"n", text_grouped(s.planes).text}));
    fprintf(out, "%s x %s, %s, %s", text_grouped(s.rows).text, text_grouped(s.cols).text,
            text_counted(elements, N_("value"), N_("values")).text,
            memory_text((double)elements * sizeof(float)).text);
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
    show_label(out, N_("Parameters"));
    fputs(parameters, out);
    for (const struct operand_row *const *row = op->kind->operands; *row; row++) {
        if (!is_shown(op, *row))
            continue;
        fprintf(out, "%s%s %s", join, screen_text((*row)->noun), op->operands[(*row)->role].name);
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
        print_extent(out, N_("Padded"), padded);
        fprintf(out, "\n");
    }
    op->kind->describe(op, parameters, sizeof parameters);
    print_parameters(out, op, wording_on_screen(parameters).text);
    const struct operator_words *words = &op->kind->words;
    const int64_t units = shape_elements(op->map);
    show_label(out, N_("Work"));
    fprintf(out, "%s, %s%s\n", text_counted(units, words->one_unit, words->units).text,
            text_counted((int64_t)op->kind->parts(op), words->one_part, words->parts).text,
            units == 1 ? "" : screen_text(N_(" each")));
}

/* Prints the scratch of the method that needs most. */
static void print_scratch(FILE *out, const struct point *p)
{
    int64_t most = 0;
    for (size_t i = 0; i < p->contender_count; i++)
        if (p->contenders[i].resources.scratch_bytes > most)
            most = p->contenders[i].resources.scratch_bytes;
    fputc('\n', out);
    show_label(out, N_("Scratch"));
    fprintf(out, "%s%s\n", memory_text((double)most).text,
            p->contender_count > 1 ? screen_text(N_(" (the method that needs most)")) : "");
}

/* Prints the cost of packing once, over all methods. */
static void print_packed(FILE *out, const struct point *p)
{
    double seconds = 0.0, floats = 0.0;
    char time[32];
    for (size_t i = 0; i < p->contender_count; i++)
        if (p->contenders[i].packed) {
            const struct operation *op = &p->contenders[i].operation;
            seconds += p->contenders[i].pack_s;
            floats += (double)op->method->packed_floats(op);
        }
    if (floats == 0.0)
        return;
    show_label(out, N_("Packed"));
    screen_say(out, "the %{what}, once, outside the total: %{bytes}, %{time}",
               WITH({"what", screen_text(p->operation.kind->words.packed)},
                    {"bytes", memory_text(floats * sizeof(float)).text},
                    {"time", text_seconds(seconds, time, sizeof time)}));
    fprintf(out, "%s\n", p->contender_count > 1 ? screen_text(N_(", all methods together")) : "");
}

static void print_operands(FILE *out, const struct point *p)
{
    const struct operation *op = &p->operation;
    const struct image_facts *facts = &p->contenders[0].resources.facts;
    print_extent(out, N_("Image"), image_planes(op));
    fprintf(out, " (%s)\n", source_name(p->source));
    if (facts->rounded > 0)
        fprintf(out, "%-14s%s\n", "",
                text_counted(facts->rounded, N_("value was rounded to float32"),
                             N_("values were rounded to float32"))
                    .text);
    if (facts->nans > 0)
        fprintf(out, "%-14s%s\n", "",
                text_counted(facts->nans, N_("NaN became 0 (--nan zero)"),
                             N_("NaNs became 0 (--nan zero)"))
                    .text);
    show_further(out, source_note(p->source));
    print_work(out, op);
    print_extent(out, op->kind->words.map, map_planes(op));
    print_scratch(out, p);
    print_packed(out, p);
}

static const char *interval_text(const struct summary *s, char *buffer, size_t size)
{
    char low[32], high[32];
    if (isnan(s->lower))
        return screen_text(N_("(fewer than 6 samples)"));
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

struct phase_name {
    char text[48];
};

/* The name of a phase is that of its column; "of it" before a part is in the user's language. */
static struct phase_name name_of(int phase)
{
    struct phase_name name;
    const struct phase_row *row = &phase_rows[phase];
    snprintf(name.text, sizeof name.text, "%s%s%s", row->is_part ? screen_text("of it") : "",
             row->is_part ? " " : "", row->word);
    return name;
}

/* Returns the characters of the table's first column: those of the longest name, and a gap. */
static int names_width(const struct measurement *m)
{
    size_t most = strlen("first launch");
    for (int phase = 0; phase < SAMPLE_PHASES; phase++)
        if (has_line(m, phase) && strlen(name_of(phase).text) > most)
            most = strlen(name_of(phase).text);
    return (int)most + 2;
}

/* Prints a line of the phase table; the last column is empty if no time is printed as h:m:s. */
static void print_phase(FILE *out, const struct measurement *m, enum sample_phase phase)
{
    const struct summary s = measurement_phase(m, phase);
    char text[80];
    fprintf(out, "  %-*s", names_width(m), name_of(phase).text);
    screen_left(out, text_seconds(s.median, text, sizeof text), 12);
    screen_left(out, interval_text(&s, text, sizeof text), 26);
    screen_left(out, text_seconds(s.minimum, text, sizeof text), 12);
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
    char share[32], bound[32];
    snprintf(share, sizeof share, "%.4g", f);
    snprintf(bound, sizeof bound, "%.4g", 1.0 / (1.0 - f));
    if (p->options.parallel == PARALLEL_PRODUCT &&
        p->contenders[0].resources.partition.workers > 1) {
        screen_say(out,
                   "\nThe workers share the product alone: %{share} of the compute time. The rest "
                   "is done by one of them.\n",
                   WITH({"share", share}));
        return;
    }
    screen_say(out,
               "\nThe product is %{share} of the compute time: by Amdahl's law no number of "
               "workers that share\nthe product alone makes it more than %{bound} times as "
               "fast.\n",
               WITH({"share", share}, {"bound", bound}));
}

static void print_times(FILE *out, const struct contender *c)
{
    const struct measurement *m = &c->measurement;
    const double setup_s = c->resources.setup_s;
    const double total_s = measurement_phase(m, SAMPLE_TOTAL).median;
    char text[80];
    const int width = names_width(m);
    fputs("\n  ", out);
    screen_left(out, screen_text(N_("Phase")), width);
    screen_left(out, screen_text(N_("median")), 12);
    screen_left(out, screen_text(N_("95 % interval")), 26);
    screen_left(out, screen_text(N_("minimum")), 12);
    fprintf(out, "%s\n  %-*s", setup_s >= 1.0 || total_s >= 1.0 ? "h:m:s" : "", width, "setup");
    screen_left(out, text_seconds(setup_s, text, sizeof text), 12);
    screen_left(out, screen_text(N_("(once, outside total)")), 26);
    fprintf(out, "%-12s%s\n", "", text_hms(setup_s, text, sizeof text));
    print_phases(out, m, 0, SAMPLE_TOTAL);
    print_phases(out, m, SAMPLE_TOTAL + 1, SAMPLE_PHASES);
    print_phase(out, m, SAMPLE_TOTAL);
    if (measurement_phase(m, SAMPLE_START_ERROR).maximum > 0.0)
        screen_say(out,
                   "  start skew: ranks begin at different times; the last one begins so late "
                   "after the common\n  start, from which the total counts.\n",
                   NULL);
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
    fputc('\n', out);
    show_label(out, N_("Rate"));
    screen_say(out, "%{rate}, %{time} per %{unit}\n",
               WITH({"rate", compare_rate(op, total_s, rate, sizeof rate)},
                    {"time", text_seconds(total_s / outputs, each, sizeof each)},
                    {"unit", screen_text(op->kind->words.unit ? op->kind->words.unit : "value")}));
}

/* Prints the number of outputs that were recomputed in one execution. */
static void print_again(FILE *out, const struct point *p)
{
    const char *what = p->operation.kind->words.recomputed;
    for (size_t i = 0; what && i < p->contender_count; i++) {
        const struct contender *c = &p->contenders[i];
        const int64_t again = c->measurement.row.recomputed;
        if (again != RECORD_NO_INT) {
            show_label(out, N_("Recomputed"));
            fprintf(out, "%s: %s %s\n", operation_method(&c->operation), text_grouped(again).text,
                    screen_text(what));
        }
    }
}

static const char *stop_text(const char *reason)
{
    static const struct {
        const char *reason, *text;
    } texts[] = {
        {"relative_ci", N_("the interval is narrow enough (--relative-ci)")},
        {"samples", N_("the number of samples is reached (--samples)")},
        {"seconds", N_("the time is up (--max-seconds)")},
        {"interrupted", N_("interrupted; what was measured is kept")},
        {"wrong", N_("a result was wrong")},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (reason && strcmp(reason, texts[i].reason) == 0)
            return screen_text(texts[i].text);
    return "";
}

static const char *verdict_text(const struct point *p, const char *verdict)
{
    static const struct {
        const char *verdict, *text;
    } texts[] = {
        {"exact", N_("every value of every execution equals the oracle's, bit for bit")},
        {"bound", N_("every value is within the error bound of its operator in float32")},
        {"sampled_exact", N_("the edges and 4096 values drawn equal the oracle's, bit for bit")},
        {"sampled_bound", N_("the edges and 4096 values drawn are within the error bound")},
        {"none", N_("not verified (--verify none)")},
        {"wrong", "WRONG"},
    };
    if (math_rounds(&p->operation) && strcmp(verdict, "bound") == 0)
        return screen_text(N_("every value is within the error bound of operands so rounded"));
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (strcmp(verdict, texts[i].verdict) == 0)
            return screen_text(texts[i].text);
    return verdict;
}

/* Prints lines of text, aligned below each other. */
static void print_lines(FILE *out, const char *word, const char *text)
{
    for (; *text; word = "") {
        const int length = (int)strcspn(text, "\n");
        show_label(out, word);
        fprintf(out, "%.*s\n", length, text);
        text += length + (text[length] == '\n');
    }
}

/* The instruction set, if all methods use the same one. */
static const char *common_isa(const struct point *p)
{
    const char *isa = p->contenders[0].resources.isa;
    for (size_t i = 1; i < p->contender_count; i++)
        if (strcmp(p->contenders[i].resources.isa, isa) != 0)
            return screen_text(N_("as each method has them"));
    return isa;
}

/* Prints the settings of the workers: the end of their line. */
static void print_settings(FILE *out, const struct point *p)
{
    const struct resources *r = &p->contenders[0].resources;
    screen_say(out, "bound: %{bind}, instructions: %{isa}",
               WITH({"bind", r->bind}, {"isa", common_isa(p)}));
    if (r->pages)
        screen_say(out, ", pages: %{pages}", WITH({"pages", r->pages}));
    fputc('\n', out);
    if (r->sharing[0]) {
        show_label(out, "");
        screen_say(out,
                   "%{sharing}: more workers than cores give no speedup, the total includes "
                   "waiting\n",
                   WITH({"sharing", wording_on_screen(r->sharing).text}));
    }
}

static void print_workers(FILE *out, const struct point *p)
{
    const struct resources *r = &p->contenders[0].resources;
    if (r->device_summary) {
        print_lines(out, N_("Device"), r->device_summary);
        return;
    }
    const struct counted_text threads = text_counted(r->threads, N_("thread"), N_("threads"));
    const struct grouped_text busy = text_grouped(r->partition.workers);
    if (r->ranks == RECORD_NO_INT) {
        show_label(out, N_("Workers"));
        screen_say(out, "%{threads}, %{busy} with work, ",
                   WITH({"threads", threads.text}, {"busy", busy.text}));
        print_settings(out, p);
        return;
    }
    const bool by_hand = strcmp(r->launch, "plain") == 0;
    const bool scattered = strcmp(r->distribution, "scatter") == 0;
    show_label(out, N_("Ranks"));
    screen_say(
        out, "%{ranks} on %{nodes}, %{busy} with work, started by %{launch}, %{image}\n",
        WITH({"ranks", text_grouped(r->ranks).text},
             {"nodes", text_counted(r->nodes, N_("node"), N_("nodes")).text}, {"busy", busy.text},
             {"launch", by_hand ? screen_text(N_("hand")) : r->launch},
             {"image", screen_text(scattered ? N_("image scattered") : N_("image generated"))}));
    show_label(out, N_("Workers"));
    screen_say(out, "%{threads} per rank, ", WITH({"threads", threads.text}));
    print_settings(out, p);
}

static void print_samples(FILE *out, const struct point *p, const struct measurement *m)
{
    char resolution[32];
    show_label(out, N_("Samples"));
    screen_say(out, "%{n} after %{warmup} warm-up; stopped because %{reason}\n",
               WITH({"n", integer_text((int64_t)m->count).text},
                    {"warmup", integer_text(p->options.warmup).text},
                    {"reason", stop_text(m->stop_reason)}));
    show_label(out, "");
    if (m->repeats > 1) {
        screen_say(out, "each the mean of %{n} executions, too short for the clock one by one\n",
                   WITH({"n", text_grouped(m->repeats).text}));
        show_label(out, "");
    }
    screen_say(out, "clock steps of %{time}\n",
               WITH({"time", text_seconds(p->clock_step_s, resolution, sizeof resolution)}));
}

/* Prints the errors of results that are not exact: for one method in full, for several the root
 * mean squares. */
static void print_errors(FILE *out, const struct point *p)
{
    const struct record *r = &p->contenders[0].measurement.row;
    const char *between = "";
    if (p->contender_count == 1 && r->error_ulps_rms > 0.0) {
        char rms[32], most[32], share[32];
        snprintf(rms, sizeof rms, "%.2g", r->error_ulps_rms);
        snprintf(most, sizeof most, "%.2g", r->error_ulps_max);
        snprintf(share, sizeof share, "%.2g", r->error_bound_max);
        show_label(out, N_("Error"));
        screen_say(out, "%{rms} ulps (root mean square), %{most} at most, %{share} of the bound",
                   WITH({"rms", rms}, {"most", most}, {"share", share}));
        if (r->error_layer[0])
            screen_say(out, "; the largest of %{layer}", WITH({"layer", r->error_layer}));
        fputc('\n', out);
        return;
    }
    for (size_t i = 0; i < p->contender_count; i++) {
        const struct contender *c = &p->contenders[i];
        if (!(c->measurement.row.error_ulps_rms > 0.0))
            continue;
        if (between[0])
            fputs(between, out);
        else
            show_label(out, N_("Error"));
        fprintf(out, "%s %.2g", operation_method(&c->operation), c->measurement.row.error_ulps_rms);
        between = ", ";
    }
    if (between[0])
        screen_say(out, " ulps (root mean square)\n", NULL);
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
    show_label(out, N_("Verified"));
    fprintf(out, "%s: %s\n", m->row.verified, verdict_text(p, m->row.verified));
    print_errors(out, p);
    print_samples(out, p, m);
    const struct noise noise = noise_of(m);
    if (noise.seen) {
        show_label(out, N_("Noise"));
        fprintf(out, "%s;\n", noise_text(&noise, text, sizeof text));
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
        if (strcmp(c->measurement.row.verified, "wrong") != 0)
            continue;
        if (wrong == 0)
            show_label(out, N_("Verified"));
        fprintf(out, "%s%s", wrong++ ? ", " : "WRONG: ", operation_method(&c->operation));
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
        if (!c->verifier || strcmp(verdict, "wrong") == 0)
            continue;
        show_label(out, N_("Verified"));
        fprintf(out, "%s: %s: %s\n", operation_method(&c->operation), verdict,
                verdict_text(p, verdict));
    }
}

/* Several: the table, and the common verdict of those that are not wrong. */
static void print_together(FILE *out, const struct point *p)
{
    const char *verdict = verifier_verdict(p->verifier);
    show_comparison(out, p);
    const size_t wrong = print_wrong(out, p);
    if (wrong < p->contender_count) {
        show_label(out, wrong ? "" : N_("Verified"));
        fprintf(out, "%s%s: %s\n", wrong ? screen_text(N_("the others ")) : "", verdict,
                verdict_text(p, verdict));
    }
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
        show_label(out, i == 0 ? N_("Verified") : "");
        fprintf(out, "%s: %s: %s\n", operation_method(&c->operation), verdict,
                verdict_text(p, verdict));
    }
    print_errors(out, p);
    show_label(out, N_("Times"));
    screen_say(out, "none: no second of an emulation is one of a GPU\n", NULL);
}

/* The name of a line of the answer to --interactive. */
static void answer_label(FILE *out, const char *word)
{
    fputs("  ", out);
    screen_left(out, screen_text(word), 26);
}

/* Prints a time of that answer in seconds, and as the tesina prints it. */
static void print_answer_time(FILE *out, const char *word, double seconds)
{
    char text[64];
    answer_label(out, word);
    fprintf(out, "%.9f s", seconds);
    if (*text_hms(seconds, text, sizeof text))
        fprintf(out, "  (%s)", text);
    fprintf(out, "\n");
}

static void print_answer_count(FILE *out, const char *word, int64_t count)
{
    answer_label(out, word);
    fprintf(out, "%s\n", text_grouped(count).text);
}

static void print_answer_sides(FILE *out, const char *word, int64_t rows, int64_t cols)
{
    answer_label(out, word);
    fprintf(out, "%s x %s\n", text_grouped(rows).text, text_grouped(cols).text);
}

/* After --interactive: the lines that the tesina's program ends with. */
static void print_answer(FILE *out, const struct point *p)
{
    const struct operation *op = &p->operation;
    const struct geometry *g = &op->geometry;
    const struct measurement *m = &p->contenders[0].measurement;
    fprintf(out, "\n%s\n", screen_text(N_("Summary")));
    print_answer_sides(out, N_("Image"), g->rows, g->cols);
    print_answer_sides(out, N_("Kernel size"), g->kernel, g->kernel);
    print_answer_count(out, N_("Stride"), g->stride);
    print_answer_count(out, N_("Padding"), g->padding);
    print_answer_count(out, N_("Windows"), shape_elements(op->map));
    print_answer_sides(out, op->kind->words.map, op->map.rows, op->map.cols);
    if (p->program->emulated)
        return;
    if (has_line(m, SAMPLE_PRODUCT))
        print_answer_time(out, N_("Time of the products"),
                          measurement_phase(m, SAMPLE_PRODUCT).median);
    print_answer_time(out, N_("Total time"), measurement_phase(m, SAMPLE_TOTAL).median);
}

static void print_ends(FILE *out, const struct point *p)
{
    char line[1024];
    machine_line(&p->machine, line, sizeof line);
    show_label(out, N_("Machine"));
    fprintf(out, "%s: %s\n", p->machine.host, line);
    if (p->written) {
        show_label(out, N_("Written"));
        fprintf(out, "%s%s%s\n", p->options.output, p->output_note[0] ? ": " : "", p->output_note);
    }
    if (p->options.record) {
        show_label(out, N_("Recorded"));
        fprintf(out, "%s\n", p->options.record);
    }
}

void show_summary(FILE *out, const struct point *p)
{
    const char *name = p->operation.kind->name;
    if (p->contender_count == 1)
        screen_say(out, "%{program}: %{operator}, method %{method}\n\n",
                   WITH({"program", p->program->name}, {"operator", name},
                        {"method", operation_method(&p->contenders[0].operation)}));
    else
        screen_say(out, "%{program}: %{operator}, %{n} methods, interleaved\n\n",
                   WITH({"program", p->program->name}, {"operator", name},
                        {"n", text_grouped((int64_t)p->contender_count).text}));
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
