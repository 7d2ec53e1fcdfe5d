#!/usr/bin/env bash
# Writes a manual page, section 1, from a program's --help.
# Usage: scripts/man_page.sh PROGRAM [COMMAND]      the page goes to standard output
set -euo pipefail
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
    echo "usage: scripts/man_page.sh PROGRAM [COMMAND]" >&2
    exit 2
fi
name=$(basename "$1")${2:+-$2}
"$@" --help | awk -v name="$name" '
    # Escapes for troff: a dash becomes a minus, a dot at the beginning of a line is no request, a backslash stays one.
    function plain(text) {
        gsub(/\\/, "\\e", text)
        gsub(/-/, "\\-", text)
        if (text ~ /^[.\x27]/) text = "\\&" text
        return text
    }
    NR == 1 {
        printf ".TH %s 1\n.SH NAME\n%s \\- part of the maxpool kernel study suite\n.SH SYNOPSIS\n.nf\n", toupper(name), plain(name)
        sub(/^[Uu]sage: */, "")
        print plain($0)
        print ".fi\n.SH DESCRIPTION\n.nf"
        next
    }
    { print plain($0) }
    END { print ".fi" }'
