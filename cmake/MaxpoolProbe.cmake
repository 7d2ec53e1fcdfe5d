# Probes of optional parts. A part that fails one is off, and its line in the table of features has the reason; no probe
# ends the configuration.

set(MAXPOOL_PROBE_SECONDS 90 CACHE STRING "Seconds after which a program that is probed counts as absent")
mark_as_advanced(MAXPOOL_PROBE_SECONDS)

# maxpool_answer(OUT COMMAND...): runs the command, for at most MAXPOOL_PROBE_SECONDS. Sets OUT to why it failed, "" if
# it ended with 0; OUT_TEXT to all that it printed.
function(maxpool_answer out)
    execute_process(COMMAND ${ARGN} TIMEOUT ${MAXPOOL_PROBE_SECONDS} RESULT_VARIABLE result
        OUTPUT_VARIABLE printed ERROR_VARIABLE complained)
    get_filename_component(program "${ARGV1}" NAME)
    set(why "")
    if(result MATCHES "timeout")
        set(why "${program} did not answer within ${MAXPOOL_PROBE_SECONDS} s")
    elseif(NOT result STREQUAL "0")
        maxpool_complaint(complaint "${printed}\n${complained}")
        set(why "${program} ended with status ${result}${complaint}")
    endif()
    set(${out} "${why}" PARENT_SCOPE)
    set(${out}_TEXT "${printed}${complained}" PARENT_SCOPE)
endfunction()

# maxpool_complaint(OUT TEXT): what a compiler or linker complained about first: ": ..." on one line of the table, or "".
function(maxpool_complaint out text)
    string(REGEX REPLACE "[;|]" "," text "${text}")
    string(REGEX REPLACE "[^\n]*warning: [^\n]*" "" text "${text}") # maxpool_probe lets functions be missing
    string(REGEX MATCH "[^\n]*(error|Error|ERROR|fatal|undefined|Unsupported|unsupported|not found|cannot)[^\n]*" line
        "${text}")
    string(STRIP "${line}" line)
    string(REGEX REPLACE "^[./]*${PROJECT_SOURCE_DIR}/" "" line "${line}") # Ninja's names are relative
    string(REPLACE "${PROJECT_SOURCE_DIR}/" "" line "${line}")
    string(SUBSTRING "${line}" 0 160 line)
    if(line)
        set(line ": ${line}")
    endif()
    set(${out} "${line}" PARENT_SCOPE)
endfunction()

# maxpool_probe(OUT NAME SYMBOLS INCLUDES LIBRARIES FILE...): compiles the files of the calling folder that use a library,
# as they are, and links them with it. SYMBOLS is a regular expression for how the library's functions begin: one that
# the library lacks is a failure, while functions of this project may be missing. INCLUDES are its folders, LIBRARIES
# its files or imported targets. Sets OUT to why that failed, or "". What was found out is kept until something changes.
function(maxpool_probe out name symbols includes libraries)
    set(sources ${ARGN})
    list(TRANSFORM sources PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
    set(known "${CMAKE_C_COMPILER} ${CMAKE_C_COMPILER_VERSION} ${CMAKE_C_FLAGS} ${includes} ${libraries} ${${name}_VERSION}")
    foreach(file IN LISTS sources libraries)
        if(EXISTS "${file}")
            file(TIMESTAMP "${file}" time)
            string(APPEND known " ${file} ${time}")
        endif()
    endforeach()
    string(MD5 known "${known}")
    if(NOT "${MAXPOOL_PROBED_${name}}" STREQUAL "${known}")
        string(TOLOWER ${name} lower)
        # Like a module of programs: functions of the programs that load it may be missing. The linker names them.
        try_compile(works ${PROJECT_BINARY_DIR}/probes/${lower} SOURCES ${sources}
            CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${PROJECT_SOURCE_DIR};${includes}"
            COMPILE_DEFINITIONS -D_GNU_SOURCE -DMAXPOOL_HAVE_${name}=1 -fPIC -w ${OpenMP_C_FLAGS}
            LINK_OPTIONS -shared -Wl,-z,defs -Wl,--warn-unresolved-symbols
            LINK_LIBRARIES ${libraries} ${OpenMP_C_FLAGS}
            C_STANDARD 17 C_STANDARD_REQUIRED ON
            OUTPUT_VARIABLE said)
        set(why "")
        if(NOT works)
            maxpool_complaint(complaint "${said}")
            set(why "found, but does not compile and link here${complaint}")
        elseif("${said}" MATCHES "undefined (reference to .|symbol: )(${symbols})([A-Za-z0-9_]*)")
            set(why "found, but has no function ${CMAKE_MATCH_2}${CMAKE_MATCH_3}")
        endif()
        set(MAXPOOL_PROBED_${name} "${known}" CACHE INTERNAL "")
        set(MAXPOOL_PROBED_${name}_WHY "${why}" CACHE INTERNAL "")
    endif()
    set(${out} "${MAXPOOL_PROBED_${name}_WHY}" PARENT_SCOPE)
endfunction()
