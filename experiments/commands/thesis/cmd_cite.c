/* study cite: how to cite this suite. */
#include "experiments/commands/commands.h"
#include "experiments/commands/thesis/citation.h"
#include "experiments/common/arguments.h"
#include "generated/commit.h"

#include <string.h>

const char citation_key[] = "maxpool";

static const char released[] = MAXPOOL_RELEASED; /* a date, YYYY-MM-DD */
static const char url[] = MAXPOOL_URL;           /* "" if CITATION.cff names none */

void citation_bibtex(FILE *stream)
{
    fprintf(stream,
            "@misc{%s,\n"
            "  author       = {{The maxpool maintainers}},\n"
            "  title        = {{maxpool: a kernel study suite}},\n"
            "  year         = {%.4s},\n"
            "  howpublished = {Software, version " MAXPOOL_VERSION "},\n"
            "  note         = {Commit \\texttt{%s}}%s%s%s\n"
            "}\n",
            citation_key, released, MAXPOOL_COMMIT, url[0] ? ",\n  url          = {" : "", url,
            url[0] ? "}" : "");
}

static void print_text(void)
{
    printf(
        "The maxpool maintainers: maxpool: a kernel study suite. Software, version " MAXPOOL_VERSION
        ", %s, commit %s.%s%s\n",
        released, MAXPOOL_COMMIT, url[0] ? " " : "", url);
}

enum status command_cite(int argc, char **argv, struct failure *f)
{
    const char *form = "bibtex";
    const struct option_row options[] = {
        {"format", VALUE_TEXT, "bibtex|text", "an entry for BibTeX, or one line (default bibtex)",
         .target = &form},
    };
    const struct usage usage = {"",
                                "Prints how to cite this suite: its version, date and the commit "
                                "of this build.\n"
                                "`study thesis` writes the same entry into maxpool.bib.",
                                options,
                                sizeof options / sizeof *options,
                                0,
                                0};
    int operands;
    if (!arguments_taken(&usage, argc, argv, &operands, f))
        return f->status;
    if (strcmp(form, "text") == 0)
        print_text();
    else if (strcmp(form, "bibtex") == 0)
        citation_bibtex(stdout);
    else
        return fail(f, STATUS_USAGE, "--format %s: bibtex or text", form);
    return STATUS_OK;
}
