#include "kernels/distances/oracle.h"

#include <math.h>

void oracle_distances(const float *x, const struct view *y, int64_t dimensions, double relative,
                      int64_t col, int64_t cols, struct expectation *out)
{
    const double underflow = sqrt((double)dimensions * 0x1p-149);
    for (int64_t j = 0; j < cols; j++) {
        const float *point = y->data + (col + j - y->first_row) * y->row_stride;
        double sum = 0.0;
        for (int64_t k = 0; k < dimensions; k++) {
            const double difference = (double)x[k] - (double)point[k];
            sum += difference * difference;
        }
        const double value = (double)(float)sqrt(sum);
        out[j] = (struct expectation){value, sum > 0.0 ? relative * value + underflow : 0.0};
    }
}
