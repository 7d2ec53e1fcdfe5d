# Writes OUTPUT with the commit, "+dirty" where tracked files differ, "unknown" where nobody can tell.
set(name "${COMMIT}")
if(name STREQUAL "" AND GIT)
    execute_process(COMMAND ${GIT} -C ${SOURCE_DIR} rev-parse --short=12 HEAD
        OUTPUT_VARIABLE name OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
    if(failed)
        set(name "")
    else()
        execute_process(COMMAND ${GIT} -C ${SOURCE_DIR} status --porcelain --untracked-files=no
            OUTPUT_VARIABLE changes ERROR_QUIET)
        if(changes)
            string(APPEND name "+dirty")
        endif()
    endif()
endif()
if(name STREQUAL "")
    set(name "unknown")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define MAXPOOL_COMMIT \"@name@\"\n" @ONLY)
