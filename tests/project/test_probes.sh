#!/usr/bin/env bash
# An optional part that does not work here is a line of CMake's table with the reason, and never ends the configuration:
# libraries with other types or without a function, compilers and wrappers that refuse or hang, as fakes. What was named
# by hand and does not exist is an error with the names that do. Usage: test_probes.sh BUILD_FOLDER
set -euo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
tests=$1
probes=$source/tests/project/probes
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
tested=0
unset CUDACXX CUDAHOSTCXX

options=(-DBUILD_TESTING=OFF -DMAXPOOL_WITH_ISA=OFF -DMAXPOOL_NVIDIA_SMI=MAXPOOL_NVIDIA_SMI-NOTFOUND)
for name in PNG JPEG NIFTI HWLOC ZLIB LIBZIP CJSON GSL INIH EXPAT LIBXSMM OPENBLAS ONEDNN MPI SIMGRID CUDA MSGFMT; do
    options+=("-DMAXPOOL_WITH_$name=OFF")
done
build=$folder/build
# configured TEXT OPTION...: $build is configured, and a line of the output matches the regular expression.
configured() {
    local text=$1 status=0
    shift
    tested=$((tested + 1))
    cmake -S "$source" -B "$build" "${options[@]}" "$@" >"$folder/log" 2>&1 || status=$?
    if [ $status -ne 0 ] || ! grep -q -- "$text" "$folder/log"; then
        echo "test_probes.sh: with $* the configuration ended with $status, or printed no '$text':"
        grep -E '  [A-Z]+ +o[nf]' "$folder/log" | grep -v 'switched off' || tail -n 15 "$folder/log"
        failed=1
    fi
}

# ---- options that change results, in each place that they come from; build types
refused() { # TEXT OPTION...: the configuration ends with an error that has the text
    local text=$1
    shift
    tested=$((tested + 1))
    rm -rf "$folder/refused"
    if cmake -S "$source" -B "$folder/refused" "${options[@]}" "$@" >"$folder/log" 2>&1 ||
        ! tr -s '\n ' ' ' <"$folder/log" | grep -q -- "CMake Error.*$text"; then
        echo "test_probes.sh: with $* there is no error '$text':"
        tail -n 5 "$folder/log"
        failed=1
    fi
}
refused 'CMAKE_C_FLAGS has -ffast-math' '-DCMAKE_C_FLAGS=-g -ffast-math'
refused 'CMAKE_C_FLAGS_RELEASE has -Ofast' -DCMAKE_C_FLAGS_RELEASE=-Ofast
refused 'CMAKE_EXE_LINKER_FLAGS has -funsafe-math-optimizations' -DCMAKE_EXE_LINKER_FLAGS=-funsafe-math-optimizations
if command -v "${CXX:-c++}" >/dev/null; then
    CXXFLAGS=-Ofast refused 'CMAKE_CXX_FLAGS has -Ofast'
fi
if command -v nvcc >/dev/null; then
    NVCC_APPEND_FLAGS=-use_fast_math refused 'NVCC_PREPEND_FLAGS has -use_fast_math' -DMAXPOOL_WITH_EMULATION=OFF \
        -DMAXPOOL_WITH_CUDA=ON -DMAXPOOL_CUDA_ARCHITECTURES=one
fi
parent() { # LINE: makes a project with this line that includes this one
    mkdir -p "$folder/parent"
    printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(parent C)' "$1" "add_subdirectory($source maxpool)" \
        >"$folder/parent/CMakeLists.txt"
}
for option in -ffinite-math-only -fp-model=fast; do # the second is that of icx
    parent "add_compile_options(\$<\$<CONFIG:Release>:$option>)"
    source=$folder/parent refused "includes this one has $option"
done
# What no list of options has: a compiler whose own options are loose, and the digits of the 387.
printf '#!/bin/sh\nexec "%s" -ffast-math "$@"\n' "$(command -v "${CC:-cc}")" >"$folder/loose-cc"
chmod +x "$folder/loose-cc"
refused 'loose-cc.* takes subnormal numbers for 0' "-DCMAKE_C_COMPILER=$folder/loose-cc"
if [ "$(uname -m)" = x86_64 ]; then
    refused 'computes with more digits than floats have' -DCMAKE_C_FLAGS=-mfpmath=387
    refused 'computes with more digits than floats have' '-DCMAKE_C_FLAGS_RELEASE=-O3 -mfpmath=387'
fi
refused "no CMAKE_BUILD_TYPE 'Relese'; there are Release, Debug" -DCMAKE_BUILD_TYPE=Relese
# What is no fault: lines of the loader, and options of C++, which is not enabled here or has its options already.
LD_PRELOAD=$folder/nothing.so CXXFLAGS=-Ofast configured '  OPENMP *off .*switched off by MAXPOOL_WITH_OPENMP' \
    -DMAXPOOL_WITH_OPENMP=OFF -DMAXPOOL_WITH_EMULATION=OFF -DCMAKE_BUILD_TYPE=None 2>/dev/null
configured "  MPI *off .*there is no 'mpicc.nobody' here" -DMAXPOOL_WITH_OPENMP=ON -DMAXPOOL_WITH_EMULATION=ON \
    -DMAXPOOL_WITH_MPI=ON -DMPI_C_COMPILER=mpicc.nobody -DCMAKE_BUILD_TYPE=Release
options+=(-UMAXPOOL_MPICC)
CXXFLAGS=-Ofast configured '  EMULATION *o[nf]'
# A probe that does not run proves nothing, neither now nor the next time.
for time in first second; do
    configured 'arithmetic of .* is not checked' "-DCMAKE_EXE_LINKER_FLAGS=-Wl,--dynamic-linker=$folder/nothing"
done
options+=(-DCMAKE_EXE_LINKER_FLAGS=)
build=$folder/cross configured 'arithmetic of .* is not checked' -DCMAKE_SYSTEM_NAME=Linux
# A wrapper in PATH is here, whatever it wraps.
mkdir "$folder/bin"
printf '#!/bin/sh\n[ "$1" = --version ]\n' >"$folder/bin/mpicc.other"
chmod +x "$folder/bin/mpicc.other"
PATH=$folder/bin:$PATH configured '  MPI *off .*not found' -DMAXPOOL_WITH_MPI=ON -DMPI_C_COMPILER=mpicc.other

# ---- oneDNN: the calls of version 3, a library that lacks one, and headers that say 2 but are 3
functions=$(grep -o '\bdnnl_[a-z_]*(' "$probes/onednn3/oneapi/dnnl/dnnl.h" | tr -d '(' | sort -u)
library() { # PATH NAME...: a shared library with these functions
    local path=$1
    shift
    printf 'void %s(void) {}\n' "$@" >"$folder/library.c"
    "${CC:-cc}" -w -shared -fPIC -o "$path" "$folder/library.c"
}
library "$folder/libdnnl.so" $functions
library "$folder/liblacking.so" ${functions//dnnl_memory_desc_clone/}
with=(-DMAXPOOL_WITH_ONEDNN=ON "-DONEDNN_INCLUDE=$probes/onednn3" "-DONEDNN_dnnl=$folder/libdnnl.so")
configured 'ONEDNN *on .*oneDNN 3' "${with[@]}"
configured 'ONEDNN *off .*has no function dnnl_memory_desc_clone' "${with[@]}" "-DONEDNN_dnnl=$folder/liblacking.so"
cp -r "$probes/onednn3" "$folder/older"
sed -i 's/MAJOR 3/MAJOR 2/' "$folder/older/oneapi/dnnl/dnnl_version.h"
configured 'ONEDNN *off .*does not compile and link here: peers/onednn' "${with[@]}" "-DONEDNN_INCLUDE=$folder/older"
cp -r "$probes/onednn3" "$folder/threads"
sed -i 's/DNNL_RUNTIME_OMP$/5/' "$folder/threads/oneapi/dnnl/dnnl_version.h"
configured 'ONEDNN *off .*other threads than OpenMP' "${with[@]}" "-DONEDNN_INCLUDE=$folder/threads"

# ---- nvcc
fake() { # NAME: a program from standard input
    { echo '#!/usr/bin/env bash'; cat; } >"$folder/$1"
    chmod +x "$folder/$1"
}
# An nvcc with these architectures, which refuses those in REFUSED, and any C++ compiler but the one that ACCEPTED ends
# -ccbin with ("any": accepts all). OLD: it cannot list its architectures, its help names them.
make_nvcc() { # NAME ARCHITECTURES REFUSED ACCEPTED [OLD]
    fake "$1" <<END
case " \$* " in
*' --version '*) echo 'Cuda compilation tools, release 11.7, V11.7.99' ;;
*' --list-gpu-code '* | *' --list-gpu-arch '*)
    [ -z '${5:-}' ] || { echo "nvcc fatal   : Unknown option '\$1'" >&2; exit 1; }
    printf 'sm_%s\n' $2 ;;
*' --help '*) printf "        Allowed values for this option:  'sm_%s'\n" $2 ;;
*)
    for refused in $3; do
        case "\$*" in
        *compute_\$refused,*) echo "nvcc fatal   : Unsupported gpu architecture 'compute_\$refused'" >&2; exit 1 ;;
        esac
    done
    [[ '$4' = any || " \$* " == *" -ccbin "*'$4 '* ]] ||
        { echo '#error -- unsupported GNU version! gcc versions later than 11 are not supported!' >&2; exit 1; }
    while [ \$# -gt 0 ]; do [ "\$1" != -o ] || touch "\$2"; shift; done ;;
esac
END
}
# chosen TEXT NVCC OPTION...: what is made of the nvcc matches the regular expression; $status is how that ended.
chosen() {
    local text=$1 nvcc=$2
    shift 2
    tested=$((tested + 1))
    status=0
    PATH=$folder/bin:$PATH cmake "-DNVCC=$folder/$nvcc" "-DFOLDER=$folder/choice" \
        -DMAXPOOL_NVIDIA_SMI=MAXPOOL_NVIDIA_SMI-NOTFOUND "$@" -P "$probes/choice.cmake" >"$folder/log" 2>&1 || status=$?
    if ! tr '\n' ' ' <"$folder/log" | tr -s ' ' | grep -q -- "$text"; then
        echo "test_probes.sh: $nvcc $*: no '$text' in:"
        cat "$folder/log"
        failed=1
    fi
}
make_nvcc before_89 '35 37 50 52 60 61 70 72 75 80 86' 89 any
chosen 'chosen=35-real;50-real;60-real;61-real;70-real;75-real;80-real;86 host= why= $' before_89
make_nvcc refuses_89 '70 75 80 86 89' 89 any # it names one that it then refuses
chosen 'chosen=70-real;75-real;80-real;86 ' refuses_89
make_nvcc old '30 35 50 60 61 70' '' any old
chosen 'chosen=35-real;50-real;60-real;61-real;70 ' old
chosen 'chosen=70-real ' old -DMAXPOOL_CUDA_ARCHITECTURES=one
chosen 'chosen=75-real ' before_89 -DMAXPOOL_CUDA_ARCHITECTURES=one
chosen 'chosen=61 ' before_89 -DMAXPOOL_CUDA_ARCHITECTURES=61
chosen "there is no '12' here.* has 35 37 50 52 60 61 70 72 75 80 86" before_89 "-DMAXPOOL_CUDA_ARCHITECTURES=75;12"
[ $status -ne 0 ] || { echo "test_probes.sh: architecture 12 is accepted"; failed=1; }
chosen 'native: no GPU that .* can serve' before_89 -DMAXPOOL_CUDA_ARCHITECTURES=native
fake nvidia-smi <<<'echo 6.1'
chosen 'chosen=61 ' before_89 "-DMAXPOOL_NVIDIA_SMI=$folder/nvidia-smi"
fake nvidia-smi <<<'printf "8.6\n7.5\n8.6\n"'
chosen 'chosen=75-real;86 ' before_89 "-DMAXPOOL_NVIDIA_SMI=$folder/nvidia-smi"
fake nvidia-smi <<<'echo 12.0' # a card that this nvcc does not know
chosen 'chosen=35-real;.*;86 ' before_89 "-DMAXPOOL_NVIDIA_SMI=$folder/nvidia-smi"
make_nvcc wants_9 '75 80' '' g++-9
chosen 'unsupported GNU version.*-DCMAKE_CUDA_HOST_COMPILER.*-DMAXPOOL_WITH_CUDA=OFF' wants_9
printf '#!/bin/sh\n' >"$folder/bin/g++-9"
chmod +x "$folder/bin/g++-9"
chosen 'host=[^ ]*/bin/g++-9 why=' wants_9
chosen 'unsupported GNU version' wants_9 -DCMAKE_CUDA_HOST_COMPILER=g++-8
fake unsupported <<'END'
[ "$*" != --version ] || { echo 'Cuda compilation tools, release 12.4, V12.4.99'; exit 0; }
echo 'error: -- unsupported GNU version! gcc versions later than 13 are not supported!' >&2
exit 1
END
fake hangs <<<'exec sleep 600'
cuda() { # TEXT NVCC SECONDS
    configured "CUDA *off .*$1" -DMAXPOOL_WITH_CUDA=ON "-DCMAKE_CUDA_COMPILER=$folder/$2" "-DMAXPOOL_PROBE_SECONDS=$3"
}
cuda 'unsupported GNU version.*HOST_COMPILER.*MAXPOOL_WITH_CUDA=OFF' unsupported 30
cuda 'CMake cannot use' before_89 30 # the fake does not compile
cuda 'hangs did not answer within 2 s' hangs 2
cuda '' nowhere 30

# ---- wrappers of MPI and SimGrid
configured 'MPI *off .*hangs did not answer within 2 s' -DMAXPOOL_WITH_MPI=ON -DMAXPOOL_PROBE_SECONDS=2 \
    "-DMPI_C_COMPILER=$folder/hangs"
configured 'SIMGRID *off .*hangs did not answer within 2 s\|SIMGRID *off .*cmake did not answer within 2 s' \
    -DMAXPOOL_WITH_SIMGRID=ON -DMAXPOOL_PROBE_SECONDS=2 "-DMAXPOOL_SMPICC=$folder/hangs" "-DMAXPOOL_SMPIRUN=$folder/hangs"

# ---- more ranks than cores, by the variable of Open MPI 4 and that of PRRTE
if grep -q 'add_test(test_mpi_16' "$tests/tests/mpi/CTestTestfile.cmake" 2>/dev/null; then
    for variable in OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe; do
        grep 'test_mpi_16 ' "$tests/tests/mpi/CTestTestfile.cmake" | grep -q "$variable" ||
            { echo "test_probes.sh: test_mpi_16 runs without $variable"; failed=1; }
    done
fi
[ $failed -ne 0 ] || echo "$tested parts, most of which do not work: each has its line."
exit $failed
