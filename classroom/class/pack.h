/* `study pack FILE`: packs the last run of a kernel and its source into one archive. */
#ifndef MAXPOOL_CLASS_PACK_H
#define MAXPOOL_CLASS_PACK_H

#include "classroom/class/archive.h"

struct pack_request {
    const char *file;    /* the kernel's source */
    const char *results; /* folder where it was measured */
    const char *student;
    const char *output; /* the archive */
};

/* Status 2 if the kernel was not measured, or was changed since then; 3, 4, 5. */
enum status pack_make(const struct pack_request *request, struct failure *f);

/* Adds the kernel's source, its name without folders. Status 2, 4. */
enum status pack_source(struct archive *z, const char *file, struct failure *f);

/* Adds the last run of the source that the archive begins with. Status as above. */
enum status pack_run(struct archive *z, const struct pack_request *request, struct failure *f);

#endif
