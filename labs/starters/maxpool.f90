! Max pooling by a product: for every window W of the image, the k x k matrix W * F, and of its k * k
! elements the largest. F is the filter, a k x k matrix.
!
!     study lab FILE          checks this function, then measures it
!
! The arrays are stored row by row, one float after the other. Fortran counts columns first, so the
! order of the indices is the reverse of that in C:
!
!     image(c, r, p)   column c, row r, plane p of cols x rows x planes elements
!     filter(j, i)     column j, row i of k x k elements
!     map(c, r, p)     out_cols x out_rows x planes elements, all of which you write, where
!                      out_rows = (rows + 2 * padding - k) / stride + 1, and out_cols likewise
!
! The window of output (c, r), counted from 0, begins at row r * stride - padding and column
! c * stride - padding of the image. Elements outside the image count as 0. You may read image and
! filter, and not write them.
!
! At most `threads` threads may run at once. This first version uses one.
subroutine maxpool(image, filter, map, planes, rows, cols, k, stride, padding, threads) bind(c, name="maxpool")
    use iso_c_binding
    implicit none
    integer(c_int), value :: planes, rows, cols, k, stride, padding, threads
    real(c_float), intent(in) :: image(0:cols-1, 0:rows-1, 0:planes-1), filter(0:k-1, 0:k-1)
    real(c_float), intent(out) :: map(0:(cols+2*padding-k)/stride, 0:(rows+2*padding-k)/stride, 0:planes-1)
    integer :: p, r, c, i, j, q, row, col
    real(c_float) :: total, most
    do p = 0, planes - 1
        do r = 0, (rows + 2 * padding - k) / stride
            do c = 0, (cols + 2 * padding - k) / stride
                most = -huge(most)
                do i = 0, k - 1
                    row = r * stride - padding + i
                    do j = 0, k - 1
                        total = 0.0
                        do q = 0, k - 1
                            col = c * stride - padding + q
                            if (row >= 0 .and. row < rows .and. col >= 0 .and. col < cols) &
                                total = total + image(col, row, p) * filter(j, q)
                        end do
                        most = max(most, total)
                    end do
                end do
                map(c, r, p) = most
            end do
        end do
    end do
end subroutine
