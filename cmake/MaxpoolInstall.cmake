# `cmake --install`: the programs, bash completion for each of them, and manual pages made from their --help. `study`
# reads definitions, platforms and chart scripts where they lie in the sources.
include(GNUInstallDirs)
install(DIRECTORY ${PROJECT_BINARY_DIR}/bin/ DESTINATION ${CMAKE_INSTALL_BINDIR} USE_SOURCE_PERMISSIONS
    FILES_MATCHING PATTERN study PATTERN "maxpool_*" PATTERN "matmul_*" PATTERN "peer_*.so")
foreach(program study maxpool_serial maxpool_omp maxpool_mpi maxpool_cuda matmul_serial matmul_omp matmul_mpi matmul_cuda)
    install(FILES ${PROJECT_SOURCE_DIR}/scripts/completion.bash RENAME ${program}
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
endforeach()
install(CODE "
    set(man \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}/man1\")
    file(MAKE_DIRECTORY \"\${man}\")
    execute_process(COMMAND ${PROJECT_SOURCE_DIR}/scripts/man_pages.sh ${PROJECT_BINARY_DIR}/bin \"\${man}\"
        COMMAND_ERROR_IS_FATAL ANY)")
