# The MPI programs for a simulated cluster, with SimGrid's SMPI. All sources must be compiled with its smpicc, so they
# have a separate build (preset simgrid). If smpicc is found, a build with any other compiler contains such a build:
# bin/simgrid/maxpool_mpi next to bin/maxpool_mpi.
option(MAXPOOL_WITH_SIMGRID "Build the MPI programs for simulated clusters too" ON)
set(MAXPOOL_SIMULATED OFF)
set(MAXPOOL_HAVE_SIMGRID OFF)

if(CMAKE_C_COMPILER MATCHES "smpicc$")
    set(MAXPOOL_SIMULATED ON)
    # Every rank gets a copy of the program, which therefore contains only what a simulation needs.
    foreach(name PNG NIFTI HWLOC CJSON OPENMP CUDA ONEDNN LIBXSMM OPENBLAS)
        set(MAXPOOL_WITH_${name} OFF)
    endforeach()
    set(BUILD_TESTING OFF)
    set(MAXPOOL_WITH_ISA OFF) # computing takes the calibrated time, in any instruction set
    # smpicc records the file name of every allocation; this makes it relative to the project, wherever that is.
    target_compile_options(maxpool_flags INTERFACE -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
endif()

# maxpool_simgrid_inside(): called after the other features, because their table lists this one too.
function(maxpool_simgrid_inside)
    find_program(MAXPOOL_SMPICC smpicc)
    find_program(MAXPOOL_SMPIRUN smpirun)
    mark_as_advanced(MAXPOOL_SMPICC MAXPOOL_SMPIRUN)
    set(what "the programs bin/simgrid/NAME_mpi on a simulated cluster (SimGrid)")
    if(NOT MAXPOOL_WITH_SIMGRID)
        maxpool_feature_line(SIMGRID off "${what}: switched off by MAXPOOL_WITH_SIMGRID")
        return()
    elseif(NOT MAXPOOL_SMPICC OR NOT MAXPOOL_SMPIRUN)
        maxpool_feature_line(SIMGRID off "${what}: not found (Debian: libsimgrid-dev)")
        return()
    elseif(MAXPOOL_SANITIZE)
        maxpool_feature_line(SIMGRID off "${what}: the sanitizers do not know its contexts")
        return()
    endif()
    maxpool_answer(why ${CMAKE_COMMAND} -E env SMPI_PRETEND_CC=1 ${MAXPOOL_SMPICC} -D_GNU_SOURCE -I${PROJECT_SOURCE_DIR}
        -Wl,--wrap=sched_yield,--wrap=sched_getaffinity -o ${PROJECT_BINARY_DIR}/probes/simulated
        ${PROJECT_SOURCE_DIR}/cmake/probes/simulated.c ${PROJECT_SOURCE_DIR}/simgrid/simulation_smpi.c)
    if(why)
        maxpool_feature_line(SIMGRID off "${what}: ${why}")
        return()
    endif()
    # Computing takes calibrated seconds there, so a debug build needs little optimisation.
    set(optimised "")
    if(CMAKE_BUILD_TYPE STREQUAL "Debug")
        set(optimised "-DCMAKE_C_FLAGS_RELEASE=-O1 -DNDEBUG -DMAXPOOL_COMPACT=1") # kernels/vector/common.h
    endif()
    include(ExternalProject)
    ExternalProject_Add(maxpool_simgrid
        SOURCE_DIR ${PROJECT_SOURCE_DIR}
        BINARY_DIR ${PROJECT_BINARY_DIR}/simgrid
        PREFIX ${PROJECT_BINARY_DIR}/simgrid/stamps
        # smpicc links plain programs, such as CMake's checks, only with this variable.
        CONFIGURE_COMMAND ${CMAKE_COMMAND} -E env SMPI_PRETEND_CC=1
            ${CMAKE_COMMAND} -G ${CMAKE_GENERATOR} -S <SOURCE_DIR> -B <BINARY_DIR>
            -DCMAKE_C_COMPILER=${MAXPOOL_SMPICC} -DCMAKE_BUILD_TYPE=Release ${optimised}
            -DCMAKE_RUNTIME_OUTPUT_DIRECTORY=${PROJECT_BINARY_DIR}/bin/simgrid
            -DMAXPOOL_WERROR=${MAXPOOL_WERROR} -DMAXPOOL_COMMIT=${MAXPOOL_COMMIT}
        BUILD_COMMAND ${CMAKE_COMMAND} --build <BINARY_DIR>
        INSTALL_COMMAND ""
        BUILD_ALWAYS ON
        LOG_CONFIGURE ON
        LOG_BUILD ON
        LOG_OUTPUT_ON_FAILURE ON)
    maxpool_feature_line(SIMGRID on "${what}")
    set(MAXPOOL_HAVE_SIMGRID ON PARENT_SCOPE)
endfunction()
