/* study: turns the samples of point programs into findings. */
#include "experiments/commands/commands.h"
#include "experiments/common/process.h"
#include "generated/commit.h"
#include "harness/base/descriptors.h"
#include "harness/base/nearest_word.h"
#include "harness/base/text/screen.h"
#include "harness/base/text/wording.h"

#include <gsl/gsl_errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const struct command commands[] = {
    {"speedup", "draw one figure: how much faster more workers are, against Amdahl's law",
     command_speedup, true},
    {"lab", "check and measure a kernel of yours, and say what to try next", command_lab, true},
    {"run", "measure the missing points of experiments", command_run, true},
    {"report", "write one page with charts, tables and findings", command_report, true},
    {"thesis", "write the speedup figure, its table, method and findings for LaTeX", command_thesis,
     true},
    {"list", "show the experiments, their questions and what is measured", command_list, true},
    {"status", "show what was measured, what failed and why, and what is missing", command_status,
     true},
    {"plan", "show the points of experiments, their time and their commands", command_plan, false},
    {"plot", "draw charts as SVG, PNG, PDF or TikZ", command_plot, false},
    {"export", "write the points as a table for pandas, R or a spreadsheet", command_export, false},
    {"reproduce", "compare the numbers of the tesina and three more documents with yours",
     command_reproduce, false},
    {"compare", "compare two folders of results: what became faster or slower", command_compare,
     false},
    {"duet", "time two commands, commits or builds alternately, and say whether one is slower",
     command_duet, false},
    {"analyze", "compute medians, speedups, fits and trust of every point", command_analyze, false},
    {"roofline", "measure this machine's bandwidths and arithmetic peaks", command_roofline, false},
    {"amdahl", "print the speedup that a parallel fraction allows", command_amdahl, false},
    {"predict", "predict the time on more ranks than this machine has", command_predict, false},
    {"calibrate", "measure the seconds per row that simulated ranks take", command_calibrate,
     false},
    {"pack", "pack a kernel and its measurements into one archive, to hand in", command_pack,
     false},
    {"class", "make an assignment, and one page of the archives that students hand in",
     command_class, false},
    {"audit", "examine archives, and measure a random part of them again", command_audit, false},
    {"cite", "print the BibTeX entry of this suite", command_cite, false},
    {"import", "import samples that were measured on another machine", command_import, false},
    {"env", "describe this machine as JSON", command_env, false},
};

static const struct command *find(const char *name)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static struct suggestion suggest(const char *name)
{
    struct nearest_word n = nearest_word_of(name);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        nearest_word_offer(&n, commands[i].name);
    return nearest_word_suggest(&n, "");
}

static void print_commands(FILE *out, bool first)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (commands[i].first == first)
            fprintf(out, "  %-9s %s\n", commands[i].name, screen_help(commands[i].summary));
}

static void print_help(FILE *out)
{
    static const struct {
        const char *command, *meaning;
    } examples[] = {
        {"study speedup", N_("the speedup figure of this machine, in about a minute")},
        {"study run --all --quick", N_("every experiment, about three minutes")},
        {"study report", N_("the page results/local/report.html")},
        {"study run threads --standard", N_("one experiment, measured more closely")},
        {"study plot threads", N_("its chart alone")},
    };
    fprintf(
        out, "%s: study %s [%s]...\n%s\n\n%s\n", screen_help("Usage"), screen_help("COMMAND"),
        screen_help("OPTION"),
        screen_help(
            "Measures kernels with the programs maxpool_*, matmul_*, conv_*, distances_*, copy_*,\n"
            "network_* and faces_*, and turns their samples into charts, tables and findings.\n"
            "'study COMMAND --help' explains a command; '--lang es' speaks Spanish."),
        screen_help("The commands that most people need:"));
    print_commands(out, true);
    fprintf(out, "\n%s\n", screen_help("Further commands:"));
    print_commands(out, false);
    fprintf(out, "\n%s\n", screen_help("Examples"));
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        fprintf(out, "  %-28s %s\n", examples[i].command, screen_text(examples[i].meaning));
}

/* Takes --lang CODE or --lang=CODE before the command. */
static enum status take_lang(int *argc, char ***argv, struct failure *f)
{
    static const char option[] = "--lang";
    const size_t length = sizeof option - 1;
    const char *word = *argc > 1 ? (*argv)[1] : "";
    const bool apart = strcmp(word, option) == 0;
    if (!apart && (strncmp(word, option, length) != 0 || word[length] != '='))
        return STATUS_OK;
    if (apart && *argc < 3)
        return fail(f, STATUS_USAGE, "option '--lang' needs a value: en|es");
    const enum status status = screen_choose(apart ? (*argv)[2] : word + length + 1, f);
    *argc -= apart ? 2 : 1;
    *argv += apart ? 2 : 1;
    return status;
}

/* Runs the command that the command line names and returns the exit status of the program. */
static enum status dispatch(int argc, char **argv, struct failure *f)
{
    const enum status lang = take_lang(&argc, &argv, f);
    if (lang != STATUS_OK)
        return lang;
    if (argc < 2) {
        print_help(stderr); /* an error: standard output stays empty (POSIX: diagnostics) */
        fputc('\n', stderr);
        return fail(f, STATUS_USAGE, "a command is missing");
    }
    if (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0) {
        print_help(stdout);
        return STATUS_OK;
    }
    if (strcmp(argv[1], "-V") == 0 || strcmp(argv[1], "--version") == 0) {
        printf("study %s (%s)\n", MAXPOOL_VERSION, MAXPOOL_COMMIT);
        return STATUS_OK;
    }
    const struct command *command = find(argv[1]);
    if (!command)
        return fail(f, STATUS_USAGE, "no command '%s'%s; 'study --help' lists them", argv[1],
                    suggest(argv[1]).text);
    return command->run(argc - 1, argv + 1, f);
}

int main(int argc, char **argv)
{
    struct failure f = {0};
    descriptors_secure();
    signal(SIGXFSZ, SIG_IGN);    /* exceeding a file size limit is an error to report, not the end
                                  * of the process */
    gsl_set_error_handler_off(); /* an error of GSL is returned as a status and does not abort */
    screen_choose_early(argc, argv);
    screen_children_speak_english();
    enum status status = dispatch(argc, argv, &f);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        if (status == STATUS_OK)
            status = fail(&f, STATUS_OUTPUT, "the output could not be written");
    }
    if (f.message[0])
        wording_complain("study", f.message);
    process_die_of_stop_signal(); /* after Ctrl-C, so that the shell sees the signal */
    return (int)status;
}
