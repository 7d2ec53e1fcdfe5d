/* The gain from workers and from instruction sets, and their cost. Each role_function names the
 * roles of a chart of select_columns. */
#ifndef MAXPOOL_SELECTION_WORKERS_H
#define MAXPOOL_SELECTION_WORKERS_H

#include "experiments/analysis/selections/selection.h"
#include "experiments/analysis/speedup/speedup_figure.h"

/* `most` and, of another method, `least`, the compute time of the baseline instruction set over
 * that of a wider one; `inverse`, 1 / `most`. */
role_function isa_name_gains;

/* `best`, the time of the best division of the cores into ranks and threads, and `worst`, another's
 * over it. Findings: `alone`, `same`. */
role_function workers_name_hybrid;

/* `most` and, if there are several, `least`: how much longer one rank takes than the best serial
 * method, as a share; `count`, the comparisons, and `seen`, those with a difference. Findings:
 * `seen`, `unseen`. */
role_function workers_name_overhead;

/* `most` and `least`, or `only`: shares of the time that messages take; `minute`, of `most`. */
role_function workers_name_messages;

/* `slow` and `fast`, ways to distribute an image, with the roles of two ways (fastest.h). */
role_function workers_name_distribution;

/* Names two ways and what they are called. */
void versus_name(const struct analysis *a, const struct choice *slow, const char *slow_name,
                 const struct choice *fast, const char *fast_name, const struct estimate *total,
                 struct selection *out);

/* Draws a bar for each measured number of workers: the share of their time that is used, and shares
 * of the loss that measured factors explain, in proportion to their logarithms; what none explains,
 * and all of the loss of SUSPECT times, is the rest. */
role_function efficiency_draw;

/* Of the largest simulated image of `n` rows: `ranks`, with which it is fastest on `platform`, and
 * `time`. `measured`, the number of measured points that the model was not fitted to, `middle` and
 * `worst`, its errors there; of `known` with an interval, `inside`; `simulated` and `far`,
 * likewise; `few`, the most ranks that were measured, if fewer. Draws the total times of that image
 * over ranks, and the model's. Findings: `more_ranks` were simulated, or `most` are these. */
role_function scale_name_ranks;

/* The speedup figure (speedup_figure.h) as a selection. Its first panel has the marks, their
 * intervals and the laws; y is the speedup. The label of a row says what it is: `measured`,
 * `beyond` the cores, `simulated`, `predicted`, `serial` (the speedup that the best serial method
 * has) or `law`. The second panel, with rates in GB/s, has rows where the machine's limit was
 * measured: `measured` and `limit`. `dash` is the shape of a mark, or the number of a law, from 1:
 * of the product's share, fitted, the tesina's, the ideal one.
 *
 * Roles: `cores` and `reach`, whose x is on the axis; `place`, where the topology changes; `below`,
 * the title of the second panel; of each law, by its number x, `law_name`, `law_share`,
 * `law_bound`, `law_short` and `law_long`; `exceeded`, if marks lie above the product's law;
 * `note`, lines of text in their order. */
typedef void figure_role_function(const struct speedup_figure *figure, const struct experiment *e,
                                  const struct language *l, struct selection *out);
struct speedup_parameters {
    bool weak;
    figure_role_function *name_roles; /* of its sentences, besides */
};

selection_function select_speedup;

/* `most` and `least`, efficiencies where work grows with the workers; `inverse`, 1 / `most`. */
figure_role_function workers_name_weak;

/* What is lost of the time of `several` workers, whose speedup it is: shares `used` and `loss`, and
 * `serial`, which would explain it, with `serial_bound`. Findings: `no_interval`;
 * `slower`, the whole interval below the base; `unseen`, no speedup; `superlinear` with `workers`,
 * in a `cache` of theirs or `no_cache`; `doubtful`; `explained` by
 * the factor `balance`, `messages`, `idle`, `frequency` or `memory`, or `partly` by that share;
 * `unexplained`, with the losses `part_balance` and so on; else `open`. What was used more than by
 * the base: `processor_time`, `instructions`, `cycles` or `cycles_beyond_memory`; `moved`, in
 * messages; `not_counted`, for want of a permission. */
figure_role_function speedup_name_loss;

/* The same, and: `gain`, the speedup over one worker, or `over_base`, over `base` workers, which
 * `from` notes in a title; `time`, its inverse; `over_serial`, the time of one worker over the best
 * serial method's; `limit`, the share of the machine's limit; the sizes `pays`, from which on
 * several are faster, and `costs`, up to which they are slower. And the roles of laws_name. Finding
 * besides: `one`, if several workers were not measured. */
figure_role_function speedup_name_gain;

/* Of the law of the product's share: `staged`, its point, `product_share`, `product_bound`, and
 * `product_exceeded` by the mark (NULL: none). Of a given f: `given_share`, `given_bound`, and
 * `given_law`, what it allows for the mark's workers. Of the fitted law: `fitted`, the worker
 * counts, `fitted_share` and `fitted_bound`; without it `few` or `one_count`. And the roles of
 * laws_name_trial. */
void laws_name(const struct speedup_figure *figure, const struct speedup_mark *mark,
               const struct analysis *a, struct selection *out);

/* Of workers that share the product `alone`, whose speedup it is: `alone_law`, Amdahl's for
 * `alone_share`, which is `kept` within a share of it, or the speedup is `under_law` or `over_law`,
 * or `undecided`. */
figure_role_function laws_name_trial;

/* The kinds of workers, message ids by enum worker_kind. */
extern const char *const worker_kind_words[];

/* The method, and what workers share unless it is all: "staged", "staged, product alone". */
struct words worker_method(const struct record *r, const struct language *l);

#endif
