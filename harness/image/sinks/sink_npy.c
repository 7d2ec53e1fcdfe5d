/* Maps as .npy, format version 1.0: <f4 in C order; 2-D for one plane, 3-D for more, 4-D for a
 * batch. */
#include "harness/image/sinks/sink_kind.h"

#include <endian.h>
#include <inttypes.h>
#include <string.h>

/* Magic text, version, header length and header, padded with blanks so that the values start at a
 * multiple of 64 bytes. */
static bool write_header(FILE *stream, struct image_shape shape, int64_t batch)
{
    enum { HEADER_BYTES = 192, ALIGNMENT = 64, PREFIX_BYTES = 10 };
    static const unsigned char magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
    char header[HEADER_BYTES], planes[48] = "", lengths[96];
    if (batch > 0)
        snprintf(planes, sizeof planes, "%" PRId64 ", %" PRId64 ", ", batch, shape.planes / batch);
    else if (shape.planes > 1)
        snprintf(planes, sizeof planes, "%" PRId64 ", ", shape.planes);
    snprintf(lengths, sizeof lengths, "%s%" PRId64 ", %" PRId64, planes, shape.rows, shape.cols);
    int used = snprintf(header + PREFIX_BYTES, sizeof header - PREFIX_BYTES,
                        "{'descr': '<f4', 'fortran_order': False, 'shape': (%s), }", lengths);
    int total = (PREFIX_BYTES + used + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    int length = total - PREFIX_BYTES;
    memset(header + PREFIX_BYTES + used, ' ', (size_t)(length - used));
    header[total - 1] = '\n';
    memcpy(header, magic, sizeof magic);
    header[8] = (char)(length % 256);
    header[9] = (char)(length / 256);
    return fwrite(header, 1, (size_t)total, stream) == (size_t)total;
}

bool sink_write_npy(FILE *stream, struct image_shape shape, int64_t batch, const float *map,
                    char *note, size_t note_size)
{
    enum { CHUNK = 1024 };
    (void)note;
    (void)note_size;
    int64_t elements = shape.planes * shape.rows * shape.cols;
    if (!write_header(stream, shape, batch))
        return false;
    for (int64_t done = 0; done < elements; done += CHUNK) {
        uint32_t chunk[CHUNK];
        size_t count = elements - done < CHUNK ? (size_t)(elements - done) : CHUNK;
        memcpy(chunk, map + done, count * sizeof *chunk);
        for (size_t i = 0; i < count; i++)
            chunk[i] = htole32(chunk[i]);
        if (fwrite(chunk, sizeof *chunk, count, stream) != count)
            return false;
    }
    return true;
}
