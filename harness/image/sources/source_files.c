/* Chooses the reader of a file by the ending of its name; of a picture, by its first bytes. */
#include "harness/base/regular_file.h"
#include "harness/image/sources/source_kind.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

struct file_kind {
    const char *ending;
    enum status (*open)(struct source **out, const char *path, struct failure *f);
    const char *unavailable; /* why this build cannot read it */
    const char *refused;     /* why no build reads it */
};

/* One row per ending. A new kind of file is one function and one row. */
static const struct file_kind file_kinds[] = {
    {.ending = ".npy", .open = source_open_npy},
    {.ending = ".txt", .open = source_open_text},
#ifdef MAXPOOL_HAVE_PNG
    {.ending = ".png", .open = source_open_png},
#else
    {.ending = ".png", .unavailable = "built without libpng (Debian: libpng-dev)"},
#endif
#ifdef MAXPOOL_HAVE_JPEG
    {.ending = ".jpg", .open = source_open_jpeg},
    {.ending = ".jpeg", .open = source_open_jpeg},
#else
    {.ending = ".jpg", .unavailable = "built without libjpeg (Debian: libjpeg-dev)"},
    {.ending = ".jpeg", .unavailable = "built without libjpeg (Debian: libjpeg-dev)"},
#endif
#ifdef MAXPOOL_HAVE_NIFTI
    {.ending = ".nii", .open = source_open_nifti},
    {.ending = ".nii.gz", .open = source_open_nifti},
#else
    {.ending = ".nii", .unavailable = "built without libnifti (Debian: libnifti-dev)"},
    {.ending = ".nii.gz", .unavailable = "built without libnifti (Debian: libnifti-dev)"},
#endif
    {.ending = ".hdr", .refused = "NIfTI in two files is not read: convert it to one .nii"},
    {.ending = ".img", .refused = "NIfTI in two files is not read: convert it to one .nii"},
};

static bool ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

static const struct file_kind *file_kind_of(const char *path)
{
    for (size_t i = 0; i < sizeof file_kinds / sizeof *file_kinds; i++)
        if (ends_with(path, file_kinds[i].ending))
            return &file_kinds[i];
    return NULL;
}

static const struct file_kind *file_kind_of_ending(const char *ending)
{
    const struct file_kind *kind = file_kinds;
    while (strcmp(kind->ending, ending) != 0)
        kind++;
    return kind;
}

/* The ending of the other format of pictures if the file begins as one of that; otherwise NULL. */
static const char *ending_of_content(const char *path, const char *ending)
{
    unsigned char first[4] = {0};
    FILE *stream;
    int64_t bytes;
    const bool png = strcmp(ending, ".png") == 0;
    if (!png && strcmp(ending, ".jpg") != 0 && strcmp(ending, ".jpeg") != 0)
        return NULL;
    if (regular_stream(path, &stream, &bytes, NULL) != STATUS_OK)
        return NULL;
    const size_t got = fread(first, 1, sizeof first, stream);
    fclose(stream);
    if (got == sizeof first && !png && memcmp(first, "\x89PNG", sizeof first) == 0)
        return ".png";
    return got == sizeof first && png && memcmp(first, "\xff\xd8\xff", 3) == 0 ? ".jpg" : NULL;
}

/* Tells a person who types what to type, and how to end it; prints nothing for a pipe or a file. */
static void prompt_typist(void)
{
    if (isatty(STDIN_FILENO))
        fputs("Type the image: a row of numbers a line, with blanks between them, an empty line "
              "between planes.\nCtrl-D on a line of its own ends it.\n",
              stderr);
}

enum status source_open_file(struct source **out, const char *path, struct failure *f)
{
    *out = NULL;
    if (strcmp(path, "-") == 0) {
        prompt_typist();
        return source_open_text_stream(out, stdin, "standard input", f);
    }
    const struct file_kind *kind = file_kind_of(path);
    if (!kind)
        return fail(f, STATUS_USAGE,
                    "%s: the name should end in .png, .jpg, .npy, .nii, .nii.gz or .txt", path);
    const char *content = ending_of_content(path, kind->ending);
    kind = content ? file_kind_of_ending(content) : kind;
    if (kind->refused)
        return fail(f, STATUS_USAGE, "%s: %s", path, kind->refused);
    if (!kind->open)
        return fail(f, STATUS_UNAVAILABLE, "%s: cannot read %s: %s", path, kind->ending,
                    kind->unavailable);
    return kind->open(out, path, f);
}
