# The target docs makes the pages of docs/ as HTML, in manual/ of the build folder (scripts/html_manual.sh).
find_program(MAXPOOL_PANDOC pandoc)
mark_as_advanced(MAXPOOL_PANDOC)
if(MAXPOOL_PANDOC)
    maxpool_feature_line(MANUAL on "the HTML manual: cmake --build BUILD --target docs (pandoc)")
    add_custom_target(docs
        COMMAND ${PROJECT_SOURCE_DIR}/scripts/html_manual.sh ${PROJECT_BINARY_DIR}/manual
        COMMAND ${CMAKE_COMMAND} -E echo "The manual: ${PROJECT_BINARY_DIR}/manual/index.html"
        VERBATIM)
else()
    maxpool_feature_line(MANUAL off "the HTML manual: no pandoc (Debian: pandoc)")
endif()
