"""The matrix product C = A * B.

    study lab FILE --operator matmul          checks this function, then measures it

The arrays are numpy arrays of float32: a is rows x inner, b is inner x cols, both read only; c is rows x cols, all of
which you write. Sums may be added in any order. At most `threads` threads may run at once. This first version uses
one."""


def matmul(a, b, c, rows, inner, cols, threads):
    for i in range(rows):
        c[i] = 0.0
        for q in range(inner):
            c[i] += a[i, q] * b[q]
