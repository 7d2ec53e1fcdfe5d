/* How close methods come to the limit of the machine, and how they compare with other libraries. */
#include "experiments/analysis/selections/columns.h"
#include "experiments/analysis/selections/contest.h"
#include "experiments/analysis/selections/fastest.h"
#include "experiments/report/claims/selected_charts.h"
#include "harness/base/text/messages.h"

/* ---- the roof -------------------------------------------------------------------------------- */

/* The places are the roles of limits_name_roof. */
static const struct template roof_sentences = {
    .against = AGAINST_ROOF,
    .title = {SAY("%{nearest.method} reaches %{nearest.bounds} of this machine's limit")},
    .answer =
        {
            SAY("With one worker, these shares of this machine's limit are reached: "
                "%{nearest.operator} %{nearest.method} %{nearest.percent} "
                "(%{nearest})%{nearest.doubt}"),
            SAY_EACH("next",
                     ", %{next.operator} %{next.method} %{next.percent} (%{next})%{next.doubt}"),
            {.id = "."},
        },
    .plain = {SAY("Moving the data and computing take this machine at least a certain time, its "
                  "limit; %{nearest.method} takes %{times.roughly} times as long as that.")},
};

static const struct columns ladder_roof = {
    .panels = {{"kernel", "roof_share", LADDER_POINTS " size^ stride=kernel", "%{method}", false},
               {"kernel", "roof_share", LADDER_POINTS " size^ stride=1", "%{method}", false}},
    .dashed = "kind=maximum",
    .name_roles = limits_name_roof,
};
static const struct form ladder_roof_form = {
    .name = "lines",
    .panels = {APART_AND_OVERLAPPING(N_("limit / time (1: at the limit)"), .level = 1.0)},
    .y_top = 1.6,
};

static const struct columns roof_by_shape = {
    .panels = {{"roof_share", "roof_share", SHAPE_POINTS, SHAPE_ROW, false}},
    .group = SHAPE_GROUP,
    .order = "rung",
    .name_roles = limits_name_roof,
};
static const struct form roof_by_shape_form =
    FORM("dots", NULL, N_("limit / time (1: at the limit)"), NULL, "%g", AXIS_LINEAR, AXIS_LINEAR,
         .level = 1.0);

/* A panel for each operator. */
static const struct columns roofline = {
    .panels = {{"intensity", "gigaoperations_per_s",
                "gigaoperations_per_s intensity rung workers=1", "%{method}", false}},
    .panel = "%{operator}",
    .name_roles = limits_draw_ceilings,
};
static const struct form roofline_form =
    FORM("scatter", NULL, N_("operations per byte"), N_("10⁹ operations/s"), "%g", AXIS_LOG,
         AXIS_LOG, .level = 0.0);

/* The same, at the smallest windows apart if there are windows. */
static const struct columns roofline_share = {
    .panels = {{"bytes", "roof_share",
                "roof_share rung workers=1 !kernel|kernel< !kernel|stride=kernel "
                "!kernel|padding=0",
                "%{method}", false}},
    .panel = "%{operator}[kernel?, k = s = %{kernel}]",
    .dashed = "kind=maximum",
    .name_roles = limits_name_roof,
};
static const struct form roofline_share_form = {
    .name = "lines",
    .panels = {{NULL, N_("working set"), N_("limit / time (1: at the limit)"), "%g", AXIS_BYTES,
                AXIS_LOG, .level = 1.0}},
    .y_top = 1.6,
};

const struct selected_chart ladder_roof_chart = {select_columns, &ladder_roof, &ladder_roof_form,
                                                 &roof_sentences},
                            roof_by_shape_chart = {select_columns, &roof_by_shape,
                                                   &roof_by_shape_form, &roof_sentences},
                            roofline_chart = {select_columns, &roofline, &roofline_form,
                                              &roof_sentences},
                            roofline_share_chart = {select_columns, &roofline_share,
                                                    &roofline_share_form, &roof_sentences};

/* ---- other libraries ------------------------------------------------------------------------- */

/* The places are the roles of select_contest. */
static const struct template contest_sentences = {
    .title =
        {
            SAY_IF("differs", "Ours is faster in %{won.x} of %{count.x} comparisons"),
            SAY("Ours and other libraries: no difference is seen"),
        },
    .answer =
        {
            SAY_IF("differs", "With one worker, our fastest method is faster than the fastest "
                              "library in %{won.x} of %{count.x} comparisons"),
            SAY_IF("differs", ", slower in %{lost.x}"),
            SAY_IF("differs", ", and no difference is seen in %{even.x}"),
            SAY_IF("even", "With one worker, no difference between our fastest method and the "
                           "fastest library is seen (comparisons: %{count.x})"),
            SAY("; the time of the library is %{only.y} (%{only}) times ours."),
            SAY("; the library takes at least %{low.y} (%{low}) and at most %{high.y} (%{high}) "
                "times our time"),
            SAY(", and %{middle.y} times ours in the middle of the list"),
            {.id = ".", .role = "high"},
            SAY(" In %{plain_loops.x} of these the fastest library has no vector code for the "
                "shape and fell back to plain loops."),
            {.id = "%{similar}"},
            SAY_EACH("program", " %{program.method} takes %{program.y} times our time."),
            SAY_EACH("programs", " %{programs.method} takes at least %{programs.y} and at most "
                                 "%{programs} times our time."),
        },
    .plain = {SAY("A number above 1 means that the library takes longer than our method; below 1, "
                  "our method takes longer.")},
};

static const struct contest_chart peers = {SHAPES_NAMED}, peers_planes = {SHAPES_PLANES},
                                  peers_networks = {SHAPES_NETWORKS};
static const struct form peers_form =
    FORM("dots", NULL, N_("time of the library / ours (right of 1: ours is faster)"), NULL, "%g",
         AXIS_LOG, AXIS_LOG, .level = 1.0);
#define PLANES_PANEL(step)                                                                         \
    {                                                                                              \
        "s = " step, "n", N_("library / ours (above 1: ours is faster)"), "%g", AXIS_LOG,          \
            AXIS_LOG, .level = 1.0                                                                 \
    }
static const struct form planes_form = {
    .name = "lines",
    .panels = {PLANES_PANEL("1"), PLANES_PANEL("2"), PLANES_PANEL("k")},
    .y_top = 1.3,
};

const struct selected_chart peers_chart = {select_contest, &peers, &peers_form, &contest_sentences},
                            peers_planes_chart = {select_contest, &peers_planes, &planes_form,
                                                  &contest_sentences},
                            peers_networks_chart = {select_contest, &peers_networks, &peers_form,
                                                    &contest_sentences};
