/* The product of two square matrices of the same size, all sums in registers, for one vector width.
 *
 * Included once per width, with SQUARE_VECTOR defined as the type's name (vec, vec8); every name
 * defined here ends in it. This is a template instead of a function of one width because with half
 * as many lanes, matrices of up to eight columns leave few lanes idle, or none. */
#define SQUARE_PASTE(a, b)          a##_##b
#define SQUARE_PASTE_EXPANDED(a, b) SQUARE_PASTE(a, b)
#define SQUARE(name)                SQUARE_PASTE_EXPANDED(name, SQUARE_VECTOR)
#define SQUARE_OF(operation)        SQUARE_PASTE_EXPANDED(SQUARE_VECTOR, operation)

/* n is a constant wherever this is inlined, so that every address is one of a few pointers plus a
 * constant, as in code generated for the size. */
TILE_INLINE void SQUARE(square)(const float *a, const float *b, float *c, int n)
{
    SQUARE_VECTOR sums[SQUARE_MOST];
    VECTOR_UNROLLED
    for (int i = 0; i < n; i++)
        sums[i] = SQUARE_OF(zero)();
    VECTOR_UNROLLED
    for (int k = 0; k < n; k++) {
        const SQUARE_VECTOR row = SQUARE_OF(load_part)(b + k * n, n, SQUARE_OF(zero)());
        VECTOR_UNROLLED
        for (int i = 0; i < n; i++)
            sums[i] = SQUARE_OF(multiply_add)(SQUARE_OF(all)(a[i * n + k]), row, sums[i]);
    }
    VECTOR_UNROLLED
    for (int i = 0; i < n; i++)
        SQUARE_OF(store_part)(c + i * n, sums[i], n);
}

/* All planes of the call. */
TILE_INLINE void SQUARE(squares)(const struct matmul_call *call, int n)
{
    for (int64_t plane = 0; plane < call->block.planes; plane++)
        SQUARE(square)
    (call->a.data + plane * call->a.plane_stride, call->b.data + plane * call->b.plane_stride,
     call->c.data + plane * call->c.plane_stride, n);
}

#undef SQUARE_PASTE
#undef SQUARE_PASTE_EXPANDED
#undef SQUARE
#undef SQUARE_OF
#undef SQUARE_VECTOR
