/* Writes a network to a file that other programs read: its layers in order, each with its kind, its
 * inputs, its attributes, its output's shape and the names of its parameters. Together with the
 * tensors of these names (--save) it is all that a library needs to build the same network. JSON;
 * docs/details/networks_files.md has the schema. */
#ifndef MAXPOOL_NETWORKS_GRAPH_H
#define MAXPOOL_NETWORKS_GRAPH_H

#include "networks/network.h"

/* The name of the network's images in a layer's list of inputs. */
#define GRAPH_INPUT "input"

enum { GRAPH_VERSION = 1 }; /* increased when readers of the last version would misread the file */

/* Writes the file whole or not at all. Status 5 if it cannot be written. */
enum status graph_write(const struct network *n, const char *path, struct failure *f);

#endif
