/* Training: the accuracy of a network and how soon it is reached, the time of a step, and the cost
 * of ranks. */
#include "experiments/analysis/selections/columns.h"
#include "experiments/analysis/selections/training.h"
#include "experiments/report/claims/selected_charts.h"
#include "harness/base/text/messages.h"

#include <math.h>

/* ---- accuracy, time and learning rates ------------------------------------------------------- */

/* The places are the roles of training.h. */
static const struct template epoch_sentences = {
    .title =
        {
            SAY_IF("chance", "%{network} is at chance level after %{epochs.x} epochs, "
                             "%{time.plain}"),
            SAY("%{network} is right on %{last.share} of unseen images after %{epochs.x} epochs, "
                "%{time.plain}"),
        },
    .answer =
        {
            SAY("After %{first_epochs.x} epochs, %{first_time.y}, %{network} is right on "
                "%{first.percent} of %{images.x} images that it was not trained with"),
            SAY_OF("first_no_better",
                   ", no better than chance (%{classes.x} classes: %{chance.share})"),
            SAY_OF("first_better", " (chance: %{chance.share})"),
            SAY("; after %{second_epochs.x}, %{second_time.y}, on %{second.percent}"),
            SAY_OF("second_no_better",
                   ", no better than chance (%{classes.x} classes: %{chance.share})"),
            SAY_OF("second_better", " (chance: %{chance.share})"),
            SAY("; after %{third_epochs.x}, %{third_time.y}, on %{third.percent}"),
            SAY_OF("third_no_better",
                   ", no better than chance (%{classes.x} classes: %{chance.share})"),
            SAY_OF("third_better", " (chance: %{chance.share})"),
            SAY("; these are medians of %{trainings.x} trainings, each with a seed of its own"),
            SAY_OF("selected", "; tested is the epoch with the least validation loss by then"),
            /* those images are not public */
            SAY("; the tesina's network reached %{tesina} % in %{tesina_time} s and "
                "%{tesina_later} % in %{tesina_later_time} s, on an Intel Core i7 and with other "
                "images."),
        },
    .plain =
        {
            SAY_IF("chance",
                   "The network saw every training image %{epochs.x} times. On images that it had "
                   "never seen, guessing would do as well."),
            SAY_IF("learned",
                   "The network saw every training image %{epochs.x} times, and then did better "
                   "than guessing on images that it had never seen."),
        },
};
static const struct columns epochs = {.name_roles = training_name_epochs};
static const struct form epochs_form = {
    .name = "lines",
    .panels = {{N_("loss"), N_("epoch"), NULL, "%g", AXIS_LINEAR, AXIS_LOG, .level = 0.0},
               {N_("accuracy"), N_("epoch"), NULL, "%g", AXIS_LINEAR, AXIS_LINEAR, .level = 0.0}},
    .own_y = true,
};

static const struct template class_sentences = {
    .title =
        {
            SAY_IF("chance", "%{hits.x} of %{images.x} unseen images in their class: chance level"),
            SAY("%{hits.x} of %{images.x} unseen images are put in their class"),
        },
    .answer =
        {
            SAY("%{network} puts %{hits.x} of %{images.x} unseen images in their class, "
                "%{share.percent}"),
            SAY_OF("no_better", ", no better than chance (%{classes.x} classes: %{chance.share})"),
            SAY_OF("better", " (chance: %{chance.share})"),
            SAY_OF("once", "; most often %{right} is taken for %{said}, once"),
            SAY("; most often %{right} is taken for %{said}, %{times.x} times"),
            SAY("; no image is taken for %{never}"),
            SAY("; this is the first of %{trainings.x} trainings"),
            {.id = "."},
        },
    .plain = {SAY("It puts about %{hundred.about} of 100 images that it has never seen in their "
                  "class.")},
};
static const struct columns classes = {.name_roles = training_name_classes};
static const struct form classes_form = {
    .name = "matrix",
    .panels = {{N_("right"), N_("predicted class"), N_("true class"), "%g", AXIS_LINEAR,
                AXIS_LINEAR, .level = 0.0}},
};

static const struct template rate_sentences = {
    .title = {SAY("The loss of %{network} falls fastest at a learning rate of %{rate}")},
    .answer = {SAY("Of the learning rates that were tried, %{rate} makes the loss of %{network} "
                   "fall fastest; the network was trained with %{used}.")},
    .plain = {SAY("The learning rate is how far a training step changes the network: with small "
                  "steps it learns slowly, with too large ones not at all.")},
};
static const struct columns rates = {.name_roles = training_name_rates};
static const struct form rates_form = FORM("lines", NULL, N_("learning rate of the step"),
                                           N_("loss"), "%g", AXIS_DECADES, AXIS_LOG, .level = 0.0);

const struct selected_chart training_curve_chart = {select_columns, &epochs, &epochs_form,
                                                    &epoch_sentences},
                            confusion_chart = {select_columns, &classes, &classes_form,
                                               &class_sentences},
                            learning_rate_chart = {select_columns, &rates, &rates_form,
                                                   &rate_sentences};

/* ---- parts of a step, and ranks -------------------------------------------------------------- */

/* The places are the roles of training.h. */
static const struct template part_sentences = {
    .title = {SAY("The update takes %{small.share} of a step at batch %{small_batch.x}, "
                  "%{large.share} at %{large_batch.x}")},
    .answer =
        {
            SAY("With %{small.workers}, a training step of %{small.network} spends "
                "%{small.percent} of its time on the update of the parameters at batch "
                "%{small_batch.x}%{small.doubt} and %{large.percent} at batch "
                "%{large_batch.x}%{large.doubt}, %{times.y} times the share"),
            SAY("; forward takes %{forward.percent} and %{large_forward.percent}"),
            SAY(", backward %{backward.percent} and %{large_backward.percent}"),
            SAY(", the loss %{loss.percent} and %{large_loss.percent}"),
            {.id = "."},
        },
    .plain = {SAY_IF("unseen", "The samples do not show that the update weighs more in a step of "
                               "fewer images.")},
    .because = {SAY_IF("weighs_more",
                       "The update has as much to do whatever the batch, so that it weighs more in "
                       "a step of fewer images.")},
};
static const struct columns parts = {.name_roles = training_name_parts};
static const struct form parts_form = {
    .name = "bars",
    .panels = {{NULL, N_("share of the time of a step, %"), NULL, "%g", AXIS_LINEAR, AXIS_LINEAR,
                .level = 0.0}},
    .y_top = 101.0,
};

static const struct template phase_sentences = {
    .title = {SAY("%{ranks.x} ranks train %{many.network} %{times.brief} times as fast as one; "
                  "%{exchange.share} is exchange")},
    .answer =
        {
            SAY("A step of %{many} takes %{many.y} with %{ranks.x} ranks that all hold the "
                "parameters: %{times.y} times as fast as with one; %{exchange.share} of it is "
                "exposed communication time%{many.doubt}"),
            SAY("; with the parameters on rank 0 alone, it takes %{longer.y} times as long, and "
                "%{central.share} of that is exchange%{central.doubt}"),
            {.id = "."},
        },
    .plain = {SAY("The ranks share each batch and then exchange their gradients, which takes about "
                  "%{minute.about} of each minute.")},
};
static const struct columns_bar phases_bar = {
    .label = N_("[strategy=central?central][!strategy=central?mirrored], ranks: %{ranks}"),
    .parts = {{"forward_s", N_("forward"), 0x0072B2},
              {"backward_s", N_("backward"), 0x56B4E9},
              {"exchange_s", N_("exchange"), 0xD55E00},
              {"update_s", N_("update"), 0xCC79A7},
              {NULL, N_("rest"), 0xC8C8C8}},
};
static const struct columns phases = {
    .panels = {{.x = "total_s", .where = "task=train exchange_s !platform !status=INVALID"}},
    .bar = &phases_bar,
    .name_roles = training_name_phases,
};
static const struct form phases_form = FORM("bars", NULL, N_("time of a step"), NULL, "%.0s %cs",
                                            AXIS_LINEAR, AXIS_LINEAR, .level = 0.0);

static const struct template rank_sentences = {
    .title = {SAY("Simulated on %{platform}: central gains up to %{central.x} ranks, mirrored up "
                  "to %{mirrored.x}")},
    .answer =
        {
            SAY("A step of %{curve.network}, %{curve.x} images, simulated on %{platform}: "),
            SAY_OF("central_all", "central gains up to the %{central.x} ranks that were simulated "
                                  "(%{central.plain} times)"),
            SAY_OF("central_some",
                   "central gains up to %{central.x} ranks (%{central.plain} times)"),
            SAY(": its first rank receives and adds all gradients; "),
            SAY_OF("mirrored_all", "mirrored gains up to the %{mirrored.x} ranks that were "
                                   "simulated (%{mirrored.plain} times)"),
            SAY_OF("mirrored_some",
                   "mirrored gains up to %{mirrored.x} ranks (%{mirrored.plain} times)"),
            SAY(": each rank adds a part of them and sends as much however many there are; with "
                "%{exchange.x} ranks, %{exchange.share} of the step is exchange."),
            SAY(" On %{furthest_platform}, %{furthest_images.x} images, %{furthest_strategy} gains "
                "up to %{furthest.x} of %{furthest_ranks.x} ranks, %{furthest.plain} times."),
        },
    .plain = {SAY("This is computed by a simulator, not measured. More ranks help only as long as "
                  "computing takes longer than exchanging what was learned.")},
};
static const struct columns ranks = {
    .panels = {{"ranks", "total_s", "task=train strategy total_s !status=INVALID",
                N_("[strategy=central?central][!strategy=central?mirrored], "
                   "[platform?%{platform}][!platform?here], %{batch}"),
                false}},
    .dashed = "platform",
    .colour_by_series = true,
    .name_roles = training_name_ranks,
};
static const struct form ranks_form = FORM("lines", NULL, N_("MPI ranks"), N_("time of a step"),
                                           "%.0s %cs", AXIS_LOG, AXIS_LOG, .level = 0.0);

const struct selected_chart training_parts_chart = {select_columns, &parts, &parts_form,
                                                    &part_sentences},
                            training_phases_chart = {select_columns, &phases, &phases_form,
                                                     &phase_sentences},
                            training_ranks_chart = {select_columns, &ranks, &ranks_form,
                                                    &rank_sentences};
