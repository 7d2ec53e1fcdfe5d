# What ctest is told of every test of a directory: its room, how long it may take, and when it begins.
# All seconds here are of one core of an idle machine, in a debug build.

# ctest -L ROOM runs the tests of one room. The first expression that finds the test's name counts.
set(MAXPOOL_TEST_ROOMS
    "cuda|ptxas=cuda"
    "gpu=cuda"
    "fuzz=fuzz"
    "_mpi|test_binding|test_bands|simgrid=mpi"
    "_study|claims|pages|charts|pictures|analysis|fits|comparison|roof|launches|trust|robust|workshop|outside|walk|numbers|oversubscribed|ladder|packed_samples|definition|command_line|model$=experiments"
    "network|training|faces|safetensors|torchvision|slopes|test_data$=networks"
    "peer=peers"
    "test_omp|race_omp=openmp"
    "methods|operators|conv|backward|gradients|distances|geometry|isa|vector_sets|test_packed$=kernels"
    "image|memory|record|guards|judges|serial|statistics|turns|cli=harness"
    ".=project")

# The longest begin first, so that none of them is left to run alone at the end.
set(MAXPOOL_TEST_SECONDS
    test_study_run=100 test_methods=40 test_mpi_2=60 test_mpi_cli=56 test_simgrid=50 test_omp=40 test_ptxas=37
    test_gpu_check=32 test_mpi_1=30 test_mpi_16=29 test_peers=25 test_definition=22 test_mpi_7=21 test_robust=21
    test_oversubscribed=20 test_cli=19 test_training_cli=16 test_pictures=16)

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

# maxpool_test_room(NAME RESULT)
function(maxpool_test_room name result)
    foreach(row IN LISTS MAXPOOL_TEST_ROOMS)
        string(REGEX MATCH "^(.*)=([a-z]+)$" row "${row}")
        set(names "${CMAKE_MATCH_1}")
        set(room ${CMAKE_MATCH_2})
        if(name MATCHES "${names}")
            set(${result} ${room} PARENT_SCOPE)
            return()
        endif()
    endforeach()
endfunction()

# maxpool_describe_tests(): at the end of each directory that adds tests; properties that one has already stay.
function(maxpool_describe_tests)
    get_property(tests DIRECTORY PROPERTY TESTS)
    foreach(test IN LISTS tests)
        maxpool_test_seconds(${test} seconds)
        maxpool_test_room(${test} room)
        math(EXPR timeout "10 * ${seconds}")
        if(timeout LESS MAXPOOL_TEST_TIMEOUT)
            set(timeout ${MAXPOOL_TEST_TIMEOUT})
        endif()
        get_test_property(${test} TIMEOUT already)
        if(NOT already)
            set_tests_properties(${test} PROPERTIES TIMEOUT ${timeout})
        endif()
        set_tests_properties(${test} PROPERTIES LABELS ${room} COST ${seconds})
    endforeach()
endfunction()
