/* Chooses the reader of a file by its first bytes; where these tell nothing, by the ending of its
 * name. */
#include "harness/base/regular_file.h"
#include "harness/base/suite_files.h"
#include "harness/image/file_format.h"
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
    bool unpacks;            /* what gzip packed */
    bool any_bytes;          /* values alone, without a mark */
    bool text;               /* numbers as text, without a mark */
};

#ifdef MAXPOOL_HAVE_PNG
#define PNG .open = source_open_png
#else
#define PNG .unavailable = "built without libpng (Debian: libpng-dev)"
#endif
#ifdef MAXPOOL_HAVE_JPEG
#define JPEG .open = source_open_jpeg
#else
#define JPEG .unavailable = "built without libjpeg (Debian: libjpeg-dev)"
#endif
#ifdef MAXPOOL_HAVE_NIFTI
#define NIFTI .open = source_open_nifti
#else
#define NIFTI .unavailable = "built without libnifti (Debian: libnifti-dev)"
#endif

/* One row per ending. A new kind of file is one function and one row. */
static const struct file_kind file_kinds[] = {
    {".npy", .open = source_open_npy},
    {".txt", .open = source_open_text, .text = true},
    {".csv", .open = source_open_csv, .text = true},
    {".tsv", .open = source_open_tsv, .text = true},
    {".png", PNG},
    {".jpg", JPEG},
    {".jpeg", JPEG},
    {".nii", NIFTI, .unpacks = true},
    {".nii.gz", NIFTI, .unpacks = true},
    {".hdr", NIFTI, .unpacks = true}, /* a pair, of which either may be named */
    {".hdr.gz", NIFTI, .unpacks = true},
    {".img", NIFTI, .any_bytes = true},
    {".img.gz", NIFTI, .any_bytes = true},
    {".npz", .refused = "holds several arrays: write one of them by numpy.save"},
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

/* The format that the first bytes of a regular file begin; NULL: none that is known. A text: the
 * file has the name of one. */
static const struct file_format *format_of(const char *path, bool text)
{
    FILE *stream;
    int64_t bytes;
    char beginning[FILE_FORMAT_BYTES];
    if (regular_stream(path, &stream, &bytes, NULL) != STATUS_OK)
        return NULL;
    const size_t count = fread(beginning, 1, sizeof beginning, stream);
    fclose(stream);
    return file_format_of(beginning, count, text);
}

/* How a file is read: by what it begins with, otherwise by the ending of its name. *refused: why it
 * is not read. */
static const struct file_kind *find_kind(const char *path, const char **refused)
{
    const struct file_kind *kind = file_kind_of(path);
    const struct file_format *f = format_of(path, kind && kind->text);
    *refused = NULL;
    if (f && f->ending)
        return file_kind_of_ending(f->ending);
    if (kind && kind->refused)
        *refused = kind->refused;
    else if (f && !(kind && (kind->any_bytes || (kind->unpacks && f->gzip))))
        *refused = f->image;
    return kind;
}

bool source_is_picture(const char *path)
{
    const char *refused;
    const struct file_kind *kind = find_kind(path, &refused);
    static const char *const endings[] = {".png", ".jpg", ".jpeg"};
    for (size_t i = 0; kind && i < sizeof endings / sizeof *endings; i++)
        if (strcmp(kind->ending, endings[i]) == 0)
            return true;
    return false;
}

/* Tells a person who types what to type, and how to end it; prints nothing for a pipe or a file. */
static void prompt_typist(void)
{
    if (isatty(STDIN_FILENO))
        fputs("Type the image: a row of numbers a line, with blanks between them, an empty line "
              "between planes.\nCtrl-D on a line of its own ends it.\n",
              stderr);
}

/* Why a file of no known kind is refused: it is missing, say, or a folder. */
static enum status refuse_unknown(const char *path, struct failure *f)
{
    FILE *stream;
    int64_t bytes;
    enum status status = regular_stream(path, &stream, &bytes, f);
    if (status != STATUS_OK)
        return status;
    fclose(stream);
    return fail(f, STATUS_USAGE,
                "%s: its first bytes are of no known format, and its name does not end in .txt, "
                ".csv or .tsv",
                path);
}

enum status source_open_file(struct source **out, const char *path, struct failure *f)
{
    *out = NULL;
    if (strcmp(path, "-") == 0) {
        prompt_typist();
        return source_open_text_stream(out, stdin, "standard input", f);
    }
    const char *refused;
    const struct file_kind *kind = find_kind(path, &refused);
    if (refused)
        return fail(f, STATUS_USAGE, "%s: %s", path, refused);
    if (!kind)
        return refuse_unknown(path, f);
    if (!kind->open)
        return fail(f, STATUS_UNAVAILABLE, "%s: cannot read %s: %s", path, kind->ending,
                    kind->unavailable);
    return kind->open(out, path, f);
}

enum status source_open_input(struct source **out, const char *name, struct failure *f)
{
    char path[PATH_MAX];
    const char *found = suite_input(path, name);
    const enum status status = source_open_file(out, found, f);
    if (status != STATUS_OK || found == name)
        return status;
    (*out)->shown = strdup(name);
    if ((*out)->shown)
        return STATUS_OK;
    source_close(*out);
    *out = NULL;
    return fail(f, STATUS_RESOURCE, "%s: no memory to open it", name);
}
