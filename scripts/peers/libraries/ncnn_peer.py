"""ncnn: its layers on a model written as its own converters and ncnnoptimize would write it, with activations fused
into the convolutions before them. It chooses Winograd tiles of 2, 4 and 6 itself; their error is recorded."""
import ctypes
import pathlib
import tempfile
from collections import Counter

import ncnn
import numpy

from peers.failure import USAGE, Failure

PACKAGES = "ncnn"
METHODS = (
    ("conv", "ncnn", "ncnn's layers over a model of our weights, activations fused, f32 storage and arithmetic"),
    ("network", "ncnn", "ncnn's layers over a model of our weights, activations fused, f32 storage and arithmetic"),
)
ACTIVATIONS = {"relu": "9=1", "relu6": "9=3 -23310=2,0.000000e+00,6.000000e+00"}
"""Parameters of a convolution or a product: kind and limits of its activation."""
RAW = numpy.zeros(1, "<u4")
"""Precedes weights: they are plain float32."""
TRANSFORMED = 8
"""Factor by which errors may exceed those of plain sums, because the library chooses Winograd tiles itself."""


def version():
    """For the record's column isa."""
    return "ncnn " + ncnn.__version__


def fused(graph):
    """Maps each convolution or product to its fused activation, and each fused activation to the node whose output
    replaces its own."""
    readers = Counter(name for node in graph.nodes for name in node.reads)
    kinds, ends, stands = {node.name: node.kind for node in graph.nodes}, {}, {}
    for node in graph.nodes:
        before = node.reads[0]
        if node.kind in ACTIVATIONS and kinds.get(before) in ("conv", "linear") and readers[before] == 1:
            ends[before], stands[node.name] = node.kind, before
    return ends, stands


class Model:
    """The lines of a .param file and the bytes of its .bin. A blob has one reader; a blob with several readers is
    split."""

    def __init__(self, graph):
        self.lines, self.weights, self.blobs = [], [], 1
        self.ends, self.stands = fused(graph)
        self.left = Counter(self.stands.get(name, name) for node in graph.nodes if node.name not in self.stands
                            for name in node.reads)
        self.copies = {}
        self.layer("Input", "input", [], [""], "")
        for node in graph.nodes:
            if node.name not in self.stands:
                self.add(node)
        self.output = self.blob(self.stands.get(graph.output, graph.output))

    @staticmethod
    def blob(name):
        """The name of a node's output in the model."""
        return "blob_" + name

    def layer(self, kind, name, reads, makes, parameters):
        """Appends one line, and after it a split of each output that several layers read."""
        blobs = reads + [self.blob(made) for made in makes]
        self.lines.append(" ".join([kind, name or "input", str(len(reads)), str(len(makes)), *blobs, parameters]))
        for made in makes if kind != "Split" else []:
            if self.left[made] > 1:
                copies = [f"{made}_copy{i}" for i in range(self.left[made])]
                self.copies[made] = [self.blob(copy) for copy in copies]
                self.blobs += len(copies)
                self.layer("Split", "split_" + made, [self.blob(made)], copies, "")

    def read(self, name):
        """The blob of a node's output, for one of its readers."""
        name = self.stands.get(name, name)
        return self.copies[name].pop() if name in self.copies else self.blob(name)

    def hold(self, node):
        """Appends weights, and the bias if there is one."""
        self.weights += [RAW, node.weights] + ([] if node.bias is None else [node.bias])

    def parameters(self, node):
        """The kind of a node's layer in ncnn, and its parameters."""
        if node.kind == "conv":
            group = f" 7={node.groups}" if node.groups > 1 else ""
            return ("ConvolutionDepthWise" if group else "Convolution",
                    f"0={len(node.weights)} 1={node.kernel} 3={node.stride} 4={node.padding} "
                    f"5={int(node.bias is not None)} 6={node.weights.size}{group}")
        if node.kind == "linear":
            return "InnerProduct", f"0={len(node.weights)} 1=1 2={node.weights.size}"
        if node.kind == "maxpool":
            return "Pooling", f"0=0 1={node.kernel} 2={node.stride} 3={node.padding} 5=1"
        kinds = {"relu": ("ReLU", ""), "relu6": ("Clip", "0=0.000000e+00 1=6.000000e+00"), "add": ("BinaryOp", "0=0"),
                 "average_pool": ("Pooling", "0=1 4=1"), "flatten": ("Flatten", "")}
        return kinds[node.kind]

    def add(self, node):
        """Appends one node, with its fused activation."""
        kind, parameters = self.parameters(node)
        if node.weights is not None:
            self.hold(node)
        if node.name in self.ends:
            parameters += " " + ACTIVATIONS[self.ends[node.name]]
        self.blobs += 1
        self.layer(kind, node.name, [self.read(name) for name in node.reads], [node.name], parameters)

    def write(self, folder):
        """Writes both files."""
        text = "\n".join(["7767517", f"{len(self.lines)} {self.blobs}", *self.lines]) + "\n"
        (folder / "model.param").write_text(text, encoding="utf-8")
        with open(folder / "model.bin", "wb") as file:
            for values in self.weights:
                numpy.ascontiguousarray(values).tofile(file)


def kept(allocator):
    """Keeps an allocator as long as the process lives: a net uses its allocators without owning them, and an allocator
    that is freed before the last blob crashes the process."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(allocator))
    return allocator


def options_of(net, threads):
    """Requests f32 by every available switch; ncnn decides about tiles."""
    net.opt.num_threads = threads
    net.opt.use_vulkan_compute = False
    for name in ("fp16_packed", "fp16_storage", "fp16_arithmetic", "bf16_storage", "bf16_packed", "int8_inference"):
        setattr(net.opt, "use_" + name, False)
    net.opt.blob_allocator, net.opt.workspace_allocator = kept(ncnn.UnlockedPoolAllocator()), kept(ncnn.PoolAllocator())


def prepare(_method, graph, images, threads):
    """One net; the images of a batch are computed one after the other, since ncnn has no batches."""
    net, model = ncnn.Net(), Model(graph)
    options_of(net, threads)
    with tempfile.TemporaryDirectory(prefix="maxpool-") as folder:
        model.write(pathlib.Path(folder))
        if net.load_param(folder + "/model.param") or net.load_model(folder + "/model.bin"):
            raise Failure(USAGE, "ncnn refuses the model")
    inputs = [ncnn.Mat(image).clone() for image in images]

    def run():
        outputs = []
        for image in inputs:
            extractor = net.create_extractor()
            extractor.input("blob_", image)
            outputs.append(extractor.extract(model.output)[1])
        return outputs
    return run, lambda outputs: numpy.stack([numpy.array(output) for output in outputs])
