"""TensorFlow: a function compiled to a graph, with channels last in images and filters, which its convolutions on
processors require."""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy
import tensorflow

from peers.failure import USAGE, Failure

PACKAGES = "tensorflow"
METHODS = (
    ("maxpool", "tensorflow", "TensorFlow's graph of our weights, channels last, output allocated at each call"),
    ("conv", "tensorflow", "TensorFlow's graph of our weights, channels last, output allocated at each call"),
    ("network", "tensorflow", "TensorFlow's graph of our weights, channels last, output allocated at each call"),
    ("training", "tensorflow", "TensorFlow's graph of a step, its gradients and its fused update, channels last"),
)


def version():
    """For the record's column isa."""
    return "TensorFlow " + tensorflow.__version__


def filters_of(node, hold):
    """K x C/G x k x k in TensorFlow's order; in depthwise filters the number of channels comes last but one. `hold`
    makes a tensor from an array: a constant, or a variable."""
    depthwise = node.groups > 1
    order = (2, 3, 0, 1) if depthwise else (2, 3, 1, 0)
    return hold(numpy.ascontiguousarray(node.weights.transpose(order)))


def padding_of(node):
    """The padding in the form that TensorFlow's fastest code takes, if that form exists, and otherwise zeros to add
    first: its depthwise convolution ends the process if it is given other padding."""
    if node.padding == 0:
        return "VALID", None
    if node.stride == 1 and node.kernel == 2 * node.padding + 1:
        return "SAME", None
    pads = [[0, 0], [node.padding] * 2, [node.padding] * 2, [0, 0]]
    return ("VALID", pads) if node.groups > 1 else (pads, None)


def convolution(node, hold):
    """One convolution as a function of a tensor."""
    filters, strides = filters_of(node, hold), [1, node.stride, node.stride, 1]
    pads, before = padding_of(node)
    if node.groups > 1 and (node.weights.shape[1] > 1 or node.weights.shape[0] != node.groups):
        raise Failure(USAGE, "TensorFlow's groups are of one channel and one filter each here")
    call = tensorflow.nn.depthwise_conv2d if node.groups > 1 else tensorflow.nn.conv2d
    bias = None if node.bias is None else hold(node.bias)

    def run(x):
        y = call(x if before is None else tensorflow.pad(x, before), filters, strides, pads)
        return y if bias is None else tensorflow.nn.bias_add(y, bias)
    return run


def dense(node, channels, hold):
    """A fully connected layer; the weights are reordered for images with channels last."""
    weights = node.weights
    if channels:
        rest = weights.reshape(weights.shape[0], channels, -1)
        weights = rest.transpose(0, 2, 1).reshape(weights.shape[0], -1)
    held, bias = hold(numpy.ascontiguousarray(weights.T)), hold(node.bias)
    return lambda x: tensorflow.nn.bias_add(tensorflow.matmul(x, held), bias)


def pooling(node):
    """Max pooling in which padding never wins."""
    pads = [[0, 0], [node.padding] * 2, [node.padding] * 2, [0, 0]]
    sides = ([1, node.kernel, node.kernel, 1], [1, node.stride, node.stride, 1])
    return lambda x: tensorflow.nn.max_pool2d(x, *sides, pads if node.padding else "VALID")


def dropout(rate):
    """Kept values are scaled; a rate of 0 keeps all values."""
    return lambda x: tensorflow.nn.dropout(x, rate) if rate else x


PLAIN = {"relu": tensorflow.nn.relu, "relu6": tensorflow.nn.relu6, "add": tensorflow.add,
         "average_pool": lambda x: tensorflow.reduce_mean(x, [1, 2], keepdims=True),
         "flatten": lambda x: tensorflow.reshape(x, [x.shape[0], -1])}


def functions(graph, hold=tensorflow.constant, drops=False):
    """Each node's name, the nodes that it reads, and its function; `hold` makes the tensors once, here."""
    made, channels, wide = [], graph.shape[1] if len(graph.shape) == 4 else 0, 0
    for node in graph.nodes:
        if node.kind == "conv":
            channels, call = node.weights.shape[0], convolution(node, hold)
        elif node.kind == "linear":
            call, wide = dense(node, wide, hold), 0
        elif node.kind == "dropout":
            call = dropout(node.rate if drops else 0.0)
        else:
            call = pooling(node) if node.kind == "maxpool" else PLAIN[node.kind]
        wide = channels if node.kind == "flatten" else wide
        made.append((node.name, node.reads, call))
    return made


def use_threads(threads):
    """Must be called before anything is computed."""
    tensorflow.config.threading.set_intra_op_parallelism_threads(threads)
    tensorflow.config.threading.set_inter_op_parallelism_threads(1)


def chain(graph, nodes):
    """A function that computes the nodes one after the other."""
    def forward(x):
        held = {"": x}
        for name, reads, call in nodes:
            held[name] = call(*[held[read] for read in reads])
        return held[graph.output]
    return forward


def channels_last(images):
    """Images in the order that TensorFlow's convolutions take."""
    return tensorflow.constant(images if images.ndim == 2 else images.transpose(0, 2, 3, 1))


def prepare(_method, graph, images, threads):
    """A concrete function of images that were converted to channels last before the timed part."""
    use_threads(threads)
    forward, x = chain(graph, functions(graph)), channels_last(images)
    made = tensorflow.function(forward).get_concrete_function(
        tensorflow.TensorSpec(x.shape, x.dtype))

    def read(y):
        values = y.numpy()
        return values.transpose(0, 3, 1, 2) if values.ndim == 4 else values
    return (lambda: made(x)), read


def adam(variable, moments, gradient, rate, step):
    """TensorFlow's fused update; the epsilon is scaled so that it is outside the root, as in ours."""
    first, second = tensorflow.pow(0.9, step), tensorflow.pow(0.999, step)
    tensorflow.raw_ops.ResourceApplyAdam(
        var=variable.handle, m=moments[0].handle, v=moments[1].handle, beta1_power=first,
        beta2_power=second, lr=rate, beta1=0.9, beta2=0.999,
        epsilon=1e-8 * tensorflow.sqrt(1.0 - second), grad=gradient)


def momentum(variable, moments, gradient, rate, _step):
    """SGD with momentum."""
    tensorflow.raw_ops.ResourceApplyMomentum(var=variable.handle, accum=moments[0].handle, lr=rate,
                                             grad=gradient, momentum=0.9)


def mean_loss(out, y):
    """Mean squared error of values, or cross entropy of classes."""
    if y.dtype == tensorflow.float32:
        return tensorflow.reduce_mean(tensorflow.math.squared_difference(out, y))
    return tensorflow.reduce_mean(
        tensorflow.nn.sparse_softmax_cross_entropy_with_logits(y, out))


def step_function(graph, drops, update, rate):
    """A graph of forward pass, gradients and update, with its own variables."""
    variables = []

    def hold(values):
        variables.append(tensorflow.Variable(values))
        return variables[-1]
    forward = chain(graph, functions(graph, hold, drops))
    moments = [[tensorflow.Variable(tensorflow.zeros_like(v)) for _ in range(2)]
               for v in variables]

    @tensorflow.function
    def step(x, y, number):
        with tensorflow.GradientTape() as tape:
            loss = mean_loss(forward(x), y)
        for gradient, variable, kept in zip(tape.gradient(loss, variables), variables, moments):
            update(variable, kept, gradient, rate, number)
        return loss
    return step


def prepare_training(_method, graph, batches, settings, threads):
    """Returns begin(drops), which resets the parameters and returns a function that makes a step on batch i."""
    use_threads(threads)
    optimizer, rate, seed = settings
    tensorflow.random.set_seed(seed)
    held = [(channels_last(x), tensorflow.constant(y)) for x, y in batches]
    update = adam if optimizer == "adam" else momentum

    def begin(drops):
        made = step_function(graph, drops, update, rate)
        number = tensorflow.Variable(0.0)

        def step(i):
            number.assign_add(1.0)
            return made(*held[i], number).numpy()
        return step
    return begin
