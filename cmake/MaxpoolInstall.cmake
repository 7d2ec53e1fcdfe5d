# `cmake --install`: the programs, bash completion for each of them, and manual pages made from their --help. The programs
# lab_kernel and lab_method are started by `study lab` alone, duet_worker by `study duet`. `study`
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
    FILES_MATCHING PATTERN study PATTERN duet_worker PATTERN lab_kernel PATTERN lab_method PATTERN lab_sandbox.so PATTERN "peer_*.so" ${patterns})
# Completion is for what was built: a program that is not there completes nothing. DESTDIR goes before what is installed.
install(CODE "
    set(there \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/bash-completion/completions\")
    foreach(program ${programs})
        file(REMOVE \"\$ENV{DESTDIR}\${there}/\${program}\")
        if(EXISTS \"${PROJECT_BINARY_DIR}/bin/\${program}\")
            file(INSTALL \"${PROJECT_SOURCE_DIR}/scripts/completion.bash\" DESTINATION \"\${there}\"
                RENAME \"\${program}\")
        endif()
    endforeach()")
install(CODE "
    set(man \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}/man1\")
    file(MAKE_DIRECTORY \"\${man}\")
    execute_process(COMMAND ${PROJECT_SOURCE_DIR}/scripts/man_pages.sh ${PROJECT_BINARY_DIR}/bin \"\${man}\"
            ${programs}
        COMMAND_ERROR_IS_FATAL ANY)")
