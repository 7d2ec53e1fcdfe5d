# share/maxpool: files that programs read at run time (harness/base/suite_files.h). In the build folder it holds links
# to the sources, so that changed files need no build; `cmake --install` copies them below the prefix.
set(MAXPOOL_SHARED
    data=data
    cuda_emulation=cuda/emulation
    definitions=experiments/definition/definitions
    labs=labs
    machines=experiments/plan/machines
    pictures=docs/pictures
    platforms=experiments/plan/platforms
    plots=plots
    scripts/peers=scripts/peers
    tests/data=tests/data
    thesis=experiments/definition/thesis)
# Relative to the prefix, independent of GNUInstallDirs: programs look for these names (harness/base/suite_files.c).
set(MAXPOOL_SHARE_FOLDER share/maxpool)
set(MAXPOOL_PRIVATE_FOLDER lib/maxpool)

foreach(row IN LISTS MAXPOOL_SHARED)
    string(REPLACE "=" ";" row ${row})
    list(GET row 0 name)
    list(GET row 1 source)
    set(link ${PROJECT_BINARY_DIR}/${MAXPOOL_SHARE_FOLDER}/${name})
    get_filename_component(folder ${link} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${source} ${link} SYMBOLIC)
    install(DIRECTORY ${source}/ DESTINATION ${MAXPOOL_SHARE_FOLDER}/${name} COMPONENT programs
        PATTERN __pycache__ EXCLUDE)
endforeach()
