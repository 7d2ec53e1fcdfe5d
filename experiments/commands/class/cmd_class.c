/* study class: an assignment, and one page of the archives that students hand in. */
#include "classroom/class/assignment.h"
#include "classroom/class/class.h"
#include "classroom/class/measure.h"
#include "experiments/commands/commands.h"
#include "experiments/common/arguments.h"
#include "experiments/common/lock.h"
#include "experiments/common/results.h"
#include "harness/base/text/screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct class_command {
    const char *operator_name, *rubric, *output, *language;
    struct measure_plan plan;
    int64_t seed;
    bool names;
};

static enum status make_assignment(const struct class_command *c, const char *folder,
                                   struct failure *f)
{
    const struct language *l;
    enum status status = language_find(&l, c->language, f);
    if (status == STATUS_OK)
        status = assignment_make(folder, c->operator_name, l->code, f);
    if (status == STATUS_OK)
        screen_say(stdout,
                   "Written: %{folder} with a starter, rubric.ini, a Makefile, INSTRUCTIONS.md and "
                   "INSTRUCCIONES.md. Look at rubric.ini, then hand it out.\n",
                   WITH({"folder", folder}));
    return status;
}

/* Writes both files, then prints a line for each archive that could not be read; the page has it
 * too. */
static enum status write_class(const struct class *all, const struct class_command *c,
                               const struct language *l, struct failure *f)
{
    size_t unreadable = 0;
    if (results_make(c->output, f) != STATUS_OK ||
        class_write_grades(all, c->output, c->names, f) != STATUS_OK ||
        class_write_page(all, c->output, c->names, l, f) != STATUS_OK)
        return f->status;
    puts(results_file(c->output, "class.html").text);
    puts(results_file(c->output, "grades.csv").text);
    if (all->passes == 0)
        puts(screen_text("Not checked: whether the times were measured at all. 'study audit' "
                         "measures some of them again."));
    for (size_t i = 0; i < all->count; i++)
        if (all->rows[i].doubt == CLASS_UNREADABLE) {
            fprintf(stderr, "study: %s: %s\n", all->rows[i].path, all->rows[i].why);
            unreadable++;
        }
    return unreadable == 0 ? STATUS_OK
                           : fail(f, STATUS_USAGE, "%zu of %zu archives could not be read",
                                  unreadable, all->count);
}

static enum status collect(const struct class_command *c, char **paths, size_t count,
                           struct failure *f)
{
    struct class all;
    struct lab_rubric rubric;
    const struct language *l;
    enum status status = language_find(&l, c->language, f);
    if (status == STATUS_OK && c->rubric)
        status = lab_rubric_read(&rubric, "--rubric", c->rubric, f);
    if (status != STATUS_OK)
        return status;
    status = class_read(&all, paths, count, c->rubric ? &rubric : NULL, f);
    if (status == STATUS_OK)
        status = write_class(&all, c, l, f);
    class_release(&all);
    return status;
}

static enum status check_plan(const struct class_command *c, struct failure *f)
{
    if (!c->rubric)
        return fail(f, STATUS_USAGE, "measure needs --rubric: it says what is measured");
    if (!(c->plan.seconds > 0.0))
        return fail(f, STATUS_USAGE, "--max-seconds must be above 0, not %g", c->plan.seconds);
    return STATUS_OK;
}

static enum status measure(struct class_command *c, char **paths, size_t count, struct failure *f)
{
    struct class all = {.rows = NULL};
    struct handed_in sources = {.paths = {NULL, 0}};
    struct lab_rubric rubric;
    struct results_lock lock = {.file = -1};
    const struct language *l;
    c->plan.output = c->output;
    c->plan.seed = (uint64_t)c->seed;
    enum status status = check_plan(c, f);
    if (status == STATUS_OK)
        status = language_find(&l, c->language, f);
    if (status == STATUS_OK)
        status = lab_rubric_read(&rubric, "--rubric", c->rubric, f);
    if (status == STATUS_OK)
        status = handed_in_find(&sources, paths, count, f);
    if (status == STATUS_OK)
        status = results_make(c->output, f);
    if (status == STATUS_OK)
        status = results_lock(c->output, "study class measure", &lock, f);
    if (status == STATUS_OK)
        status = class_measure(&all, &sources, &rubric, &c->plan, f);
    if (status == STATUS_OK)
        status = write_class(&all, c, l, f);
    class_release(&all);
    results_unlock(&lock);
    handed_in_release(&sources);
    return status;
}

static const char about[] =
    "`study class new` makes an assignment: a starter, a rubric, a Makefile, and instructions "
    "in\n"
    "English and Spanish. Students measure on their own machines and hand in the archive that\n"
    "`study pack` makes.\n"
    "`study class collect` reads the archives and writes DIR/class.html and DIR/grades.csv: "
    "which\n"
    "kernels are correct, which step of the ladder each one reaches, its share of its own\n"
    "machine's limit, and which sources are the same. It runs nothing from an archive;\n"
    "`study audit` measures a part of them again.\n"
    "`study class measure` measures the sources of all students on this machine and writes "
    "the\n"
    "same files. Every pass measures each kernel once, in a random order; intervals are over\n"
    "passes. Kernels that become the same compiled code are measured as one. A call that was\n"
    "stopped goes on where it was. Of a folder or a zip, it takes the source of each student's\n"
    "folder, as Moodle names them, or the sources in it. Run it in a container or virtual machine\n"
    "that holds nothing else: it runs the students' programs, in the sandbox of `study lab`.\n"
    "\n"
    "Exit status: 0, or 2 if an archive could not be read; the page shows the others.\n"
    "\n"
    "Examples\n"
    "  study class new pooling\n"
    "  study class collect handed_in/*.zip --rubric pooling/rubric.ini --names\n"
    "  study class measure handed_in --rubric pooling/rubric.ini --names -o results/class";

enum status command_class(int argc, char **argv, struct failure *f)
{
    struct class_command c = {
        .operator_name = "maxpool",
        .output = ".",
        .language = screen_language()->code,
        .plan = {.passes = 9, .rounds = 10, .seconds = 540.0, .results = results_default},
        .seed = 35};
    const struct option_row options[] = {
        {"operator", VALUE_TEXT, "NAME", "of new: one of study lab (default maxpool)",
         .target = &c.operator_name},
        {"rubric", VALUE_TEXT, "FILE.ini", "give points by this rubric (docs/lab.md)",
         .target = &c.rubric},
        {"output", VALUE_TEXT, "DIR", "folder of the page and the grades (default: this folder)",
         .target = &c.output, .letter = 'o'},
        {"names", VALUE_FLAG, NULL,
         "show the names of students, files and archives, in the order of the students",
         .target = &c.names},
        {"lang", VALUE_TEXT, "en|es",
         "language of the page, or of the files of new (default: the environment's)",
         .target = &c.language},
        {"passes", VALUE_INT, "N",
         "of measure: how often every kernel is measured, each time in a new random order "
         "(default 9, at least 6)",
         .target = &c.plan.passes, .least = 6},
        {"max-seconds", VALUE_DURATION, "S",
         "of measure: time for the samples of all kernels together (default 540)",
         .target = &c.plan.seconds},
        {"seed", VALUE_INT, "N", "of measure: seed of the orders (default 35)", .target = &c.seed},
        {"despite-load", VALUE_FLAG, NULL,
         "of measure: measurements count although other programs were running",
         .target = &c.plan.despite_load},
        {"results", VALUE_TEXT, "DIR",
         "of measure: folder with this machine's ceilings.csv (default results/local)",
         .target = &c.plan.results},
    };
    const struct usage usage = {"new FOLDER | collect ARCHIVE... | measure FILE|FOLDER|ZIP...",
                                about,
                                options,
                                sizeof options / sizeof *options,
                                2,
                                -1};
    int operands;
    if (!arguments_taken(&usage, argc, argv, &operands, f))
        return f->status;
    if (strcmp(argv[1], "new") == 0 && operands == 2)
        return make_assignment(&c, argv[2], f);
    if (strcmp(argv[1], "collect") == 0)
        return collect(&c, argv + 2, (size_t)operands - 1, f);
    if (strcmp(argv[1], "measure") == 0)
        return measure(&c, argv + 2, (size_t)operands - 1, f);
    return fail(
        f, STATUS_USAGE,
        "'study class new FOLDER', 'collect ARCHIVE...' or 'measure FILE|FOLDER...', not '%s'",
        argv[1]);
}
