# Properties of the tests of a directory: room, time limit and starting order. The seconds below are those of a test in
# a debug build together with others (ctest -j 3, two busy cores), or, if the test was shortened since, alone on the
# same cores. They determine only the order and the limits.

# The longest tests start first, so that none is left to run alone at the end; a fresh clone knows no other times.
# Before them start the tests that need several cores, which are seldom free together later.
set(MAXPOOL_TEST_SECONDS
    test_robust=97 test_mpi_cli=76 test_pictures=73 test_ptxas=63 test_drills=60 test_report_numbers_measured=59
    test_simgrid=58 test_mpi_16=56 test_recipes=54 test_training_cli=47 test_walk=43 test_cli=43 test_reproduce=43
    test_class=41 test_installed=39 test_lab=38 test_simulated_statistics=37 test_gpu_check=37 test_peers=35 test_mpi_2=33
    cuda_grid_product=30 test_analysis=29 test_study_run=28 test_tesina=28 test_report_numbers_networks=27
    test_network_cli=27 test_network_mpi=26 test_time_peers=25 test_conv_cli=24 test_duet=24 test_cheats=24 cuda_cli=23
    test_methods=23 test_networks=23 test_lab_lines=22 cuda_grid_image=22 test_gpu_analysis=21 cuda_training=21
    cuda_training_grid=21 test_omp=20 cuda_faults_training_grid_none=20 test_report_numbers_crossovers=19 test_outside=18
    test_distances_cli=17 test_linking=17 test_crossover=17 test_definition=17 test_mpi_1=16 test_mpi_7=15)

# Tests that start and end processes, send signals, wait, share files or have time limits, so that load might disturb
# them.
# ctest -L process runs them; docs/testing.md keeps a log of them under load.
set(MAXPOOL_PROCESS_TESTS
    test_study_run test_processes test_cli test_descriptors test_whole_file test_interleaving test_interpreter
    test_robust test_outside test_lab test_lab_lines test_cheats test_class test_duet test_drills test_gpu_check
    test_slurm_limits test_training_cli test_network_inside test_mpi_cli test_network_mpi test_ranks_2 test_ranks_3
    test_ranks_7 test_oversubscribed test_simgrid test_time_peers)

# A test is ended after ten times its seconds, or after 600 s if the table has none.
set(MAXPOOL_TEST_TIMEOUT 600)

# maxpool_test_seconds(NAME RESULT): the seconds in the table, or 0.
function(maxpool_test_seconds name result)
    set(${result} 0 PARENT_SCOPE)
    foreach(row IN LISTS MAXPOOL_TEST_SECONDS)
        if(row MATCHES "^${name}=([0-9]+)$")
            set(${result} ${CMAKE_MATCH_1} PARENT_SCOPE)
        endif()
    endforeach()
endfunction()

# maxpool_describe_tests([ROOM]): called last in each directory that adds tests. ctest -L ROOM runs the tests of one
# room; the default room is the folder's name. Properties that a test already has are kept.
function(maxpool_describe_tests)
    get_filename_component(room "${CMAKE_CURRENT_SOURCE_DIR}" NAME)
    if(ARGN)
        set(room ${ARGN})
    endif()
    get_property(tests DIRECTORY PROPERTY TESTS)
    foreach(test IN LISTS tests)
        maxpool_test_seconds(${test} seconds)
        set(cost ${seconds})
        get_test_property(${test} PROCESSORS cores)
        if(cores GREATER 1)
            math(EXPR cost "1000 + ${seconds}")
        endif()
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
        set_tests_properties(${test} PROPERTIES LABELS "${labels}" COST ${cost})
    endforeach()
endfunction()
