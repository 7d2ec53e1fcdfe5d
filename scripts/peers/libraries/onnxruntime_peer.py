"""ONNX Runtime: its own kernels (MLAS), in one session with the given number of threads; nothing else is parallel."""
import onnxruntime

from peers.libraries.onnx_model import onnx_bytes

NAME = "ONNX Runtime"
PACKAGES = "onnxruntime onnx"
METHODS = (
    ("maxpool", "onnxruntime", "ONNX Runtime's session over a model of our weights, input and output bound once"),
    ("conv", "onnxruntime", "ONNX Runtime's session over a model of our weights, input and output bound once"),
    ("network", "onnxruntime", "ONNX Runtime's session over a model of our weights, input and output bound once"),
)


def version():
    """For the record's column isa."""
    return "ONNX Runtime " + onnxruntime.__version__


def prepare(_method, graph, images, threads):
    """The session, with all optimisations; the library allocates the output once."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    session = onnxruntime.InferenceSession(onnx_bytes(graph), options,
                                           providers=["CPUExecutionProvider"])
    binding = session.io_binding()
    binding.bind_ortvalue_input("x", onnxruntime.OrtValue.ortvalue_from_numpy(images))
    binding.bind_output(graph.output)
    return (lambda: session.run_with_iobinding(binding),
            lambda _: binding.copy_outputs_to_cpu()[0])
