/* The commands of `study`. Each has its own file, cmd_NAME.c, and a row in the table of study.c.
 * argv[0] is the command's name. A command prints its results on stdout. The failure that ends it
 * is stored in *f and printed by main, which exits with the returned status. */
#ifndef MAXPOOL_COMMANDS_H
#define MAXPOOL_COMMANDS_H

#include "harness/base/failure.h"

#include <stdbool.h>

typedef enum status command_function(int argc, char **argv, struct failure *f);

struct command {
    const char *name;
    const char *summary; /* one line, no full stop */
    command_function *run;
    bool first; /* one of the few that most people need; --help lists these first */
};

command_function command_list;
command_function command_env;
command_function command_roofline;
command_function command_calibrate;
command_function command_predict;
command_function command_plan;
command_function command_run;
command_function command_status;
command_function command_import;
command_function command_analyze;
command_function command_plot;
command_function command_export;
command_function command_report;
command_function command_reproduce;
command_function command_thesis;
command_function command_cite;
command_function command_compare;
command_function command_duet;
command_function command_amdahl;
command_function command_speedup;
command_function command_lab;
command_function command_class;
command_function command_audit;
command_function command_pack;

#endif
