/* The texts of a row for readers: the published value digit for digit, ours, and a sentence. */
#ifndef MAXPOOL_REPRODUCTION_WORDS_H
#define MAXPOOL_REPRODUCTION_WORDS_H

#include "experiments/analysis/numbers.h"
#include "experiments/report/reproduction/reproduction.h"

enum { ROW_TEXT = 2400 };

struct row_words {
    char text[ROW_TEXT];
};

/* What the row is about: the quantity, or a figure's caption, and its configuration: "total time,
 * batch 128". */
struct row_words row_quantity(const struct reproduced_row *row, const struct language *l);

/* "1789.84 s", digit for digit; for a figure, "no number printed". */
struct row_words row_published(const struct reproduced_row *row, const struct language *l);

/* "4.21 [4.18, 4.25] ms", a known answer, a finding, or why there is none: "not measured here". */
struct row_words row_ours(const struct reproduced_row *row, const struct language *l);

/* "PRECISE", "ROUGH"; "known answer", "differs"; "" for none. */
const char *row_status(const struct reproduced_row *row, const struct language *l);

/* The status, and of a measured point the number of its launches: "PRECISE, 9 launches". */
struct row_words row_trust(const struct reproduced_row *row, const struct language *l);

/* True if our value is a finding that has the status in it, "... (SUSPECT)". */
bool row_names_status(const struct reproduced_row *row, const struct language *l);

/* What follows "WORD: " at the beginning of a sentence; else all of it. */
const char *text_without_word(const char *sentence, const char *word);

/* "1.31 [1.30, 1.32]"; "" for none. */
struct row_words row_ratio(const struct reproduced_row *row, const struct language *l);

/* Remarks in a sentence or two; "" for none. `device_said`: a verdict beside it says that a GPU is
 * needed. The sentence has the note on the document too. */
struct row_words row_remark(const struct reproduced_row *row, bool device_said,
                            const struct language *l);
struct row_words row_note(const struct reproduced_row *row, const struct language *l);
struct row_words row_sentence(const struct reproduced_row *row, const struct language *l);

/* A text of the published rows in the language: items, quantities, captions, notes. */
const char *published_text(const char *text, const struct language *l);

/* The document's name for readers. */
const char *source_title(enum published_source source, const struct language *l);

/* A claim's value here, "1.33 [1.30, 1.36]", a known answer, or "not measured here"; and what the
 * verdict rests on: the values that agree, a remark, the protocol, the point. */
struct row_words claim_ours(const struct claim_row *j, const struct language *l);
struct row_words claim_basis(const struct claim_row *j, const struct language *l);

/* A claim's own words, or its remark, in the language. */
const char *claim_text(const char *text, const struct language *l);

/* How many of the claims of the documents shown have each verdict. */
struct row_words claims_summary(const struct reproduction *r, const struct language *l);

/* Sentences about the numbers and figures of the documents shown: how many are results, settings,
 * recomputed, or none of these; and which deviate most. */
struct row_words reproduction_summary(const struct reproduction *r, const struct language *l);
struct row_words reproduction_deviations(const struct reproduction *r, const struct language *l);

#endif
