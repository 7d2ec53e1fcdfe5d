/* Reads any range of numbers at regular distances in a file, as in .npy and .nii, through one small
 * buffer. */
#ifndef MAXPOOL_IMAGE_STRIDED_NUMBERS_H
#define MAXPOOL_IMAGE_STRIDED_NUMBERS_H

#include "harness/image/numbers.h"

/* Element (plane, row, col) starts at byte
 * offset + size * (plane_offset + row * row_step + col * col_step), where plane_offset is
 * plane * plane_step, or, in a batch of images of `channels` planes each,
 * (plane / channels) * image_step + (plane % channels) * plane_step. */
struct strided_numbers {
    struct number_format format;
    int64_t offset;
    int64_t channels;                                   /* 0: no batch */
    int64_t image_step, plane_step, row_step, col_step; /* counted in elements */
    /* Reads up to `size` bytes from byte `at` on and returns how many, fewer only at the end of the
     * file; returns -1 if it cannot be read, with *why set to a text. */
    int64_t (*fetch)(void *file, int64_t at, void *bytes, int64_t size, const char **why);
    void *file;
};

/* A `fetch` from the descriptor that `file` points to. Any number of threads may call it at
 * once. */
int64_t strided_fetch_pread(void *file, int64_t at, void *bytes, int64_t size, const char **why);

/* Reads a range as source_read does; `s` names the file in messages. */
enum status strided_read(const struct source *s, const struct strided_numbers *numbers,
                         const struct image_range *range, float *dst, int64_t dst_stride,
                         struct image_facts *facts, struct failure *f);

#endif
