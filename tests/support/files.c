#include "tests/support/files.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *files_path(const char *name)
{
    static char paths[8][512];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", command_folder(), name);
    return path;
}

const char *files_write(const char *name, const void *bytes, size_t size)
{
    const char *path = files_path(name);
    FILE *stream = fopen(path, "wb");
    if (!stream || fwrite(bytes, 1, size, stream) != size || fclose(stream) != 0)
        abort();
    return path;
}

unsigned char *files_read(const char *path, size_t *size)
{
    FILE *stream = fopen(path, "rb");
    if (!stream || fseek(stream, 0, SEEK_END) != 0)
        abort();
    *size = (size_t)ftell(stream);
    rewind(stream);
    unsigned char *bytes = calloc(*size + 1, 1);
    if (!bytes || fread(bytes, 1, *size, stream) != *size)
        abort();
    fclose(stream);
    return bytes;
}

int files_count(void)
{
    int count = 0;
    DIR *open = opendir(command_folder());
    for (struct dirent *e = open ? readdir(open) : NULL; e; e = readdir(open))
        count += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    if (open)
        closedir(open);
    return count;
}

const char *files_npy(const char *name, int version, const char *header, const void *bytes,
                      size_t size)
{
    unsigned char file[16384] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
    size_t length = strlen(header), start = version == 1 ? 10 : 12;
    if (start + length + size >= sizeof file)
        abort();
    file[6] = (unsigned char)version;
    file[8] = (unsigned char)(length % 256);
    file[9] = (unsigned char)(length / 256);
    snprintf((char *)file + start, sizeof file - start, "%s", header);
    memcpy(file + start + length, bytes, size);
    return files_write(name, file, start + length + size);
}

static bool library_lacks(const char *path)
{
#if !defined(MAXPOOL_HAVE_PNG)
    if (strstr(path, ".png"))
        return true;
#endif
#if !defined(MAXPOOL_HAVE_JPEG)
    if (strstr(path, ".jp"))
        return true;
#endif
#if !defined(MAXPOOL_HAVE_NIFTI)
    if (strstr(path, ".nii"))
        return true;
#endif
    (void)path;
    return false;
}

bool files_lacking(const char *path)
{
    if (!library_lacks(path))
        return false;
    struct failure f;
    if (files_try(path, &f) != STATUS_UNAVAILABLE || !strstr(f.message, "built without"))
        abort();
    return true;
}

uint32_t files_crc(const unsigned char *bytes, size_t size)
{
    uint32_t crc = 0xffffffffU;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320U : 0);
    }
    return ~crc;
}

static enum status read_rows(struct source *s, struct failure *f)
{
    struct image_shape shape = source_shape(s);
    float *row = malloc((size_t)shape.cols * sizeof *row);
    if (!row)
        return fail(f, STATUS_RESOURCE, "no memory for a row");
    enum status status = STATUS_OK;
    for (int64_t i = 0; status == STATUS_OK && i < shape.planes * shape.rows; i++) {
        struct image_range range = {i / shape.rows, i % shape.rows, 1, 0, shape.cols};
        status = source_read(s, &range, row, shape.cols, NULL, f);
    }
    free(row);
    return status;
}

enum status files_try(const char *path, struct failure *f)
{
    *f = (struct failure){STATUS_OK, ""};
    struct source *s = NULL;
    enum status status = source_open_file(&s, path, f);
    if (status == STATUS_OK)
        status = read_rows(s, f);
    source_close(s);
    return status;
}
