"""OpenVINO's CPU plugin, restricted to float32 like all other libraries: on some processors its default would round to
bfloat16."""
import openvino

from peers.libraries.onnx_model import onnx_bytes

PACKAGES = "openvino onnx"
METHODS = (
    ("maxpool", "openvino", "OpenVINO's compiled model of our weights, one request in one stream"),
    ("conv", "openvino", "OpenVINO's compiled model of our weights, one request in one stream"),
    ("network", "openvino", "OpenVINO's compiled model of our weights, one request in one stream"),
)
LIMITS = {"avx2": {"ONEDNN_MAX_CPU_ISA": "AVX2"}}


def version():
    """For the record's column isa."""
    return "OpenVINO " + openvino.__version__.split("-")[0]


def keeps_limit(_o, run):
    """True if no step of the compiled model is code for AVX-512, by its own account."""
    steps = run.__self__.get_compiled_model().get_runtime_model().get_ordered_ops()
    code = [str(step.get_rt_info()["primitiveType"].astype(str)) for step in steps]
    return any("avx2" in name for name in code) and not any("avx512" in name or "amx" in name for name in code)


def prepare(_method, graph, images, threads):
    """The compiled model and its request; the input is shared."""
    core = openvino.Core()
    model = core.read_model(onnx_bytes(graph))
    compiled = core.compile_model(model, "CPU", {
        "INFERENCE_NUM_THREADS": threads, "NUM_STREAMS": 1, "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_PRECISION_HINT": "f32"})
    request = compiled.create_infer_request()
    request.set_input_tensor(openvino.Tensor(images, shared_memory=True))

    def read(_result, _held=images):  # the request uses the images' memory without owning it
        return request.get_output_tensor().data.copy()
    return request.infer, read
