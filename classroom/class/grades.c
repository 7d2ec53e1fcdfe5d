/* grades.csv: one row for each archive. */
#include "classroom/class/class.h"

#include "classroom/lab/guard/protection.h"
#include "experiments/common/folder_files.h"
#include "experiments/common/frame.h"
#include "experiments/common/output.h"
#include "experiments/common/results.h"
#include "harness/base/text/fit.h"
#include "harness/base/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char header[] =
    "number,student,archive,file,operator,verdict,doubt,same_as,step,share_of_limit,against,ratio,"
    "ratio_lower,ratio_upper,points,perhaps,most,basis,not_protected_against,place,last_place\n";

/* Writes a text of a student. A spreadsheet computes what begins with one of these characters, such
 * as =HYPERLINK(...), unless an apostrophe is before it. */
static void put_text(FILE *to, const char *text)
{
    char shown[4096];
    text_fit_format(shown, sizeof shown, "%s%s", text[0] && strchr("=+-@", text[0]) ? "'" : "",
                    text);
    utf8_clean_foreign(shown, false);
    frame_write_field(to, shown);
    putc(',', to);
}

/* Writes nothing if the value is not known. */
static void put_number(FILE *to, double value, char end)
{
    if (isfinite(value))
        fprintf(to, "%.6g", value);
    putc(end, to);
}

static void write_row(FILE *to, const struct class *c, const struct class_row *row, bool names)
{
    const struct submission *s = &row->submission;
    const size_t reference = class_reference(c, row), step = s->correct ? submission_step(s) : 0;
    const struct summary *ratio = &s->methods[reference].ratio;
    const struct lab_grade *g = &row->grade;
    char lacking[200] = "";
    fprintf(to, "%zu,", row->number);
    put_text(to, names ? row->student : "");
    put_text(to, names ? file_name(row->path) : "");
    put_text(to, names ? s->file : "");
    put_text(to, s->operator_name);
    put_text(to, row->doubt == CLASS_UNREADABLE ? "unreadable" : s->verdict);
    put_text(to, row->why);
    if (row->same_as > 0)
        fprintf(to, "%zu", row->same_as);
    putc(',', to);
    put_text(to, step > 0 ? s->methods[step].name : "");
    put_number(to, submission_share(s), ',');
    put_text(to, reference > 0 ? s->methods[reference].name : "");
    put_number(to, reference > 0 ? 1.0 / ratio->median : NAN, ',');
    put_number(to, reference > 0 ? 1.0 / ratio->upper : NAN, ',');
    put_number(to, reference > 0 ? 1.0 / ratio->lower : NAN, ',');
    put_number(to, row->graded ? g->points : NAN, ',');
    put_number(to, row->graded ? g->decided ? g->points : g->perhaps : NAN, ',');
    put_number(to, row->graded ? g->most : NAN, ',');
    if (row->doubt != CLASS_UNREADABLE)
        lab_protection_words(s->lacking, lacking, sizeof lacking);
    fprintf(to, "%s,%s,", row->graded ? c->basis : "", lacking);
    put_number(to, row->place > 0 ? (double)row->place : NAN, ',');
    put_number(to, row->place > 0 ? (double)row->last_place : NAN, '\n');
}

enum status class_write_grades(const struct class *c, const char *folder, bool names,
                               struct failure *f)
{
    struct output o;
    const struct results_path path = results_file(folder, "grades.csv");
    const struct class_row **rows = class_in_order(c, names);
    const enum status status =
        rows ? output_open(&o, path.text, f) : fail(f, STATUS_RESOURCE, "not enough memory");
    for (size_t i = 0; i < c->count && status == STATUS_OK; i++) {
        if (i == 0)
            fputs(header, o.stream);
        write_row(o.stream, c, rows[i], names);
    }
    free(rows);
    return status == STATUS_OK ? output_close(&o, f) : status;
}
