# `cmake --install`: the programs, bash completion for each of them, and manual pages made from their --help. `study`
# reads definitions, platforms and chart scripts where they lie in the sources.
include(GNUInstallDirs)
set(programs study)
set(patterns "")
foreach(operator IN LISTS MAXPOOL_OPERATORS ITEMS network faces)
    foreach(space serial omp mpi cuda)
        list(APPEND programs ${operator}_${space})
        list(APPEND patterns PATTERN ${operator}_${space})
    endforeach()
endforeach()
foreach(program IN LISTS MAXPOOL_PYTHON_PEERS)
    list(APPEND patterns PATTERN ${program})
endforeach()
install(DIRECTORY ${PROJECT_BINARY_DIR}/bin/ DESTINATION ${CMAKE_INSTALL_BINDIR} USE_SOURCE_PERMISSIONS
    FILES_MATCHING PATTERN study PATTERN "peer_*.so" ${patterns})
foreach(program IN LISTS programs)
    install(FILES ${PROJECT_SOURCE_DIR}/scripts/completion.bash RENAME ${program}
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
endforeach()
install(CODE "
    set(man \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}/man1\")
    file(MAKE_DIRECTORY \"\${man}\")
    execute_process(COMMAND ${PROJECT_SOURCE_DIR}/scripts/man_pages.sh ${PROJECT_BINARY_DIR}/bin \"\${man}\"
            ${programs}
        COMMAND_ERROR_IS_FATAL ANY)")
