/* Maps as text: a row per line, blanks between the numbers, an empty line between planes. */
#include "harness/image/sinks/sink_kind.h"

#include <locale.h>
#include <stdlib.h>

/* Writes the fewest digits that read back as the same float32; 9 always do. */
static bool write_number(FILE *stream, float value)
{
    char text[32];
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, (double)value);
        if ((float)strtod(text, NULL) == value)
            break;
    }
    return fputs(text, stream) >= 0;
}

static bool write_row(FILE *stream, const float *row, int64_t cols)
{
    for (int64_t i = 0; i < cols; i++)
        if ((i > 0 && putc_unlocked(' ', stream) == EOF) || !write_number(stream, row[i]))
            return false;
    return putc_unlocked('\n', stream) != EOF;
}

static bool write_planes(FILE *stream, struct image_shape shape, const float *map)
{
    for (int64_t i = 0; i < shape.planes * shape.rows; i++) {
        bool parted = i > 0 && i % shape.rows == 0;
        if (parted && putc_unlocked('\n', stream) == EOF)
            return false;
        if (!write_row(stream, map + i * shape.cols, shape.cols))
            return false;
    }
    return true;
}

bool sink_write_text(FILE *stream, struct image_shape shape, int64_t batch, const float *map,
                     char *note, size_t note_size)
{
    (void)batch;
    (void)note;
    (void)note_size;
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!c)
        return false;
    locale_t before = uselocale(c);
    bool written = write_planes(stream, shape, map);
    uselocale(before);
    freelocale(c);
    return written;
}
