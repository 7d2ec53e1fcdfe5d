# `cmake --install`: the programs, the files that they read (cmake/MaxpoolShare.cmake), the files that they load or
# start, completion, and manual pages made from --help. No installed file names the sources or the build folder.
include(GNUInstallDirs)
set(programs study)
foreach(operator IN LISTS MAXPOOL_OPERATORS ITEMS network faces)
    foreach(space serial omp mpi cuda)
        list(APPEND programs ${operator}_${space})
    endforeach()
endforeach()
foreach(program IN LISTS programs)
    if(TARGET ${program})
        install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT programs)
    endif()
endforeach()

# maxpool_install_private(COMPONENT TARGET...): installs those of the targets that were built. Only other programs start
# or load them: workers of `study duet` and `study lab`, peers, and the programs for simulated clusters.
function(maxpool_install_private component)
    foreach(target IN LISTS ARGN)
        if(TARGET ${target})
            install(TARGETS ${target} RUNTIME DESTINATION ${MAXPOOL_PRIVATE_FOLDER} COMPONENT ${component}
                LIBRARY DESTINATION ${MAXPOOL_PRIVATE_FOLDER} COMPONENT ${component})
        endif()
    endforeach()
endfunction()
maxpool_install_private(programs duet_worker lab_kernel lab_method lab_sandbox peer_onednn peer_libxsmm peer_openblas peer_mkl)
maxpool_install_private(device_peers peer_cudnn peer_cublas) # need libraries that Debian does not have: not in the .deb
# Programs for an emulated device, not stripped: their debug information has the lines that messages name.
if(MAXPOOL_HAVE_EMULATION)
    foreach(operator IN LISTS MAXPOOL_DEVICE_OPERATORS ITEMS network)
        install(PROGRAMS $<TARGET_FILE:${operator}_cuda_emulated> DESTINATION ${MAXPOOL_PRIVATE_FOLDER}/emulation
            COMPONENT programs)
    endforeach()
    install(FILES $<TARGET_FILE:cuda_emulation> DESTINATION ${MAXPOOL_PRIVATE_FOLDER}/emulation COMPONENT programs)
endif()
if(MAXPOOL_HAVE_SIMGRID)
    install(DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/simgrid DESTINATION ${MAXPOOL_PRIVATE_FOLDER}
        USE_SOURCE_PERMISSIONS COMPONENT programs FILES_MATCHING PATTERN "*_mpi")
endif()

# Python peers: one script, with a link for each peer's name.
install(PROGRAMS scripts/time_peers.py DESTINATION ${MAXPOOL_SHARE_FOLDER}/scripts COMPONENT programs)
file(RELATIVE_PATH script /${CMAKE_INSTALL_BINDIR} /${MAXPOOL_SHARE_FOLDER}/scripts/time_peers.py)
install(CODE "
    foreach(program ${MAXPOOL_PYTHON_PEERS})
        file(CREATE_LINK \"${script}\"
            \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/\${program}\" SYMBOLIC)
    endforeach()" COMPONENT programs)

# Completion covers only programs that were built. DESTDIR precedes the installed paths.
install(CODE "
    set(there \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/bash-completion/completions\")
    foreach(program ${programs})
        file(REMOVE \"\$ENV{DESTDIR}\${there}/\${program}\")
        if(EXISTS \"${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/\${program}\")
            file(INSTALL \"${PROJECT_SOURCE_DIR}/scripts/completion/completion.bash\" DESTINATION \"\${there}\"
                RENAME \"\${program}\")
        endif()
    endforeach()" COMPONENT programs)
# zsh: one file for all of them, which calls what is installed for bash. Debian's zsh looks for it in a folder of its own.
install(CODE "
    set(there \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/zsh/site-functions\")
    if(\"\${CMAKE_INSTALL_PREFIX}\" STREQUAL /usr)
        set(there \"/usr/${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions\")
    endif()
    set(completed \"\")
    foreach(program ${programs})
        if(EXISTS \"${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/\${program}\")
            string(APPEND completed \" \${program}\")
        endif()
    endforeach()
    file(READ \"${PROJECT_SOURCE_DIR}/scripts/completion/completion.zsh\" completion)
    file(WRITE \"\$ENV{DESTDIR}\${there}/_maxpool\" \"#compdef\${completed}\\n\${completion}\")" COMPONENT programs)
install(CODE "
    set(man \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}/man1\")
    file(MAKE_DIRECTORY \"\${man}\")
    execute_process(COMMAND ${PROJECT_SOURCE_DIR}/scripts/man_pages.sh ${CMAKE_RUNTIME_OUTPUT_DIRECTORY} \"\${man}\"
            ${programs}
        COMMAND_ERROR_IS_FATAL ANY)" COMPONENT programs)
install(FILES LICENSE CITATION.cff README.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/maxpool COMPONENT programs)
