/* Which method is the fastest, and how much it gained. */
#include "experiments/analysis/selections/columns.h"
#include "experiments/analysis/selections/fastest.h"
#include "experiments/analysis/selections/workers/workers.h"
#include "experiments/report/claims/selected_charts.h"
#include "harness/base/text/messages.h"

/* The places are the roles of fastest.h. */
static const struct template method_sentences = {
    .title =
        {
            SAY_IF("gain", "%{fastest.method} is %{gain.brief} times as fast as %{base.method}"),
            SAY_IF("even", "%{fastest.method} and %{base.method}: no difference is seen"),
            SAY_IF("doubted",
                   "%{fastest.method} takes %{fastest.plain}; all measurements are SUSPECT"),
            SAY_IF("left_out",
                   "%{fastest.method} takes %{fastest.plain}; times of faster methods are SUSPECT"),
            SAY_IF("tied", "%{fastest.method} and %{tie.method}: no difference is seen"),
            SAY_IF("alone", "%{fastest.method} is the fastest: %{fastest.plain}"),
            SAY("%{fastest.method} takes %{fastest.plain}"),
        },
    .answer =
        {
            SAY("%{fastest}: with one worker %{fastest.method} takes %{fastest.y}%{fastest.doubt}"),
            SAY(", %{gain.y} times as fast as %{base.method}"),
            SAY("; no difference from %{tie.method} is seen"),
            SAY(" (%{tie_times.y} times as long)"),
            {.id = "; %{left_out}"},
            SAY("; %{many.workers} take %{many.y} with %{many.method}%{many.doubt}"),
            SAY("; the maximum alone, by %{maximum.method}, takes %{maximum.y}%{maximum.doubt}"),
            {.id = "."},
        },
    .plain =
        {
            SAY_IF("gain", "Where %{base.method} takes one minute, %{fastest.method} takes "
                           "%{minute.roughly}."),
            SAY_IF("left_out", "Faster methods were measured too, but their times are doubtful."),
            SAY_OF("least", "%{fastest.method} needs the least time of all methods that were "
                            "measured with one worker."),
            SAY(" The samples do not show which of %{fastest.method} and %{tie.method} is faster."),
        },
};

/* ---- charts of all methods ------------------------------------------------------------------- */

static const struct columns methods = {
    .panels = {{"size", "window_ns", "rung workers=1", "%{method}", false},
               {"size", "window_ns", "rung !workers=1", "%{method}", false}},
    .dashed = "kind=maximum",
    .name_roles = fastest_name_serial_in_caches,
};
static const struct form methods_form = {
    .name = "lines",
    .panels = {LOG_PANEL(N_("one worker"), N_("n, rows and columns"), N_("ns per window"), "%g"),
               LOG_PANEL(N_("all workers"), N_("n, rows and columns"), N_("ns per window"), "%g")},
};

static const struct columns ladder = {
    .panels = {{"kernel", "named_compute", LADDER_POINTS " stride=kernel", "%{method}", false},
               {"kernel", "named_compute", LADDER_POINTS " stride=1", "%{method}", false}},
    .dashed = "kind=maximum",
    .name_roles = fastest_name_serial,
};
static const struct form ladder_form = {
    .name = "lines",
    .panels = {APART_AND_OVERLAPPING(N_("times as fast as literal"), .level = 1.0)},
};

static const struct columns distances_growth = {
    .panels = {{"rows", "compute_s", "operator=distances space=serial rung !cols>128", "%{method}",
                false},
               {"rows", "compute_s", "operator=distances space=serial rung cols>128", "%{method}",
                false}},
    .name_roles = fastest_name_serial,
};
static const struct form distances_growth_form = {
    .name = "lines",
    .panels = {{N_("128 dimensions"), N_("n, points"), N_("compute time (dotted: n²)"), "%.0s %cs",
                AXIS_LOG, AXIS_LOG, 2.0, NULL, NULL},
               {N_("512 dimensions"), N_("n, points"), N_("compute time (dotted: n²)"), "%.0s %cs",
                AXIS_LOG, AXIS_LOG, 2.0, NULL, NULL}},
};

static const struct columns brain = {
    .panels = {{"total_s", "total_s", "elements^", "[*operator?%{operator} ]%{method}", false}},
    .mark = COLUMNS_WORKERS,
    .order = "place",
    .name_roles = fastest_name_serial,
};
static const struct form brain_form =
    FORM("dots", NULL, N_("total time"), NULL, "%.0s %cs", AXIS_LOG, AXIS_LOG, .level = 0.0);

static const struct columns methods_by_shape = {
    .panels = {{"named_compute", "named_compute", SHAPE_POINTS, SHAPE_ROW, false}},
    .group = SHAPE_GROUP,
    .order = "rung",
    .name_roles = fastest_name_serial,
};
static const struct form methods_by_shape_form =
    FORM("dots", NULL, N_("times as fast as the first rung"), NULL, "%g", AXIS_LOG, AXIS_LOG,
         .level = 1.0);

const struct selected_chart methods_chart = {select_columns, &methods, &methods_form,
                                             &method_sentences},
                            ladder_chart = {select_columns, &ladder, &ladder_form,
                                            &method_sentences},
                            distances_growth_chart = {select_columns, &distances_growth,
                                                      &distances_growth_form, &method_sentences},
                            brain_chart = {select_columns, &brain, &brain_form, &method_sentences},
                            methods_by_shape_chart = {select_columns, &methods_by_shape,
                                                      &methods_by_shape_form, &method_sentences};

/* ---- instruction sets ------------------------------------------------------------------------ */

/* The places are the roles of isa_name_gains. */
static const struct template isa_sentences = {
    .title =
        {
            SAY_IF("faster", "%{most.isa} makes %{most.method} %{most.brief} times as fast"),
            SAY("No instruction set is seen to make a method faster"),
        },
    .answer =
        {
            SAY("%{most.isa} makes %{most.method} %{most.y} times as fast as the baseline "
                "instruction set (%{most})"),
            SAY(", and %{least.method} at most %{least.y} times"),
            {.id = "%{most.doubt}."},
        },
    .plain = {SAY_IF("faster", "One instruction of %{most.isa} works on more values at once; "
                               "%{most.method} takes about %{inverse.share} of the time that it "
                               "takes with the baseline instruction set.")},
};
static const struct columns isa = {
    .panels = {{"narrow_compute", "narrow_compute",
                "narrow_compute isa_limit !isa_limit=baseline rung",
                "[*operator?%{operator} ]%{method}[kernel? k=%{kernel}]"
                "[kernel !stride=kernel? s=%{stride}][*elements? n=%{size}]",
                false}},
    .mark = "%{isa_limit}",
    .order = "place",
    .name_roles = isa_name_gains,
};
static const struct form isa_form = FORM("dots", NULL, N_("times as fast as --isa baseline"), NULL,
                                         "%g", AXIS_LOG, AXIS_LOG, .level = 1.0);

/* ---- epilogues ------------------------------------------------------------------------------- */

/* The places are the roles of epilogue_name_share. */
static const struct template epilogue_sentences = {
    .title = {SAY("Applied as outputs are stored, %{stored.method} takes %{stored.share} of the "
                  "time of a separate pass")},
    .answer = {SAY("%{stored.method} takes %{stored.percent} of the time when factor, bias, "
                   "residual and clamp are applied as outputs are stored instead of in a separate "
                   "pass (%{stored}%{time.doubt}).")},
    .plain = {SAY("Finishing an output while the processor still holds it saves writing and "
                  "reading it once more; it takes about %{stored.share} of the time.")},
};
static const struct columns conv_epilogue = {
    .panels = {{"compute_s", "compute_s", "space=serial label:residual=",
                N_("%{method}: [label:epilogue=pass?in a separate pass]"
                   "[!label:epilogue=pass?as outputs are stored]"),
                false}},
    .order = "place",
    .name_roles = epilogue_name_share,
};
static const struct form conv_epilogue_form = FORM(
    "dots", NULL, N_("compute time"), NULL, "%.1s %cs", AXIS_LINEAR, AXIS_LINEAR, .level = 0.0);

const struct selected_chart isa_chart = {select_columns, &isa, &isa_form, &isa_sentences},
                            conv_epilogue_chart = {select_columns, &conv_epilogue,
                                                   &conv_epilogue_form, &epilogue_sentences};
