#include "experiments/analysis/trust/remedies.h"

#include "harness/base/text/messages.h"

static const char more_work[] = N_("give the program more work, so that it takes longer"),
                  less_heat[] = N_("let launches take less time, if heat is the cause"),
                  one_isa[] = N_("measure the curve with one instruction set"),
                  one_device[] = N_("measure the curve with one GPU"),
                  one_kind[] = N_("measure with one kind of memory pages"),
                  one_binding[] = N_("measure the curve with one binding to cores"),
                  own_cores[] = N_("use a launcher that gives each worker its cores"),
                  in_rounds[] = N_("measure in rounds, each number of workers once in each"),
                  own_node[] = N_("other programs or threads of its own: stop other work, or ask "
                                  "for a node of your own");

/* The same for programs of others and for times that were measured elsewhere. */
#define OTHERS(id)                                                                                 \
    {                                                                                              \
        [SOURCE_COMMAND] = (id), [SOURCE_DEFINITION] = (id), [SOURCE_TIMES] = (id)                 \
    }

/* By cause and source; empty places are those of SOURCE_SUITE. */
static const char *const remedies[CAUSES][SAMPLE_SOURCES] = {
    [CAUSE_WRONG] =
        {
            [SOURCE_COMMAND] = N_("run the command by hand: its output is not what --check, "
                                  "--expect-hash or --same-output asks for"),
            [SOURCE_DEFINITION] = N_("run the command by hand: its output is not what check, "
                                     "expect_hash or same_output asks for"),
            [SOURCE_TIMES] = N_("measure a program whose results are right"),
        },
    [CAUSE_CLOCK_STOOD] = OTHERS(more_work),
    [CAUSE_CLOCK_COARSE] = OTHERS(more_work),
    [CAUSE_UNVERIFIED] =
        {
            [SOURCE_COMMAND] = N_("let its output be verified: --check, --expect-hash or "
                                  "--same-output"),
            [SOURCE_DEFINITION] = N_("let its output be verified: check, expect_hash or "
                                     "same_output in the definition"),
            [SOURCE_TIMES] = N_("times alone show no results: verify them where they are measured"),
            [SOURCE_SIMULATION] = N_("simulate with verify = full or sampled in the definition"),
        },
    [CAUSE_DRIFT] = OTHERS(less_heat),
    [CAUSE_CORRELATED] = {[SOURCE_TIMES] = in_rounds},
    [CAUSE_ROUNDS] = {[SOURCE_TIMES] = in_rounds},
    [CAUSE_SWITCHES] = {[SOURCE_DEFINITION] = own_node, [SOURCE_TIMES] = own_node},
    [CAUSE_INTERRUPTED] =
        {
            [SOURCE_COMMAND] = N_("call the same command again: it measures what is missing"),
            [SOURCE_TIMES] = N_("measure what is missing"),
        },
    [CAUSE_SHARED_CORES] = {[SOURCE_DEFINITION] = own_cores, [SOURCE_TIMES] = own_cores},
    [CAUSE_PAGES] = OTHERS(one_kind),
    [CAUSE_ISA] = OTHERS(one_isa),
    [CAUSE_BINDING] = {[SOURCE_DEFINITION] = one_binding, [SOURCE_TIMES] = one_binding},
    [CAUSE_DEVICE] = OTHERS(one_device),
    [CAUSE_FEW_SAMPLES] =
        {
            [SOURCE_COMMAND] = N_("ask for more launches: --launches 9, or a larger --budget"),
            [SOURCE_DEFINITION] = N_("ask for more launches: launches = 9 in the definition"),
            [SOURCE_TIMES] = N_("measure each number of workers nine times: each repetition is a "
                                "row"),
        },
    [CAUSE_ONE_LAUNCH] =
        {
            [SOURCE_COMMAND] = N_("measure nine launches: --launches 9"),
            [SOURCE_DEFINITION] = N_("measure nine launches: launches = 9 in the definition"),
            [SOURCE_TIMES] = N_("measure each number of workers nine times: each repetition is a "
                                "row"),
        },
};

const char *remedy_of_source(enum cause cause, enum sample_source source)
{
    return remedies[cause][source];
}

const char *remedy_again(enum sample_source source)
{
    static const char run[] = "study run --again suspect --results DIR"; /* in every language */
    return source == SOURCE_COMMAND ? N_("the same command with --again")
           : source == SOURCE_TIMES ? N_("measure these times again")
                                    : run;
}
