#!/usr/bin/env bash
# Builds the Debian package with cpack, checks its contents, and installs it on a bare Debian (scripts/fresh_test.sh),
# where its programs must do what a user tries first. The build folder is build-package, so that options of other builds
# do not get into the package. Ends with status 77 if no bare Debian can be made here; the package is built and checked
# nevertheless. Usage: scripts/package_test.sh [-DNAME=VALUE]...   for CMake
set -euo pipefail
cd "$(dirname "$0")/.."
build=build-package
command -v dpkg-shlibdeps >/dev/null || { echo "SKIPPED: package_test.sh: needs dpkg-shlibdeps (Debian: dpkg-dev)" >&2; exit 77; }
cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF "$@" >/dev/null
cmake --build "$build" -j "$(nproc)" >/dev/null
rm -f "$build"/maxpool_*.deb
(cd "$build" && cpack >/dev/null)
package=$(echo "$build"/maxpool_*.deb)
[ -s "$package" ] || { echo "package_test.sh: no package" >&2; exit 1; }

# has WORD...: fails unless the package's description or list of files contains each word.
has() {
    for word; do
        grep -qF -- "$word" "$build/package.txt" || { echo "package_test.sh: the package lacks '$word'" >&2; exit 1; }
    done
}
{ dpkg-deb --info "$package"; dpkg-deb --contents "$package"; } >"$build/package.txt"
has ' Package: maxpool' ' Depends: ' libc6 libgsl27 libopenmpi3 ' Recommends: gnuplot-nox' \
    ./usr/bin/study ./usr/bin/maxpool_omp ./usr/lib/maxpool/lab_kernel ./usr/share/maxpool/definitions/workers/speedup.ini \
    ./usr/share/man/man1/study.1 ./usr/share/doc/maxpool/copyright ./usr/include/maxpool/maxpool.h ./usr/lib/libmaxpool.so \
    ./usr/lib/pkgconfig/maxpool.pc
# Must not be in the package: programs of the tests, names of GPU libraries or of this folder.
# data/brain_planes/test_images.npy is needed.
needless='/(bin|lib)/.*(test|wrong)_|libcu(blas|dnn)|'"$PWD"
if grep -E "$needless" "$build/package.txt" >"$build/needless.txt"; then
    echo "package_test.sh: the package holds what users do not need:" >&2
    cat "$build/needless.txt" >&2
    exit 1
fi
echo "$package: $(dpkg-deb --field "$package" Depends)"

# Unpacked anywhere, its programs withstand the hostile input and the unusual environments of tests/drills.
there=$(mktemp -d)
trap 'rm -rf "$there"' EXIT
dpkg-deb -x "$package" "$there"
tests/drills/drill.py --bin "$there/usr/bin" --scale 0.1 --seconds 300 environments safetensors checkpoints \
    pictures arrays giants imports torn-records archives
tests/drills/drill.py --bin "$there/usr/bin" installed

deb=/root/$(basename "$package")
scripts/fresh_test.sh -f "$package" \
    "rm -rf /root/project/* && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $deb >/root/apt.log 2>&1 || { tail -n 5 /root/apt.log; exit 1; }" \
    "cd /root && study list | grep -q '^threads '" \
    "cd /root && maxpool_omp -n 256 -k 2 --samples 5 --method literal,separable" \
    "cd /root && mpirun --allow-run-as-root --oversubscribe -np 2 maxpool_mpi -n 256 -k 2 --samples 5" \
    "cd /root && study run threads --quick --cores 2 && study report && test -s results/local/charts/threads.svg" \
    "cd /root && study lab new mine.c && study lab mine.c -n 32 --samples 3 --against literal | grep 'CORRECT'" \
    "cd /root && matmul_serial -n 64 --method openblas --samples 3" \
    "apt-get remove -y -qq maxpool >/dev/null 2>&1 && ! command -v study && test ! -e /usr/share/maxpool"
