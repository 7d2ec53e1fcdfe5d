/* Inputs that only float holds: whose exact result is a float and narrower formats miss, and second
 * operands of all its digits. */
#ifndef MAXPOOL_LAB_EXACT_VALUES_H
#define MAXPOOL_LAB_EXACT_VALUES_H

#include "harness/base/failure.h"
#include "harness/space/operation.h"

struct source;

/* Integers 0 .. `largest` of an image, for which no sum of products rounds in float, in whatever
 * order it is summed, but whose rounding to fewer digits makes a kernel wrong. With windows: 8191
 * (13 bits), less where the operation's own rule allows less, in at most 2047 terms that are not 0.
 * Half of those above 2048 are no numbers of half precision and TF32 (11 bits), and most of those
 * above 256 none of bfloat16 (8 bits). Products of matrices: 2^19 - 1, in at most 31 terms. Of
 * products and convolutions, some of these numbers are in the image, the others in the second
 * operand, with factors of -1, 0 or 1 in the other; of max pooling, all are in the image. 0: there
 * is no such image: not even 12 bits fit. */
int64_t exact_values_largest(const struct operation *op);

/* Replaces the values of the right operand, whose memory the caller owns, by those that belong to
 * such an image; for points, by the values of exact_values_points(). */
void exact_values_right(struct operation *op, uint64_t seed);

/* Replaces the values of the right operand, whose memory the caller owns, by numbers of 24
 * significant bits between -9 and 9: a kernel that keeps it in fewer, or as integers, is wrong.
 * Points keep their values: the images' are so much larger that theirs have no part in the digits.
 */
void wide_values_right(struct operation *op, uint64_t seed);

/* Points with one coordinate that is not 0: an odd number of 12 bits, at most 2895. The squares of
 * their distances are sums of at most two squares, and below 2^24. */
void exact_values_points(uint64_t seed, int64_t points, int64_t dimensions, float *values);

/* Makes an image of such values, for the right operand made from `right_seed`. Status 4. */
enum status exact_values_image(struct source **out, const struct operation *op,
                               struct image_shape planes, uint64_t seed, uint64_t right_seed,
                               struct failure *f);

#endif
