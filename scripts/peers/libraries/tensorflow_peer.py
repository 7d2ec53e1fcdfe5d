"""TensorFlow: a function compiled to a graph, images and filters with channels last, which its
convolutions on processors ask for."""
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
    """As the record's isa has it."""
    return "TensorFlow " + tensorflow.__version__


def filters_of(node, hold):
    """K x C/G x k x k as TensorFlow has it; depthwise ones last but one. `hold` makes a tensor of
    an array: a constant, or a variable."""
    depthwise = node.groups > 1
    order = (2, 3, 0, 1) if depthwise else (2, 3, 1, 0)
    return hold(numpy.ascontiguousarray(node.weights.transpose(order)))


def padding_of(node):
    """As its fastest code takes it, where it can be said so, and zeros to add before: its depthwise
    convolution ends the process where it is given other padding."""
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
    """A fully connected layer; weights in the order of images whose channels come last."""
    weights = node.weights
    if channels:
        rest = weights.reshape(weights.shape[0], channels, -1)
        weights = rest.transpose(0, 2, 1).reshape(weights.shape[0], -1)
    held, bias = hold(numpy.ascontiguousarray(weights.T)), hold(node.bias)
    return lambda x: tensorflow.nn.bias_add(tensorflow.matmul(x, held), bias)


def pooling(node):
    """Windows that padding never wins in."""
    pads = [[0, 0], [node.padding] * 2, [node.padding] * 2, [0, 0]]
    sides = ([1, node.kernel, node.kernel, 1], [1, node.stride, node.stride, 1])
    return lambda x: tensorflow.nn.max_pool2d(x, *sides, pads if node.padding else "VALID")


def dropout(rate):
    """What is kept is scaled; of a rate of 0 all is."""
    return lambda x: tensorflow.nn.dropout(x, rate) if rate else x


PLAIN = {"relu": tensorflow.nn.relu, "relu6": tensorflow.nn.relu6, "add": tensorflow.add,
         "average_pool": lambda x: tensorflow.reduce_mean(x, [1, 2], keepdims=True),
         "flatten": lambda x: tensorflow.reshape(x, [x.shape[0], -1])}


def functions(graph, hold=tensorflow.constant, drops=False):
    """Each node's name, what it reads and its function; tensors are made here, once, by `hold`."""
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
    """Said before anything is computed."""
    tensorflow.config.threading.set_intra_op_parallelism_threads(threads)
    tensorflow.config.threading.set_inter_op_parallelism_threads(1)


def chain(graph, nodes):
    """The nodes' functions one after the other."""
    def forward(x):
        held = {"": x}
        for name, reads, call in nodes:
            held[name] = call(*[held[read] for read in reads])
        return held[graph.output]
    return forward


def channels_last(images):
    """As its convolutions take them."""
    return tensorflow.constant(images if images.ndim == 2 else images.transpose(0, 2, 3, 1))


def prepare(_method, graph, images, threads):
    """A concrete function over images whose channels were brought last before the clock."""
    use_threads(threads)
    forward, x = chain(graph, functions(graph)), channels_last(images)
    made = tensorflow.function(forward).get_concrete_function(
        tensorflow.TensorSpec(x.shape, x.dtype))

    def read(y):
        values = y.numpy()
        return values.transpose(0, 3, 1, 2) if values.ndim == 4 else values
    return (lambda: made(x)), read


def adam(variable, moments, gradient, rate, step):
    """Its fused update; the epsilon is scaled so that it stands outside of the root as in ours."""
    first, second = tensorflow.pow(0.9, step), tensorflow.pow(0.999, step)
    tensorflow.raw_ops.ResourceApplyAdam(
        var=variable.handle, m=moments[0].handle, v=moments[1].handle, beta1_power=first,
        beta2_power=second, lr=rate, beta1=0.9, beta2=0.999,
        epsilon=1e-8 * tensorflow.sqrt(1.0 - second), grad=gradient)


def momentum(variable, moments, gradient, rate, _step):
    """sgd."""
    tensorflow.raw_ops.ResourceApplyMomentum(var=variable.handle, accum=moments[0].handle, lr=rate,
                                             grad=gradient, momentum=0.9)


def mean_loss(out, y):
    """Of values, or of classes."""
    if y.dtype == tensorflow.float32:
        return tensorflow.reduce_mean(tensorflow.math.squared_difference(out, y))
    return tensorflow.reduce_mean(
        tensorflow.nn.sparse_softmax_cross_entropy_with_logits(y, out))


def step_function(graph, drops, update, rate):
    """A graph of forward, gradients and update, over variables of its own."""
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
    """begin(drops) takes the parameters anew and returns what makes a step on batch i."""
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
