/* Whole networks: which device, which network, which batch. */
#include "experiments/analysis/selections/columns.h"
#include "experiments/analysis/selections/networks.h"
#include "experiments/report/claims/selected_charts.h"
#include "harness/base/text/messages.h"

/* The places are the roles of networks.h. */
static const struct template device_sentences = {
    .title = {SAY("%{small} takes %{small.y} with %{small.workers}")},
    .answer =
        {
            SAY("%{small} takes %{small.y} with %{small.workers}%{small.doubt}"),
            SAY("; %{pixels.plain} times the pixels take %{longer.y} times as long"),
            SAY("; at %{gpu.side} the GPU takes %{gpu.y}, the processor %{times.y} times that"),
            SAY("; at %{large_gpu.side} the GPU takes %{large_gpu.y}, the processor "
                "%{large_times.y} times that"),
            SAY_OF("no_gpu", "; no GPU was measured"),
            {.id = "."},
        },
    .plain = {SAY("That is %{rate.roughly} images in a second.")},
};

static const struct template lighter_sentences = {
    .title = {SAY("%{heavy.network} takes %{heavy.brief} times as long as %{light.network}")},
    .answer =
        {
            SAY("%{light} takes %{light.y} with %{light.workers}%{light.doubt}"),
            SAY("; %{heavy.network} takes %{heavy.y} times as long, with %{work.plain} times the "
                "multiply-adds."),
        },
    .plain =
        {
            SAY_IF("slower",
                   "%{light.network} needs fewer multiplications, but more time for each of them."),
            SAY_IF("faster",
                   "%{light.network} needs fewer multiplications, and less time for each of them."),
            SAY_IF(
                "same",
                "%{light.network} needs fewer multiplications; no difference is seen in the time "
                "for each of them."),
        },
};

static const struct template batch_sentences = {
    .title =
        {
            SAY_IF(
                "same",
                "%{large.network} in batches of %{small.x} and %{large.x}: no difference is seen"),
            SAY_OF(
                "training",
                "An %{input} of %{large.network} trains %{gain.brief} times as fast in a batch of "
                "%{large.x}"),
            SAY("An %{input} of %{large.network} is %{gain.brief} times as fast in a batch of "
                "%{large.x}"),
        },
    .answer =
        {
            SAY_OF(
                "inference",
                "With %{large.workers}, %{large.network} takes %{image.plain} for an %{input} in a "
                "batch of %{large.x}: %{gain.y} times as fast as in a batch of "
                "%{small.x}%{large.doubt}."),
            SAY_OF(
                "training",
                "With %{large.workers}, %{large.network} takes %{image.plain} of training for an "
                "%{input} in a batch of %{large.x}: %{gain.y} times as fast as in a batch of "
                "%{small.x}%{large.doubt}."),
        },
    .plain =
        {
            SAY_IF("less", "Computing several together costs less for each of them."),
            SAY_IF("more", "Computing several together costs more for each of them here."),
            SAY_IF("same", "Alone or in a batch: no difference is seen."),
        },
};

static const struct template size_sentences = {
    .title = {SAY("A step of %{small.network} takes %{small.plain}, of %{large.network} "
                  "%{large.plain}")},
    .answer = {SAY("A training step of %{small} takes %{small.y} with "
                   "%{small.workers}%{small.doubt}; a step of %{large}, with %{more.plain} times "
                   "as many parameters, takes %{large.y}%{large.doubt}.")},
    .plain = {SAY("The larger network takes %{times.roughly} times as long for a step.")},
};

/* ---- charts ---------------------------------------------------------------------------------- */

static const char network[] = "%{network}[!method=auto? %{method}]";

/* NOLINTBEGIN(bugprone-macro-parentheses): texts are joined, names become parts of names */
#define BATCH_CHART(chart, task, roles)                                                            \
    static const struct columns chart##_columns = {                                                \
        .panels = {{"batch", "image_s", "network " task " workers=1", network, false},             \
                   {"batch", "image_s", "network " task " !workers=1", network, false}},           \
        .name_roles = (roles),                                                                     \
    };                                                                                             \
    const struct selected_chart chart##_chart = {select_columns, &chart##_columns, &batch_form,    \
                                                 &batch_sentences}
/* NOLINTEND(bugprone-macro-parentheses) */
static const struct form batch_form = {
    .name = "lines",
    .panels = {LOG_PANEL(N_("one worker"), N_("images of a batch"), N_("time of one image"),
                         "%.0s %cs"),
               LOG_PANEL(N_("all workers"), N_("images of a batch"), N_("time of one image"),
                         "%.0s %cs")},
};
BATCH_CHART(batch, "!task=train", networks_name_batch);
BATCH_CHART(training_batch, "task=train", networks_name_training_batch);

static const struct columns devices_side = {
    .panels = {{"cols", "total_s", "network rows=cols",
                N_("[*network?%{network}, ][!workers?GPU %{method}][workers=1?1 worker]"
                   "[workers>1?%{workers} workers]"),
                false}},
    .name_roles = networks_name_devices,
};
static const struct form devices_side_form =
    FORM("lines", NULL, N_("side of the image"), N_("total time of a batch"), "%.0s %cs", AXIS_LOG,
         AXIS_LOG, .level = 0.0);

/* With the most workers, and on a GPU. */
static const struct columns training_size = {
    .panels = {{"parameter_bytes", "total_s", "task=train !workers|workers^",
                N_("[!workers?GPU, ]batch %{batch}"), false}},
    .name_roles = networks_name_training_size,
};
static const struct form training_size_form = {
    .name = "lines",
    .panels = {{"%{team}", N_("parameters of the network"), N_("time of a step"), "%.0s %cs",
                AXIS_BYTES, AXIS_LOG, 0.0, NULL, NULL}},
};

#define NETWORK_ROW "%{network}[rows=cols !batch=rows? %{rows}²][batch>1? × %{batch}]"
static const struct columns devices = {
    .panels = {{"total_s", "total_s", "network", NETWORK_ROW, false}},
    .mark = COLUMNS_WORKERS,
    .order = "operations",
    .name_roles = networks_name_devices,
};
static const struct form devices_form = FORM("dots", NULL, N_("total time of a batch"), NULL,
                                             "%.0s %cs", AXIS_LOG, AXIS_LOG, .level = 0.0);

static const struct columns lighter = {
    .panels = {{"image_s", "image_s", "network", NETWORK_ROW, false}},
    .mark = COLUMNS_WORKERS,
    .order = "image_s",
    .by_row = true,
    .name_roles = networks_name_lighter,
};
static const struct form lighter_form = FORM("dots", NULL, N_("total time of one image"), NULL,
                                             "%.0s %cs", AXIS_LOG, AXIS_LOG, .level = 0.0);

const struct selected_chart devices_chart = {select_columns, &devices, &devices_form,
                                             &device_sentences},
                            devices_side_chart = {select_columns, &devices_side, &devices_side_form,
                                                  &device_sentences},
                            lighter_chart = {select_columns, &lighter, &lighter_form,
                                             &lighter_sentences},
                            training_size_chart = {select_columns, &training_size,
                                                   &training_size_form, &size_sentences};

/* ---- layers ---------------------------------------------------------------------------------- */

/* The places are the roles of layers.h. */
static const struct template layer_sentences = {
    .title = {SAY("%{longest} takes %{longest.share} of the time of %{network}")},
    .answer =
        {
            SAY_OF("sole", "Of the %{steps.x} steps of %{network}, %{longest} takes the most time: "
                           "%{longest.percent}; "),
            SAY_OF("tie",
                   "Of the %{steps.x} steps of %{network}, %{longest} takes "
                   "%{longest.percent} of the time, and no difference from %{tie} is seen; "),
            SAY_IF("alone", "it alone takes at least half."),
            SAY_IF("several", "the %{half.x} longest take half."),
            SAY_OF("alone_far",
                   " Among the steps that take at least 1 % of the time, %{furthest} is furthest "
                   "from this machine's limit and reaches %{furthest.percent} of it; all steps "
                   "together reach %{all.percent}."),
            SAY_OF("as_far",
                   " Among the steps that take at least 1 % of the time, %{furthest} reaches "
                   "%{furthest.percent} of this machine's limit, and no difference from %{as_far} "
                   "is seen; all steps together reach %{all.percent}."),
        },
    .plain = {SAY("If %{longest} alone were twice as fast, the whole network would save about "
                  "%{saved.share} of its time.")},
};
static const struct columns steps = {.name_roles = layers_name_steps},
                            passes = {.name_roles = layers_name_passes};
static const struct form steps_form =
    FORM("dots", NULL, N_("share, %"), NULL, "%g", AXIS_LINEAR, AXIS_LINEAR, .level = 0.0);
static const struct form passes_form = FORM("bars", NULL, N_("share of the time of a step, %"),
                                            NULL, "%g", AXIS_LINEAR, AXIS_LINEAR, .level = 0.0);
const struct selected_chart layers_chart = {select_columns, &steps, &steps_form, &layer_sentences},
                            training_layers_chart = {select_columns, &passes, &passes_form,
                                                     &layer_sentences};
