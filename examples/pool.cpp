// Pools an image by a method and verifies every output: pool [METHOD [THREADS]].
#include <maxpool/maxpool.h>

#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

// An operation that is released with its owner.
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

static operation make_pooling(int64_t rows, int64_t cols, const std::string &method)
{
    maxpool_failure why;
    maxpool_operation *made;
    maxpool_pool what = {}; // fields are 0: the stride is the kernel size, the filter the identity
    what.image = {1, rows, cols};
    what.kernel = 2;
    what.method = method.c_str();
    check(maxpool_make_pool(&made, &what, &why), why);
    return operation(made);
}

static void pool(const std::string &method, int64_t threads)
{
    const int64_t rows = 8, cols = 10;
    std::vector<float> image(rows * cols);
    for (size_t i = 0; i < image.size(); i++)
        image[i] = static_cast<float>(i * 37 % 101);

    const operation pooling = make_pooling(rows, cols, method);
    const maxpool_shape shape = maxpool_output(pooling.get());
    std::vector<float> map(shape.planes * shape.rows * shape.cols);
    maxpool_failure why;
    maxpool_verdict verdict;
    check(maxpool_run(pooling.get(), image.data(), map.data(), threads, &why), why);
    check(maxpool_verify(pooling.get(), image.data(), map.data(), &verdict, &why), why);

    for (int64_t i = 0; i < static_cast<int64_t>(map.size()); i++)
        std::cout << map[i] << ((i + 1) % shape.cols == 0 ? '\n' : ' ');
    std::cout << verdict.outputs << " outputs, " << verdict.wrong << " wrong\n";
}

int main(int argc, char **argv)
{
    try {
        pool(argc > 1 ? argv[1] : "separable", argc > 2 ? std::stoll(argv[2]) : 1);
    } catch (const std::exception &e) {
        std::cerr << "pool: " << e.what() << '\n';
        return 1;
    }
}
