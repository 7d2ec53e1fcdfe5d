/* All archives of a class: the result of each, and sources that are the same. */
#ifndef MAXPOOL_CLASS_CLASS_H
#define MAXPOOL_CLASS_CLASS_H

#include "experiments/class/submission.h"
#include "experiments/common/text/language.h"
#include "experiments/lab/grade.h"

enum { CLASS_MAX = 512 };

/* Why an archive is doubtful, first to last by weight; only CLASS_FINE and the two behind it
 * give points. */
enum class_doubt {
    CLASS_FINE,
    CLASS_STARTER,    /* the source is the starter as it was handed out */
    CLASS_SAME,       /* the source is another student's, too */
    CLASS_UNREADABLE, /* it could not be read; `why` has the reason */
    CLASS_ALTERED,    /* a file is not the one that was packed or measured */
    CLASS_TOO_FAST,   /* faster than its machine's own limit */
    CLASS_OTHER       /* measured with another operator, size or method than the rubric's */
};

struct class_row {
    const char *path;
    struct submission submission; /* released and zero where unreadable */
    enum class_doubt doubt;
    char why[400];           /* of the doubt, a sentence without a full stop */
    size_t number;           /* from 1, in the order of the archives' hashes: no order of names */
    size_t same_as;          /* number of another archive of the same source; 0: none */
    char source[SHA256_HEX]; /* hash of the source without comments and white space */
    bool graded;
    struct lab_grade grade;
};

struct class
{
    struct class_row *rows; /* by number */
    size_t count;
    const struct lab_rubric *rubric; /* NULL: no points are given */
};

/* Reads the archives. One that cannot be read is a row. Status 2 for more than CLASS_MAX, 4. */
enum status class_read(struct class *c, char **paths, size_t count, const struct lab_rubric *rubric,
                       struct failure *f);
void class_release(struct class *c);

/* How the kernel compares: the place among submission.methods of the rubric's method, or without a
 * rubric of the first; 0: none. */
size_t class_reference(const struct class *c, const struct class_row *row);

/* Writes FOLDER/grades.csv and FOLDER/class.html. `names`: with students' names and the archives'
 * files. Status 5. */
enum status class_write_grades(const struct class *c, const char *folder, bool names,
                               struct failure *f);
enum status class_write_page(const struct class *c, const char *folder, bool names,
                             const struct language *l, struct failure *f);

#endif
