/* The speedup figure in words: the gain from several workers, what is lost, and Amdahl's law. The
 * places are the roles of workers.h. */
#include "experiments/analysis/selections/columns.h"
#include "experiments/analysis/selections/workers/workers.h"
#include "experiments/report/claims/selected_charts.h"
#include "harness/base/text/messages.h"

/* ---- what is lost, and where it went --------------------------------------------------------- */

static const struct sentence loss_sentences[] = {
    SAY_IF("no_interval", " There is no interval, because there are too few launches: nothing "
                          "shows whether that is chance."),
    SAY_IF("slower", " So many workers are slower: the whole interval lies below 1."),
    SAY_IF("unseen", " No speedup is seen: the interval contains 1."),
    SAY(" The speedup is superlinear: its whole interval lies above %{workers.x}."),
    SAY(" Image and map fit the %{cache} of so many workers, and not that of one."),
    SAY_OF("no_cache", " Why was not measured."),
    SAY_IF("open", " The loss is between nothing and %{loss.upper} of the workers' time "
                   "(Karp-Flatt: a serial fraction of at most %{serial.upper})."),
    SAY(" By these times, which are %{suspect}, the loss is %{loss.percent} of the workers' time; "
        "nothing follows about its cause."),
    SAY_IF("explained", " The loss is %{loss.percent} of the workers' time."),
    SAY_IF("partly", " The loss is %{loss.percent} of the workers' time."),
    SAY_IF("explained", " The workers wait for the slowest of them: that alone loses "
                        "%{balance.percent}."),
    SAY_IF("explained", " Messages and starting the ranks take %{messages.percent} more of the "
                        "time than with the base."),
    SAY_IF("explained", " The processors are idle for %{idle.percent} more of the workers' time "
                        "than with the base: parts of the program are serial, or its work is "
                        "uneven."),
    SAY_IF("explained", " The processors run at a lower frequency: that alone loses "
                        "%{frequency.percent}."),
    SAY_IF("explained", " The memory delivers no more to so many workers, as its measured "
                        "bandwidth shows: that alone loses %{memory.percent}."),
    SAY_IF("partly", " Waiting for the slowest worker accounts for %{balance.percent} of that; the "
                     "cause of the rest was not measured."),
    SAY_IF("partly", " Messages account for %{messages.percent} of that; the cause of the rest was "
                     "not measured."),
    SAY_IF("partly", " Idle processors, by serial parts or uneven work, account for "
                     "%{idle.percent} of that; the cause of the rest was not measured."),
    SAY_IF("partly", " A lower frequency accounts for %{frequency.percent} of that; the cause of "
                     "the rest was not measured."),
    SAY_IF("partly", " The memory's bandwidth accounts for %{memory.percent} of that; the cause of "
                     "the rest was not measured."),
    SAY(" The loss is %{loss.percent} of the workers' time; its cause was not measured. A serial "
        "fraction of %{serial.percent} would explain it (Karp-Flatt); Amdahl's bound would then be "
        "%{serial_bound.bound}."),
    SAY(" Waiting for the slowest worker is a loss of %{part_balance.percent}."),
    SAY(" Messages are a loss of %{part_messages.percent}."),
    SAY(" Idle processors are a loss of %{part_idle.percent}."),
    SAY(" A lower frequency is a loss of %{part_frequency.percent}."),
    SAY(" The memory's bandwidth allows no loss below %{part_memory.percent}."),
    SAY(" All workers together use %{processor_time.percent} more processor time than the base."),
    SAY(" All workers together execute %{instructions.percent} more instructions than the base."),
    SAY(" Beyond what the memory explains, an instruction takes %{cycles_beyond_memory.percent} "
        "more cycles than with the base."),
    SAY(" An instruction takes %{cycles.percent} more cycles than with the base."),
    SAY(" Messages take %{moved.share} of the total."),
    {.id = NULL}};

static const struct template efficiency_sentences = {
    .title = {SAY("%{several.way} with %{several.workers}: where the efficiency went")},
    .answer =
        {
            SAY("Of the time of %{several.workers}, %{several.way} uses %{used.percent}."),
            {.all = loss_sentences},
            SAY_OF("not_counted", " Instructions were not counted: an administrator must allow it "
                                  "by 'sysctl kernel.perf_event_paranoid=2'."),
        },
};
static const struct columns efficiency = {.name_roles = efficiency_draw};
static const struct form efficiency_form = {
    .name = "bars",
    .panels = {{NULL, N_("share of the workers' time"), NULL, "%g", AXIS_LINEAR, AXIS_LINEAR,
                .level = 0.0}},
    .y_top = 1.0,
};
const struct selected_chart efficiency_chart = {select_columns, &efficiency, &efficiency_form,
                                                &efficiency_sentences};

/* ---- where the product alone is parallel ----------------------------------------------------- */

/* No cause is named: none was measured apart. */
static const struct sentence alone_sentences[] = {
    SAY(" With %{alone.workers} that share the product alone, %{alone.way} is %{alone.y} times as "
        "fast as with one worker (total time, %{alone}). Amdahl's law gives %{alone_law.decimals} "
        "for the product's share with one worker, f = %{alone_share.decimals}."),
    SAY_OF("undecided", " So wide an interval neither supports the law nor contradicts it."),
    SAY(" The speedup is %{under_law.percent} below the law, which leaves out what it costs to "
        "hand "
        "windows to the workers and products back. What did cost it was not measured."),
    SAY(" The speedup is %{over_law.percent} above the law. Why was not measured."),
    {.id = NULL}};

static const struct template amdahl_sentences = {
    .against = AGAINST_ONE_WORKER,
    .title =
        {
            SAY("Where only the product is parallel, Amdahl's law is kept within %{kept.share}"),
            SAY_OF("undecided", "Where only the product is parallel: these times do not tell "
                                "whether Amdahl's law is kept"),
            SAY("Where only the product is parallel, the speedup misses Amdahl's law"),
        },
    .answer = {{.all = alone_sentences}},
    .because = {SAY("One worker cuts the windows and takes the maxima; all multiply. What only one "
                    "does limits them all, however many they are.")},
};
static const struct speedup_parameters trial = {.name_roles = laws_name_trial};
static const struct form speedup_form =
    FORM("speedup", NULL, NULL, N_("speedup"), "%g", AXIS_LOG, AXIS_LINEAR, .level = 0.0);
const struct selected_chart amdahl_chart = {select_speedup, &trial, &speedup_form,
                                            &amdahl_sentences};

/* ---- what several workers gain --------------------------------------------------------------- */

/* A title names the loss that the answer describes. */
static const struct template speedup_sentences = {
    .against = AGAINST_ONE_WORKER,
    .title =
        {
            SAY_IF("no_interval", "%{several.way}: %{several.brief} times as fast with "
                                  "%{several.workers}, without an interval%{from}"),
            SAY_IF("slower", "%{several.way} is slower with %{several.workers}: "
                             "%{several.brief} times as fast%{from}"),
            SAY_IF("unseen", "%{several.way}: no speedup is seen with %{several.workers}%{from}"),
            {.id = N_("%{several.way} is %{several.brief} times as fast with %{several.workers}; "
                      "%{loss.percent} of their time is lost: they wait for the slowest%{from}"),
             .finding = "explained",
             .role = "balance"},
            {.id = N_("%{several.way} is %{several.brief} times as fast with %{several.workers}; "
                      "%{loss.percent} of their time is lost in messages%{from}"),
             .finding = "explained",
             .role = "messages"},
            {.id = N_("%{several.way} is %{several.brief} times as fast with %{several.workers}; "
                      "%{loss.percent} of their time is lost: processors are idle%{from}"),
             .finding = "explained",
             .role = "idle"},
            {.id = N_("%{several.way} is %{several.brief} times as fast with %{several.workers}; "
                      "%{loss.percent} of their time is lost to a lower frequency%{from}"),
             .finding = "explained",
             .role = "frequency"},
            {.id = N_("%{several.way} is %{several.brief} times as fast with %{several.workers}; "
                      "%{loss.percent} of their time is lost: the memory allows no more%{from}"),
             .finding = "explained",
             .role = "memory"},
            SAY_IF("superlinear", "%{several.way} is %{several.brief} times as fast with "
                                  "%{several.workers}; more than their number would give%{from}"),
            SAY_IF("open",
                   "%{several.way} is %{several.brief} times as fast with "
                   "%{several.workers}; at most %{loss.upper} of their time is lost%{from}"),
            SAY("%{several.way} is %{several.brief} times as fast with %{several.workers}; "
                "%{loss.percent} of their time is lost%{from}"),
            SAY("Only one worker was measured; Amdahl's bound is %{product_bound.bound}"),
            SAY("Only one worker was measured"),
        },
    .answer =
        {
            SAY_IF("one", "Only one worker was measured, so there is no speedup yet."),
            SAY("With %{several.workers}, %{several.way} is %{gain.y} times as fast as with one "
                "worker of the same program (total time, %{several}): an efficiency of "
                "%{used.percent}."),
            SAY("With %{several.workers}, %{several.way} is %{over_base.y} times as fast as with "
                "%{base.x} workers of the same program (total time, %{several}). These %{base.x} "
                "count as %{base.x} times as fast as one, which was not measured: the speedup is "
                "then %{several.y}, and the efficiency %{used.share}. Serial fractions are of the "
                "time of %{base.x} workers."),
            {.all = loss_sentences},
            SAY(" One worker takes %{over_serial.y} times as long as the best serial method: a "
                "speedup below that gains nothing over it."),
            SAY(" All workers reach %{limit.percent} of this machine's limit."),
            SAY(" Of the sizes measured, so many workers take less time than one from n = "
                "%{pays.x} on."),
            SAY(" Up to n = %{costs.x} they take more."),
            SAY(" In serial %{staged.method}, the product takes the fraction f = "
                "%{product_share.decimals} of the compute time; if only the product ran in "
                "parallel, Amdahl's bound would be %{product_bound.bound}"),
            SAY_OF("product_exceeded", "; the workers also share the other stages, so the "
                                       "measured speedup exceeds that law"),
            {.id = ".", .role = "product_bound"},
            {.all = alone_sentences},
            SAY(" For the given f = %{given_share.plain}, Amdahl's law allows %{given_law.plain} "
                "with %{several.workers}; its bound is %{given_bound.bound}."),
            SAY(" Amdahl's law fitted to %{fitted.x} worker counts: f = "
                "%{fitted_share.decimals}, bound %{fitted_bound.bound}."),
            SAY(" Amdahl's law fitted to %{fitted_other.x} worker counts of "
                "%{fitted_curve.method}: f = %{fitted_share.decimals}, bound "
                "%{fitted_bound.bound}."),
            SAY(" Amdahl's law is not fitted: that needs three worker counts up to the number of "
                "cores, and there is %{one_count.x}."),
            SAY(" Amdahl's law is not fitted: that needs three worker counts up to the number of "
                "cores, and there are %{few.x}."),
        },
    .plain =
        {
            SAY_IF("one", "A speedup compares several workers with one: measure two workers or "
                          "more."),
            SAY_OF("gain", "%{several.workers} need %{time.portion} of the time that one needs "
                           "alone."),
            SAY("%{several.workers} need %{time.portion} of the time that %{base.x} need."),
            SAY_IF("no_interval", " Too few launches were made to show whether that is chance."),
            SAY_IF("slower", " They are slower."),
            SAY_IF("unseen", " The difference may be chance."),
            SAY_IF("superlinear", " These times do not show whether the workers lose time; more "
                                  "of them may bring more."),
            SAY_IF("open", " These times do not show whether the workers lose time; more of them "
                           "may bring more."),
            SAY_OF("balance", " The others wait for the slowest worker."),
            SAY_OF("messages", " A part of their time goes into messages."),
            SAY_OF("idle", " Their processors are idle for a part of the time."),
            SAY_OF("frequency", " Their processors run more slowly when all of them work."),
            SAY_OF("memory", " They share one memory, which delivers no more."),
            SAY_IF("doubtful", " The workers lose a part of their time; these times do not show "
                               "where."),
            SAY_IF("unexplained", " The workers lose a part of their time; these times do not "
                                  "show where."),
            SAY_IF("partly", " That is the larger part of what they lose, and not all."),
        },
};
static const struct speedup_parameters gain = {.name_roles = speedup_name_gain};
const struct selected_chart speedup_chart = {select_speedup, &gain, &speedup_form,
                                             &speedup_sentences};
