/* Chooses the reader of a file by the ending of its name; of a picture, by its first bytes. */
#include "harness/base/regular_file.h"
#include "harness/image/sources/source_kind.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
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
    {.ending = ".csv", .open = source_open_csv},
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
    {.ending = ".npz", .refused = "holds several arrays: write one of them by numpy.save"},
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

enum { FIRST = 32 }; /* bytes of a file that show what it is */

/* Reads the first bytes of a regular file; 0 for any other. */
static size_t read_first(const char *path, char first[FIRST])
{
    FILE *stream;
    int64_t bytes;
    if (regular_stream(path, &stream, &bytes, NULL) != STATUS_OK)
        return 0;
    const size_t got = fread(first, 1, FIRST, stream);
    fclose(stream);
    return got;
}

static bool begins(const char *first, size_t got, const char *with, size_t count)
{
    return got >= count && memcmp(first, with, count) == 0;
}

/* The ending of the other format of pictures if the file begins as one of that; otherwise NULL. */
static const char *ending_of_content(const char *first, size_t got, const char *ending)
{
    if (strcmp(ending, ".png") == 0)
        return begins(first, got, "\xff\xd8\xff", 3) ? ".jpg" : NULL;
    if (strcmp(ending, ".jpg") == 0 || strcmp(ending, ".jpeg") == 0)
        return begins(first, got, "\x89PNG", 4) ? ".png" : NULL;
    return NULL;
}

/* What a file holds that is read under no name, or not under its own; NULL: nothing known. */
static const char *foreign_content(const char *first, size_t got, const char *ending)
{
    static const struct {
        size_t at, count;
        const char *bytes, *what;
    } formats[] = {
        {0, 4, "GIF8", "holds a GIF: convert it to PNG"},
        {0, 2, "BM", "holds a BMP: convert it to PNG"},
        {0, 4, "II*\0", "holds a TIFF: convert it to PNG"},
        {0, 4, "MM\0*", "holds a TIFF: convert it to PNG"},
        {8, 4, "WEBP", "holds a WebP: convert it to PNG"},
        {4, 4, "ftyp", "holds a HEIC or AVIF: convert it to PNG"},
        {0, 4, "PK\3\4", "is a ZIP archive, as numpy.savez writes: write one array by numpy.save"},
        {0, 1, "\x80", "is a pickle of Python: write one array by numpy.save"},
        {0, 2, "\x1f\x8b", "is packed by gzip: unpack it by gunzip"},
        {0, 23, "version https://git-lfs", "is a pointer of Git LFS: 'git lfs pull' gets the file"},
        {0, 9, "<!DOCTYPE", "is a page in HTML: download the file itself"},
        {0, 9, "<!doctype", "is a page in HTML: download the file itself"},
        {0, 5, "<html", "is a page in HTML: download the file itself"}};
    const bool unpacks = strncmp(ending, ".nii", 4) == 0;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (got >= formats[i].at &&
            begins(first + formats[i].at, got - formats[i].at, formats[i].bytes,
                   formats[i].count) &&
            !(unpacks && formats[i].bytes[0] == '\x1f'))
            return formats[i].what;
    return NULL;
}

/* Tells a person who types what to type, and how to end it; prints nothing for a pipe or a file. */
static void prompt_typist(void)
{
    if (isatty(STDIN_FILENO))
        fputs("Type the image: a row of numbers a line, with blanks between them, an empty line "
              "between planes.\nCtrl-D on a line of its own ends it.\n",
              stderr);
}

/* Why a name with no known ending is refused: it is that of a folder, say, or of another file. */
static enum status refuse_name(const char *path, struct failure *f)
{
    struct stat about;
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
        return fail(f, STATUS_USAGE, "%s: is %s, not a regular file", path,
                    regular_kind(about.st_mode));
    return fail(f, STATUS_USAGE,
                "%s: the name should end in .png, .jpg, .npy, .nii, .nii.gz, .txt or .csv", path);
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
        return refuse_name(path, f);
    char first[FIRST];
    const size_t got = read_first(path, first);
    const char *content = ending_of_content(first, got, kind->ending);
    kind = content ? file_kind_of_ending(content) : kind;
    const char *refused = kind->refused ? kind->refused : foreign_content(first, got, kind->ending);
    if (refused)
        return fail(f, STATUS_USAGE, "%s: %s", path, refused);
    if (!kind->open)
        return fail(f, STATUS_UNAVAILABLE, "%s: cannot read %s: %s", path, kind->ending,
                    kind->unavailable);
    return kind->open(out, path, f);
}
