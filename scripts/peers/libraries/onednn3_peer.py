"""oneDNN 3 by its C interface, from the first library found: MAXPOOL_ONEDNN, this Python's own (package
onednn-cpu-gomp), the system's. Image, filters and map have the layouts that it chooses for the shape."""
import ctypes
import glob
import os
import sys

import numpy

from peers.failure import UNAVAILABLE, Failure

PACKAGES = ""
METHODS = (
    ("conv", "onednn3", "oneDNN 3's convolution, all layouts as it chooses them"),
)
LIMITS = {"avx2": {"ONEDNN_MAX_CPU_ISA": "AVX2"}, "avx512": {"ONEDNN_MAX_CPU_ISA": "AVX512_CORE"}}
CODES = {"avx2": 0x7, "avx512": 0x27}
"""dnnl_cpu_isa_avx2, dnnl_cpu_isa_avx512_core"""
CPU, IN_ORDER, F32, INFERENCE, DIRECT = 1, 1, 3, 96, 1
ANY, NCHW, GROUPED = 1, 5, 6
"""Layouts: oneDNN's choice, and ours with four and with five dimensions."""
SOURCE, WEIGHTS, MAP = (1, 129), (33, 131), (17, 133)
"""Numbers of arguments, and of the queries for their layouts."""
IMPLEMENTATION, ALLOCATE = 8, ctypes.c_void_p(-1)


class Argument(ctypes.Structure):
    """dnnl_exec_arg_t."""
    _fields_ = [("what", ctypes.c_int), ("memory", ctypes.c_void_p)]


class Version(ctypes.Structure):
    """The beginning of dnnl_version_t."""
    _fields_ = [("major", ctypes.c_int), ("minor", ctypes.c_int), ("patch", ctypes.c_int)]


def library():
    """libdnnl of major version 3, and the OpenMP library that it uses."""
    own = sorted(glob.glob(os.path.join(sys.prefix, "lib", "libdnnl.so.3")))
    openmp = ctypes.CDLL("libgomp.so.1", ctypes.RTLD_GLOBAL)
    found = ctypes.CDLL(os.environ.get("MAXPOOL_ONEDNN") or (own[-1] if own else "libdnnl.so.3"), ctypes.RTLD_GLOBAL)
    found.dnnl_version.restype = ctypes.POINTER(Version)
    found.dnnl_primitive_desc_query_md.restype = ctypes.c_void_p
    if found.dnnl_version().contents.major != 3:
        raise ImportError("libdnnl is not of version 3")
    return found, openmp


DNNL, OPENMP = library()


def call(name, *arguments):
    """Calls one function; raises a failure if its status is not 0."""
    status = getattr(DNNL, name)(*arguments)
    if status:
        raise Failure(UNAVAILABLE, f"oneDNN: {name} ends with status {status}")


def made(name, *arguments):
    """Returns the handle that a function stores in its first argument."""
    handle = ctypes.c_void_p()
    call(name, ctypes.byref(handle), *arguments)
    return handle


def dims(*values):
    """dnnl_dims_t"""
    return (ctypes.c_int64 * 12)(*values)


def version():
    """For the record's column isa."""
    v = DNNL.dnnl_version().contents
    return f"oneDNN {v.major}.{v.minor}.{v.patch}"


def keeps_limit(o, _run):
    """True if oneDNN has taken the limit."""
    return DNNL.dnnl_get_effective_cpu_isa() == CODES[o.isa]


class Engine:
    """A processor and its queue."""

    def __init__(self):
        self.engine = made("dnnl_engine_create", CPU, ctypes.c_size_t(0))
        self.stream = made("dnnl_stream_create", self.engine, IN_ORDER)

    def memory(self, layout, at=ALLOCATE):
        """Memory with that layout, at the address `at` or allocated by oneDNN."""
        return made("dnnl_memory_create", layout, self.engine, at)

    def execute(self, primitive, *arguments):
        """Executes a primitive with arguments (what, memory), and waits for its end."""
        given = (Argument * len(arguments))(*[Argument(what, memory.value) for what, memory in arguments])
        call("dnnl_primitive_execute", primitive, self.stream, len(arguments), given)
        call("dnnl_stream_wait", self.stream)

    def reorder(self, source, from_layout, target, to_layout):
        """Copies from one layout to another."""
        how = made("dnnl_reorder_primitive_desc_create", from_layout, self.engine, to_layout, self.engine, None)
        self.execute(made("dnnl_primitive_create", how), (SOURCE[0], source), (MAP[0], target))


def layout(array_shape, tag):
    """A descriptor of float32 values with that shape and layout."""
    return made("dnnl_memory_desc_create_with_tag", len(array_shape), dims(*array_shape), F32, tag)


def grouped(node):
    """Filters in oneDNN's shape: if there are several groups, the group is the first dimension."""
    k, c, *window = node.weights.shape
    return node.weights.reshape(node.groups, k // node.groups, c, *window) if node.groups > 1 else node.weights


def prepare(_method, graph, images, threads):
    """One primitive; image and filters are converted before the timed part, the map after it."""
    OPENMP.omp_set_num_threads(threads)
    node, engine = graph.nodes[0], Engine()
    weights = numpy.ascontiguousarray(grouped(node))
    sides = [(n + 2 * node.padding - node.kernel) // node.stride + 1 for n in images.shape[2:]]
    result = numpy.zeros((images.shape[0], len(node.weights), *sides), numpy.float32)
    held = [(images, NCHW, SOURCE), (weights, GROUPED if node.groups > 1 else NCHW, WEIGHTS), (result, NCHW, MAP)]
    pads, steps = dims(node.padding, node.padding), dims(node.stride, node.stride)
    chosen = [layout(array.shape, ANY) for array, _, _ in held]
    how = made("dnnl_convolution_forward_primitive_desc_create", engine.engine, INFERENCE, DIRECT, chosen[0], chosen[1],
               None, chosen[2], steps, dims(0, 0), pads, pads, None)
    own = [ctypes.c_void_p(DNNL.dnnl_primitive_desc_query_md(how, ask, 0)) for _, _, (_, ask) in held]
    theirs = [engine.memory(description) for description in own]
    plain = [layout(array.shape, tag) for array, tag, _ in held]
    ours = [engine.memory(description, array.ctypes.data_as(ctypes.c_void_p))
            for description, (array, _, _) in zip(plain, held)]
    for i in (0, 1):
        engine.reorder(ours[i], plain[i], theirs[i], own[i])
    primitive = made("dnnl_primitive_create", how)
    arguments = [(what, memory) for (_, _, (what, _)), memory in zip(held, theirs)]

    def read(_):
        engine.reorder(theirs[2], own[2], ours[2], plain[2])
        return result.copy()
    return lambda: engine.execute(primitive, *arguments), read
