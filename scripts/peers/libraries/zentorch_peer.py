"""zentorch, AMD's plug-in for PyTorch: a back end of torch.compile, parameters frozen. Without AVX-512 it leaves
PyTorch's own code as it is; then there is nothing of its own to time."""
import torch
import zentorch

from peers import instruction_set
from peers.failure import UNAVAILABLE, Failure
from peers.libraries import pytorch_peer

PACKAGES = "zentorch torch"
METHODS = (
    ("conv", "zentorch", "AMD's plug-in of PyTorch by torch.compile, parameters frozen"),
    ("network", "zentorch", "AMD's plug-in of PyTorch by torch.compile, parameters frozen"),
)


def version():
    """For the record's column isa."""
    return f"zentorch {zentorch.__version__}, PyTorch {torch.__version__}"


def prepare(_method, graph, images, threads):
    """The module, compiled by zentorch; the first call compiles."""
    lacking = instruction_set.missing("avx512")
    if lacking:
        raise Failure(UNAVAILABLE, f"{lacking}: zentorch optimizes nothing here")
    torch.set_num_threads(threads)
    module = pytorch_peer.Module(graph, torch.contiguous_format).eval()
    return (pytorch_peer.compiled(module, torch.from_numpy(images), "zentorch"), lambda y: y.contiguous().numpy())
