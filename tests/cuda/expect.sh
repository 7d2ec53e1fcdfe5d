# Sourced by tests of programs: a folder that is removed at the end, and checks of what a program ends with and prints.
# Each check that fails sets `failed`, the status of the test.
# shellcheck shell=bash disable=SC2034
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

# expect STATUS PATTERN COMMAND...: the exit status, and a pattern in what it prints.
expect() {
    local status=$1 pattern=$2 got=0
    shift 2
    "$@" >"$folder/said" 2>&1 || got=$?
    [ $got -eq "$status" ] && grep -q -e "$pattern" "$folder/said" && return
    echo "FAILED: $*: status $got, expected $status and '$pattern'"
    cat "$folder/said"
    failed=1
}

# said PATTERN, unsaid PATTERN: what was printed last. no_seconds: it has no time, a number with a unit of time.
said() { grep -q -E -e "$1" "$folder/said" || { echo "FAILED: no '$1'"; cat "$folder/said"; failed=1; }; }
unsaid() { if grep -E -e "$1" "$folder/said"; then echo "FAILED: '$1' was printed"; failed=1; fi; }
no_seconds() { unsaid '[0-9] ?(ns|µs|ms|s)\b'; }
