#!/usr/bin/env bash
# Holds every #include "…" of the sources against the table of rooms in docs/architecture.md: each file
# is in a room, a room includes itself and those its row names, and rows make no circle. Prints
# what breaks that, a line each, and fails then. Usage: scripts/include_check.sh [FOLDER]   (default: this project)
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"
map=docs/architecture.md

# The rows between the marks as "room allowed allowed …"; the word `all` allows any.
rows() {
    sed -n '/<!-- rooms: begin -->/,/<!-- rooms: end -->/p' "$map" |
        awk -F'|' '/^\| *`/ { gsub(/[` ]+/, " "); print $2 $4 }'
}

# Every source file, and every include as "file line name".
sources() {
    find . -name .git -prune -o -name 'build*' -type d -prune -o -path ./results -prune -o \
        -type f \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' -o -name '*.cpp' -o -name '*.h.in' \) -print |
        sed 's#^\./##' | sort
}
includes() {
    sources | xargs awk '/^[ \t]*#[ \t]*include[ \t]*"/ { split($0, part, "\""); print FILENAME, FNR, part[2] }'
}

awk '
# The longest row that is the file or a folder above it; "" for none.
function room_of(file, name) {
    for (name = file; !(name in allowed); )
        if (!sub("/[^/]*$", "", name))
            return ""
    return name
}
# The file an include means: from the root, beside the includer, or, by its bare name, in the same room.
function meant(includer, name, beside) {
    beside = includer
    sub("[^/]*$", "", beside)
    if (name in file || room_of(name) != "")
        return name
    if ((beside name) in file)
        return beside name
    return room_of(bare[name]) == room_of(includer) ? bare[name] : ""
}
function wrong(text) {
    print text
    failed = 1
}
# Follows the rows from room to room; `path` is the way so far.
function walk(room, path, next_rooms, n, i) {
    if (state[room] == "open")
        wrong("docs/architecture.md: a circle of rooms: " path " " room)
    if (state[room] != "")
        return
    state[room] = "open"
    n = split(allowed[room], next_rooms, " ")
    for (i = 1; i <= n; i++)
        if (next_rooms[i] != "all")
            walk(next_rooms[i], path " " room)
    state[room] = "done"
}
part == "rows" {
    room = $1
    $1 = ""
    allowed[room] = $0 " "
}
part == "sources" {
    file[$1] = 1
    name = $1
    sub(".*/", "", name)
    bare[name] = $1
}
part == "includes" {
    target = meant($1, $3)
    from = room_of($1)
    to = target == "" ? "" : room_of(target)
    if (target == "")
        wrong($1 ":" $2 ": \"" $3 "\" is no file, from the root")
    else if (from != to && index(allowed[from], " " to " ") == 0 && index(allowed[from], " all ") == 0)
        wrong($1 ":" $2 ": " from " may not include " to " (\"" $3 "\")")
}
END {
    for (name in file) {
        if (room_of(name) == "")
            wrong(name ": in no room of docs/architecture.md")
        used[room_of(name)] = 1
    }
    for (room in allowed) {
        rooms++
        n = split(allowed[room], names, " ")
        for (i = 1; i <= n; i++)
            if (names[i] != "all" && !(names[i] in allowed))
                wrong("docs/architecture.md: " room " may include " names[i] ", which has no row")
    }
    for (room in allowed)
        walk(room, "")
    if (rooms == 0)
        wrong("docs/architecture.md: no rows between the marks")
    exit failed
}' part=rows <(rows) part=sources <(sources) part=includes <(includes)
