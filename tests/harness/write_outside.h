/* A planted write outside a block, which the address sanitizer would report. */
#ifndef MAXPOOL_TEST_WRITE_OUTSIDE_H
#define MAXPOOL_TEST_WRITE_OUTSIDE_H

#ifdef __GNUC__
__attribute__((no_sanitize_address))
#endif
static inline void
write_outside(float *place)
{
    volatile float *at = place;
    *at = 1.0f;
}

#endif
