#include "harness/image/file_format.h"

#include <string.h>

#define NIFTI_HEADER "is the header of a NIfTI pair"
#define GUNZIP       "is packed by gzip: unpack it by gunzip"

/* What to do with it, for an image and for tensors. */
#define NO_IMAGE     ": it is no image"
#define NO_TENSORS   ": give a file of safetensors"
#define TO_PNG       ": convert it to PNG"
#define TO_NIFTI     ": convert it to NIfTI"
#define TO_NPY       ": write one array by numpy.save"
#define BY_TORCH     ": write its tensors by safetensors.torch.save_file"
#define BY_NUMPY     ": write its tensors by safetensors.numpy.save_file"

/* A format by the bytes at a place of the file. */
struct mark {
    size_t at, count;
    const char *bytes;
    struct file_format format;
};

/* NOLINTBEGIN(bugprone-macro-parentheses): the texts are literals, which are joined */
#define READ(from, first, name, what)                                                              \
    {                                                                                              \
        from, sizeof(first) - 1, first,                                                            \
        {                                                                                          \
            .ending = name, .tensors = what NO_TENSORS                                             \
        }                                                                                          \
    }
#define FORMAT(from, first, what, of_image, of_tensors)                                            \
    {                                                                                              \
        from, sizeof(first) - 1, first,                                                            \
        {                                                                                          \
            .image = what of_image, .tensors = what of_tensors                                     \
        }                                                                                          \
    }
#define PICTURE(at, bytes, what) FORMAT(at, bytes, "holds a" what, TO_PNG, NO_TENSORS)
#define PACKED(bytes)            FORMAT(0, bytes, "is packed", ": unpack it first", ": unpack it first")
#define PAGE(bytes)                                                                                \
    FORMAT(0, bytes, "is a page in HTML", ": download the file itself",                            \
           ": download the file itself")
/* NOLINTEND(bugprone-macro-parentheses) */

/* The header of safetensors comes before formats whose mark its length may repeat. */
static const struct mark marks[] = {
    READ(0, "\x89PNG", ".png", "holds a PNG"),
    READ(0, "\xff\xd8\xff", ".jpg", "holds a JPEG"),
    {0, 6, "\x93NUMPY", {.ending = ".npy", .tensors = "holds one array of NumPy" BY_NUMPY}},
    READ(344, "n+1\0", ".nii", "holds a NIfTI volume"),
    READ(4, "n+2\0", ".nii", "holds a NIfTI volume"),
    READ(344, "ni1\0", ".hdr", NIFTI_HEADER),
    READ(4, "ni2\0", ".hdr", NIFTI_HEADER),
    {8, 2, "{\"", {.image = "holds safetensors" TO_NPY}},
    PICTURE(0, "GIF8", " GIF"),
    PICTURE(0, "BM", " BMP"),
    PICTURE(0, "II*\0", " TIFF"),
    PICTURE(0, "MM\0*", " TIFF"),
    PICTURE(0, "II+\0", " TIFF"),
    PICTURE(8, "WEBP", " WebP"),
    PICTURE(4, "ftyp", " HEIC or AVIF"),
    PICTURE(4, "jP  ", " JPEG 2000"),
    PICTURE(4, "JXL ", " JPEG XL"),
    PICTURE(0, "\xff\x0a", " JPEG XL"),
    PICTURE(0, "\0\0\1\0", "n icon"),
    PICTURE(0, "8BPS", " Photoshop image"),
    PICTURE(0, "%PDF", " PDF"),
    FORMAT(0, "SIMP", "holds a FITS image", TO_NPY, NO_TENSORS),
    FORMAT(128, "DICM", "holds a DICOM image", TO_NIFTI, NO_TENSORS),
    FORMAT(0, "NRRD", "holds an NRRD image", TO_NIFTI, NO_TENSORS),
    FORMAT(0, "\x89HDF", "holds HDF5", TO_NPY, BY_NUMPY),
    FORMAT(0, "MATLAB", "is a file of MATLAB", TO_NPY, BY_NUMPY),
    FORMAT(0, "PK\3\4", "is a ZIP archive, as torch.save and numpy.savez write", TO_NPY, BY_TORCH),
    FORMAT(0, "\x80", "is a pickle of Python, as torch.save wrote", TO_NPY, BY_TORCH),
    FORMAT(0, "GGUF", "holds a GGUF network", NO_IMAGE, BY_NUMPY),
    FORMAT(4, "TFL3", "holds a network of TensorFlow Lite", NO_IMAGE, BY_NUMPY),
    {0, 2, "\x1f\x8b", {NULL, GUNZIP, GUNZIP, true}},
    PACKED("BZh"),
    PACKED("\xfd"
           "7zX"),
    PACKED("\x28\xb5\x2f\xfd"),
    PACKED("7z\xbc\xaf"),
    PACKED("Rar!"),
};

/* These are text themselves, and come under the name of any file that was to be downloaded. */
static const struct mark texts[] = {
    FORMAT(0, "version https://git-lfs", "is a pointer of Git LFS",
           ": 'git lfs pull' gets the file", ": 'git lfs pull' gets the file"),
    PAGE("<!DOCTYPE"),
    PAGE("<!doctype"),
    PAGE("<html"),
    PAGE("<HTML"),
    FORMAT(0, "{", "is JSON", NO_IMAGE,
           ", perhaps an index: give one file with all of the tensors"),
};

/* P1 to P7, as PBM, PGM, PPM and PAM begin, and a blank. */
static bool is_netpbm(const char *bytes, size_t count)
{
    return count >= 3 && bytes[0] == 'P' && bytes[1] >= '1' && bytes[1] <= '7' &&
           strchr(" \t\r\n#", bytes[2]);
}

/* A message of protocol buffers: its field 1, the version of ONNX, then who produced it (2), the
 * network (7) or its operators (8), each with its length. */
static bool is_onnx(const char *bytes, size_t count)
{
    return count >= 3 && bytes[0] == 0x08 && bytes[1] > 0 && bytes[1] < 0x20 &&
           (bytes[2] == 0x12 || bytes[2] == 0x3a || bytes[2] == 0x42);
}

/* True if all bytes of the mark may stand in a text, as those of BMP do in "BMI,age". */
static bool may_be_text(const struct mark *m)
{
    size_t i = 0;
    while (i < m->count && m->bytes[i] >= ' ' && m->bytes[i] < '\x7f')
        i++;
    return i == m->count;
}

static bool begins_as(const struct mark *m, const char *bytes, size_t count)
{
    return count >= m->at + m->count && memcmp(bytes + m->at, m->bytes, m->count) == 0;
}

const struct file_format *file_format_of(const char *bytes, size_t count, bool text)
{
    static const struct file_format netpbm = {.image = "holds a PGM or PPM" TO_PNG,
                                              .tensors = "holds a PGM or PPM" NO_TENSORS},
                                    onnx = {.image = "holds an ONNX network" NO_IMAGE,
                                            .tensors = "holds an ONNX network" BY_NUMPY};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (begins_as(&marks[i], bytes, count) && !(text && may_be_text(&marks[i])))
            return &marks[i].format;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (begins_as(&texts[i], bytes, count))
            return &texts[i].format;
    return is_netpbm(bytes, count) ? &netpbm : is_onnx(bytes, count) ? &onnx : NULL;
}
