// Multiplies two matrices and verifies every element: multiply [METHOD [THREADS]].
#include <maxpool/maxpool.h>

#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

struct release {
    void operator()(maxpool_operation *operation) const
    {
        maxpool_release(operation);
    }
};
using operation = std::unique_ptr<maxpool_operation, release>;

static void check(maxpool_status status, const maxpool_failure &why)
{
    if (status != MAXPOOL_OK)
        throw std::runtime_error(why.message);
}

struct matrix {
    int64_t rows, cols;
    std::vector<float> values; // row by row
    matrix(int64_t r, int64_t c) : rows(r), cols(c), values(r * c)
    {
    }
};

// C = A B. The operation reads B in place; it is released before B is.
static matrix multiply(const matrix &a, const matrix &b, const std::string &method, int64_t threads)
{
    maxpool_failure why;
    maxpool_operation *made;
    maxpool_multiply what = {};
    what.rows = a.rows;
    what.inner = a.cols;
    what.cols = b.cols;
    what.b = b.values.data();
    what.method = method.c_str();
    check(maxpool_make_multiply(&made, &what, &why), why);
    const operation product(made);

    matrix c(a.rows, b.cols);
    maxpool_verdict verdict;
    check(maxpool_run(made, a.values.data(), c.values.data(), threads, &why), why);
    check(maxpool_verify(made, a.values.data(), c.values.data(), &verdict, &why), why);
    return c;
}

int main(int argc, char **argv)
{
    matrix a(4, 6), b(6, 3);
    for (int i = 0; i < 24; i++)
        a.values[i] = static_cast<float>(i * 5 % 7 - 3);
    for (int i = 0; i < 18; i++)
        b.values[i] = static_cast<float>(i * 3 % 5 - 2);
    try {
        const matrix c =
            multiply(a, b, argc > 1 ? argv[1] : "packed", argc > 2 ? std::stoll(argv[2]) : 1);
        for (size_t i = 0; i < c.values.size(); i++)
            std::cout << c.values[i] << (i % 3 == 2 ? '\n' : ' ');
        std::cout << c.values.size() << " outputs, 0 wrong\n";
    } catch (const std::exception &e) {
        std::cerr << "multiply: " << e.what() << '\n';
        return 1;
    }
}
