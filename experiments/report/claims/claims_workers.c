/* The gain from more workers, and its cost. */
#include "experiments/analysis/selections/columns.h"
#include "experiments/analysis/selections/fastest.h"
#include "experiments/analysis/selections/workers/workers.h"
#include "experiments/report/claims/selected_charts.h"
#include "harness/base/text/messages.h"

#include <math.h>

/* ---- compared with the serial baseline ------------------------------------------------------- */

/* The places are the roles of fastest.h. */
static const struct template space_sentences = {
    .title =
        {
            SAY_IF("gain", "%{fastest.method} with %{fastest.workers}: %{gain.brief} times as fast "
                           "as serial %{base.method}"),
            SAY("Nothing is seen to be faster than serial %{base.method}"),
        },
    .answer =
        {
            SAY_OF(
                "sole",
                "Of %{methods} at %{fastest}, the fastest is %{fastest.method} with "
                "%{fastest.workers}: %{fastest.y}%{fastest.doubt}, in total time %{gain.y} times "
                "as fast as serial %{base.method} (%{base.y})"),
            SAY_OF("tie",
                   "Of %{methods} at %{fastest}, %{fastest.method} with %{fastest.workers} takes "
                   "%{fastest.y}%{fastest.doubt}, in total time %{gain.y} times as fast as serial "
                   "%{base.method} (%{base.y}); no difference from %{tie.method} with "
                   "%{tie.workers} is seen"),
            SAY_OF("only", "At %{fastest}, %{fastest.method} with %{fastest.workers} takes "
                           "%{fastest.y}%{fastest.doubt}"),
            {.id = "; %{left_out}"},
            {.id = "."},
            SAY(" Per worker it is %{each.y} times as fast as serial %{base.method}."),
        },
    .plain = {SAY_IF("gain", "Where serial %{base.method} takes one minute, %{fastest.method} with "
                             "%{fastest.workers} takes %{minute.roughly}.")},
};
static const struct columns all_spaces = {
    .panels = {{"named_total", "named_total", "named_total !status=INVALID elements~",
                "[*operator?%{operator} ]%{space} %{method}[distribution? "
                "%{distribution}][offload? %{offload}]",
                false}},
    .mark = COLUMNS_WORKERS,
    .order = "place",
    .name_roles = fastest_name_space,
};
static const struct form spaces_form =
    FORM("dots", NULL, N_("times as fast as the serial baseline (total time)"), NULL, "%g",
         AXIS_LOG, AXIS_LOG, .level = 1.0);
const struct selected_chart spaces_chart = {select_columns, &all_spaces, &spaces_form,
                                            &space_sentences};

static const struct template distribution_sentences = {
    .title =
        {
            SAY_IF("differs", "%{slow} takes %{times.brief} times as long as %{fast}"),
            SAY("%{slow} and %{fast}: no difference is seen"),
        },
    .answer = {SAY("At %{time} with %{time.workers}, %{slow} takes in total %{times.y} times as "
                   "long as %{fast} (%{time.method}, %{time.y}%{time.doubt}).")},
    .plain = {SAY("With generate, every rank makes its own part of the image; with scatter, one "
                  "rank has the whole image and sends the others their parts.")},
};
static const struct columns distribution = {
    .panels = {{"size", "total_s", "distribution", "%{method} %{distribution} r=%{ranks}", false}},
    .dashed = "distribution=scatter",
    .name_roles = workers_name_distribution,
};
static const struct form distribution_form =
    FORM("lines", NULL, N_("n, rows and columns"), N_("total time"), "%.0s %cs", AXIS_LOG, AXIS_LOG,
         .level = 0.0);
const struct selected_chart distribution_chart = {select_columns, &distribution, &distribution_form,
                                                  &distribution_sentences};

/* ---- ranks and threads ----------------------------------------------------------------------- */

/* The places are the roles of workers.h. */
static const struct template weak_sentences = {
    .title = {SAY("Weak scaling: %{most.way} has an efficiency of %{most.percent} with "
                  "%{most.workers}")},
    .answer =
        {
            SAY("When the work grows with the workers, %{most.way} with %{most.workers} has an "
                "efficiency of %{most.percent}%{most.doubt}"),
            SAY(", and %{least.way} with %{least.workers} of %{least.percent}"),
            {.id = "."},
        },
    .plain = {SAY("Each worker has as much work as one had alone, so without any loss all would "
                  "finish in the same time; %{most.way} takes about %{inverse.share} of that "
                  "time.")},
};
static const struct speedup_parameters weak = {.weak = true, .name_roles = workers_name_weak};
static const struct form weak_form =
    FORM("speedup", NULL, NULL, N_("scaled speedup"), "%g", AXIS_LOG, AXIS_LOG, .level = 0.0);

static const struct template hybrid_sentences = {
    .title =
        {
            SAY_IF("alone", "%{best.workers} are the fastest with %{best.method}"),
            SAY("%{best.method}: no division of the cores is seen to be faster"),
        },
    .answer = {SAY("At %{best}, %{best.workers} take %{best.y} with %{best.way}%{best.doubt}; "
                   "%{other.workers} take %{worst.y} times as long%{other.doubt}.")},
    .plain =
        {
            SAY_IF("alone", "The same cores work in all of these cases; dividing them into "
                            "processes or threads changes the time."),
            SAY_IF("same", "The same cores work in all of these cases; no difference is seen "
                           "between processes and threads."),
        },
};
static const struct columns hybrid = {
    .panels = {{"total_s", "total_s", "workers>1 total_s elements^",
                N_("%{method}, ranks × threads: [ranks?%{ranks}][!ranks?1] × %{threads}"), false}},
    .order = "place",
    .name_roles = workers_name_hybrid,
};
static const struct form hybrid_form =
    FORM("dots", NULL, N_("total time"), NULL, "%.0s %cs", AXIS_LOG, AXIS_LOG, .level = 0.0);

static const struct template overhead_sentences = {
    .title =
        {
            SAY_IF("unseen", "One rank and the serial program: no difference is seen"),
            SAY("One rank takes up to %{most.share} longer than the serial program"),
        },
    .answer =
        {
            SAY("Compared with the total time of the best serial method of the same work, one rank "
                "adds"),
            SAY(" from %{least.share} [%{least.lower}, %{least.upper}] with %{least.method} "
                "(%{least})%{least.doubt} to"),
            SAY(" %{most.share} [%{most.lower}, %{most.upper}] with %{most.method} "
                "(%{most})%{most.doubt}"),
            SAY("; a difference is seen in %{seen.x} of %{count.x} comparisons."),
        },
    .plain =
        {
            SAY_IF("seen", "The MPI program pays this price even when it runs with one process."),
            SAY_IF("unseen", "No difference is seen between the serial program and the MPI program "
                             "with one process."),
        },
};
/* Percent of time that is added to the baseline's. */
static void convert_overhead(struct selection_row *row)
{
    const struct interval ends = row->ends;
    row->y = 100.0 / row->y - 100.0;
    row->ends = (struct interval){100.0 / ends.upper - 100.0, 100.0 / ends.lower - 100.0};
}
static const struct columns overhead = {
    .panels = {{"best_total", "best_total", "best_total space=mpi workers=1",
                "[*operator?%{operator} ]%{method}[distribution? %{distribution}]"
                "[*elements? n=%{size}]",
                false}},
    .order = "place",
    .convert = convert_overhead,
    .name_roles = workers_name_overhead,
};
static const struct form overhead_form = {
    .name = "dots",
    .panels = {{NULL, N_("slower than the best serial method (gray: ±5 %)"), NULL, "%g %%",
                AXIS_LINEAR, AXIS_LINEAR, .level = NAN}},
    .band = 5.0,
};

static const struct template message_sentences = {
    .title =
        {
            SAY("Messages take %{least.share} to %{most.share} of the total time"),
            SAY("Messages take %{only.share} of the total time"),
        },
    .answer =
        {
            SAY("At %{most}, messages between %{most.workers} take from %{least.share} "
                "(%{least.way}) to %{most.share} (%{most.way}) of the total time."),
            SAY("At %{only}, messages between %{only.workers} take %{only.share} of the total time "
                "(%{only.way})."),
        },
    .plain = {SAY("Sending and receiving data, instead of computing, takes up to about "
                  "%{minute.about} of each minute.")},
};
static const struct columns_bar communication_bar = {
    .label = N_("%{method} %{distribution}, ranks: %{ranks}"),
    .parts = {{"distribute_s", N_("distribute"), 0x56B4E9},
              {"compute_s", N_("compute"), 0xE69F00},
              {"collect_s", N_("collect"), 0xCC79A7}},
};
static const struct columns communication = {
    .panels = {{.x = "total_s", .where = "distribution total_s !status=INVALID elements^"}},
    .bar = &communication_bar,
    .name_roles = workers_name_messages,
};
static const struct form communication_form =
    FORM("bars", NULL, N_("total time"), NULL, "%.0s %cs", AXIS_LINEAR, AXIS_LINEAR, .level = 0.0);

const struct selected_chart weak_scaling_chart = {select_speedup, &weak, &weak_form,
                                                  &weak_sentences},
                            hybrid_chart = {select_columns, &hybrid, &hybrid_form,
                                            &hybrid_sentences},
                            overhead_chart = {select_columns, &overhead, &overhead_form,
                                              &overhead_sentences},
                            communication_chart = {select_columns, &communication,
                                                   &communication_form, &message_sentences};

/* ---- many ranks ------------------------------------------------------------------------------ */

/* The places are the roles of workers.h. */
static const struct template scale_sentences = {
    .title =
        {
            SAY_OF("sole", "n = %{n.x}: %{ranks.x} ranks are the fastest, %{time.plain}"),
            SAY_OF("lone", "n = %{n.x}, simulated: %{ranks.x} ranks take %{time.plain}"),
            SAY("n = %{n.x}, %{ranks.x} and %{tie.x} ranks: no difference is seen"),
        },
    .answer =
        {
            SAY_OF("sole", "In simulation at n = %{n.x}, the total time is shortest with "
                           "%{ranks.x} ranks on %{platform}: %{time.plain}"),
            SAY_OF("lone", "In simulation at n = %{n.x}, %{ranks.x} ranks on %{platform} take "
                           "%{time.plain}; no other number of ranks was simulated"),
            SAY_OF("tie", "In simulation at n = %{n.x}, %{ranks.x} ranks on %{platform} take "
                          "%{time.plain}; no difference from %{tie.x} ranks is seen"),
            SAY("; the model is wrong by %{middle.share} in the median and by at most "
                "%{worst.share} at %{measured.x} measured points that it was not fitted to"),
            SAY(", and %{inside.x} of %{known.x} lie within its 95 % interval"),
            SAY("; the simulation differs from the model by at most %{far.share} (simulated "
                "points: %{simulated.x})"),
            {.id = "."},
        },
    .plain =
        {
            SAY_IF("more_ranks",
                   "This is computed by a simulator, not measured. With still more ranks, messages "
                   "would cost more time than the further ranks save."),
            SAY_IF("most", "This is computed by a simulator, not measured; more ranks than that "
                           "were not simulated."),
            SAY(" At most %{few.x} ranks were measured here. That tests what a rank computes and "
                "what few messages cost; it says nothing about %{ranks.x} ranks."),
        },
};
static const struct columns scale = {.name_roles = scale_name_ranks};
static const struct form scale_form = FORM("lines", NULL, N_("MPI ranks"), N_("total time"),
                                           "%.0s %cs", AXIS_LOG, AXIS_LOG, .level = 0.0);
const struct selected_chart scale_chart = {select_columns, &scale, &scale_form, &scale_sentences};
