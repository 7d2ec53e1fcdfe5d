/* The interface of a kind of sink: one function that writes a whole map to an open stream. */
#ifndef MAXPOOL_SINK_KIND_H
#define MAXPOOL_SINK_KIND_H

#include "harness/image/image.h"

#include <stdio.h>

/* Writes the map; *note is empty on entry. Returns false, with errno, if the stream failed. */
typedef bool sink_writer(FILE *stream, struct image_shape shape, int64_t batch, const float *map,
                         char *note, size_t note_size);

/* Writes one plane of the map, in the scale of all planes. */
typedef bool sink_plane_writer(FILE *stream, struct image_shape shape, const float *map,
                               int64_t plane, char *note, size_t note_size);

sink_plane_writer sink_write_png_plane;
sink_writer sink_write_npy, sink_write_text, sink_write_png;

#endif
