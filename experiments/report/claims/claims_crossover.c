/* Which of two ways takes less time as fully connected networks grow: one thread and all, the
 * processor and a GPU, a wide network and a deep one. */
#include "experiments/analysis/selections/crossover.h"
#include "experiments/report/claims/selected_charts.h"
#include "harness/base/text/messages.h"

/* The places are the roles of select_crossing. */
static const struct template crossing_sentences = {
    .title =
        {
            SAY_IF("changes", "The faster of %{first} and %{second} changes more than once"),
            SAY_IF("apart",
                   "Less time with %{nearer} for the smaller networks, with %{farther} for the "
                   "larger"),
            SAY_IF("second",
                   "Less time with %{second} than with %{first} for all %{networks.x} networks"),
            SAY_IF("first",
                   "Less time with %{first} than with %{second} for all %{networks.x} networks"),
            SAY_IF("between",
                   "Crossover of %{first} and %{second} between %{low.x} and %{high.x} parameters"),
            SAY_IF("from",
                   "From %{high.x} parameters on, less time with %{second} than with %{first}"),
            SAY_IF("up_to",
                   "Up to %{low.x} parameters, less time with %{first} than with %{second}"),
            SAY_IF("unseen", "No crossover of %{first} and %{second} is seen"),
        },
    .answer =
        {
            SAY_OF(
                "training",
                "A training step of %{small}, %{small.x} parameters, takes %{small.y} of the time "
                "with %{second} that it takes with %{first}%{small.doubt}; of %{large}, "
                "%{large.x} parameters, %{large.y}%{large.doubt}."),
            SAY_OF("inference",
                   "The inference of %{small}, %{small.x} parameters, takes %{small.y} of the time "
                   "with %{second} that it takes with %{first}%{small.doubt}; of %{large}, "
                   "%{large.x} parameters, %{large.y}%{large.doubt}."),
            SAY_OF(
                "depths",
                "A training step of %{small}, %{small.x} parameters, takes %{small.y} times as "
                "long as one of %{small_deep}, %{small_deep.x} parameters%{small.doubt}. A "
                "training step of %{large}, %{large.x} parameters, takes %{large.y} times as long "
                "as one of %{large_deep}, %{large_deep.x} parameters%{large.doubt}."),
            SAY_IF(
                "changes",
                " As the networks grow, the faster way changes more than once: there is no single "
                "crossover."),
            SAY_IF("apart",
                   " Where the samples decide, it is less with %{nearer} up to %{nearer.x} "
                   "parameters and with %{farther} from %{farther.x} on."),
            SAY_IF(
                "second",
                " It is less with %{second} for all %{networks.x} networks: a crossover would lie "
                "below %{high.x} parameters."),
            SAY_IF(
                "first",
                " It is less with %{first} for all %{networks.x} networks: a crossover would lie "
                "beyond %{low.x} parameters."),
            SAY_IF("between",
                   " It is less with %{first} up to %{low.x} parameters and with %{second} from "
                   "%{high.x} on: the crossover lies between %{low.x} and %{high.x} parameters."),
            SAY_IF("from",
                   " From %{high.x} parameters on it is less with %{second}; below, the samples do "
                   "not decide for every network."),
            SAY_IF(
                "up_to",
                " Up to %{low.x} parameters it is less with %{first}; beyond, the samples do not "
                "decide for every network."),
            SAY_IF("unseen", " The samples do not show from how many parameters on it is less with "
                             "%{second}."),
        },
    .plain =
        {
            SAY_OF(
                "ways",
                "What takes a minute with %{first} takes %{minute.roughly} with %{second}, for the "
                "largest of these networks."),
            SAY_OF("depths",
                   "Of the largest pair, what takes the network of several hidden layers a minute "
                   "takes the one of one hidden layer %{minute.roughly}."),
        },
};

/* ---- charts ---------------------------------------------------------------------------------- */

static const struct form training_form = FORM("lines", N_("batch %{batch.x}"),
                                              N_("parameters of the network, 4 bytes each"),
                                              N_("time of a step"), "%.0s %cs", AXIS_BYTES,
                                              AXIS_LOG, .level = 0.0),
                         inference_form = FORM("lines", N_("batch %{batch.x}"),
                                               N_("parameters of the network, 4 bytes each"),
                                               N_("total time of a batch"), "%.0s %cs", AXIS_BYTES,
                                               AXIS_LOG, .level = 0.0);

static const char few_threads[] = N_("two networks with one thread and with several are needed");
static const char few_devices[] =
    N_("two networks on the processor and on the GPU, in one batch, are needed");
static const char few_depths[] = N_("networks of one hidden layer and of several are needed");

/* A chart of steps of training, or of inference: the two ways, the first being dashed, their names,
 * and what is needed. */
/* NOLINTBEGIN(bugprone-macro-parentheses): names become parts of names */
#define CROSSING(chart, trains, task, way, other, name, other_name, few)                           \
    static const struct crossing chart = {trains, way, other, way, {name, other_name}, few};       \
    const struct selected_chart chart##_chart = {select_crossing, &chart, &task##_form,            \
                                                 &crossing_sentences}
/* NOLINTEND(bugprone-macro-parentheses) */
CROSSING(training_threads, true, training, WAY_ONE_THREAD, WAY_ALL_THREADS, N_("one thread"), NULL,
         few_threads);
CROSSING(inference_threads, false, inference, WAY_ONE_THREAD, WAY_ALL_THREADS, N_("one thread"),
         NULL, few_threads);
CROSSING(training_devices, true, training, WAY_PROCESSOR, WAY_GPU, N_("the processor"),
         N_("the GPU"), few_devices);
CROSSING(inference_devices, false, inference, WAY_PROCESSOR, WAY_GPU, N_("the processor"),
         N_("the GPU"), few_devices);
CROSSING(training_depth, true, training, WAY_PROCESSOR, WAY_PROCESSOR, N_("one hidden layer"),
         N_("several"), few_depths);
CROSSING(training_depth_gpu, true, training, WAY_GPU, WAY_GPU, N_("one hidden layer"),
         N_("several"), few_depths);
