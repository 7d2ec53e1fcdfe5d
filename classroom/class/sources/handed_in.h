/* The sources that students handed in: files, and folders of them as learning platforms give them.
 */
#ifndef MAXPOOL_HANDED_IN_H
#define MAXPOOL_HANDED_IN_H

#include "experiments/common/lists.h"

struct handed_in {
    struct texts paths;    /* of the sources */
    struct texts students; /* their names, as many; "": the file's name is the student's */
    struct texts unpacked; /* temporary folders, one of each zip */
};

/* Finds the sources of the operands of `study class measure`. A file is a source. Of a folder, the
 * sources in it are taken, and of each folder in it the only source in that one or below: the
 * student's name is then the folder's, of Moodle's "Ana Perez_12345_assignsubmission_file_" what
 * comes before the number. Hidden files and folders, links and the folder __MACOSX are left out. A
 * source is a file that `study lab` compiles. The sources of a zip are unpacked into a temporary
 * folder, which is then such a folder. Status 2 for a folder without a source, for a
 * student's folder that has none or several, and for a folder or zip that cannot be read; 3, 4, 5.
 * After a failure there is nothing to release. */
enum status handed_in_find(struct handed_in *h, char **operands, size_t count, struct failure *f);

/* Removes what was unpacked, too. */
void handed_in_release(struct handed_in *h);

#endif
