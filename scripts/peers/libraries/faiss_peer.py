"""faiss: all pairs by the product of the points. It returns squares; we take the root outside the timed part."""
import faiss
import numpy

PACKAGES = "faiss"
METHODS = (
    ("distances", "faiss", "faiss's pairwise distances by the product of the points, squared"),
)


def version():
    """For the record's column isa."""
    return "faiss " + faiss.__version__


def prepare_distances(_method, x, y, threads):
    """faiss computes the squares, which may be slightly below 0."""
    faiss.omp_set_num_threads(threads)
    return (lambda: faiss.pairwise_distances(x, y),
            lambda d: numpy.sqrt(numpy.maximum(d, 0)))
