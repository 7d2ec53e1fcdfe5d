/* Chooses the reader of a file by its first bytes; where these tell nothing, by the ending of its
 * name. */
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
    bool text;               /* it has no first bytes of its own */
};

#define ONE_NII "NIfTI in two files is not read: convert it to one .nii"

/* One row per ending. A new kind of file is one function and one row. */
static const struct file_kind file_kinds[] = {
    {.ending = ".npy", .open = source_open_npy},
    {.ending = ".txt", .open = source_open_text, .text = true},
    {.ending = ".csv", .open = source_open_csv, .text = true},
    {.ending = ".tsv", .open = source_open_tsv, .text = true},
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
    {.ending = ".hdr", .refused = ONE_NII},
    {.ending = ".img", .refused = ONE_NII},
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

enum { FIRST = 352 }; /* bytes of a file that show what it is: NIfTI's mark ends at byte 348 */

struct beginning {
    char bytes[FIRST];
    size_t count;
};

/* Reads the first bytes of a regular file; of any other none. */
static void read_beginning(const char *path, struct beginning *b)
{
    FILE *stream;
    int64_t bytes;
    b->count = 0;
    if (regular_stream(path, &stream, &bytes, NULL) != STATUS_OK)
        return;
    b->count = fread(b->bytes, 1, FIRST, stream);
    fclose(stream);
}

/* A format by the bytes at a place of the file. Those with an ending are read under any name, as
 * files with that ending; of the others `what` says what they are and what to do. */
struct format {
    size_t at, count;
    const char *bytes, *ending, *what;
};

#define TO_PNG ": convert it to PNG"
#define A_PAGE "is a page in HTML: download the file itself"
#define UNPACK "is packed: unpack it first"

static const struct format formats[] = {
    {0, 4, "\x89PNG", ".png", NULL},
    {0, 3, "\xff\xd8\xff", ".jpg", NULL},
    {0, 6, "\x93NUMPY", ".npy", NULL},
    {344, 4, "n+1\0", ".nii", NULL},
    {4, 4, "n+2\0", ".nii", NULL},
    {344, 4, "ni1\0", NULL, ONE_NII},
    {4, 4, "ni2\0", NULL, ONE_NII},
    {0, 4, "GIF8", NULL, "holds a GIF" TO_PNG},
    {0, 2, "BM", NULL, "holds a BMP" TO_PNG},
    {0, 4, "II*\0", NULL, "holds a TIFF" TO_PNG},
    {0, 4, "MM\0*", NULL, "holds a TIFF" TO_PNG},
    {0, 4, "II+\0", NULL, "holds a TIFF" TO_PNG},
    {8, 4, "WEBP", NULL, "holds a WebP" TO_PNG},
    {4, 4, "ftyp", NULL, "holds a HEIC or AVIF" TO_PNG},
    {4, 4, "jP  ", NULL, "holds a JPEG 2000" TO_PNG},
    {4, 4, "JXL ", NULL, "holds a JPEG XL" TO_PNG},
    {0, 2, "\xff\x0a", NULL, "holds a JPEG XL" TO_PNG},
    {0, 4, "\0\0\1\0", NULL, "holds an icon" TO_PNG},
    {0, 4, "8BPS", NULL, "holds a Photoshop image" TO_PNG},
    {0, 4, "%PDF", NULL, "holds a PDF" TO_PNG},
    {0, 4, "SIMP", NULL, "holds a FITS image: write the array by numpy.save"},
    {128, 4, "DICM", NULL, "holds a DICOM image: convert it to NIfTI"},
    {0, 4, "NRRD", NULL, "holds an NRRD image: convert it to NIfTI"},
    {0, 4, "\x89HDF", NULL, "holds HDF5: write one array by numpy.save"},
    {0, 6, "MATLAB", NULL, "is a file of MATLAB: write one array by numpy.save"},
    {0, 4, "PK\3\4", NULL,
     "is a ZIP archive, as numpy.savez writes: write one array by numpy.save"},
    {0, 1, "\x80", NULL, "is a pickle of Python: write one array by numpy.save"},
    {0, 2, "\x1f\x8b", NULL, "is packed by gzip: unpack it by gunzip"},
    {0, 3, "BZh", NULL, UNPACK},
    {0, 4,
     "\xfd"
     "7zX",
     NULL, UNPACK},
    {0, 4, "\x28\xb5\x2f\xfd", NULL, UNPACK},
    {0, 4, "7z\xbc\xaf", NULL, UNPACK},
    {0, 4, "Rar!", NULL, UNPACK}};

/* These are text themselves, and come under the name of any file that was to be downloaded. */
static const struct format downloads[] = {{0, 23, "version https://git-lfs", NULL,
                                           "is a pointer of Git LFS: 'git lfs pull' gets the file"},
                                          {0, 9, "<!DOCTYPE", NULL, A_PAGE},
                                          {0, 9, "<!doctype", NULL, A_PAGE},
                                          {0, 5, "<html", NULL, A_PAGE},
                                          {0, 5, "<HTML", NULL, A_PAGE}};

/* True if all bytes of a format may stand in a text, as those of BMP do in "BMI,age". */
static bool may_be_text(const struct format *f)
{
    size_t i = 0;
    while (i < f->count && f->bytes[i] >= ' ' && f->bytes[i] < '\x7f')
        i++;
    return i == f->count;
}

static bool begins_as(const struct beginning *b, const struct format *f)
{
    return b->count >= f->at + f->count && memcmp(b->bytes + f->at, f->bytes, f->count) == 0;
}

/* The format that these bytes begin, or NULL. A text: the file has the name of one. */
static const struct format *format_of(const struct beginning *b, bool text)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (begins_as(b, &formats[i]) && !(text && may_be_text(&formats[i])))
            return &formats[i];
    for (size_t i = 0; i < sizeof downloads / sizeof *downloads; i++)
        if (begins_as(b, &downloads[i]))
            return &downloads[i];
    return NULL;
}

/* P1 to P7, as PBM, PGM, PPM and PAM begin, and a blank. */
static bool is_netpbm(const struct beginning *b)
{
    return b->count >= 3 && b->bytes[0] == 'P' && b->bytes[1] >= '1' && b->bytes[1] <= '7' &&
           strchr(" \t\r\n#", b->bytes[2]);
}

/* How a file is read: by what it begins with, otherwise by the ending of its name. *refused: why it
 * is not read. The reader of NIfTI unpacks gzip itself. */
static const struct file_kind *find_kind(const char *path, const char **refused)
{
    struct beginning b;
    const struct file_kind *kind = file_kind_of(path);
    read_beginning(path, &b);
    const struct format *f = format_of(&b, kind && kind->text);
    *refused = NULL;
    if (f && f->ending)
        return file_kind_of_ending(f->ending);
    const bool unpacks = kind && strncmp(kind->ending, ".nii", 4) == 0;
    if (kind && kind->refused)
        *refused = kind->refused;
    else if (f && !(unpacks && f->bytes[0] == '\x1f'))
        *refused = f->what;
    else if (is_netpbm(&b))
        *refused = "holds a PGM or PPM" TO_PNG;
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
