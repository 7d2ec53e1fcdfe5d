"""PyTorch: functions as its users call them, and a network that PyTorch itself traces, freezes and optimises for
inference. Outputs are allocated at each call, as always in PyTorch."""
import torch
from torch.nn import functional

from peers.failure import UNAVAILABLE, USAGE, Failure
from peers.quiet import captured

PACKAGES = "torch"
METHODS = (
    ("maxpool", "pytorch", "PyTorch's max_pool2d, output allocated at each call"),
    ("conv", "pytorch", "PyTorch's conv2d, output allocated at each call"),
    ("conv", "pytorch-nhwc", "the same, image and filters with channels last"),
    ("conv", "pytorch-compile", "PyTorch's conv2d by torch.compile, filters frozen"),
    ("network", "pytorch", "PyTorch's traced module, frozen and optimised for inference"),
    ("network", "pytorch-nhwc", "the same, image and filters with channels last"),
    ("network", "pytorch-compile", "PyTorch's torch.compile, parameters frozen"),
    ("training", "pytorch", "PyTorch's module, autograd and optimizer"),
    ("training", "pytorch-nhwc", "the same, images and filters with channels last"),
    ("distances", "pytorch", "PyTorch's cdist, differences"),
    ("distances", "pytorch-gram", "PyTorch's cdist by the product of the points"),
)
LIMITS = {"avx2": {"ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2"}}


def version():
    """For the record's column isa."""
    return "PyTorch " + torch.__version__


def apply(node, reads, parameters):
    """Computes one node on tensors."""
    if node.kind == "conv":
        weights, bias = parameters
        return functional.conv2d(reads[0], weights, bias, node.stride, node.padding, 1,
                                 node.groups)
    if node.kind == "linear":
        return functional.linear(reads[0], *parameters)
    if node.kind == "maxpool":
        return functional.max_pool2d(reads[0], node.kernel, node.stride, node.padding)
    return {"relu": lambda: functional.relu(reads[0]),
            "relu6": lambda: functional.relu6(reads[0]),
            "add": lambda: reads[0] + reads[1],
            "average_pool": lambda: functional.adaptive_avg_pool2d(reads[0], 1),
            "flatten": lambda: torch.flatten(reads[0], 1)}[node.kind]()


class Module(torch.nn.Module):
    """A graph's nodes, computed one after the other."""

    def __init__(self, graph, layout):
        super().__init__()
        self.graph = graph
        for index, node in enumerate(graph.nodes):
            for word in ("weights", "bias"):
                values = getattr(node, word)
                tensor = None if values is None else torch.tensor(values)
                if tensor is not None and tensor.dim() == 4:
                    tensor = tensor.contiguous(memory_format=layout)
                self.register_buffer(f"{word}{index}", tensor)

    def forward(self, x):
        """The last node's output."""
        held = {"": x}
        for index, node in enumerate(self.graph.nodes):
            parameters = (getattr(self, f"weights{index}"), getattr(self, f"bias{index}"))
            held[node.name] = apply(node, [held[name] for name in node.reads], parameters)
        return held[self.graph.output]


def inferring(function):
    """The same function without recording gradients."""
    def run():
        with torch.inference_mode():
            return function()
    return run


def compiled(module, x, backend="inductor"):
    """Compiles with torch.compile, by the back end, and freezing, which needs a C++ compiler; the first call compiles. float32 stays
    float32: no other precision is requested."""
    from torch._inductor import config

    config.freezing = True
    function = torch.compile(module, backend=backend)

    def run():
        with torch.no_grad():
            return function(x)
    try:
        run()
    except Exception as error:  # its kind depends on what is lacking
        raise Failure(UNAVAILABLE, f"torch.compile: {str(error).strip().splitlines()[0]}") from error
    return run


def convolutions(run):
    """The names of oneDNN's code for the convolutions of one call, by its own account; run on its own first."""
    with captured() as text, torch.backends.mkldnn.verbose(torch.backends.mkldnn.VERBOSE_ON):
        run()
    words = [line.split(",") for line in text() if ",exec,cpu,convolution," in line]
    return [line[line.index("convolution") + 1] for line in words]


def keeps_limit(o, run):
    """True if PyTorch's own code is that of AVX2, and oneDNN's too where it computes. What MKL chooses for products,
    and a compiler for torch.compile, is not known."""
    if o.operator not in ("maxpool", "conv") or o.method.endswith("compile"):
        raise Failure(USAGE, f"--isa: {o.method} of {o.operator} uses code whose instruction set is not known")
    code = ["avx2"] if o.operator == "maxpool" else convolutions(run)
    return (torch.backends.cpu.get_cpu_capability() == "AVX2" and bool(code) and
            not any("avx512" in name or "amx" in name for name in code))


def prepare(method, graph, images, threads):
    """One node is the function itself; several nodes are a module that PyTorch optimises."""
    torch.set_num_threads(threads)
    layout = torch.channels_last if method.endswith("nhwc") else torch.contiguous_format
    x = torch.from_numpy(images)
    x = x.contiguous(memory_format=layout) if x.dim() == 4 else x
    module = Module(graph, layout).eval()
    if method.endswith("compile"):
        return compiled(module, x), lambda y: y.contiguous().numpy()
    if len(graph.nodes) > 1:
        with torch.no_grad():
            module = torch.jit.optimize_for_inference(
                torch.jit.freeze(torch.jit.trace(module, x)))
    return inferring(lambda: module(x)), lambda y: y.contiguous().numpy()


def prepare_distances(method, x, y, threads):
    """cdist between the rows of both, computed in the named way."""
    torch.set_num_threads(threads)
    left, right = torch.from_numpy(x), torch.from_numpy(y)
    mode = ("use_mm_for_euclid_dist" if method.endswith("gram")
            else "donot_use_mm_for_euclid_dist")
    return (inferring(lambda: torch.cdist(left, right, 2.0, mode)), lambda d: d.numpy())


class Training(torch.nn.Module):
    """A graph's nodes, computed one after the other; their weights are parameters."""

    def __init__(self, graph, layout, drops):
        super().__init__()
        self.graph, self.drops = graph, drops
        for index, node in enumerate(graph.nodes):
            for word in ("weights", "bias"):
                values = getattr(node, word)
                if values is not None:
                    tensor = torch.tensor(values)
                    kept = (tensor.contiguous(memory_format=layout) if tensor.dim() == 4
                            else tensor)
                    self.register_parameter(f"{word}{index}", torch.nn.Parameter(kept))

    def forward(self, x):
        """The last node's output."""
        for index, node in enumerate(self.graph.nodes):
            if node.kind == "dropout":
                x = functional.dropout(x, node.rate, self.drops)
            else:
                x = apply(node, [x], (getattr(self, f"weights{index}", None),
                                      getattr(self, f"bias{index}", None)))
        return x


def prepare_training(method, graph, batches, settings, threads):
    """Returns begin(drops), which resets the parameters and returns a function that makes a step on batch i."""
    torch.set_num_threads(threads)
    optimizer, rate, seed = settings
    layout = torch.channels_last if method.endswith("nhwc") else torch.contiguous_format
    held = [(torch.from_numpy(x.copy()), torch.from_numpy(y.copy())) for x, y in batches]
    held = [(x.contiguous(memory_format=layout) if x.dim() == 4 else x, y) for x, y in held]

    def begin(drops):
        torch.manual_seed(seed)
        module = Training(graph, layout, drops).train()
        makes = (torch.optim.Adam(module.parameters(), rate) if optimizer == "adam"
                 else torch.optim.SGD(module.parameters(), rate, 0.9))

        def step(i):
            x, y = held[i]
            makes.zero_grad()
            out = module(x)
            loss = (functional.mse_loss(out, y) if y.dtype == torch.float32
                    else functional.cross_entropy(out, y))
            loss.backward()
            makes.step()
            return loss.item()
        return step
    return begin
