/* The gain from a GPU, and where its time goes. */
#include "experiments/analysis/selections/columns.h"
#include "experiments/analysis/selections/fastest.h"
#include "experiments/report/claims/selected_charts.h"
#include "harness/base/text/messages.h"

/* ---- sentences ------------------------------------------------------------------------------- */

/* The places are the roles of fastest.h. */
static const struct template kernel_sentences = {
    .title =
        {
            SAY_OF("sole",
                   "%{fastest.method} is the fastest kernel: %{fastest.plain} at %{fastest}"),
            SAY("%{fastest.method} and %{tie.method}: no difference is seen"),
            SAY("%{fastest.method} takes %{fastest.plain}"),
        },
    .answer =
        {
            SAY_OF("sole", "At %{fastest}, the fastest kernel is %{fastest.method}: %{fastest.y} "
                           "in all%{fastest.doubt}"),
            SAY_OF("tie", "At %{fastest}, %{fastest.method} takes %{fastest.y} in "
                          "all%{fastest.doubt}"),
            SAY_OF("only", "At %{fastest}, %{fastest.method} takes %{fastest.y} in "
                           "all%{fastest.doubt}"),
            SAY(", %{gain.y} times as fast as serial %{base.method}"),
            SAY("; no difference from %{tie.method} is seen"),
            SAY(" (%{tie_times.y} times as long)"),
            {.id = "."},
        },
    .plain =
        {
            SAY_IF("gain", "Where %{base.method} takes one minute, %{fastest.method} takes "
                           "%{minute.roughly}."),
            SAY_OF("least",
                   "%{fastest.method} needs the least time of all GPU kernels that were measured."),
        },
};

static const struct template versus_sentences = {
    .title =
        {
            SAY_IF("differs", "%{slow.capital} takes %{times.brief} times as long as %{fast}"),
            SAY("%{slow.capital} and %{fast}: no difference is seen"),
        },
    .answer = {SAY("At %{time}, %{slow} takes in total %{times.y} times as long as %{fast} "
                   "(%{time.y} with %{time.method}%{time.doubt}).")},
    .plain =
        {
            SAY_IF("differs", "Where %{slow} takes one minute, %{fast} takes %{minute.roughly}."),
            SAY_IF("same", "The samples do not show which of the two is faster."),
        },
};

static const struct template transfer_sentences = {
    .title = {SAY("Moving data takes %{least.share} to %{most.share} of the time")},
    .answer = {SAY("Moving data takes from %{least.share} (%{least.way}, %{least}) to "
                   "%{most.share} (%{most.way}, %{most}) of the total time.")},
    .plain = {SAY("Moving data between processor and GPU takes up to about %{minute.about} of each "
                  "minute.")},
};

/* ---- charts ---------------------------------------------------------------------------------- */

#define GPU_FORM(form_name, y_title)                                                               \
    static const struct form form_name = {                                                         \
        .name = "lines",                                                                           \
        .panels = {LOG_PANEL(NULL, N_("n, rows and columns of the image"), y_title, "%.0s %cs")},  \
    }
GPU_FORM(total_form, N_("total time, data movement included"));
GPU_FORM(compute_form, N_("compute time"));

/* A chart over n of the points that one panel shows. */
/* NOLINTBEGIN(bugprone-macro-parentheses): texts are joined, names become parts of names */
#define GPU_CHART(chart, y, where, series, dashed_points, roles, form, sentences)                  \
    static const struct columns chart##_columns = {                                                \
        .panels = {{"size", y, "growth_series " where, series, false}},                            \
        .dashed = dashed_points,                                                                   \
        .name_roles = roles,                                                                       \
    };                                                                                             \
    const struct selected_chart chart##_chart = {select_columns, &chart##_columns, &form,          \
                                                 &sentences}
/* NOLINTEND(bugprone-macro-parentheses) */

static const char blocks[] = N_("[!space=cuda?%{space} ]%{method}[block? block %{block}]"),
                  filters[] = "[!space=cuda?%{space} ]%{method}[filter_memory? %{filter_memory}]",
                  memories[] = N_("[!space=cuda?%{space} ]%{method}[host_memory? %{host_memory}]"
                                  "[streams>1? %{streams} streams]"),
                  offloads[] = "[!space=cuda?%{space} ]%{method}[offload? %{offload}]";

/* The tesina's kernels have its names in the charts of its own offload. */
static const char printed_blocks[] =
    N_("[!space=cuda?%{space} %{method}][space=cuda method=naive?matmul1 (naive)]"
       "[space=cuda method=loop?matmul2 (loop)][space=cuda method=tiled?matmul3 (tiled)]"
       "[space=cuda !method=naive !method=loop !method=tiled?%{method}][block? block %{block}]");
static const char printed_filters[] =
    "[!space=cuda?%{space} %{method}][space=cuda method=naive?matmul1 (naive)]"
    "[space=cuda method=loop?matmul2 (loop)][space=cuda method=tiled?matmul3 (tiled)]"
    "[space=cuda !method=naive !method=loop !method=tiled?%{method}]"
    "[filter_memory? %{filter_memory}]";

GPU_CHART(gpu_window, "total_s", "!offload|offload=window", printed_blocks, "block=32",
          fastest_name_window, total_form, kernel_sentences);
GPU_CHART(gpu_lean, "total_s", "!offload|offload=window-lean", blocks, "block=32",
          fastest_name_lean, total_form, kernel_sentences);
GPU_CHART(gpu_image, "total_s", "!offload|offload=image", blocks, "block=32", fastest_name_image,
          total_form, kernel_sentences);
GPU_CHART(gpu_kernel, "compute_s", "!offload|offload=image", blocks, "block=32", fastest_name_image,
          compute_form, kernel_sentences);
GPU_CHART(offload, "total_s", "", offloads, "!offload=image", versus_name_offload, total_form,
          versus_sentences);
GPU_CHART(gpu_pinned, "total_s", "!offload|offload=image method=naive", memories,
          "host_memory=pinned", versus_name_pinned, total_form, versus_sentences);
GPU_CHART(filter_window, "total_s", "!offload|offload=window", printed_filters,
          "filter_memory=constant", versus_name_filter_window, total_form, versus_sentences);
GPU_CHART(filter_image, "total_s", "!offload|offload=image", filters, "filter_memory=constant",
          versus_name_filter_image, total_form, versus_sentences);

static const struct columns filter_kernel_columns = {
    .panels = {{"kernel", "compute_s", "kernel_series",
                "%{method}[filter_memory? %{filter_memory}]", false}},
    .dashed = "filter_memory=constant",
    .name_roles = versus_name_filter_image,
};
static const struct form kernel_form =
    FORM("lines", NULL, N_("k, side of the window (elements)"), N_("compute time"), "%.0s %cs",
         AXIS_LOG, AXIS_LOG, .level = 0.0);

static const struct columns transfers_columns = {
    .panels = {{"size", "transfer_share",
                "growth_series method=naive offload !host_memory=pinned !streams>1",
                "%{method} %{offload}", false}},
    .dashed = "offload=window-lean",
    .name_roles = gpu_name_transfers,
};
static const struct form transfers_form = {
    .name = "lines",
    .panels = {{NULL, N_("n, rows and columns of the image"), N_("(distribute + collect) / total"),
                "%g", AXIS_LOG, AXIS_LINEAR, 0.0, NULL, NULL}},
    .y_top = 1.0,
};

/* Settings like the tesina's: pageable memory, one stream. */
static const struct columns_bar phases_bar = {
    .label = "%{method}",
    .shares = true,
    .parts = {{"distribute_s", N_("distribute"), 0x0072B2},
              {"collect_s", N_("collect"), 0x56B4E9},
              {"allocate_s", N_("allocate"), 0xCC79A7},
              {"compute_s", N_("compute"), 0xE69F00},
              {NULL, N_("rest, on the host"), 0xC8C8C8}},
};
static const struct columns phases_columns = {
    .panels = {{.x = "size", .where = "offload=window size !host_memory=pinned !streams>1"},
               {.x = "size", .where = "offload=window-lean size !host_memory=pinned !streams>1"},
               {.x = "size", .where = "offload=image size !host_memory=pinned !streams>1"}},
    .panel = N_("[offload=window?by window][offload=window-lean?by window, arrays kept]"
                "[offload=image?whole image]"),
    .bar = &phases_bar,
    .order = "place",
    .name_roles = gpu_name_transfers,
};
static const struct form phases_form = FORM("grid", NULL, N_("n, rows and columns of the image"),
                                            NULL, "%g %%", AXIS_LOG, AXIS_LINEAR, .level = 0.0);

const struct selected_chart gpu_phases_chart = {select_columns, &phases_columns, &phases_form,
                                                &transfer_sentences},
                            filter_kernel_chart = {select_columns, &filter_kernel_columns,
                                                   &kernel_form, &versus_sentences},
                            transfers_chart = {select_columns, &transfers_columns, &transfers_form,
                                               &transfer_sentences};
