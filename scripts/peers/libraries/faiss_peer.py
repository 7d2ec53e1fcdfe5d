"""faiss: all pairs by the product of the points. It gives squares; the root is ours, off the clock."""
import faiss
import numpy

PACKAGES = "faiss"
METHODS = (
    ("distances", "faiss", "faiss's pairwise distances by the product of the points, squared"),
)


def version():
    """As the record's isa has it."""
    return "faiss " + faiss.__version__


def prepare_distances(_method, x, y, threads):
    """The squares are faiss's; they may be a little below 0."""
    faiss.omp_set_num_threads(threads)
    return (lambda: faiss.pairwise_distances(x, y),
            lambda d: numpy.sqrt(numpy.maximum(d, 0)))
