/* Trainings from their files: epochs, the confusion matrix, learning rates. */
#include "experiments/analysis/numbers.h"
#include "experiments/analysis/selections/training.h"
#include "experiments/analysis/selections/training_curve.h"
#include "experiments/samples/point.h"
#include "harness/base/text/messages.h"
#include "theses/published/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns the training, which the caller frees; NULL if none was recorded. */
static struct training_curve *read_curve(const struct experiment *e)
{
    struct training_curve *curve = malloc(sizeof *curve);
    if (curve && training_curve_read(curve, e))
        return curve;
    free(curve);
    return NULL;
}

/* Lists our training steps, not those of another library. */
static void list_steps(const struct experiment *e, struct selection *out)
{
    for (size_t i = 0; i < e->analysis.point_count; i++) {
        const struct point *p = &e->analysis.points[i];
        const struct record *r = &p->samples->identity;
        if (r->network[0] && point_trains(r) && !p->peer && evidence_usable(p))
            selection_list(out, p);
    }
}

/* ---- accuracy and time ----------------------------------------------------------------------- */

/* Epochs after which the tesina's network was tested, with what is published of them. */
static const struct {
    size_t epoch;
    const char *accuracy, *seconds; /* in percent */
    const char *role, *time_role;
} published[] = {
    {25, "alexnet.accuracy25", "alexnet.seconds25", "tesina", "tesina_time"},
    {50, "alexnet.accuracy50", "alexnet.seconds50", "tesina_later", "tesina_later_time"}};
enum { PUBLISHED = sizeof published / sizeof *published };

/* The last epoch with a recorded accuracy on unseen images; 0: none. */
static size_t last_tested(const struct training_curve *c)
{
    size_t epoch = c->epochs;
    while (epoch > 0 && training_curve_accuracy(c, epoch).launches == 0)
        epoch--;
    return training_curve_tested(c) > 0 ? epoch : 0;
}

static void draw_epochs(const struct training_curve *c, const struct language *l,
                        struct selection *out)
{
    const char *training = message(l, N_("training")), *test = message(l, N_("test"));
    for (size_t i = 0; i < c->epochs; i++) {
        selection_at(out, 1, training, (double)i + 1.0, c->loss[i]);
        selection_at(out, 2, training, (double)i + 1.0, c->accuracy[i]);
        selection_at(out, 2, test, (double)i + 1.0, training_curve_accuracy(c, i + 1).value);
    }
    for (size_t i = 0; i < PUBLISHED && published[i].epoch <= c->epochs; i++) {
        struct selection_row *row =
            selection_at(out, 2, message(l, N_("tesina")), (double)published[i].epoch,
                         published_number(published[i].accuracy) / 100.0);
        if (row)
            row->dash = 2;
    }
}

/* Names the share of the tested images that is right, with its interval; returns whether, of so
 * many images, it is not significantly above the chance level, for equally frequent classes. */
static bool name_share(const struct training_curve *c, const char *role, double share,
                       struct interval ends, const char *better, const char *no_better,
                       struct selection *out)
{
    const double count = (double)training_curve_tested(c);
    const bool is_chance = !(share_interval(share * count, count).lower > 1.0 / (double)c->classes);
    selection_value(out, role, share, ends, QUANTITY_NUMBER);
    if (better)
        selection_label(out, is_chance ? no_better : better, "");
    return is_chance;
}

static void name_training(const struct training_curve *c, struct selection *out)
{
    selection_label(out, "network", c->network);
    selection_count(out, "images", (double)training_curve_tested(c));
    selection_count(out, "classes", (double)c->classes);
    selection_plain(out, "chance", 1.0 / (double)c->classes);
    if (training_curve_trainings(c) > 1)
        selection_count(out, "trainings", (double)training_curve_trainings(c));
    if (c->select[0])
        selection_label(out, "selected", "");
}

/* Names the first, second and third of the epochs that are printed: the last one if none is. */
static void name_epochs(const struct training_curve *c, size_t last, struct selection *out)
{
    static const struct {
        const char *share, *epochs, *time, *better, *no_better;
    } roles[] = {{"first", "first_epochs", "first_time", "first_better", "first_no_better"},
                 {"second", "second_epochs", "second_time", "second_better", "second_no_better"},
                 {"third", "third_epochs", "third_time", "third_better", "third_no_better"}};
    const size_t printed[] = {25, 50, 100, last};
    size_t said = 0;
    for (size_t i = 0; i < sizeof printed / sizeof *printed; i++) {
        const size_t epoch = printed[i];
        const struct estimate right = training_curve_accuracy(c, epoch);
        if ((i == 3 && said > 0) || right.launches == 0)
            continue;
        const struct estimate seconds = training_curve_seconds(c, epoch);
        name_share(c, roles[said].share, right.value, right.interval, roles[said].better,
                   roles[said].no_better, out);
        selection_value(out, roles[said].time, seconds.value, seconds.interval, QUANTITY_TOTAL);
        selection_count(out, roles[said].epochs, (double)epoch);
        said++;
    }
}

void training_name_epochs(const struct experiment *e, const struct language *l,
                          struct selection *out)
{
    struct training_curve *c = read_curve(e);
    const size_t last = c ? last_tested(c) : 0;
    out->lack = last > 0 ? NULL : N_("no training was recorded");
    if (last > 0) {
        const struct estimate seconds = training_curve_seconds(c, last),
                              right = training_curve_accuracy(c, last);
        draw_epochs(c, l, out);
        name_training(c, out);
        name_epochs(c, last, out);
        out->finding = name_share(c, "last", right.value, right.interval, NULL, NULL, out)
                           ? "chance"
                           : "learned";
        selection_count(out, "epochs", (double)last);
        selection_value(out, "time", seconds.value, no_interval, QUANTITY_TOTAL);
        for (size_t i = 0; i < PUBLISHED; i++) {
            selection_label(out, published[i].role,
                            number_printed(l, published_digits(published[i].accuracy)).text)
                ->x = published_number(published[i].accuracy) / 100.0;
            selection_label(out, published[i].time_role,
                            number_printed(l, published_digits(published[i].seconds)).text)
                ->x = published_number(published[i].seconds);
        }
        list_steps(e, out);
    }
    free(c);
}

/* ---- the confusion matrix -------------------------------------------------------------------- */

/* Classes of the suite's own data set have names, others numbers. */
static struct words class_text(const struct training_curve *c, size_t class,
                               const struct language *l)
{
    static const char *const planes[] = {N_("axial"), N_("coronal"), N_("sagittal")};
    const size_t known = sizeof planes / sizeof *planes;
    if (strcmp(c->data, "brain_planes") == 0 && class < known)
        return words_text("%s", message(l, planes[class]));
    return words_text("%zu", class);
}

static void name_class(const struct training_curve *c, const char *role, size_t class,
                       const struct language *l, struct selection *out)
{
    selection_label(out, role, class_text(c, class, l).text)->x = (double)class;
}

static int64_t images_of(const struct training_curve *c, size_t class)
{
    int64_t images = 0;
    for (size_t i = 0; i < c->classes; i++)
        images += c->matrix[class][i];
    return images;
}

static void draw_matrix(const struct training_curve *c, const struct language *l,
                        struct selection *out)
{
    for (size_t i = 0; i < c->classes; i++)
        for (size_t j = 0; j < c->classes; j++) {
            const int64_t images = images_of(c, i), count = c->matrix[i][j];
            struct selection_row *row = selection_mark(out, NULL, j + 1, class_text(c, i, l).text);
            row->place = i + 1;
            row->x = images > 0 ? 100.0 * (double)count / (double)images : 0.0;
            row->y = (double)count;
        }
}

/* Names the most frequent mistake. */
static void name_mistake(const struct training_curve *c, const struct language *l,
                         struct selection *out)
{
    size_t right = 0, said = 0;
    int64_t most = 0;
    for (size_t i = 0; i < c->classes; i++)
        for (size_t j = 0; j < c->classes; j++)
            if (i != j && c->matrix[i][j] > most) {
                right = i;
                said = j;
                most = c->matrix[i][j];
            }
    if (most == 0)
        return;
    name_class(c, "right", right, l, out);
    name_class(c, "said", said, l, out);
    selection_count(out, most == 1 ? "once" : "times", (double)most);
}

/* Names a class that images have and that is never predicted. */
static void name_never(const struct training_curve *c, const struct language *l,
                       struct selection *out)
{
    for (size_t i = 0; i < c->classes; i++) {
        int64_t predicted = 0;
        for (size_t j = 0; j < c->classes; j++)
            predicted += c->matrix[j][i];
        if (images_of(c, i) > 0 && predicted == 0) {
            name_class(c, "never", i, l, out);
            return;
        }
    }
}

void training_name_classes(const struct experiment *e, const struct language *l,
                           struct selection *out)
{
    struct training_curve *c = read_curve(e);
    const double count = c ? (double)training_curve_tested(c) : 0.0;
    out->lack = count > 0.0 ? NULL : N_("no classes were counted");
    if (count > 0.0) {
        const double hits = (double)training_curve_hits(c);
        draw_matrix(c, l, out);
        name_training(c, out);
        selection_count(out, "hits", hits);
        out->finding = name_share(c, "share", hits / count, share_interval(hits, count), "better",
                                  "no_better", out)
                           ? "chance"
                           : "learned";
        selection_plain(out, "hundred", 100.0 * hits / count);
        name_mistake(c, l, out);
        name_never(c, l, out);
        list_steps(e, out);
    }
    free(c);
}

/* ---- learning rates -------------------------------------------------------------------------- */

/* Names a rate, and a vertical line there. */
static void name_rate(const char *role, double rate, const char *id, const struct language *l,
                      struct selection *out)
{
    char line[120];
    struct number n = number_in(l, "%.2g", rate);
    message_format(line, sizeof line, l, id, WITH({"rate", n.text}));
    selection_label(out, role, n.text)->x = rate;
    selection_label(out, "vertical", line)->x = rate;
}

void training_name_rates(const struct experiment *e, const struct language *l,
                         struct selection *out)
{
    struct training_curve *c = read_curve(e);
    out->lack = !c || c->rates == 0     ? N_("no learning rates were tried")
                : !(c->suggested > 0.0) ? N_("the loss falls at no learning rate")
                                        : NULL;
    if (!out->lack) {
        for (size_t i = 0; i < c->tried; i++) {
            selection_at(out, 1, message(l, N_("each step")), c->rate[i], c->rate_loss[i]);
            selection_at(out, 1, message(l, N_("moving average")), c->rate[i], c->smoothed_loss[i]);
        }
        selection_label(out, "network", c->network);
        name_rate("rate", c->suggested, N_("falls fastest: %{rate}"), l, out);
        name_rate("used", c->learning_rate, N_("trained with: %{rate}"), l, out);
        list_steps(e, out);
    }
    free(c);
}
