# Properties of the tests of a directory: room, time limit and starting order. The seconds below are those of a test in
# a debug build together with others (ctest -j 5, two cores). They determine only the order and the limits.

# The longest tests start first, so that none is left to run alone at the end; a fresh clone knows no other times.
# Before them start the tests that need several cores, which are seldom free together later.
set(MAXPOOL_TEST_SECONDS
    test_mpi_cli=112 test_class=86 test_mpi_2=86 test_mpi_7=78 test_ptxas=70 test_mpi_16=69 test_training_cli=69
    test_mpi_3=64 cuda_training_grid=62 test_drills=60 test_peers=57 test_simgrid=53 test_texts=53 test_lab=51
    cuda_training=50 test_gpu_check=45 test_installed=45 test_own_program=45 test_methods=44 test_tutorial=43
    test_conv_cli=42 cuda_grid_product=41 test_lab_lines=41 test_one_store=41 test_duet=38 cuda_cli=37
    cuda_grid_conv_wide=34 test_cli=34 cuda_grid_image=33 test_emulated_samples=33 test_gpu_ranks=33 test_omp=33
    test_tesina=32 cuda_grid_conv=30 test_oversubscribed=30 test_recipes=30 test_study_run=30
    cuda_training_ranks_2=29 test_duet_commands=28 test_network_mpi=28 test_pictures=28 test_probes=28
    test_reproduce=28 test_time_peers=28 test_report_numbers_measured=27 cuda_grid_window=26 test_again=25
    test_cheats=25 test_cheats_clocked=25 test_compiler=25 test_causes=24 test_conv=24 test_distances_cli=24
    test_lab_emulated=24 test_many_cores_page=24 cuda_training_ranks_3=23 test_cuda_peers=23 test_walk=23
    cuda_faults_training_grid_none=22 test_robust=22 test_mpi_4=21 test_networks=21 test_report_numbers_networks=21
    test_simulated_statistics=20 cuda_network_grid_1000=19 test_mpi_1=19 test_cheats_harm=18 test_notebook=18
    test_thesis=18 cuda_ranks_3=17 test_completion=17 test_count=17 test_network_cli=17 test_speedup=17
    test_linking=16)
# Sanitizers slow some tests down more than others.
if(MAXPOOL_SANITIZE)
    list(APPEND MAXPOOL_TEST_SECONDS
        test_methods=140 test_networks=120 test_training_cli=105 test_outside=100 test_conv=97 test_conv_cli=93
        test_network_cli=91 cuda_operators=75 test_packed=55 test_network_bands=51 test_packed_samples=47
        test_gradients=47 test_serial=40 test_workshop=36 test_gradient_oracles=31 test_training=30
        test_descriptors=30 test_backward=27)
endif()

# Tests that start and end processes, send signals, wait, share files or have time limits, so that load might disturb
# them.
# ctest -L process runs them; docs/details/test_times.md keeps a log of them under load.
set(MAXPOOL_PROCESS_TESTS
    test_study_run test_again test_own_program test_times_file test_quiet test_other_load test_launch_load
    test_compiler test_cheats_harm test_cheats_clocked test_sandbox_fuzz test_installed test_processes test_cli
    test_descriptors test_whole_file test_interleaving_cli test_interpreter test_robust test_outside test_lab
    test_lab_lines test_cheats test_class test_duet test_duet_commands test_drills test_gpu_check test_slurm_limits
    test_training_cli test_network_inside test_mpi_cli test_network_mpi test_ranks_2 test_ranks_3 test_ranks_7
    test_oversubscribed test_simgrid test_time_peers)

# A test is ended after fifteen times its seconds, or after 900 s if that is longer: on two cores that many others kept
# busy (a load of 30), tests took up to five times their seconds. tests/support/checks.py waits for 500 s.
set(MAXPOOL_TEST_TIMEOUT 900)

# maxpool_test_seconds(NAME RESULT): the seconds in the table, the last ones if it has several, or 0.
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
        math(EXPR timeout "15 * ${seconds}")
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
        # Programs speak the language of the environment; tests expect English. No test waits for the quiet that other
        # tests disturb. A rank that leaves waits two seconds for the answer of the launcher of Open MPI 4. Where others
        # have the cores for longer, the launcher calls a good end a failure (open-mpi/ompi#7833), unless a rank may
        # leave without an answer.
        set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT LC_ALL=C.UTF-8 MAXPOOL_WAIT=0
            OMPI_MCA_orte_allowed_exit_without_sync=1)
    endforeach()
endfunction()
