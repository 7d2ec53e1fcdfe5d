# The commit that a record names. -DMAXPOOL_COMMIT=... sets it for a build outside a git checkout; otherwise every build
# queries git, so that the name always matches the sources.
set(MAXPOOL_COMMIT "" CACHE STRING "Commit recorded with every sample (default: ask git)")
find_package(Git QUIET)
add_custom_target(maxpool_commit
    COMMAND ${CMAKE_COMMAND}
        -DSOURCE_DIR=${PROJECT_SOURCE_DIR} -DOUTPUT=${PROJECT_BINARY_DIR}/generated/commit.h
        -DCOMMIT=${MAXPOOL_COMMIT} -DGIT=${GIT_EXECUTABLE}
        -P ${PROJECT_SOURCE_DIR}/cmake/WriteCommit.cmake
    BYPRODUCTS ${PROJECT_BINARY_DIR}/generated/commit.h
    VERBATIM)
