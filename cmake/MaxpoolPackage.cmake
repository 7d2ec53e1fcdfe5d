# `cpack` in the build folder makes a Debian package of programs and library, with the dependencies that dpkg-shlibdeps
# finds. Peers that use cuDNN and cuBLAS are left out: Debian has no packages that they could depend on.
install(FILES packaging/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/maxpool COMPONENT programs)

file(STRINGS CITATION.cff maintainers REGEX "- name:")
string(REGEX REPLACE ".*\"(.*)\".*" "\\1" maintainers "${maintainers}")
# A package must name an address. The default is in a domain that never exists (RFC 2606); whoever builds the package
# may set another.
set(MAXPOOL_PACKAGE_CONTACT "${maintainers} <maintainers@maxpool.invalid>" CACHE STRING
    "Name and address of those who answer for the package")

set(CPACK_GENERATOR DEB)
set(CPACK_SOURCE_GENERATOR "")
set(CPACK_PACKAGE_VENDOR "${maintainers}")
set(CPACK_PACKAGE_CONTACT "${MAXPOOL_PACKAGE_CONTACT}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "kernels on parallel machines: measured, verified, explained")
set(CPACK_PACKAGE_DESCRIPTION
"Small kernels (max pooling as a per-window product, the matrix product, convolution, distances, networks) in serial C,
OpenMP, MPI and CUDA. The program study measures them on this machine, verifies every result, and writes a report with
speedup against Amdahl's law, charts and tables. libmaxpool offers the kernels to other programs.
.
All sources are under the Expat licence; the program study links the GNU Scientific Library and is distributed under
the GPL as well.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL programs library)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# Programs that are started if present; if one is absent, a message says so.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "gnuplot-nox, fonts-dejavu-core, openmpi-bin, gcc, libc6-dev")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libsimgrid-dev, python3-numpy, python3-numba")
include(CPack)
