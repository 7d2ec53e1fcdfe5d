/* The operations on a vector that every instruction set defines; the sets are compared with this
 * list. gcc compiles no set that lacks one, since it is declared here and never defined, and no
 * compiler accepts one with other types; tests/kernels/test_vector_sets.sh compares the lists, also
 * for sets that the compiler at hand cannot build.
 *
 * Loads and stores take any address unless they say otherwise. Partial ones touch only the lanes
 * that they name, never memory beyond them. */
#ifndef MAXPOOL_VECTOR_OPERATIONS_H
#define MAXPOOL_VECTOR_OPERATIONS_H

/* Declared after the set has defined them, which is the point:
 * NOLINTBEGIN(readability-redundant-declaration) */

VECTOR_OPERATION vec vec_all(float x); /* x in every lane */
VECTOR_OPERATION vec vec_load(const float *p);
VECTOR_OPERATION void vec_store(float *p, vec v);

/* Stores past the caches if the set can; p is a multiple of the vector's bytes. Other threads see
 * the store after vec_fence. */
VECTOR_OPERATION void vec_stream(float *p, vec v);
VECTOR_OPERATION void vec_fence(void);

/* Load and store the first n lanes, 0 <= n <= LANES. A load takes the other lanes from `other`. */
VECTOR_OPERATION vec vec_load_part(const float *p, int64_t n, vec other);
VECTOR_OPERATION void vec_store_part(float *p, vec v, int64_t n);

/* Load and store lanes [first, end), whose addresses are p + first up to, but not including,
 * p + end. A load takes the other lanes from `other`. */
VECTOR_OPERATION vec vec_load_lanes(const float *p, int64_t first, int64_t end, vec other);
VECTOR_OPERATION void vec_store_lanes(float *p, vec v, int64_t first, int64_t end);

/* p[0], p[stride], p[2 * stride] ...; may read all of [p, p + LANES * stride). */
VECTOR_OPERATION vec vec_load_every(const float *p, int64_t stride);

/* p[0], p[5], p[10] ...; reads nothing beyond the last of them. */
VECTOR_OPERATION vec vec_load_every5(const float *p);

/* Lane w of column[q] = p[w * stride + q], q < 4: four elements at each of LANES addresses become
 * columns. */
VECTOR_OPERATION void vec_columns4(const float *p, int64_t stride, vec column[4]);

/* Where one of both is NaN, x86 and plain C return b. */
VECTOR_OPERATION vec vec_max(vec a, vec b);
VECTOR_OPERATION vec vec_min(vec a, vec b);
VECTOR_OPERATION vec vec_multiply(vec a, vec b);
VECTOR_OPERATION vec vec_add(vec a, vec b);
VECTOR_OPERATION vec vec_subtract(vec a, vec b); /* a - b */
VECTOR_OPERATION vec vec_divide(vec a, vec b);   /* a / b */
VECTOR_OPERATION vec vec_square_root(vec v);
VECTOR_OPERATION vec vec_multiply_add(vec a, vec b, vec c); /* a * b + c, rounded once if it can */

VECTOR_OPERATION vec vec_even(vec a, vec b); /* lanes 0, 2, 4 ... of a followed by b */
VECTOR_OPERATION vec vec_odd(vec a, vec b);  /* lanes 1, 3, 5 ... */

/* v moved up by n lanes, 0 <= n <= LANES; the lowest n come from the end of `before`. */
VECTOR_OPERATION vec vec_delay(vec before, vec v, int64_t n);

/* Returns v, hidden from the compiler, so that it stays in a register. Otherwise every instruction
 * that can take an operand from memory may load it anew. */
VECTOR_OPERATION vec vec_keep(vec v);

/* NOLINTEND(readability-redundant-declaration) */

#endif
