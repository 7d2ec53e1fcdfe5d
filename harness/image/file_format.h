/* What a file is by its first bytes, whatever its name says: one table for the readers of images
 * and of tensors, so that each can name what it was given instead and what to do. */
#ifndef MAXPOOL_FILE_FORMAT_H
#define MAXPOOL_FILE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

enum { FILE_FORMAT_BYTES = 352 }; /* that show what a file is: NIfTI's mark ends at byte 348 */

struct file_format {
    const char *ending;  /* images in it are read as files with that ending; NULL: none is */
    const char *image;   /* what it is, and what to do for an image; NULL: it is read */
    const char *tensors; /* the same for the tensors of a network; NULL: it is read */
    bool gzip;           /* some readers unpack it themselves */
};

/* The format that the first `count` bytes of a file begin, or NULL. Of a file with the name of a
 * text, only what no text begins with, and what comes as text itself. */
const struct file_format *file_format_of(const char *bytes, size_t count, bool text);

#endif
