"""OpenVINO's plugin for processors, held to float32 as all others are: on some it would round to
bfloat16 unasked."""
import openvino

from peers.libraries.onnx_model import onnx_bytes

PACKAGES = "openvino onnx"
METHODS = (
    ("maxpool", "openvino", "OpenVINO's compiled model of our weights, one request in one stream"),
    ("conv", "openvino", "OpenVINO's compiled model of our weights, one request in one stream"),
    ("network", "openvino", "OpenVINO's compiled model of our weights, one request in one stream"),
)


def version():
    """As the record's isa has it."""
    return "OpenVINO " + openvino.__version__.split("-")[0]


def prepare(_method, graph, images, threads):
    """The compiled model and its request, input shared."""
    core = openvino.Core()
    model = core.read_model(onnx_bytes(graph))
    compiled = core.compile_model(model, "CPU", {
        "INFERENCE_NUM_THREADS": threads, "NUM_STREAMS": 1, "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_PRECISION_HINT": "f32"})
    request = compiled.create_infer_request()
    request.set_input_tensor(openvino.Tensor(images, shared_memory=True))

    def read(_result, _held=images):  # the request sees the images' memory and does not own it
        return request.get_output_tensor().data.copy()
    return request.infer, read
