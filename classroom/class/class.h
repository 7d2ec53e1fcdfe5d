/* All archives of a class: the result of each, and which of them have the same source. */
#ifndef MAXPOOL_CLASS_CLASS_H
#define MAXPOOL_CLASS_CLASS_H

#include "classroom/class/submission.h"
#include "classroom/lab/grade.h"
#include "harness/base/text/language.h"

enum { CLASS_MAX = 512 };

/* Why an archive is doubtful: the first of its causes (class_weigh). Only the first three receive
 * points. */
enum class_doubt {
    CLASS_FINE,
    CLASS_STARTER,    /* the source is the unchanged starter */
    CLASS_SAME,       /* another student has the same source, or the same compiled code */
    CLASS_DISTURBED,  /* measured while other programs were running: to be measured again */
    CLASS_UNREADABLE, /* it could not be read; `why` has the reason */
    CLASS_ALTERED,  /* a file is not the one that was packed or measured, or `study audit` finds an
                     * inconsistency without measuring */
    CLASS_TOO_FAST, /* faster than its machine's own limit */
    CLASS_OTHER     /* measured with another operator, size or method than the rubric's */
};

struct class_row {
    const char *path;
    struct submission submission; /* released and zero if unreadable */
    enum class_doubt doubt;
    char why[1200];          /* all its causes in English, with semicolons between them */
    bool starter;            /* the source is the unchanged starter */
    size_t number;           /* from 1, in the order of the archives' hashes, which is unrelated to
                              * the names */
    size_t same_as;          /* number of another row with the same source or code; 0: none */
    bool same_code;          /* only the compiled code is the same */
    char source[SHA256_HEX]; /* hash of the source (same_source.h) */
    char code[SHA256_HEX]; /* hash of the compiled code (lab/compiled/code_hash.h); "": not known */
    char student[PACKAGE_STUDENT];
    size_t place, last_place; /* in a class measured here: the places that the intervals leave open,
                               * from 1; 0: none */
    bool graded;
    struct lab_grade grade;
};

struct class
{
    struct class_row *rows; /* in ascending order of `number` */
    size_t count;
    const struct lab_rubric *rubric; /* NULL: no points are given */
    const char *basis;               /* whose measurement the points follow from, an id */
    size_t passes; /* all rows were measured here, so often each; 0: each student measured */
};

/* Two causes, ids of messages. */
extern const char class_starter[], class_disturbed[];

/* What `basis` may be, if no student measured. */
extern const char class_basis_here[];

/* Reads the archives. One that cannot be read becomes a row, too. Status 2 for more than CLASS_MAX
 * archives; 4. */
enum status class_read(struct class *c, char **paths, size_t count, const struct lab_rubric *rubric,
                       struct failure *f);
void class_release(struct class *c);

/* Computes a row's `source`, and doubts an unchanged starter. */
void class_hash_source(struct class_row *row);

/* Numbers the rows in the order of their hashes (submission.package.sha256). */
void class_number(struct class *c);

/* Links rows with equal sources or code, then grades all rows. */
void class_finish(struct class *c);

/* Returns the rows in the order of a page or table: by number, or with `names` by student. The
 * caller frees it; NULL: no memory. */
const struct class_row **class_in_order(const struct class *c, bool names);

/* Returns how a run differs from the rubric, an id of a message, or NULL. A size of 0 in the rubric
 * means the default of `study lab`; a run need not have that size. */
const char *class_differs(const struct submission *s, const struct lab_rubric *rubric);

/* Returns the doubt of an archive: load comes first, since other findings may follow from it.
 * `faults` is what audit_check() found. */
enum class_doubt class_weigh(const struct class_row *row, const struct lab_rubric *rubric,
                             const struct texts *faults);

/* Writes all causes in language `l`, in which the faults are too; "" if there are none. */
void class_write_causes(const struct class_row *row, const struct lab_rubric *rubric,
                        const struct texts *faults, const struct language *l, char *text,
                        size_t size);

/* Writes what a page says of a row's doubt, all causes in language `l`. */
void class_explain(const struct class *c, const struct class_row *row, const struct language *l,
                   char *text, size_t size);

/* Doubts a row for one reason, an id of a message. */
void class_doubt_row(struct class_row *row, enum class_doubt doubt, const char *why);

/* Returns what the kernel is compared with: the index in submission.methods of the rubric's method
 * or, without a rubric, of the first method; 0: none. */
size_t class_reference(const struct class *c, const struct class_row *row);

/* Writes FOLDER/grades.csv or FOLDER/class.html. `names`: include the students' names and the names
 * of the archives' files. Status 5. */
enum status class_write_grades(const struct class *c, const char *folder, bool names,
                               struct failure *f);
enum status class_write_page(const struct class *c, const char *folder, bool names,
                             const struct language *l, struct failure *f);

#endif
