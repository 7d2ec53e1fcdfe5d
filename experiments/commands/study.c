/* study: turns the samples of point programs into findings. */
#include "experiments/commands/commands.h"
#include "experiments/common/process.h"
#include "generated/commit.h"

#include <gsl/gsl_errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const struct command commands[] = {
    {"list", "the experiments, their questions and their state", command_list},
    {"env", "what this machine is, as JSON", command_env},
    {"roofline", "measure this machine's streaming bandwidths", command_roofline},
    {"calibrate", "seconds per row, which simulated ranks are given", command_calibrate},
    {"plan", "the points of experiments, their time, their commands", command_plan},
    {"run", "run what is missing of experiments", command_run},
    {"status", "what has been run, what failed, what is missing", command_status},
    {"import", "bring home samples taken elsewhere", command_import},
    {"analyze", "medians, speedups, fits and trust of every point", command_analyze},
    {"plot", "the charts, as SVG, PNG and PDF", command_plot},
    {"report", "one page with charts, tables and findings", command_report},
    {"check", "the twelve rules of sound benchmarking, held against results", command_check},
    {"compare", "what became faster or slower between two result sets", command_compare},
    {"predict", "the time on more ranks than there are, and when to stop", command_predict},
    {"amdahl", "the speedup that a parallel share allows", command_amdahl},
};

static const struct command *find(const char *name)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static void print_help(void)
{
    puts("Usage: study COMMAND [OPTION]...\n"
         "Turns the samples of maxpool_* and matmul_* into findings.\n\n"
         "Commands (each with --help):");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        printf("  %-9s %s\n", commands[i].name, commands[i].summary);
}

/* Runs what the command line asks for; the status is the program's. */
static enum status dispatch(int argc, char **argv, struct failure *f)
{
    if (argc < 2)
        return fail(f, STATUS_USAGE, "which command? 'study --help' lists them");
    if (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0) {
        print_help();
        return STATUS_OK;
    }
    if (strcmp(argv[1], "-V") == 0 || strcmp(argv[1], "--version") == 0) {
        printf("study %s (%s)\n", MAXPOOL_VERSION, MAXPOOL_COMMIT);
        return STATUS_OK;
    }
    const struct command *command = find(argv[1]);
    if (!command)
        return fail(f, STATUS_USAGE, "no command '%s'; 'study --help' lists them", argv[1]);
    return command->run(argc - 1, argv + 1, f);
}

int main(int argc, char **argv)
{
    struct failure f = {0};
    signal(SIGXFSZ, SIG_IGN);    /* a file size limit is an error to tell, not a death */
    gsl_set_error_handler_off(); /* what GSL cannot do comes back as a status, not as an abort */
    enum status status = dispatch(argc, argv, &f);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        if (status == STATUS_OK)
            status = fail(&f, STATUS_OUTPUT, "the output could not be written");
    }
    if (f.message[0])
        fprintf(stderr, "study: %s\n", f.message);
    process_die_of_stop_signal(); /* Ctrl-C: the shell is to see that */
    return (int)status;
}
