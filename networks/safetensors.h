/* Files of named tensors, the format in which PyTorch users keep networks: eight bytes with the
 * length of a header, least significant first; the header, a JSON object of name: {"dtype": ..,
 * "shape": [..], "data_offsets": [begin, end]}, offsets counted from its end; and the values,
 * tensor after tensor without gaps, in C order. Source: the format's description in the repository
 * huggingface/safetensors. A small strict parser reads the header: programs built with only a C
 * compiler, as on a cluster, read weights too, where cJSON (--format json) may be absent. It also
 * refuses what cJSON would accept: duplicate names, and offsets that a double rounds. */
#ifndef MAXPOOL_SAFETENSORS_H
#define MAXPOOL_SAFETENSORS_H

#include "harness/base/failure.h"
#include "harness/image/numbers.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    SAFETENSORS_DIMENSIONS = 8,
    SAFETENSORS_NAME = 256,             /* bytes, the final 0 included */
    SAFETENSORS_HEADER_MOST = 16 << 20, /* bytes: a thousand times what a large network takes */
    SAFETENSORS_TENSORS_MOST = 1 << 16
};

/* Type of a tensor's values: its name, its size in bytes, and how it is read. */
struct safetensors_type {
    const char *name;
    int64_t bytes;
    bool is_read;
    enum number_type number;
};

struct safetensors_entry {
    char name[SAFETENSORS_NAME]; /* UTF-8; "" for one that is longer, which no network has */
    const struct safetensors_type *type; /* NULL: none that is known here */
    char type_name[16];
    int dimensions; /* may be more than the lengths that are kept */
    int64_t shape[SAFETENSORS_DIMENSIONS];
    int64_t elements;   /* of the shape; -1: more than can be counted */
    int64_t begin, end; /* bytes of the data */
};

struct safetensors {
    struct safetensors_entry *entries; /* in order of their offsets */
    size_t count;
    int64_t data_from, data_bytes; /* where the data begins in the file, and its size */
    FILE *stream;
    const char *path;
};

/* Opens a regular file and reads its header. Names are any JSON strings; "__metadata__" and its
 * value are skipped. Status 2, with the file's name and the tensor's if one is concerned, for
 * anything malformed: a length beyond the file, text that is no such object, shapes whose product
 * overflows or does not match the offsets, offsets that are out of order, overlap, leave gaps, or
 * end before or after the file's end, duplicate names. Types, and the size of an unknown type's
 * tensor, are judged when a tensor is read. `path` must stay valid until the file is closed. */
enum status safetensors_open(struct safetensors *out, const char *path, struct failure *f);
void safetensors_close(struct safetensors *s);

/* Parses the header alone: `size` bytes of text before `data_bytes` of data; `name` begins
 * messages. For tests, which hold the text in memory. Release the entries with
 * safetensors_close. */
enum status safetensors_parse(struct safetensors *out, const char *text, size_t size,
                              int64_t data_bytes, const char *name, struct failure *f);

/* The tensor of that name, or NULL. */
const struct safetensors_entry *safetensors_find(const struct safetensors *s, const char *name);

/* Reads a tensor of F32, F16, BF16 or F64 into `values` as float32, and adds the number of values
 * that were rounded, as those of F64 may be, to *rounded (may be NULL). Status 2 if a value is not
 * finite as float32, or the tensor has another type or cannot be read. */
enum status safetensors_read(const struct safetensors *s, const struct safetensors_entry *e,
                             float *values, int64_t *rounded, struct failure *f);

/* One tensor to write, float32. */
struct safetensors_tensor {
    char name[SAFETENSORS_NAME];
    int dimensions;
    int64_t shape[SAFETENSORS_DIMENSIONS];
    const float *values;
};

/* Writes the tensors in the given order, whole or not at all. Status 5 if the file cannot be
 * written. */
enum status safetensors_write(const char *path, const struct safetensors_tensor *tensors,
                              size_t count, struct failure *f);

/* Checks whether the file could be written, without changing what is there. Status 2 for an empty
 * name, 5 if it cannot be written or is no regular file. */
enum status safetensors_can_write(const char *path, struct failure *f);

#endif
