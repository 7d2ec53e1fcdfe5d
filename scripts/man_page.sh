#!/usr/bin/env bash
# Writes a manual page, section 1, from a program's --help all: what it does as a paragraph, its options, and examples.
# Usage: scripts/man_page.sh PROGRAM [COMMAND]      the page goes to standard output
set -euo pipefail
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
    echo "usage: scripts/man_page.sh PROGRAM [COMMAND]" >&2
    exit 2
fi
name=$(basename "$1")${2:+-$2}
LC_ALL=C "$@" --help all | awk -v name="$name" '
    # Escapes for troff: a dash becomes a minus, a dot at the beginning of a line is no request, a backslash stays one.
    function plain(text) {
        gsub(/\\/, "\\e", text)
        gsub(/-/, "\\-", text)
        if (text ~ /^[.\x27]/) text = "\\&" text
        return text
    }
    # Prose is filled; what is set in columns keeps its lines.
    function mode(filled) {
        if (filled != is_filled) print filled ? ".fi" : ".nf"
        is_filled = filled
    }
    function section(title) {
        mode(1)
        sub(/:$/, "", title)
        print ".SH \"" plain(toupper(title)) "\""
    }
    { lines[NR] = $0 }
    END {
        is_filled = 1
        printf ".TH %s 1\n.SH NAME\n%s \\- part of the maxpool kernel study suite\n.SH SYNOPSIS\n", toupper(name), plain(name)
        sub(/^[Uu]sage: */, "", lines[1])
        print plain(lines[1])
        print ".SH DESCRIPTION"
        for (i = 2; i <= NR; i++) {
            line = lines[i]
            if (line ~ /^Exit status: /) {
                section("Exit status")
                line = substr(line, length("Exit status: ") + 1)
            } else if (line ~ /^[A-Z]/ && lines[i - 1] == "" && (lines[i + 1] ~ /^  / || line ~ /^Methods/)) {
                section(line)
                mode(0)
                continue
            }
            if (line ~ /^  /) mode(0)
            if (line == "" && is_filled && i < NR) print ".PP"
            else print plain(line)
        }
        mode(1)
    }'
