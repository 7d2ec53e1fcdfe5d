// Runs a network on one image, and verifies each layer: network [MODEL [WEIGHTS.safetensors]].
// Without a file the parameters are drawn from a seed.
#include <maxpool/maxpool.h>

#include <iomanip>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <vector>

struct release {
    void operator()(maxpool_network *network) const
    {
        maxpool_network_release(network);
    }
};
using network = std::unique_ptr<maxpool_network, release>;

static void check(maxpool_status status, const maxpool_failure &why)
{
    if (status != MAXPOOL_OK)
        throw std::runtime_error(why.message);
}

static network make_network(const char *model, const char *weights)
{
    maxpool_failure why;
    maxpool_network *made;
    maxpool_network_options what = {};
    what.model = model;
    what.weights = weights;
    what.seed = 35;
    what.threads = 2;
    check(maxpool_make_network(&made, &what, &why), why);
    return network(made);
}

static size_t elements(const maxpool_batch &b)
{
    return static_cast<size_t>(b.images * b.channels * b.rows * b.cols);
}

static void run(const network &n)
{
    std::vector<float> image(elements(maxpool_network_input(n.get())));
    std::vector<float> output(elements(maxpool_network_output(n.get())));
    for (size_t i = 0; i < image.size(); i++)
        image[i] = static_cast<float>(i % 2);
    maxpool_failure why;
    check(maxpool_network_forward(n.get(), image.data(), output.data(), &why), why);
    for (const float value : output)
        std::cout << std::setprecision(9) << value << '\n';
    check(maxpool_network_verify(n.get(), image.data(), output.data(), 0, &why), why);
    std::cout << "every layer verified\n";
}

int main(int argc, char **argv)
{
    try {
        run(make_network(argc > 1 ? argv[1] : "solar_cnn", argc > 2 ? argv[2] : nullptr));
    } catch (const std::exception &e) {
        std::cerr << "network: " << e.what() << '\n';
        return 1;
    }
}
