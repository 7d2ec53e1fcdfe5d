/* libmaxpool: max pooling, the matrix product, convolution and distances by many methods, networks
 * made of them, and the oracles that verify each result. docs/library.md is its manual. */
#ifndef MAXPOOL_INCLUDE_MAXPOOL_H
#define MAXPOOL_INCLUDE_MAXPOOL_H

#include <maxpool/failure.h>
#include <maxpool/network.h>
#include <maxpool/operation.h>
#include <maxpool/version.h>

#endif
