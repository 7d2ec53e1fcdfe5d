#include "experiments/analysis/trust/reasons.h"

#include "experiments/analysis/trust/remedies.h"
#include "harness/base/text/messages.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const trust_names[TRUSTS] = {N_("PRECISE"), N_("ROUGH"), N_("SIMULATED"), N_("SUSPECT"),
                                         N_("INVALID")};

const char *trust_word(enum trust trust, const struct language *l)
{
    return message(l, trust_names[trust]);
}

/* Format of a number. */
enum form { NONE, WHOLE, ONE_DECIMAL, TWO_DECIMALS, TWO_DIGITS, THREE_DIGITS };

static const char *const formats[] = {
    [NONE] = "",           [WHOLE] = "%.0f",       [ONE_DECIMAL] = "%.1f", [TWO_DECIMALS] = "%.2f",
    [TWO_DIGITS] = "%.2g", [THREE_DIGITS] = "%.3g"};

enum { VALUES = 4 };

struct value {
    const char *name; /* in the text of the cause */
    enum form form;
};

/* The remedy if workers share cores, of any kind. */
static const char fewer_workers[] =
    N_("beyond the cores there is no speedup: use as many workers as cores, or a larger machine");

/* The remedy if other programs ran. */
static const char measure_again[] = N_("end the other programs, then: %{again}");

static const struct {
    const char *code;
    enum trust trust;
    const char *name, *cause, *remedy;
    struct value values[VALUES];
    const char *of_rank; /* the cause where its third number, a rank, is known; NULL: it has none */
    const char *one,
        *of_one; /* the cause where its first, its second number is 1; NULL: no other */
} causes[CAUSES] = {
    [CAUSE_WRONG] = {"wrong",
                     TRUST_INVALID,
                     N_("wrong results"),
                     N_("wrong result in %{wrong} of %{launches} launches"),
                     N_("run the point alone with --verify full: it names the first wrong output"),
                     {{"wrong", WHOLE}, {"launches", WHOLE}}},
    [CAUSE_TOO_FAST] =
        {"too_fast",
         TRUST_INVALID,
         N_("faster than the least work allows"),
         N_("faster than its least work allows: %{seconds} s, and at the best rates ever seen on "
            "this machine at least %{least} s are needed"),
         N_("measure it again; if it happens again, the program leaves out work"),
         {{"seconds", THREE_DIGITS}, {"least", THREE_DIGITS}}},
    [CAUSE_CLOCK_STOOD] = {"clock", TRUST_INVALID, N_("shorter than the clock can see"),
                           N_("the clock saw no time pass"), N_("measure a larger image")},
    [CAUSE_UNVERIFIED] = {"unverified",
                          TRUST_SUSPECT,
                          N_("results not verified"),
                          N_("result not verified in %{unverified} of %{launches} launches"),
                          N_("measure with --verify full or sampled"),
                          {{"unverified", WHOLE}, {"launches", WHOLE}}},
    [CAUSE_ROOF_UNCERTAIN] = {"roof_uncertain",
                              TRUST_SUSPECT,
                              N_("an uncertain limit"),
                              N_("%{methods} methods of this problem are faster than the machine's "
                                 "limit: the limit is uncertain"),
                              N_("measure the ceilings again: study roofline"),
                              {{"methods", WHOLE}}},
    [CAUSE_LIMIT_PASSED] =
        {"limit_passed",
         TRUST_PRECISE,
         N_("a limit that was measured too low"),
         N_("it reaches %{share} % of the machine's limit, beyond the intervals of both: the limit "
            "was measured in a slower moment, so no share is given"),
         N_("measure the ceilings again: study roofline"),
         {{"share", WHOLE}}},
    [CAUSE_TWO_MODES] = {"two_modes",
                         TRUST_SUSPECT,
                         N_("times in two modes"),
                         N_("the times lie in two modes, one %{factor} times as long as the other, "
                            "with %{share} % in the slower"),
                         N_("end programs that start and stop, or on a virtual machine wait for a "
                            "quieter hour, then: %{again}"),
                         {{"factor", THREE_DIGITS}, {"share", WHOLE}}},
    [CAUSE_FAR_ABOVE] = {"far_above",
                         TRUST_SUSPECT,
                         N_("a median far above the fastest tenth"),
                         N_("the median is %{factor} times the 10 % quantile of the samples: "
                            "something else was running"),
                         N_("end the other programs, or on a virtual machine wait for a quieter "
                            "hour, then: %{again}"),
                         {{"factor", TWO_DECIMALS}}},
    [CAUSE_SHIFT] = {"shift",
                     TRUST_SUSPECT,
                     N_("further rounds unlike the planned ones"),
                     N_("launches of the further rounds took %{factor} times as long as the "
                        "planned ones"),
                     N_("the machine changed during the run; with nothing else running: %{again}"),
                     {{"factor", TWO_DECIMALS}}},
    [CAUSE_SESSIONS] = {"sessions",
                        TRUST_SUSPECT,
                        N_("sessions that differ"),
                        N_("the slowest of its runs took %{factor} times as long as the fastest: "
                           "its interval does not hold for another run"),
                        N_("compare only what one run measured, or measure in more runs"),
                        {{"factor", TWO_DECIMALS}}},
    [CAUSE_TWO_SESSIONS] =
        {"two_sessions",
         TRUST_PRECISE,
         N_("two runs that differ a little"),
         N_("its two runs differ by %{percent} %: the interval is of these two, and need not hold "
            "for another run"),
         N_("a third run gives an interval that holds for others too"),
         {{"percent", TWO_DIGITS}}},
    [CAUSE_SESSION_LEVEL] =
        {"session_level",
         TRUST_PRECISE,
         N_("an interval between runs"),
         N_("its %{runs} runs differ by up to %{percent} %: each counts once in the interval, "
            "which is wider for it"),
         N_("more runs narrow it; ratios within rounds are not affected"),
         {{"runs", WHOLE}, {"percent", TWO_DIGITS}}},
    [CAUSE_TREND] = {"trend",
                     TRUST_SUSPECT,
                     N_("times that change from launch to launch"),
                     N_("the times rise or fall from launch to launch: the last third takes "
                        "%{factor} times as long as the first"),
                     N_("something changed during the run, as heat or other load does: %{again}"),
                     {{"factor", TWO_DECIMALS}}},
    [CAUSE_DRIFT] = {"drift",
                     TRUST_SUSPECT,
                     N_("times that change within launches"),
                     N_("in every launch, the second half of the samples took %{factor} times as "
                        "long as the first"),
                     N_("allow more warm-ups, or shorter launches if heat is the cause"),
                     {{"factor", TWO_DECIMALS}}},
    [CAUSE_CORRELATED] = {"correlated",
                          TRUST_ROUGH,
                          N_("launches that resemble their neighbours"),
                          N_("launches resemble those before them, with correlation "
                             "%{correlation}: the speed of the "
                             "machine drifts, and the interval holds for this hour only"),
                          N_("compare by ratios within rounds, which drift does not affect"),
                          {{"correlation", TWO_DECIMALS}}},
    [CAUSE_RARE_MODE] =
        {"rare_mode",
         TRUST_PRECISE,
         N_("a second mode that does not change the median"),
         N_("%{share} % of the times lie in a second mode, %{factor} times as long; "
            "the median is that of the others"),
         N_("look for other programs that start and stop, if the slower times matter"),
         {{"factor", THREE_DIGITS}, {"share", WHOLE}}},
    [CAUSE_ROUNDS] =
        {"rounds",
         TRUST_PRECISE,
         N_("rounds that share their noise"),
         N_("points rank their rounds alike: the machine's speed wanders, and adds ±%{share} % to "
            "the interval"),
         N_("compare by ratios within rounds, which this does not touch; more rounds narrow it"),
         {{"share", ONE_DECIMAL}}},
    [CAUSE_LOAD] = {"load",
                    TRUST_SUSPECT,
                    N_("other load before the run"),
                    N_("other load: %{busy} of %{cores} cores were busy before the run"),
                    measure_again,
                    {{"busy", TWO_DIGITS}, {"cores", WHOLE}}},
    [CAUSE_LAUNCH_LOAD] =
        {"load",
         TRUST_SUSPECT,
         N_("other programs beside the launches"),
         N_("while %{disturbed} of %{launches} launches ran, other programs kept %{busy} of "
            "%{cores} cores busy"),
         measure_again,
         {{"disturbed", WHOLE}, {"launches", WHOLE}, {"busy", TWO_DECIMALS}, {"cores", WHOLE}}},
    [CAUSE_LEFT_OUT] =
        {"load_left_out",
         TRUST_PRECISE,
         N_("launches left out for other programs"),
         N_("%{disturbed} of %{launches} launches are left out: while they ran, other programs "
            "kept %{busy} of %{cores} cores busy"),
         N_("nothing: the other launches suffice"),
         {{"disturbed", WHOLE}, {"launches", WHOLE}, {"busy", TWO_DECIMALS}, {"cores", WHOLE}}},
    [CAUSE_LOAD_DURING] =
        {"load_during",
         TRUST_PRECISE,
         N_("other load during the run"),
         N_("while it was measured other programs kept %{busy} of %{cores} cores busy"),
         measure_again,
         {{"busy", TWO_DIGITS}, {"cores", WHOLE}}},
    [CAUSE_STOLEN] =
        {"stolen",
         TRUST_PRECISE,
         N_("time stolen by the host"),
         N_("while it was measured the hypervisor gave %{share} % of the processors' busy time to "
            "other machines"),
         N_("nothing here helps: measure at a quieter hour, or on a machine that is not shared"),
         {{"share", ONE_DECIMAL}}},
    [CAUSE_SWITCHES] =
        {"switches",
         TRUST_PRECISE,
         N_("threads that lost their cores"),
         N_("its threads lost their cores: slow samples have %{slow} involuntary context "
            "switches a second, the others %{other}"),
         N_("other programs or threads of its own: stop other work, bind threads with --bind core, "
            "or ask for a node of your own"),
         {{"slow", THREE_DIGITS}, {"other", THREE_DIGITS}}},
    [CAUSE_FREQUENCY] =
        {"frequency",
         TRUST_PRECISE,
         N_("a CPU frequency that changed"),
         N_("the frequency of the CPU changed: it ran at %{slow} MHz where times are long, and at "
            "%{fast} MHz otherwise"),
         N_("set the governor to performance, let the machine cool down, and measure it again"),
         {{"slow", WHOLE}, {"fast", WHOLE}}},
    [CAUSE_INTERRUPTED] =
        {"interrupted",
         TRUST_PRECISE,
         N_("interrupted launches"),
         N_("%{unfinished} launches did not finish and are left out of the %{launches}"),
         N_("run the experiment again: it measures what is missing"),
         {{"unfinished", WHOLE}, {"launches", WHOLE}},
         .one = N_("one launch did not finish and is left out of the %{launches}")},
    [CAUSE_STOPPED] = {"stopped",
                       TRUST_SUSPECT,
                       N_("stopped programs"),
                       N_("the program was stopped during %{stopped} of %{samples} samples, whose "
                          "times contain the pause"),
                       N_("measure it again, and stop no program while it measures (Ctrl-Z, "
                          "SIGSTOP, a suspended job)"),
                       {{"stopped", WHOLE}, {"samples", WHOLE}}},
    [CAUSE_CLOCK_COARSE] = {"clock",
                            TRUST_SUSPECT,
                            N_("times too short for the clock"),
                            N_("the clock is too coarse: a sample lasts %{steps} clock steps, and "
                               "%{wanted} are needed"),
                            N_("measure a larger image"),
                            {{"steps", THREE_DIGITS}, {"wanted", WHOLE}}},
    [CAUSE_WORKERS] = {"workers",
                       TRUST_SUSPECT,
                       N_("more workers than cores"),
                       N_("%{workers} workers share %{cores} cores"),
                       fewer_workers,
                       {{"workers", WHOLE}, {"cores", WHOLE}},
                       .of_one = N_("%{workers} workers share one core")},
    [CAUSE_RANKS] = {"workers",
                     TRUST_SUSPECT,
                     N_("more workers than cores"),
                     N_("%{ranks} ranks share %{cores} cores"),
                     fewer_workers,
                     {{"ranks", WHOLE}, {"cores", WHOLE}},
                     .of_one = N_("%{ranks} ranks share one core")},
    [CAUSE_THREADS] = {"workers",
                       TRUST_SUSPECT,
                       N_("more workers than cores"),
                       N_("%{threads} threads share %{cores} cores"),
                       fewer_workers,
                       {{"threads", WHOLE}, {"cores", WHOLE}},
                       .of_one = N_("%{threads} threads share one core")},
    [CAUSE_QUOTA] = {"quota",
                     TRUST_SUSPECT,
                     N_("more workers than the quota"),
                     N_("%{workers} workers on a quota of %{quota} cores"),
                     N_("use fewer workers, or raise the control group's quota"),
                     {{"workers", WHOLE}, {"quota", THREE_DIGITS}},
                     .one = N_("one worker on a quota of %{quota} cores"),
                     .of_one = N_("%{workers} workers on a quota of one core")},
    [CAUSE_SHARED_CORES] = {"shared",
                            TRUST_SUSPECT,
                            N_("workers that shared cores"),
                            N_("workers shared cores in %{sharing} of %{launches} launches"),
                            N_("use --bind core, and a launcher that gives each rank its cores"),
                            {{"sharing", WHOLE}, {"launches", WHOLE}}},
    [CAUSE_UNBOUND] =
        {"unbound",
         TRUST_SUSPECT,
         N_("binding to cores that failed"),
         N_("binding to cores was asked for, and worked in %{bound} of %{launches} launches"),
         N_("check which cores the launcher or the control group allows"),
         {{"bound", WHOLE}, {"launches", WHOLE}}},
    [CAUSE_PAGES] = {"pages",
                     TRUST_SUSPECT,
                     N_("two kinds of memory pages"),
                     N_("the image was in huge pages in %{huge} of %{launches} launches"),
                     N_("ask for one kind: --pages ordinary, or free memory for huge ones"),
                     {{"huge", WHOLE}, {"launches", WHOLE}}},
    [CAUSE_GPU_CLOCK] = {"gpu_clock",
                         TRUST_SUSPECT,
                         N_("a throttled GPU clock"),
                         N_("the GPU's clock was throttled in %{slowed} of %{samples} samples"),
                         N_("cool the GPU or raise its power limit, then measure again"),
                         {{"slowed", WHOLE}, {"samples", WHOLE}, {"rank", WHOLE}},
                         N_("the clock of a rank's GPU was throttled in %{slowed} of %{samples} "
                            "samples, first that of rank %{rank}")},
    [CAUSE_GPU_POWER] = {"gpu_power",
                         TRUST_SUSPECT,
                         N_("a GPU at its power limit"),
                         N_("the GPU was at its power limit in %{slowed} of %{samples} samples, "
                            "which throttled its clock"),
                         N_("small cards reach it under any load: compare results with the same "
                            "limit, or raise it (nvidia-smi -pl)"),
                         {{"slowed", WHOLE}, {"samples", WHOLE}, {"rank", WHOLE}},
                         N_("a rank's GPU was at its power limit in %{slowed} of %{samples} "
                            "samples, which throttled its clock, first that of rank %{rank}")},
    [CAUSE_COMMIT] = {"commit", TRUST_SUSPECT, N_("two commits along a curve"),
                      N_("the program's commit changes along its curve"),
                      N_("measure the curve again with one program")},
    [CAUSE_MACHINE] = {"machine", TRUST_SUSPECT, N_("two machines along a curve"),
                       N_("the machine changes along its curve"),
                       N_("keep the results of each machine in a folder of its own")},
    [CAUSE_ISA] = {"isa", TRUST_SUSPECT, N_("two instruction sets along a curve"),
                   N_("the instruction set changes along its curve"),
                   N_("measure the curve with one --isa")},
    [CAUSE_BINDING] = {"bind", TRUST_SUSPECT, N_("two bindings along a curve"),
                       N_("the binding to cores changes along its curve"),
                       N_("measure the curve with one --bind")},
    [CAUSE_DEVICE] = {"device", TRUST_SUSPECT, N_("two GPUs along a curve"),
                      N_("the GPU changes along its curve"),
                      N_("measure the curve with one --device")},
    [CAUSE_SIMULATED] = {"simulated",
                         TRUST_SIMULATED,
                         N_("simulated times"),
                         N_("simulated, not measured; computed and verified in %{verified} of "
                            "%{launches} launches"),
                         N_("a forecast: compare it with a measured point where there is one"),
                         {{"verified", WHOLE}, {"launches", WHOLE}}},
    [CAUSE_FEW_SAMPLES] =
        {"few_samples",
         TRUST_ROUGH,
         N_("too few samples for an interval"),
         N_("%{samples} samples, fewer than the %{needed} that a 95 % interval needs"),
         N_("allow more samples or more seconds"),
         {{"samples", WHOLE}, {"needed", WHOLE}},
         .one = N_("one sample, fewer than the %{needed} that a 95 % interval needs")},
    [CAUSE_ONE_LAUNCH] = {"one_launch", TRUST_ROUGH, N_("a single launch"),
                          N_("one launch: the variation between launches is unknown"),
                          N_("measure nine launches")},
    [CAUSE_DIRTY] =
        {"dirty", TRUST_PRECISE, N_("uncommitted changes in the program"),
         N_("the program had uncommitted changes: the commit does not identify its sources"),
         N_("commit before you measure results for publication")},
};

struct reason reason_make(enum cause cause, double a, double b)
{
    return (struct reason){.kind = cause,
                           .code = causes[cause].code,
                           .trust = causes[cause].trust,
                           .amount = a,
                           .other = b};
}

struct reason reason_make_of_four(enum cause cause, const double numbers[4])
{
    struct reason r = reason_make(cause, numbers[0], numbers[1]);
    r.more[0] = numbers[2];
    r.more[1] = numbers[3];
    return r;
}

const char *reason_name(const struct reason *r, const struct language *l)
{
    return message(l, causes[r->kind].name);
}

struct reason_text reason_remedy(const struct reason *r, const struct language *l,
                                 enum sample_source source)
{
    struct reason_text t;
    const char *other = remedy_of_source(r->kind, source);
    message_format(t.text, sizeof t.text, l, other ? other : causes[r->kind].remedy,
                   WITH({"again", message(l, remedy_again(source))}));
    return t;
}

/* The sentence for the numbers that a reason has. */
static const char *cause_text(const struct reason *r)
{
    if (causes[r->kind].of_rank && !isnan(r->more[0]))
        return causes[r->kind].of_rank;
    if (causes[r->kind].one && r->amount == 1.0)
        return causes[r->kind].one;
    return causes[r->kind].of_one && r->other == 1.0 ? causes[r->kind].of_one
                                                     : causes[r->kind].cause;
}

struct reason_text reason_cause(const struct reason *r, const struct language *l)
{
    struct reason_text t;
    char numbers[VALUES][32];
    const double given[VALUES] = {r->amount, r->other, r->more[0], r->more[1]};
    struct argument arguments[VALUES + 1] = {{NULL, NULL}};
    for (size_t i = 0; i < VALUES && causes[r->kind].values[i].name; i++) {
        const struct value *value = &causes[r->kind].values[i];
        snprintf(numbers[i], sizeof numbers[i], formats[value->form], given[i]);
        number_localize(l, numbers[i]);
        arguments[i] = (struct argument){value->name, numbers[i]};
    }
    message_format(t.text, sizeof t.text, l, cause_text(r), arguments);
    return t;
}

bool reason_can_clear(const struct reason *r)
{
    static const enum cause stay[] = {CAUSE_WORKERS,   CAUSE_RANKS,     CAUSE_THREADS,
                                      CAUSE_QUOTA,     CAUSE_SIMULATED, CAUSE_CLOCK_COARSE,
                                      CAUSE_GPU_POWER, CAUSE_DIRTY};
    for (size_t i = 0; i < sizeof stay / sizeof *stay; i++)
        if (r->kind == stay[i])
            return false;
    return true;
}

const char *reason_word(const struct reason *r, const struct language *l)
{
    return r->trust == TRUST_PRECISE ? message(l, "note") : trust_word(r->trust, l);
}

void reason_line(const struct reason *r, const struct language *l, enum sample_source source,
                 char line[REASON_LINE])
{
    snprintf(line, REASON_LINE, "%s (%s)", reason_cause(r, l).text,
             reason_remedy(r, l, source).text);
}
