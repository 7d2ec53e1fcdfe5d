/* Charts of selections: a kind of selection with its parameters, the form that draws the rows, and
 * the template of its sentences. Chart, sentence and table are about the same rows, which are
 * R/analysis/NAME.CHART.csv. */
#ifndef MAXPOOL_CLAIMS_SELECTED_CHARTS_H
#define MAXPOOL_CLAIMS_SELECTED_CHARTS_H

#include "experiments/common/results.h"
#include "experiments/report/charts/form.h"
#include "experiments/report/claims/template.h"

struct selected_chart {
    selection_function *select;
    const void *parameters; /* of that kind */
    const struct form *form;
    const struct template *sentences; /* NULL: claim_errors() makes them */
};

extern const struct selected_chart serial_growth_chart, growth_chart, matmul_growth_chart,
    hyperparameters_chart, stride_padding_chart, conv_hyperparameters_chart, window_count_chart,
    training_threads_chart, training_devices_chart, training_depth_chart, training_depth_gpu_chart,
    inference_threads_chart, inference_devices_chart, gpu_window_chart, gpu_lean_chart,
    gpu_image_chart, gpu_kernel_chart, offload_chart, transfers_chart, gpu_phases_chart,
    gpu_pinned_chart, filter_window_chart, filter_image_chart, filter_kernel_chart, devices_chart,
    devices_side_chart, lighter_chart, batch_chart, training_batch_chart, training_size_chart,
    spaces_chart, distribution_chart, methods_chart, ladder_chart, distances_growth_chart,
    brain_chart, methods_by_shape_chart, ladder_roof_chart, roof_by_shape_chart, roofline_chart,
    roofline_share_chart, weak_scaling_chart, hybrid_chart, overhead_chart, communication_chart,
    isa_chart, conv_epilogue_chart, peers_chart, peers_planes_chart, peers_networks_chart,
    layers_chart, training_layers_chart, training_parts_chart, training_phases_chart,
    training_ranks_chart, scale_chart, efficiency_chart, training_curve_chart, confusion_chart,
    learning_rate_chart, forecast_chart, faces_chart, errors_chart, speedup_chart, amdahl_chart;

/* What errors_chart says, and an addition to an answer: which errors of the rows' methods are too
 * different for times to be compared (analysis.h); nothing if all are similar or unknown. */
void claim_errors(const struct experiment *e, const struct language *l, struct claim *c);
void claim_say_dissimilar(struct claim *c, const struct language *l);

/* NULL: the chart is none of these. */
const struct selected_chart *selected_chart_find(const char *name);

/* The file of its rows. */
struct results_path selected_chart_file(const char *folder, const char *experiment,
                                        const char *chart);

/* Writes the rows of every such chart of an experiment, with the words of the language. Status 5.
 */
enum status selected_charts_write(const struct experiment *e, const char *folder,
                                  const struct language *l, struct failure *f);

#endif
