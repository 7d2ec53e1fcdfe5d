"""maxpool in Spack, from a clone:

    spack repo add packaging/spack
    spack dev-build maxpool@0.1.0 +study      # in the project's folder
"""
from spack.package import *


class Maxpool(CMakePackage):
    """Small kernels (max pooling as a per-window product, the matrix product, convolution, distances, networks) in
    serial C, OpenMP, MPI and CUDA, with verified measurements, speedup against Amdahl's law, charts and reports."""

    license("MIT", checked_by="maintainers")

    version("0.1.0")  # the sources are the clone in which dev-build runs

    variant("mpi", default=True, description="Build the programs NAME_mpi")
    variant("openmp", default=True, description="Build the programs NAME_omp")
    variant("cuda", default=False, description="Build the programs NAME_cuda")
    variant("study", default=True, description="Build the program study; it links GSL, which is under the GPL")
    variant("images", default=True, description="Read and write PNG, and read JPEG")
    variant("peers", default=True, description="Measure oneDNN, LIBXSMM and OpenBLAS beside our methods")
    variant("simgrid", default=False, description="Build the MPI programs for simulated clusters")
    variant("python", default=False, description="The tesina's programs in Python, with Numba")

    # Each dependency is followed by its Debian name, as in scripts/packages.txt.
    depends_on("c", type="build")  # gcc libc6-dev
    depends_on("cxx", type="build")  # g++
    depends_on("cmake@3.25:", type="build")  # cmake
    # make serves; this recipe names no package of Debian's ninja-build.
    depends_on("gmake", type="build")  # make
    depends_on("git", type="build")  # git
    depends_on("pkgconfig", type="build")  # pkg-config
    depends_on("gettext", type="build")  # gettext
    depends_on("hwloc@2:")  # libhwloc-dev
    depends_on("zlib-api")  # zlib1g-dev
    depends_on("cjson")  # libcjson-dev
    depends_on("mpi", when="+mpi")  # libopenmpi-dev openmpi-bin
    depends_on("cuda@11.8:", when="+cuda")
    depends_on("libpng", when="+images")  # libpng-dev
    depends_on("jpeg", when="+images")  # libjpeg-dev
    depends_on("gsl", when="+study")  # libgsl-dev
    depends_on("inih", when="+study")  # libinih-dev
    depends_on("expat", when="+study")  # libexpat1-dev
    depends_on("libzip", when="+study")  # libzip-dev
    depends_on("gnuplot", type="run", when="+study")  # gnuplot-nox fonts-dejavu-core
    depends_on("onednn", when="+peers")  # libdnnl-dev
    depends_on("libxsmm", when="+peers")  # libxsmm-dev
    depends_on("openblas threads=openmp", when="+peers")  # libopenblas-openmp-dev
    depends_on("simgrid+smpi", when="+simgrid")
    depends_on("py-numpy", type="run", when="+python")  # python3-numpy
    depends_on("py-numba", type="run", when="+python")  # python3-numba
    conflicts("+simgrid", when="~mpi", msg="what is simulated are ranks")

    def cmake_args(self):
        """A part that is not requested is switched off, even if its library happens to be found."""
        parts = {
            "MPI": "mpi", "OPENMP": "openmp", "CUDA": "cuda", "SIMGRID": "simgrid", "PNG": "images", "JPEG": "images",
            "GSL": "study", "INIH": "study", "EXPAT": "study", "LIBZIP": "study", "ONEDNN": "peers",
            "LIBXSMM": "peers", "OPENBLAS": "peers",
        }
        switches = [self.define_from_variant(f"MAXPOOL_WITH_{part}", name) for part, name in parts.items()]
        # Spack has no package of Debian's libnifti-dev.
        return [self.define("BUILD_TESTING", False), self.define("MAXPOOL_WITH_NIFTI", False), *switches]
