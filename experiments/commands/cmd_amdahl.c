#include "experiments/analysis/numbers.h"
#include "experiments/analysis/speedup/scaling.h"
#include "experiments/commands/commands.h"
#include "experiments/common/arguments.h"
#include "harness/base/text/integer.h"
#include "harness/base/text/screen.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static enum status print_workers(double fraction, const char *list, struct failure *f)
{
    const char *at = list;
    do {
        int64_t workers;
        if (!integer_take(&at, 1, INT64_MAX, &workers) || (*at && *at != ','))
            return fail(f, STATUS_USAGE, "--workers: '%s' is no list of numbers from 1", list);
        double speedup = amdahl_speedup(fraction, (double)workers);
        printf(
            "%12" PRId64 " %s\n", workers,
            number_in(screen_language(), "%12.5f %12.5g", speedup, speedup / (double)workers).text);
        at += *at == ',';
    } while (*at);
    return STATUS_OK;
}

enum status command_amdahl(int argc, char **argv, struct failure *f)
{
    double fraction = NAN;
    const char *workers = "1,2,4,8,16,32,64,128,256,512,1024";
    const struct option_row options[] = {
        {"fraction", VALUE_REAL, "F", "parallel share of the serial time, 0 to 1 (required)",
         .target = &fraction},
        {"workers", VALUE_LIST, "P,P,...", "numbers of workers", .target = &workers},
    };
    const struct usage usage = {
        "--fraction F",
        "Prints the speedup and the efficiency that Amdahl's law allows for given numbers of\n"
        "workers, 1 / ((1 - f) + f / p), and its bound, 1 / (1 - f).",
        options,
        sizeof options / sizeof *options,
        0,
        0};
    int operands;
    if (!arguments_taken(&usage, argc, argv, &operands, f))
        return f->status;
    if (!(fraction >= 0.0 && fraction <= 1.0))
        return fail(f, STATUS_USAGE, "--fraction F is needed, with F from 0 to 1");
    screen_right(stdout, screen_text("workers"), 12);
    screen_right(stdout, screen_text("speedup"), 13);
    screen_right(stdout, screen_text("efficiency"), 13);
    putchar('\n');
    enum status status = print_workers(fraction, workers, f);
    if (status == STATUS_OK) {
        screen_right(stdout, screen_text("bound"), 12);
        puts(number_in(screen_language(), "%13.5f", amdahl_bound(fraction)).text);
    }
    return status;
}
