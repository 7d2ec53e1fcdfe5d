#!/usr/bin/env bash
# An installed tree works without the sources and the build: it is moved after installation, no file in it names either
# of them, and its programs do what a user tries first. To check this test itself, the same commands must fail once the
# tree lacks the files that they read. Usage: test_installed.sh SOURCES BUILD
set -euo pipefail
sources=$(realpath "$1")
build=$(realpath "$2")
there=$(mktemp -d)
trap 'rm -rf "$there"' EXIT
trap 'echo "test_installed.sh: line $LINENO failed"' ERR
unset DESTDIR
# Links would lead to the build. Debug information names the sources.
CMAKE_INSTALL_MODE=COPY cmake --install "$build" --prefix "$there/first" --component programs --strip >/dev/null
mv "$there/first" "$there/tree"
# Emulated kernels keep theirs, with relative paths, to tell lines. What is linked with them has some in this build.
for program in "$there"/tree/lib/maxpool/emulation/*; do
    [ ! -f "$program" ] || strip --strip-debug "$program"
done
bin=$there/tree/bin
mkdir "$there/work"
cd "$there/work"

if grep -rlF -e "$sources" -e "$build" "$there/tree"; then
    echo "these name the sources or the build"
    exit 1
fi
if find "$there/tree" -type l -exec readlink {} + | grep '^/'; then
    echo "these links leave the tree"
    exit 1
fi

# run WORD...: runs a program by its name, in an environment that holds no paths of the installation but PATH.
run() {
    env -i PATH="$bin:/usr/local/bin:/usr/bin:/bin" HOME="$there/work" LANG=C.UTF-8 MAXPOOL_WAIT=0 \
        OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive "$@" >out 2>err </dev/null || {
        echo "$*: status $?"
        cat out err
        return 1
    }
}
expect() {
    grep -qe "$1" out || { echo "no '$1' in:"; cat out; exit 1; }
}

run study list
expect '^threads '
run study plan threads --quick
expect maxpool_omp
run study plan --thesis tesina
expect points
run maxpool_serial -n 64 -k 2 --method literal,separable --samples 5 --seed 1 --experiment brain --record brain.csv
run study import brain.csv
run study report --charts none
expect 'report\.html'
grep -q 'data:image/png' results/local/report-pooling.html # the suite's pictures
if [ -e "$build/share/locale/es/LC_MESSAGES/maxpool.mo" ]; then
    run study report --charts none --lang es
fi
if command -v gnuplot >/dev/null; then
    run study plot brain --charts svg
    [ -s results/local/charts/brain.svg ]
fi
run study reproduce # the published numbers
expect tesina
run study lab new mine.c
run study lab mine.c -n 32 -t 1 --samples 3 --against literal
expect 'CORRECT'
run study class new homework --operator matmul # an assignment, in both languages, without open placeholders
for file in matmul.c rubric.ini Makefile INSTRUCTIONS.md INSTRUCCIONES.md; do
    [ -s "homework/$file" ] || { echo "study class new: no homework/$file"; ls homework; exit 1; }
    ! grep -n '@[A-Z]*@' "homework/$file" || exit 1
done
run study lab homework/matmul.c --operator matmul -n 32 -t 1 --check
expect 'CORRECT'
run network_serial --network alexnet_mri --task train --data brain_planes --batch 1 --steps 1 --verify sampled
# If they were built, these are installed: a method of another library, programs for simulated clusters, and a Python
# peer.
[ ! -e "$build/bin/peer_openblas.so" ] || run matmul_serial -n 32 --method openblas --samples 2
run study plan scale --quick
if [ -e "$build/bin/simgrid/maxpool_mpi" ] && command -v smpirun >/dev/null; then
    if grep -q 'built without SimGrid' out; then
        echo "the programs for simulated clusters are not found"
        exit 1
    fi
fi
if python3 -c 'import numpy' 2>/dev/null; then
    run maxpool_python --list-methods
    run maxpool_python -n 8 -k 2 --samples 2
fi

# Any program, in a folder where nothing of the suite is. Times are printed, so that no clock decides.
mkdir "$there/own"
cd "$there/own"
cat >mine <<'end'
#!/bin/sh
echo "Elapsed: $((200 + 800 / $1))e-3"
end
chmod +x mine
printf 'workers,seconds\n1,10\n2,6\n4,4\n8,3\n' >times.csv
charts=none
! command -v gnuplot >/dev/null || charts=svg
languages=en
[ ! -e "$build/share/locale/es/LC_MESSAGES/maxpool.mo" ] || languages="en es"
for language in $languages; do
    words='With 2 threads, mine is|With 8 threads, times is|SAME'
    [ "$language" = en ] || words='Con 2 hilos, mine alcanza|Con 8 hilos, times alcanza|IGUAL'
    run study speedup --lang "$language" --charts "$charts" --threads 1,2 --cores 2 --launches 3 \
        --seconds 'Elapsed: ([0-9]+e-3)' --check 'Elapsed' -- ./mine '{threads}'
    expect "${words%%|*}"
    run study speedup --lang "$language" --charts "$charts" --csv times.csv
    words=${words#*|}
    expect "${words%%|*}"
    run study duet --lang "$language" --rounds 8 --seconds 'Elapsed: ([0-9]+e-3)' --same-output './mine 1' './mine 1'
    expect "${words#*|}"
done
for folder in local times; do
    wanted="analysis/*.speedup.tex analysis/*.speedup.csv"
    [ "$charts" = none ] || wanted="$wanted charts/*-speedup.svg"
    for pattern in $wanted; do
        [ -n "$(find results/$folder -path "results/$folder/$pattern" -size +0)" ] || { echo "no $folder/$pattern"; exit 1; }
    done
done
cd "$there/work"

# From other folders and in other environments too: six of fifteen circumstances; scripts/package_test.sh runs all.
if command -v python3 >/dev/null; then
    python3 "$sources/tests/drills/drill.py" --bin "$bin" --scale 0.4 installed
fi

# None of this can have come from outside the tree.
mv "$there/tree/share/maxpool" "$there/tree/share/gone"
for words in "study list" "study lab new other.c" "study class new other" "study reproduce" \
    "network_serial --network alexnet_mri --task train --data brain_planes --batch 8 --steps 1"; do
    # shellcheck disable=SC2086  # words of a command
    if run $words >reported; then
        echo "'$words' works without share/maxpool"
        exit 1
    fi
    grep -q "$there/tree/share/maxpool" reported || { echo "'$words' does not say where it looked:"; cat reported; exit 1; }
done
echo "The installed tree needs nothing outside itself."
