/* The gray level of a colour. */
#ifndef MAXPOOL_LUMA_H
#define MAXPOOL_LUMA_H

/* Luma of Rec. ITU-R BT.601, section 2.5.1: Y = 0.299 R + 0.587 G + 0.114 B. Its weights add up to
 * 1, so that black stays 0 and white stays white. */
static inline double luma_of(double red, double green, double blue)
{
    return 0.299 * red + 0.587 * green + 0.114 * blue;
}

#endif
