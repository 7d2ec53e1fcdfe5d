#include "tests/support/image_check.h"

#include "tests/support/files.h"
#include "tests/support/unit_test.h"

#include <stdlib.h>
#include <string.h>

struct source *image_open(const char *path)
{
    struct failure f = {STATUS_OK, ""};
    struct source *s = NULL;
    if (source_open_file(&s, path, &f) != STATUS_OK)
        fail_msg("%s", f.message);
    assert_string_equal(source_name(s), path);
    return s;
}

float *image_whole(struct source *s, struct image_facts *facts)
{
    struct image_shape h = source_shape(s);
    struct failure f = {STATUS_OK, ""};
    float *elements = malloc((size_t)(h.planes * h.rows * h.cols) * sizeof *elements);
    assert_non_null(elements);
    *facts = IMAGE_FACTS_NONE;
    for (int64_t p = 0; p < h.planes; p++) {
        struct image_range all = {p, 0, h.rows, 0, h.cols};
        if (source_read(s, &all, elements + p * h.rows * h.cols, h.cols, facts, &f) != STATUS_OK)
            fail_msg("%s", f.message);
    }
    return elements;
}

void image_parts_match(struct source *s, const float *whole)
{
    enum { STRIDE = 80, ROWS = 9 };
    struct image_shape h = source_shape(s);
    uint64_t state = 1;
    for (int trial = 0; trial < 60; trial++) {
        float part[ROWS * STRIDE], draw[5];
        struct failure f = {STATUS_OK, ""};
        random_elements(state++, 1 << 20, 0, 5, draw);
        struct image_range r = {.plane = (int64_t)draw[0] % h.planes};
        r.rows = 1 + (int64_t)draw[1] % (h.rows < ROWS ? h.rows : ROWS);
        r.cols = 1 + (int64_t)draw[2] % (h.cols < STRIDE - 1 ? h.cols : STRIDE - 1);
        r.row = (int64_t)draw[3] % (h.rows - r.rows + 1);
        r.col = (int64_t)draw[4] % (h.cols - r.cols + 1);
        for (int i = 0; i < ROWS * STRIDE; i++)
            part[i] = -77.5F;
        assert_int_equal(source_read(s, &r, part, STRIDE, NULL, &f), STATUS_OK);
        for (int64_t i = 0; i < ROWS; i++)
            for (int64_t j = 0; j < STRIDE; j++) {
                bool in = i < r.rows && j < r.cols;
                int64_t element = (r.plane * h.rows + r.row + i) * h.cols + r.col + j;
                assert_true(part[i * STRIDE + j] == (in ? whole[element] : -77.5F));
            }
    }
}

void image_holds(const char *path, struct image_shape shape, const float *expected)
{
    struct source *s = image_open(path);
    const struct image_shape h = source_shape(s);
    struct image_facts facts;
    assert_memory_equal(&h, &shape, sizeof h);
    float *elements = image_whole(s, &facts);
    assert_memory_equal(elements, expected,
                        (size_t)(h.planes * h.rows * h.cols) * sizeof *elements);
    image_parts_match(s, expected);
    free(elements);
    source_close(s);
}

void image_refused(const char *path, const char *says, const char *and)
{
    struct failure f;
    assert_int_equal(files_try(path, &f), STATUS_USAGE);
    if (!strstr(f.message, path) || !strstr(f.message, says) || !strstr(f.message, and))
        fail_msg("'%s' and '%s' expected in: %s", says, and, f.message);
}
