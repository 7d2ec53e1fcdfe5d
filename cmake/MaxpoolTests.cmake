# Properties of the tests of a directory: room, time limit and starting order. The seconds below are those of a test in
# a debug build together with others (ctest -j 4, two busy cores). They determine only the order and the limits.

# The longest tests start first, so that none is left to run alone at the end; a fresh clone knows no other times.
# Before them start the tests that need several cores, which are seldom free together later.
set(MAXPOOL_TEST_SECONDS
    test_ptxas=280 test_lab=150 cuda_grid_product=130 test_class=120 test_mpi_cli=117 cuda_training=115
    cuda_training_grid=115 test_training_cli=110 test_simgrid=110 test_installed=100 test_walk=95
    test_report_numbers_measured=95 test_drills=91 test_again=84 test_mpi_2=80 test_robust=80 test_lab_emulated=76
    cuda_grid_window=75 test_emulated_samples=75 cuda_cli=75 test_reproduce=72 test_mpi_16=70 test_texts=70
    test_peers=67 test_pictures=65 test_time_peers=65 test_gpu_check=64 test_simulated_statistics=64 cuda_grid_image=60
    test_lab_lines=60 test_duet=60 test_recipes=59 test_tesina=57 test_cheats=45 test_tutorial=45 test_cli=42
    test_distances_cli=42 test_conv=41 test_gpu_analysis=40 test_protection=40 test_network_file=39
    test_oversubscribed=38 test_definition=38 test_sandbox_fuzz=36 test_mpi_3=35 test_conv_cli=35 test_cuda_peers=34
    test_methods=32 test_crossover=31 test_speedup=31 test_mpi_7=30 test_outside=30 test_gpu_report=30 test_analysis=29
    test_study_run=29 test_speedup_command=29 test_charts=28 test_gradients=28 cuda_grid_chunks=27 test_mpi_4=27
    test_report_numbers_crossovers=27 test_glossary=27 test_fits=26 test_network_mpi=25 test_ladder=25 test_omp=25
    cuda_faults_training_grid_none=25 test_packed_samples=25 test_launches=24 test_chart_layout=24
    test_training_study=24 test_shared_points=22 test_linking=22 test_figures_stay=21 test_mpi_1=21 test_vector_sets=19
    test_report_numbers_networks=19 test_descriptors=19 cuda_operators=19 test_network_cli=18 test_old_samples=17
    test_network_inside=17 test_distances=16 test_networks=16 test_probes=16 test_count=15)
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

# A test is ended after ten times its seconds, or after 900 s if that is longer: tests/support/checks.py waits for 500 s.
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
        # Programs speak the language of the environment; tests expect English. No test waits for the quiet that other
        # tests disturb. A rank that leaves waits two seconds for the answer of the launcher of Open MPI 4. Where others
        # have the cores for longer, the launcher calls a good end a failure (open-mpi/ompi#7833), unless a rank may
        # leave without an answer.
        set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT LC_ALL=C.UTF-8 MAXPOOL_WAIT=0
            OMPI_MCA_orte_allowed_exit_without_sync=1)
    endforeach()
endfunction()
