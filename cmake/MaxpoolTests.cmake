# What ctest knows of every test of a directory: its room, how long it may take, and when it begins.
# All seconds here are those that ctest -j 2 gave on two cores without other work, in a debug build; some tests take
# less since (docs/testing.md).

# The longest begin first, so that none of them is left to run alone at the end.
set(MAXPOOL_TEST_SECONDS
    test_study_run=98 test_lab_lines=82 test_mpi_cli=68 test_lab=66 test_definition=54 test_installed=46
    test_report_numbers_measured=44 test_drills=42 test_methods=42 test_gpu_check=41 test_robust=41 test_recipes=39
    test_mpi_16=38 test_training_cli=34 test_ptxas=29 test_pictures=25 test_simgrid=24 test_walk=24 test_tesina=23
    test_mpi_2=23 test_reproduce=23 test_cli=22 test_simulated_statistics=20 test_comparison=20 test_peers=19
    test_cheats=19 test_report_numbers_networks=18 test_class=18 test_omp=16 test_mpi_7=16 test_mpi_1=16
    test_networks=16)

# Tests that start and end processes, send signals, wait, share files or meet time limits: what load might disturb.
# ctest -L process runs them; docs/testing.md keeps a log of them under load.
set(MAXPOOL_PROCESS_TESTS
    test_study_run test_processes test_cli test_descriptors test_whole_file test_interleaving test_interpreter
    test_robust test_outside test_lab test_lab_lines test_cheats test_class test_duet test_drills test_gpu_check
    test_slurm_limits test_training_cli test_network_inside test_mpi_cli test_network_mpi test_ranks_2 test_ranks_3
    test_ranks_7 test_oversubscribed test_simgrid test_time_peers)

# A test is ended after ten times its seconds; where none are known, after 600.
set(MAXPOOL_TEST_TIMEOUT 600)

# maxpool_test_seconds(NAME RESULT): of the table; 0 where it has none.
function(maxpool_test_seconds name result)
    set(${result} 0 PARENT_SCOPE)
    foreach(row IN LISTS MAXPOOL_TEST_SECONDS)
        if(row MATCHES "^${name}=([0-9]+)$")
            set(${result} ${CMAKE_MATCH_1} PARENT_SCOPE)
        endif()
    endforeach()
endfunction()

# maxpool_describe_tests([ROOM]): at the end of each directory that adds tests. ctest -L ROOM runs the tests of one
# room; by default the folder's name is the room. Properties that a test has already stay.
function(maxpool_describe_tests)
    get_filename_component(room "${CMAKE_CURRENT_SOURCE_DIR}" NAME)
    if(ARGN)
        set(room ${ARGN})
    endif()
    get_property(tests DIRECTORY PROPERTY TESTS)
    foreach(test IN LISTS tests)
        maxpool_test_seconds(${test} seconds)
        math(EXPR timeout "10 * ${seconds}")
        if(timeout LESS MAXPOOL_TEST_TIMEOUT)
            set(timeout ${MAXPOOL_TEST_TIMEOUT})
        endif()
        get_test_property(${test} TIMEOUT already)
        if(NOT already)
            set_tests_properties(${test} PROPERTIES TIMEOUT ${timeout})
        endif()
        set(labels ${room})
        if(test IN_LIST MAXPOOL_PROCESS_TESTS)
            list(APPEND labels process)
        endif()
        set_tests_properties(${test} PROPERTIES LABELS "${labels}" COST ${seconds})
    endforeach()
endfunction()
