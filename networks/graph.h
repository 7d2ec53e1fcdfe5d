/* A network as a file that other programs read: its layers in order, each with its kind, what it
 * reads, its attributes, its output's shape and the names of its parameters. With the tensors of
 * those names (--save) it is all that a library needs to build the same network. JSON;
 * docs/networks.md has the schema. */
#ifndef MAXPOOL_NETWORKS_GRAPH_H
#define MAXPOOL_NETWORKS_GRAPH_H

#include "networks/network.h"

/* In place of a layer's name among inputs: the images. */
#define GRAPH_INPUT "input"

enum { GRAPH_VERSION = 1 }; /* goes up where a reader of an earlier one would read wrongly */

/* Writes the file whole or not at all. Status 5 where it cannot be written. */
enum status graph_write(const struct network *n, const char *path, struct failure *f);

#endif
