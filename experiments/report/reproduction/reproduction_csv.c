#include "experiments/report/reproduction/reproduction_page.h"

#include "experiments/common/frame.h"
#include "experiments/report/reproduction/reproduction_words.h"

#include <math.h>
#include <string.h>

static void put_text(FILE *stream, const char *text)
{
    putc(',', stream);
    frame_write_field(stream, text);
}

static void put_number(FILE *stream, double value)
{
    putc(',', stream);
    if (isfinite(value))
        fprintf(stream, "%.9g", value);
}

static const char *unit_of(const struct reproduced_row *row)
{
    static const char *const units[] = {"s", "", "B", ""};
    return row->state == REPRODUCED_MEASURED ? units[measure_unit_of(&row->measure)] : "";
}

/* Writes a value in the measure's unit, a known answer, or a finding; then the ends of the
 * interval. */
static void put_ours(FILE *stream, const struct reproduced_row *row)
{
    const struct taken *t = &row->taken;
    const bool measured = row->state == REPRODUCED_MEASURED;
    if (measured && t->finding[0])
        put_text(stream, t->finding);
    else if (row->state == REPRODUCED_ANSWER && row->answer.text[0])
        put_text(stream, row->answer.text);
    else
        put_number(stream, measured                          ? t->value
                           : row->state == REPRODUCED_ANSWER ? row->answer.number
                                                             : (double)NAN);
    put_number(stream, measured ? t->interval.lower : (double)NAN);
    put_number(stream, measured ? t->interval.upper : (double)NAN);
}

/* Ends a row with the launches and samples behind a value; `p` is NULL where no point is. */
static void put_counts(FILE *stream, const struct point *p)
{
    const struct estimate *e = p ? &p->seconds[METRIC_TOTAL] : NULL;
    if (e)
        fprintf(stream, ",%zu,%zu\n", e->launches, e->samples);
    else
        fputs(",,\n", stream);
}

static void put_row(FILE *stream, const struct reproduced_row *row, const struct language *l)
{
    char *const *cells = row->published->cells;
    const bool trusted = row->state == REPRODUCED_MEASURED && row->taken.trusted;
    fprintf(stream, "%s:%lld,%s", row->published->file, (long long)row->published->line,
            published_source_words[row->published->source]);
    put_text(stream, cells[PUBLISHED_ITEM]);
    put_text(stream, row_quantity(row, &language_english).text);
    put_text(stream, cells[PUBLISHED_VALUE]);
    put_text(stream, cells[PUBLISHED_UNIT]);
    put_text(stream, cells[PUBLISHED_MACHINE]);
    put_text(stream, reproduced_names[row->state]);
    put_ours(stream, row);
    put_text(stream, unit_of(row));
    put_text(stream, trusted ? trust_names[row->taken.trust] : "");
    put_number(stream, row->ratio);
    put_number(stream, row->interval.lower);
    put_number(stream, row->interval.upper);
    put_text(stream, row->experiment ? row->experiment->name : "");
    put_text(stream, row->taken.point ? row->taken.point->label : "");
    put_text(stream, row->source ? row->source->label : "");
    put_text(stream, row_sentence(row, l).text);
    put_counts(stream, row->state == REPRODUCED_MEASURED ? row->taken.point : NULL);
}

/* A claim: `published` are the values that agree, `state` is the verdict. */
static void put_claim(FILE *stream, const struct claim_row *j, const struct language *l)
{
    char *const *cells = j->claim->cells;
    const struct taken *t = &j->taken;
    const bool number = t->found && !t->finding[0];
    fprintf(stream, "claims:%lld,%s", (long long)j->claim->line,
            published_source_words[j->claim->source]);
    put_text(stream, cells[CLAIM_PLACE]);
    put_text(stream, cells[CLAIM_TEXT]);
    put_text(stream, cells[CLAIM_EXPECTED]);
    fputs(",,", stream);
    put_text(stream, verdict_names[j->verdict]);
    if (number)
        put_number(stream, t->value);
    else
        put_text(stream, claim_ours(j, l).text);
    put_number(stream, number ? t->interval.lower : (double)NAN);
    put_number(stream, number ? t->interval.upper : (double)NAN);
    put_text(stream, number && measure_unit_of(&j->measure) == MEASURE_SECONDS ? "s" : "");
    put_text(stream, t->found && t->trusted ? trust_names[t->trust] : "");
    fputs(",,,", stream);
    put_text(stream, j->experiment ? j->experiment->name : "");
    put_text(stream, t->point ? t->point->label : "");
    put_text(stream, j->source ? j->source->label : "");
    put_text(stream, claim_basis(j, l).text);
    put_counts(stream, t->found ? t->point : NULL);
}

void reproduction_csv(FILE *stream, const struct reproduction *r, const struct language *l)
{
    fputs("id,source,item,quantity,published,unit,published_machine,state,ours,lower,upper,"
          "ours_unit,trust,ratio,ratio_lower,ratio_upper,experiment,point,machine,sentence,"
          "launches,samples\n",
          stream);
    for (size_t i = 0; i < r->count; i++)
        if (r->shown[r->rows[i].published->source])
            put_row(stream, &r->rows[i], l);
    for (size_t i = 0; i < r->verdicts.count; i++)
        if (r->shown[r->verdicts.all[i].claim->source])
            put_claim(stream, &r->verdicts.all[i], l);
}
