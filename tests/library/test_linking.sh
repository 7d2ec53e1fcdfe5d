#!/usr/bin/env bash
# Uses the installed library as a third party would: the tree is moved, the programs of examples/ are built against it
# with CMake and with pkg-config, in C and C++, with the shared and the static library, and their output is compared
# with the definitions. Usage: test_linking.sh SOURCES BUILD
set -euo pipefail
sources=$1 build=$2
there=$(mktemp -d)
trap 'rm -rf "$there"' EXIT
unset DESTDIR
fail()
{
    echo "$1"
    exit 1
}

cmake --install "$build" --prefix "$there/installed" --component library >/dev/null
mkdir "$there/a folder"
mv "$there/installed" "$there/a folder/moved"
ln -s "a folder/moved" "$there/link" # for make, which accepts no spaces
prefix="$there/a folder/moved"
library=$(find "$prefix" -name 'libmaxpool.so')
static=$(find "$prefix" -name 'libmaxpool.a')
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$there/link/$(realpath --relative-to="$prefix" "$(dirname "$library")")/pkgconfig
if grep -rlF -e "$build" -e "$sources" "$prefix" --include='*.cmake' --include='*.pc' --include='*.h'; then
    fail "an installed file names the folder that it was built in"
fi

# The soname holds the version, and the library exports exactly what the headers declare.
version=$(sed -n 's/^#define MAXPOOL_VERSION  *"\(.*\)"$/\1/p' "$prefix/include/maxpool/version.h")
[ "$(pkg-config --modversion maxpool)" = "$version" ] || fail "maxpool.pc has another version than version.h"
readelf -d "$library" | grep -qF "[libmaxpool.so.${version%.*}]" || fail "the soname is not libmaxpool.so.${version%.*}"
[ "$(readlink -f "$library")" = "$(dirname "$library")/libmaxpool.so.$version" ] || fail "libmaxpool.so leads elsewhere"
cat "$prefix"/include/maxpool/*.h | grep -v '^#' | tr '\n' ' ' | grep -oE 'MAXPOOL_API [^;]*;' |
    sed -E 's/^[^(]*[ *](maxpool_[a-z_]+)\(.*/\1/' | sort -u >"$there/declared"
[ "$(wc -l <"$there/declared")" -ge 20 ] || fail "only $(wc -l <"$there/declared") functions are declared"
nm -D --defined-only "$library" | awk '{ print $3 }' | sort >"$there/exported"
diff "$there/declared" "$there/exported" || fail "the shared library exports other names than the headers declare"
nm -g --defined-only "$static" | awk 'NF == 3 { print $3 }' | sort >"$there/exported"
diff "$there/declared" "$there/exported" || fail "the static library exports other names than the headers declare"
# Libs.private names the libraries that the shared library was linked with (libpthread is part of the C library today).
readelf -d "$library" | sed -nE 's/.*NEEDED.*\[lib(.*)\.so.*/-l\1/p' | grep -vx -e -lc -e -lpthread | sort >"$there/needed"
sed -n 's/^Libs.private: *//p' "$PKG_CONFIG_PATH/maxpool.pc" | tr ' ' '\n' | grep -vx -e -lpthread | sort >"$there/private"
diff "$there/needed" "$there/private" || fail "Libs.private is not what libmaxpool.so needs"

# Each header compiles alone, in C and C++, without a warning.
for header in "$prefix"/include/maxpool/*.h; do
    for language in c c++; do
        printf "#include <maxpool/%s>\nint nothing;\n" "${header##*/}" |
            cc -Wall -Wextra -pedantic -Werror -fsyntax-only -I"$prefix/include" -x "$language" -
    done
done

# The programs, built in both ways.
cmake -S "$sources/examples" -B "$there/by_cmake" -DCMAKE_PREFIX_PATH="$prefix" >"$there/log" &&
    cmake --build "$there/by_cmake" >>"$there/log" || { cat "$there/log"; exit 1; }
mkdir "$there/by_make"
make -s -C "$there/by_make" -f "$sources/examples/Makefile"

# The expected results, by the definitions of max pooling and of the product.
awk 'function pixel(r, c) { return (r * 10 + c) * 37 % 101 }
BEGIN {
    for (r = 0; r < 4; r++)
        for (c = 0; c < 5; c++) {
            most = -1
            for (i = 0; i < 4; i++) {
                p = pixel(2 * r + int(i / 2), 2 * c + i % 2)
                if (p > most) most = p
            }
            printf "%d%s", most, c < 4 ? " " : "\n"
        }
    print "20 outputs, 0 wrong"
}' >"$there/pool"
awk 'BEGIN {
    for (r = 0; r < 4; r++)
        for (c = 0; c < 3; c++) {
            sum = 0
            for (q = 0; q < 6; q++) sum += ((r * 6 + q) * 5 % 7 - 3) * ((q * 3 + c) * 3 % 5 - 2)
            printf "%d%s", sum, c < 2 ? " " : "\n"
        }
    print "12 outputs, 0 wrong"
}' >"$there/multiply"
# For a network, the expected results are those of the suite'"'"'s own program, which verifies every layer.
python3 - "$there/image.npy" <<'END'
import struct, sys
header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 50, 50), }"
header += " " * (63 - (10 + len(header)) % 64) + "\n"
with open(sys.argv[1], "wb") as f:
    f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
    f.write(struct.pack("<2500f", *(i % 2 for i in range(2500))))
END
"$build/bin/network_serial" --network solar_cnn --seed 35 -i "$there/image.npy" -o "$there/out.npy" \
    --samples 1 --warmup 0 >/dev/null
python3 -c 'import struct, sys; print("%.9g" % struct.unpack("<f", open(sys.argv[1], "rb").read()[-4:]))' \
    "$there/out.npy" >"$there/network"
echo "every layer verified" >>"$there/network"

for way in by_cmake by_make; do
    for program in pool_c pool_cpp multiply_c multiply_cpp network_c network_cpp; do
        "$there/$way/$program" >"$there/found" || fail "$way/$program ends with status $?"
        diff "$there/${program%_*}" "$there/found" || fail "$way/$program prints something else"
    done
done
# A method by name, and one that does not exist.
"$there/by_cmake/pool_c" literal 3 | diff "$there/pool" -
if "$there/by_make/pool_cpp" nothing 2>"$there/found"; then fail "a method that there is not was accepted"; fi
grep -q "no method 'nothing'" "$there/found" || fail "the message does not name the method: $(cat "$there/found")"
