"""SciPy: cdist, which computes differences in double precision on one thread."""
import numpy
import scipy
import scipy.spatial.distance

from peers.failure import USAGE, Failure

PACKAGES = "scipy"
METHODS = (
    ("distances", "scipy", "SciPy's cdist, differences in double precision"),
)


def version():
    """For the record's column isa."""
    return "SciPy " + scipy.__version__


def prepare_distances(_method, x, y, threads):
    """The output is allocated once; points are converted to double before the timed part."""
    if threads > 1:
        raise Failure(USAGE, "SciPy's cdist has one thread")
    left, right = x.astype(numpy.float64), y.astype(numpy.float64)
    out = numpy.empty((len(x), len(y)))
    return (lambda: scipy.spatial.distance.cdist(left, right, "euclidean", out=out),
            lambda d: d.astype(numpy.float32))
