/* How the time grows: with n, with the windows, with k, s and p. */
#include "experiments/analysis/selections/columns.h"
#include "experiments/analysis/selections/growth.h"
#include "experiments/report/claims/selected_charts.h"
#include "harness/base/text/messages.h"

/* ---- sentences ------------------------------------------------------------------------------- */

/* The places are the roles of growth.h. */
static const struct template power_sentences = {
    .title =
        {
            SAY("%{best.method} reaches %{best.plain} GFLOP/s at %{best}"),
            SAY_IF("bent",
                   "No single power of %{x} describes %{exponent.method}: %{x}^%{low.ratio} to "
                   "%{x}^%{exponent.ratio}"),
            SAY_IF("shape", "The time of a window varies as k^%{k.ratio} with %{k.method}"),
            SAY_OF("size", "The time of %{exponent.method} grows as n^%{exponent.ratio}"),
            SAY("The time of %{exponent.method} varies as %{x}^%{exponent.ratio}"),
        },
    .answer =
        {
            SAY_IF(
                "bent",
                "No single power of %{x} describes the time of %{exponent.method} (%{points.x} "
                "points): it varies as %{x}^%{low.ratio} from %{x} = %{low_from.x} to %{low_to.x}, "
                "and as %{x}^%{exponent.ratio} from %{high_from.x} to %{high_to.x}"),
            SAY_IF("bent", "; costs that do not grow with %{x} dominate below %{x} = %{fixed.x}"),
            {.id = N_("The time of %{exponent.method} grows as n^%{exponent.ratio}: twice the side "
                      "takes "
                      "%{times.y} times as long"),
             .finding = "power",
             .role = "side"},
            {.id = N_(
                 "The time of %{exponent.method} grows as n^%{exponent.ratio}: twice the n takes "
                 "%{times.y} times as long"),
             .finding = "power",
             .role = "no_side"},
            SAY_IF("power", " (fitted to %{fitted.x} sizes)"),
            {.id = N_(" (between its two largest sizes)"), .finding = "power", .role = "between"},
            SAY_OF("size", "; at %{last} it is %{last.y}%{last.doubt}."),
            SAY_IF(
                "shape",
                "The time of %{k.method} varies as windows^%{windows.ratio} × k^%{k.ratio} (fitted "
                "to %{points.x} points); (n/s)² k³ would be windows^1 × k^3."),
            {.id = N_("The time of %{exponent.method} varies as k^%{exponent.ratio} (%{curve})."),
             .finding = "power",
             .role = "kernel"},
            {.id = N_(" (%{curve})."), .finding = "bent", .role = "kernel"},
            {.id = N_(
                 "With k = %{k.x} fixed, the time of %{exponent.method} varies as "
                 "s^%{exponent.ratio}: a stride of %{to.x} takes %{share.percent} of the time of a "
                 "stride of %{from.x}."),
             .finding = "power",
             .role = "stride"},
            {.id = ".", .finding = "bent", .role = "stride"},
            SAY_IF("filters", "The time of %{exponent.method} varies with the kernel size as "
                              "k^%{exponent.ratio} (expected from the multiply-adds: 2)"),
            SAY("; with the stride as s^%{strides.ratio} (expected from the windows: -2)"),
            SAY("; with the side of the image as n^%{images.ratio} (expected from the windows: 2)"),
            {.id = ".", .finding = "filters"},
        },
    .plain =
        {
            SAY_OF("bent",
                   "No single rule holds for all sizes; the following holds between the two "
                   "largest. "),
            SAY_IF(
                "shape",
                "With the same number of windows, doubling the side of the window makes the time "
                "about %{twice.about} times as long."),
            SAY("Doubling %{what} divides the time by about %{divided.about}."),
            SAY_OF("grows", "Doubling %{what} makes the time about %{times.about} times as long."),
        },
};

static const struct template window_sentences = {
    .title = {SAY("%{more.plain} times as many windows take %{times.brief} times as long")},
    .answer = {SAY("From n = %{from.x} to %{to.x} with k = %{k.x} there are %{more.plain} times as "
                   "many windows, and %{times.method} takes %{times.y} times as long.")},
    .plain =
        {
            SAY_OF("same",
                   "A window of the larger image takes as long as one of the smaller image."),
            SAY("A window of the larger image takes %{window.roughly} times as long as one of the "
                "smaller image."),
        },
};

/* ---- charts ---------------------------------------------------------------------------------- */

static const char seconds[] = "%.0s %cs";

static const struct columns serial_growth = {
    .panels = {{"size", "compute_s", "growth_series", "%{method}", false},
               {"size", "window_ns", "growth_series", "%{method}", false}},
    .dashed = "kind=maximum",
    .name_roles = growth_name_size,
};
static const struct form serial_growth_form = {
    .name = "lines",
    .panels = {LOG_PANEL(N_("the image"), N_("n, rows and columns"), N_("compute time"), seconds),
               LOG_PANEL(N_("one window"), N_("n, rows and columns"), N_("ns per window"), "%g")},
    .own_y = true,
};

/* Of programs of others, which record their total time alone. */
static const struct columns growth = {
    .panels = {{"size", "total_s", "growth_series", "%{method}[workers>1? × %{workers}]", false}},
    .name_roles = growth_name_size,
};
static const struct form growth_form =
    FORM("lines", NULL, N_("n, the size that the program is given"), N_("total time"), seconds,
         AXIS_LOG, AXIS_LOG, .level = 0.0);

static const struct columns matmul_growth = {
    .panels = {{"size", "gigaoperations_per_s", "growth_series", "%{method}", false}},
    .name_roles = growth_name_rate,
};
static const struct form matmul_growth_form = {
    .name = "lines",
    .panels = {{NULL, N_("n, rows and columns"), "GFLOP/s", "%g", AXIS_LOG, AXIS_LOG, 0.0, "peak",
                N_("peak of one core, %{peak.whole} GFLOP/s")}},
};

static const struct columns hyperparameters = {
    .panels = {{"kernel", "window_ns", "kernel_series stride=kernel", "%{method}", false},
               {"kernel", "window_ns", "kernel_series stride=1", "%{method}", false}},
    .dashed = "kind=maximum",
    .name_roles = growth_name_kernel,
};
static const struct form hyperparameters_form = {
    .name = "lines",
    .panels = {APART_AND_OVERLAPPING(N_("ns per window (dotted: k³)"), .guide = 3.0)},
};

static const struct columns stride_padding = {
    .panels = {{"stride", "compute_s", "stride_series", "%{method} k=%{kernel}", false},
               {"padding", "compute_s", "padding_series", "%{method} k=%{kernel} s=%{stride}",
                false}},
    .name_roles = growth_name_stride,
};
static const struct form stride_padding_form = {
    .name = "lines",
    .panels = {LOG_PANEL(N_("stride, k fixed"), N_("s, elements between windows"),
                         N_("compute time"), seconds),
               {N_("padding, k and s fixed"), N_("p, elements added on every side"),
                N_("compute time"), "%.1s %cs", AXIS_LINEAR, AXIS_LINEAR, 0.0, NULL, NULL}},
    .own_y = true,
};

static const struct columns conv_hyperparameters = {
    .panels = {{"kernel", "window_ns", "kernel_series", "%{method}", false},
               {"stride", "compute_s", "stride_series", "%{method}", false},
               {"size", "compute_s", "growth_series", "%{method}", false}},
    .name_roles = growth_name_filters,
};
static const struct form conv_hyperparameters_form = {
    .name = "lines",
    .panels = {{N_("kernel size"), N_("k (elements)"), N_("ns per output (dotted: k²)"), "%g",
                AXIS_LOG, AXIS_LOG, 2.0, NULL, NULL},
               {"stride", N_("s (elements)"), N_("time (dotted: 1/s²)"), seconds, AXIS_LOG,
                AXIS_LOG, -2.0, NULL, NULL},
               {N_("image"), N_("n (elements)"), N_("time (dotted: n²)"), seconds, AXIS_LOG,
                AXIS_LOG, 2.0, NULL, NULL}},
    .own_y = true,
};

/* One colour for each side of the window. */
static unsigned colour_of_window(const struct point *p)
{
    const int64_t k = p->samples->identity.kernel;
    return k == 2 ? 0x0072B2 : k == 4 ? 0xD55E00 : 0x009E73;
}

static const struct columns window_count = {
    .panels = {{"size", "windows", "growth_series", "k = %{kernel}", true},
               {"size", "compute_s", "growth_series", "k = %{kernel}", false}},
    .colour = colour_of_window,
    .name_roles = growth_name_windows,
};
static const struct form window_count_form = {
    .name = "lines",
    .panels = {LOG_PANEL(N_("windows"), N_("n, rows and columns"), N_("windows"), "%.0s%c"),
               LOG_PANEL(N_("compute time"), N_("n, rows and columns"), N_("compute time"),
                         seconds)},
    .own_y = true,
};

const struct selected_chart
    serial_growth_chart = {select_columns, &serial_growth, &serial_growth_form, &power_sentences},
    growth_chart = {select_columns, &growth, &growth_form, &power_sentences},
    matmul_growth_chart = {select_columns, &matmul_growth, &matmul_growth_form, &power_sentences},
    hyperparameters_chart = {select_columns, &hyperparameters, &hyperparameters_form,
                             &power_sentences},
    stride_padding_chart = {select_columns, &stride_padding, &stride_padding_form,
                            &power_sentences},
    conv_hyperparameters_chart = {select_columns, &conv_hyperparameters, &conv_hyperparameters_form,
                                  &power_sentences},
    window_count_chart = {select_columns, &window_count, &window_count_form, &window_sentences};
