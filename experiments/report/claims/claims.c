#include "experiments/report/claims/claims.h"
#include "experiments/analysis/numbers.h"
#include "experiments/analysis/selections/float32_rate.h"
#include "experiments/report/claims/selected_charts.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/messages.h"

#include <stdio.h>
#include <string.h>

const struct chart_kind chart_kinds[] = {
    {"brain", N_("total time of every method, largest image"), &brain_chart},
    {"methods", N_("compute time of one window against n"), &methods_chart},
    {"ladder", N_("compute time against the first rung, one worker"), &ladder_chart},
    {"ladder_roof", N_("share of the machine's limit, one worker"), &ladder_roof_chart},
    {"methods_by_shape", N_("compute time against the first rung of each shape, one worker"),
     &methods_by_shape_chart},
    {"roof_by_shape", N_("share of the machine's limit for each shape, one worker"),
     &roof_by_shape_chart},
    {"conv_epilogue",
     N_("compute time, epilogue applied as outputs are stored, or in a separate pass"),
     &conv_epilogue_chart},
    {"isa", N_("times as fast as in the baseline instruction set"), &isa_chart},
    {"serial_growth", N_("compute time against n, and of one window"), &serial_growth_chart},
    {"growth", N_("total time against the size"), &growth_chart},
    {"matmul_growth", N_("arithmetic rate of one n × n product against n"), &matmul_growth_chart},
    {"hyperparameters", N_("compute time of a window against k"), &hyperparameters_chart},
    {"stride_padding", N_("compute time against s and p"), &stride_padding_chart},
    {"conv_hyperparameters", N_("compute time against k, s and n"), &conv_hyperparameters_chart},
    {"distances_growth", N_("compute time of all pairs against n"), &distances_growth_chart},
    {"window_count", N_("windows extracted, and time to compute, against n"), &window_count_chart},
    {"speedup", N_("total time of one worker / total time of p workers of the same program"),
     &speedup_chart},
    {"efficiency",
     N_("shares of the workers' time: used, with its interval, and lost to what was measured"),
     &efficiency_chart},
    {"amdahl",
     N_("total time of one worker / total time of p workers that share the product alone"),
     &amdahl_chart},
    {"threads", N_("total time of one thread / total time of p threads"), &speedup_chart},
    {"strong_scaling", N_("total time of one rank / total time of p ranks"), &speedup_chart},
    {"spaces", N_("total time of the serial baseline over that of each program"), &spaces_chart},
    {"weak_scaling", N_("scaled speedup p T(1) / T(p), work growing with the workers"),
     &weak_scaling_chart},
    {"hybrid", N_("total time by ranks × threads"), &hybrid_chart},
    {"overhead", N_("total time of one rank above the serial program's, %"), &overhead_chart},
    {"communication", N_("total time by phase"), &communication_chart},
    {"distribution", N_("total time, image sent by one rank or made by all"), &distribution_chart},
    {"roofline", N_("arithmetic rate against operations per byte"), &roofline_chart},
    {"roofline_share", N_("share of the machine's limit against the working set"),
     &roofline_share_chart},
    {"peers", N_("time of the library / time of our fastest method, one worker"), &peers_chart},
    {"peers_planes", N_("time of the fastest library / ours, single planes, one worker"),
     &peers_planes_chart},
    {"devices", N_("total time of one batch, by device and workers"), &devices_chart},
    {"devices_side", N_("total time of one batch against the side of its images"),
     &devices_side_chart},
    {"lighter", N_("total time of one image"), &lighter_chart},
    {"batch", N_("total time of one image against the batch"), &batch_chart},
    {"layers",
     N_("share of each step in the time of the network, its seconds and its share of the machine's "
        "limit"),
     &layers_chart},
    {"training_curve", N_("loss and accuracy by epoch"), &training_curve_chart},
    {"confusion", N_("unseen images, by true and predicted class"), &confusion_chart},
    {"learning_rate", N_("loss of a step, as a moving average, against its learning rate"),
     &learning_rate_chart},
    {"forecast", N_("forecast skill by batch, and one day as it was forecast"), &forecast_chart},
    {"training_size", N_("total time of a training step against the bytes of the parameters"),
     &training_size_chart},
    {"training_batch", N_("total time of one image of a training step against the batch"),
     &training_batch_chart},
    {"training_layers",
     N_("share of each layer in the time of a training step, forward and backward"),
     &training_layers_chart},
    {"training_phases", N_("total time of a training step by phase"), &training_phases_chart},
    {"training_parts", N_("shares of the total time of a training step, by batch"),
     &training_parts_chart},
    {"training_depth", N_("total time of a training step against the parameters, by hidden layers"),
     &training_depth_chart},
    {"training_depth_gpu",
     N_("total time of a training step on a GPU against the parameters, by hidden layers"),
     &training_depth_gpu_chart},
    {"training_threads", N_("total time of a training step against the parameters, by threads"),
     &training_threads_chart},
    {"training_devices", N_("total time of a training step against the parameters, by device"),
     &training_devices_chart},
    {"inference_threads", N_("total time of an inference against the parameters, by threads"),
     &inference_threads_chart},
    {"inference_devices", N_("total time of an inference against the parameters, by device"),
     &inference_devices_chart},
    {"training_ranks", N_("time of a training step against ranks, measured and simulated"),
     &training_ranks_chart},
    {"faces", N_("processors and memory over time, by structure of the program"), &faces_chart},
    {"peers_networks", N_("time of the library / ours, whole networks, one worker"),
     &peers_networks_chart},
    {"errors", N_("total time against root mean square error, one worker or one GPU"),
     &errors_chart},
    {"gpu_window", N_("total time, one window at a time"), &gpu_window_chart},
    {"gpu_lean", N_("total time, one window at a time, arrays kept"), &gpu_lean_chart},
    {"gpu_image", N_("total time, the whole image at once"), &gpu_image_chart},
    {"gpu_kernel", N_("compute time, the image on the device"), &gpu_kernel_chart},
    {"offload", N_("total time, data movement included"), &offload_chart},
    {"transfers", N_("share of the total time spent moving data"), &transfers_chart},
    {"gpu_phases", N_("shares of the total time"), &gpu_phases_chart},
    {"gpu_pinned", N_("total time, whole image, pinned memory and overlapping streams"),
     &gpu_pinned_chart},
    {"filter_window", N_("total time, filter transferred with every window, or constant"),
     &filter_window_chart},
    {"filter_image", N_("total time, filter transferred with the image, or constant"),
     &filter_image_chart},
    {"filter_kernel", N_("compute time against the side of the window"), &filter_kernel_chart},
    {"scale", N_("total time over ranks"), &scale_chart},
};
const size_t chart_kind_count = sizeof chart_kinds / sizeof *chart_kinds;

const struct chart_kind *chart_kind_find(const char *name)
{
    for (size_t i = 0; i < chart_kind_count; i++)
        if (strcmp(chart_kinds[i].name, name) == 0)
            return &chart_kinds[i];
    return NULL;
}

struct words chart_quantity(const struct experiment *e, const char *chart, const struct language *l)
{
    const struct chart_kind *kind = chart_kind_find(chart);
    struct words w = {""};
    if (kind && kind->selected == &speedup_chart && e->analysis.base > 1.0)
        message_format(w.text, sizeof w.text, l,
                       "%{base} × total time of %{base} workers / total time of p workers of the "
                       "same program",
                       WITH({"base", number_text("%.0f", e->analysis.base).text}));
    else if (kind)
        snprintf(w.text, sizeof w.text, "%s", message(l, kind->quantity));
    return w;
}

static void claim_selected(const struct selected_chart *chart, const struct experiment *e,
                           const struct language *l, struct claim *c)
{
    struct selection s = {.count = 0};
    chart->select(e, chart->parameters, l, &s);
    template_say(chart->sentences, &s, l, c);
    for (size_t i = 0; i < s.count; i++)
        if (!s.rows[i].role) {
            time_counts_add(&c->drawn, s.rows[i].of.point);
            time_counts_add(&c->drawn, s.rows[i].against.point);
        }
    for (size_t i = 0; i < c->count && chart->sentences->of_table; i++)
        time_counts_add(&c->drawn, c->rows[i]);
    selection_release(&s);
}

static size_t count_suspect(const struct claim *c)
{
    size_t count = 0;
    for (size_t i = 0; i < c->count; i++)
        count += c->rows[i]->trust == TRUST_SUSPECT;
    return count;
}

/* True if the first sentence has the word: pages and run.sh show it alone. */
static bool first_has(const char *answer, const char *word)
{
    const char *at = strstr(answer, word), *end = strstr(answer, ". ");
    return at && (!end || at < end);
}

/* Makes a title of at most `most` bytes: without its last clause, else without its last words. */
static void shorten_title(char *title, size_t most)
{
    static const char mark[] = "...";
    size_t clause = 0, blank = 0;
    if (strlen(title) <= most)
        return;
    for (size_t i = 0; i <= most; i++) {
        clause = strncmp(title + i, "; ", 2) == 0 ? i : clause;
        blank = title[i] == ' ' && i + strlen(mark) <= most ? i : blank;
    }
    strcpy(title + (clause > 0 ? clause : blank), clause > 0 ? "" : mark);
}

static void mark_title(struct claim *c, const char *word)
{
    enum { PLACE = 20 };
    shorten_title(c->title, sizeof c->title - PLACE);
    text_fit_append(c->title, sizeof c->title, " (%s)", word);
}

static void mark_answer(struct claim *c, const char *word)
{
    char marked[CLAIM_ANSWER];
    text_fit_format(marked, sizeof marked, "%s: %s", word, c->answer);
    memcpy(c->answer, marked, sizeof marked);
}

static void mark_first(struct claim *c, const char *word)
{
    if (c->title[0] && !strstr(c->title, word))
        mark_title(c, word);
    if (c->has_answer && !first_has(c->answer, word))
        mark_answer(c, word);
}

/* Evidence that is SUSPECT carries the word: the title and the first sentence, if their first point
 * is SUSPECT; at least one sentence, if another of their points is. Then nothing is said of causes.
 * A number without an interval carries the word ROUGH. */
static void mark_doubt(struct claim *c, const struct language *l)
{
    const char *word = trust_word(TRUST_SUSPECT, l);
    const size_t suspect = count_suspect(c);
    const bool first = c->doubtful || (suspect && c->rows[0]->trust == TRUST_SUSPECT);
    if (!suspect && !c->doubtful)
        text_fit_append(c->plain, sizeof c->plain, "%s", c->because);
    if (first)
        mark_first(c, word);
    else if (c->no_interval || (c->count && point_lacks_interval(c->rows[0])))
        mark_first(c, trust_word(TRUST_ROUGH, l));
    if (suspect && c->has_answer && !strstr(c->answer, word))
        claim_say_plural(c, l, " One time of its table is %{word}.",
                         " %{suspect} times of its table are %{word}.", (int64_t)suspect,
                         WITH({"suspect", number_of(suspect).text}, {"word", word}));
    c->because[0] = '\0';
}

/* Says how much of the arithmetic of a GPU in its rows float32 can use, if its rates are known. */
static void say_float32_rate(const struct experiment *e, const struct language *l, struct claim *c)
{
    const struct card *card = NULL;
    for (size_t i = 0; c->has_answer && i < c->count && !card; i++)
        card = float32_card(&e->analysis, c->rows[i]);
    if (card)
        claim_say(c, l,
                  " On the %{card}, float32 alone can use %{share} of the rate at which tensor "
                  "cores multiply bf16 (%{float32} of %{bf16} TFLOP/s, as its maker publishes "
                  "them).",
                  WITH({"card", card->name},
                       {"share", number_percent(l, card->float32_tflops / card->bf16_tflops).text},
                       {"float32", number_in(l, "%g", card->float32_tflops).text},
                       {"bf16", number_in(l, "%g", card->bf16_tflops).text}));
}

void claim_make(const struct experiment *e, const char *chart, const struct language *l,
                struct claim *c)
{
    const struct chart_kind *kind = chart_kind_find(chart);
    *c = (struct claim){0};
    const bool selected = kind && kind->selected->sentences;
    if (selected)
        claim_selected(kind->selected, e, l, c);
    else if (kind)
        claim_errors(e, l, c);
    else
        text_fit(c->title, sizeof c->title, experiment_title(e, l).text);
    if (selected) /* the other contains the errors itself */
        claim_say_dissimilar(c, l);
    say_float32_rate(e, l, c);
    c->has_answer = c->has_answer || !kind;
    for (size_t i = 0; i < c->count && kind && !selected; i++)
        time_counts_add(&c->drawn, c->rows[i]);
    mark_doubt(c, l);
}

void chart_caption(const struct experiment *e, const char *chart, const struct claim *c,
                   const struct language *l, char caption[CHART_CAPTION])
{
    const struct words quantity = chart_quantity(e, chart, l);
    char counts[TIME_COUNTS_TEXT];
    time_counts_say(&c->drawn, l, counts);
    text_fit_format(caption, CHART_CAPTION, "%s%s%s.%s%s", c->title, quantity.text[0] ? ": " : "",
                    quantity.text, counts[0] ? " " : "", counts);
}
